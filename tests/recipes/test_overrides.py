"""Settings as text: typed, checked, and helped where misspelt."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cloud_transformers.cli import main
from cloud_transformers.errors import InputError
from cloud_transformers.recipes import RECIPES, from_configuration, parse, recipe, settings, with_settings

SIZES = ("full", "small", "tiny")


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", RECIPES)
def test_a_configuration_survives_json(name, size):
    made = recipe(name, size)
    saved = json.loads(json.dumps(made.configuration()))
    assert from_configuration(saved, "saved") == made
    assert "paper" in RECIPES[name].__doc__ or name.startswith("own-")


@pytest.mark.parametrize("name", RECIPES)
def test_every_setting_accepts_its_own_value_as_text(name):
    made = recipe(name, "tiny")
    for setting in settings(made):
        value = ",".join(map(str, setting.value)) if isinstance(setting.value, tuple) else str(setting.value)
        assert with_settings(made, {setting.name: value}) == made
        assert with_settings(made, {f"{setting.group}.{setting.name}": value}) == made


@pytest.mark.parametrize("name", RECIPES)
def test_names_of_settings_are_unique(name):
    names = [setting.name for setting in settings(recipe(name))]
    assert len(names) == len(set(names))


def test_the_paper_s_schedules():
    for name in ("s3dis-blocks", "scanobjectnn", "scanobjectnn-scales", "modelnet40"):
        training = recipe(name).training
        assert (training.optimizer, training.learning_rate, training.schedule) == ("adam", 1e-3, "step")
        assert (training.decay, training.decay_every, training.batch_size) == (0.7, 25_000, 16)
    spheres = recipe("s3dis-spheres")
    assert (spheres.training.batch_size, spheres.training.clip, spheres.data.points) == (12, 10.0, 8192)
    assert (spheres.data.votes, spheres.data.spheres, spheres.data.radius) == (20, 2000, 2.0)
    for name, batch_size in (("completion", 16), ("reconstruction", 32)):
        training = recipe(name).training
        assert (training.learning_rate, training.decay, training.decay_every) == (1e-4, 0.5, 100_000)
        assert training.batch_size == batch_size
    assert (recipe("completion").data.points, recipe("completion").task.num_points) == (2048, 16384)
    task = recipe("reconstruction").task
    assert (task.num_points, task.passes, task.drawn, task.thresholds[0]) == (8192, 2, 10_000, 0.01)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["stpes=3"], "did you mean steps"),
        (["steps=many"], "steps must be a whole number, got 'many'"),
        (["steps=1.5"], "steps must be a whole number"),
        (["steps=0"], "steps must be at least 1"),
        (["balance=maybe"], "balance must be true or false"),
        (["reduce=median"], "reduce must be max or sum or mean"),
        (["--steps"], "--steps has no value"),
        (["3"], "'3' is not a setting"),
        (["steps=1", "--steps", "2"], "steps is given twice"),
        (["--size", "huge"], "size must be one of full, small, tiny"),
        (["--data", "/no/such/folder"], "/no/such/folder: no such folder"),
        (["xyzzy=1"], "lists all"),
    ],
)
def test_mistakes_are_sentences(words, sentence, capsys):
    assert main(["train", "scanobjectnn", *words]) == 2
    assert sentence in capsys.readouterr().err


@pytest.mark.parametrize("word", ["zoom=0", "zoom=-1", "zoom=2", "zoom=nan", "frames=2", "frames=-0.1", "backdrops=7"])
def test_shares_and_scales_of_pictures_have_limits(word, capsys):
    assert main(["train", "reconstruction", word]) == 2
    assert "must be" in capsys.readouterr().err


def test_misspelt_recipes_get_a_suggestion(capsys):
    assert main(["train", "scanobjektnn"]) == 2
    assert "did you mean scanobjectnn?" in capsys.readouterr().err


def test_help_lists_what_can_be_set(capsys):
    assert main(["train", "completion", "--size", "tiny", "--help"]) == 0
    shown = capsys.readouterr().out
    assert "emd_steps=100" in shown
    assert "adam or adamw" in shown
    assert main(["recipes"]) == 0
    assert all(name in capsys.readouterr().out for name in ["reconstruction"])
    assert main(["recipes", "s3dis-spheres"]) == 0
    assert "67.9" in capsys.readouterr().out


@given(st.dictionaries(st.from_regex(r"[a-z_]{1,8}", fullmatch=True), st.from_regex(r"[a-z0-9.]{1,8}", fullmatch=True)))
def test_the_three_ways_to_write_a_setting_are_one(values):
    plain = [f"{name}={value}" for name, value in values.items()]
    dashes = [f"--{name}={value}" for name, value in values.items()]
    apart = [word for name, value in values.items() for word in (f"--{name}", value)]
    assert parse(plain) == parse(dashes) == parse(apart) == values


def test_a_configuration_of_something_else_is_refused():
    with pytest.raises(InputError, match="names no recipe"):
        from_configuration({"a": 1}, "file.json")
    with pytest.raises(InputError, match=r"file.json: .*no setting 'training.stepz'; did you mean training.steps"):
        from_configuration({"recipe": "completion", "training": {"stepz": 1}}, "file.json")
