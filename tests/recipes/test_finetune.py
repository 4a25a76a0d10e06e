"""Fine-tuning: what is taken over, what is new, and that a run which started from weights goes on like any other."""

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from cloud_transformers import models
from cloud_transformers.checkpoints import WEIGHTS, read_safetensors
from cloud_transformers.cli import main
from cloud_transformers.cli.shared.recipe_settings import chosen_recipe
from cloud_transformers.models import ablations
from cloud_transformers.models.transfer import take_over
from cloud_transformers.recipes import recipe, with_settings
from cloud_transformers.recipes.finetune import BODY_RATE, gentle, options_of, start_from
from tests.recipes import own_folders
from tests.recipes.test_folder_recipes import SHORT, same_bits

OBJECTS = (*SHORT[2:], "points=64", "validate_every=2")


@pytest.fixture(scope="module")
def mine(tmp_path_factory):
    return own_folders.objects(tmp_path_factory.mktemp("objects") / "mine")


@pytest.fixture(scope="module")
def trained(mine, tmp_path_factory):
    """A run that learned the three classes well enough to help."""
    out = tmp_path_factory.mktemp("run") / "trained"
    words = ["--size", "tiny", "points=64", "steps=40", "batch_size=8", "device=cpu", "validate_every=0"]
    assert main(["train", "own-classification", "--data", str(mine), *words, "--out", str(out)]) == 0
    return out


def losses(folder: Path) -> list[float]:
    lines = (folder / "metrics.jsonl").read_text().splitlines()
    return [line["loss"] for line in map(json.loads, lines) if "loss" in line]


def saved(tmp_path: Path, model: torch.nn.Module) -> str:
    models.save(model, tmp_path / "weights.safetensors")
    return str(tmp_path / "weights.safetensors")


def test_the_class_head_is_new_and_everything_else_equal_to_the_bit(tmp_path):
    weights = saved(tmp_path, models.classifier("tiny", 15))
    begun = recipe("own-classification", "tiny")
    begun = replace(begun, model=replace(begun.model, start=weights))
    torch.manual_seed(1)
    model = begun.model.build(begun.task, 4)
    torch.manual_seed(1)
    untouched = begun.model.build(begun.task, 4)
    said = start_from(begun, model)
    given, new = read_safetensors(weights)[0], untouched.state_dict()
    heads = {"class_head.1.weight", "class_head.1.bias"}
    for name, value in model.state_dict().items():
        assert torch.equal(value, new[name] if name in heads else given[name]), name
    assert f"{len(new) - 2} of {len(new)} tensors taken over" in said
    assert "class_head.1 (weight [4, 64], [15, 64] in the weights)" in said
    assert said.count("\n") == 0


def test_other_input_features_make_the_first_layer_new():
    model = models.segmenter("tiny", 13, num_features=4)
    said = take_over(model, models.segmenter("tiny", 13, num_features=3).state_dict(), "w")
    assert "new layers: trunk.linear (weight [32, 7], [32, 6] in the weights)" in said
    assert "no layer is new" in take_over(model, models.segmenter("tiny", 13, num_features=4).state_dict(), "w")


@pytest.mark.parametrize(("size", "ablation"), [(size, name) for size in ("small", "tiny") for name in ablations(size)])
def test_options_are_those_of_the_weights(size, ablation, tmp_path):
    made = recipe("own-segmentation", size)
    made = replace(made, model=replace(made.model, **ablations(size)[ablation]))
    weights = saved(tmp_path, made.model.build(made.task, 5))
    found = options_of(recipe("own-segmentation", "full"), weights)
    assert found.build(made.task, 5).config == made.model.build(made.task, 5).config


@pytest.mark.parametrize("name", ["own-classification", "own-completion", "own-reconstruction"])
def test_the_size_is_that_of_the_weights(name, tmp_path, capsys):
    made = recipe(name, "small")
    weights = saved(tmp_path, made.model.build(made.task, 5))
    found, _ = chosen_recipe(name, ["--from", weights])
    assert found == replace(made, model=replace(made.model, start=weights))
    assert main(["train", name, "--from", weights, "--size", "tiny"]) == 2
    assert "is of size small, not tiny" in capsys.readouterr().err


def test_a_completer_that_places_its_points_is_gone_on_with_as_it_is(tmp_path):
    """As older versions made them at the size small."""
    placing = models.completer("small", moves=False, mirrors=0, fine=False, style_channels=48)
    weights = saved(tmp_path, placing)
    made = recipe("own-completion", "small")
    found = options_of(made, weights)
    assert found.build(made.task, 2).config == placing.config
    assert found.size == "small"


def test_a_reconstructor_without_a_second_look_is_gone_on_with_as_it_is(tmp_path):
    """As older versions made them at the size small."""
    placing = models.reconstructor("small", refined=False, style_channels=64)
    weights = saved(tmp_path, placing)
    made = recipe("own-reconstruction", "small")
    found = options_of(made, weights)
    assert found.build(made.task, 2).config == placing.config
    assert found.size == "small"


def test_a_reconstructor_on_fine_grids_is_gone_on_with_as_it_is(tmp_path):
    fine = models.reconstructor("small", fine=True)
    made = recipe("own-reconstruction", "small")
    found = options_of(made, saved(tmp_path, fine))
    assert found.build(made.task, 2).config == fine.config


def test_weights_without_details_begin_a_finer_model(tmp_path):
    weights = saved(tmp_path, models.reconstructor("small"))
    made = recipe("own-reconstruction", "small")
    made = replace(made, model=replace(options_of(made, weights), start=str(weights), fine=True))
    told = start_from(made, made.model.build(made.task, 2))
    assert "new layers: picture_map.details.0" in told


def test_a_segmenter_on_fine_grids_is_gone_on_with_as_it_is(tmp_path):
    fine = models.segmenter("small", fine=True, num_cascades=3)
    made = recipe("own-segmentation", "small")
    found = options_of(made, saved(tmp_path, fine))
    assert found.build(made.task, 13).config == fine.config


@pytest.mark.parametrize("options", [{}, {"max_and_mean": True}, {"surroundings": True}, {"fine": True}])
def test_a_classifier_is_gone_on_with_as_it_is(options, tmp_path):
    begun = models.classifier("small", 40, mask_head=False, dropout=0.3, **options)
    made = recipe("modelnet40", "small")
    found = options_of(made, saved(tmp_path, begun))
    assert found.build(made.task, 40).config == begun.config


def test_that_sizes_are_no_longer_looked_at_is_said(mine, tmp_path, capsys):
    """Weights that know sizes, in a training that brings all objects to one."""
    weights, said = tmp_path / "sized.safetensors", models.Preparation(task="classification", frame="data", scale=0.5)
    models.save(models.classifier("tiny", 3), weights, preparation=said)
    words = ["--data", str(mine), *OBJECTS, "--from", str(weights)]
    assert main(["train", "own-classification", *words, "--out", str(tmp_path / "a")]) == 0
    assert "they know how large things are, which extent=2 would keep" in capsys.readouterr().err
    assert main(["train", "own-classification", *words, "extent=2", "--out", str(tmp_path / "b")]) == 0
    assert "how large" not in capsys.readouterr().err


def test_categories_of_shapes_are_no_classes(tmp_path):
    """Weights that make shapes have no head to begin with, whatever the shapes are called."""
    weights = tmp_path / "shapes.safetensors"
    models.save(models.completer("tiny"), weights, preparation=models.Preparation(task="completion", num_points=64))
    chosen, _ = chosen_recipe("own-completion", ["--size", "tiny", "--from", str(weights)])
    told = gentle(chosen, ("chair", "table")).training
    assert (told.heads_first, told.body_rate) == (0.0, 1.0)


def test_it_starts_lower_than_from_nothing(mine, trained, tmp_path, capsys):
    words = ["--data", str(mine), *OBJECTS, "learning_rate=1e-4"]
    assert main(["train", "own-classification", *words, "--size", "tiny", "--out", str(tmp_path / "nothing")]) == 0
    assert main(["train", "own-classification", *words, "--from", str(trained), "--out", str(tmp_path / "begun")]) == 0
    assert "no layer is new" in capsys.readouterr().err
    assert losses(tmp_path / "begun")[0] < losses(tmp_path / "nothing")[0] - 0.1


def test_weights_for_other_classes_are_changed_with_care(mine, trained, tmp_path, capsys):
    two = shutil.copytree(mine, tmp_path / "two")
    shutil.rmtree(two / "plate")
    words = ["--data", str(two), "points=64", "steps=20", "batch_size=4", "device=cpu", "validate_every=0"]
    words += ["--from", str(trained)]
    chosen, _ = chosen_recipe("own-classification", words)
    assert gentle(chosen, ("ball", "stick")).training.body_rate == BODY_RATE
    assert gentle(chosen, ("ball", "plate", "stick")).training.heads_first == 0
    assert gentle(with_settings(chosen, {"body_rate": 1.0}), ("ball", "stick")).training.body_rate == 1
    words += ["checkpoint_every=1", "keep=30", "--out", str(tmp_path / "r")]
    assert main(["train", "own-classification", *words]) == 0
    assert "the heads learn alone for 10% of the steps" in capsys.readouterr().err
    given = read_safetensors(trained / "weights.safetensors")[0]

    def moved(step: int) -> bool:
        now = read_safetensors(tmp_path / f"r/checkpoints/step-{step:08d}" / WEIGHTS)[0]
        return not torch.equal(now["encoder.trunk.linear.weight"], given["encoder.trunk.linear.weight"])

    assert [moved(step) for step in (1, 2, 3)] == [False, False, True]


def test_known_features_keep_their_columns_and_new_ones_begin_at_nothing(tmp_path):
    model = models.segmenter("tiny", 3, num_features=4)
    said = models.Preparation(task="segmentation", classes=("a", "b", "c"), features=("color", "height"))
    models.save(model, tmp_path / "w.safetensors", preparation=said)
    begun = with_settings(recipe("own-segmentation", "tiny"), {"features": "intensity,height,color"})
    begun = replace(begun, model=replace(begun.model, start=str(tmp_path / "w.safetensors")))
    other = begun.model.build(begun.task, 3)
    assert "no layer is new" in start_from(begun, other)
    positions, color, height, intensity = (torch.rand(2, 50, num) for num in (3, 3, 1, 1))
    with torch.inference_mode():
        before = model.eval()(positions, torch.cat([color, height], -1))
        after = other.eval()(positions, torch.cat([intensity, height, color], -1))
    torch.testing.assert_close(before, after, atol=1e-5, rtol=1e-5)


def test_a_run_goes_on_without_the_weights_that_it_started_from(mine, trained, tmp_path, capsys):
    start = shutil.copy(trained / "weights.safetensors", tmp_path / "start.safetensors")
    two = shutil.copytree(mine, tmp_path / "two")
    shutil.rmtree(two / "plate")
    words = ["own-classification", "--data", str(two), *OBJECTS, "--from", str(start)]
    whole, stopped = tmp_path / "whole", tmp_path / "stopped"
    assert main(["train", *words, "--out", str(whole)]) == 0
    assert "class_head.1 (weight [2, 64], [3, 64] in the weights)" in capsys.readouterr().err
    shutil.copytree(whole, stopped)
    shutil.rmtree(stopped / "checkpoints/step-00000004")
    for path in stopped.glob("*.safetensors"):
        path.unlink()
    Path(start).unlink()
    assert main(["train", str(stopped)]) == 0
    assert "taken over" not in capsys.readouterr().err
    assert same_bits(whole / "weights.safetensors", stopped / "weights.safetensors")
    assert json.loads((stopped / "configuration.json").read_text())["model"]["start"] == str(start)
    # The same command with the weights gone, or with others, does not pass for the same run.
    assert main(["train", *words, "--out", str(stopped)]) == 2
    assert "goes on without them" in capsys.readouterr().err
    words[-1] = str(trained)
    assert main(["train", *words, "--out", str(stopped)]) == 2
    assert "model.start was" in capsys.readouterr().err


def test_mistakes_are_sentences_and_leave_no_run(mine, trained, tmp_path, capsys):
    def refused(*words: str) -> str:
        out = tmp_path / "out"
        assert main(["train", *words, "--data", str(mine), *OBJECTS[:-2], "validate_every=0", "--out", str(out)]) == 2
        assert not out.exists()
        message = capsys.readouterr().err
        assert message.count("\n") == 1
        return message

    assert "no such weights" in refused("own-classification", "--from", str(tmp_path / "none"))
    (tmp_path / "empty").mkdir()
    assert "holds no weights" in refused("own-classification", "--from", str(tmp_path / "empty"))
    assert "holds a classifier, but own-completion is completion" in refused("own-completion", "--from", str(trained))
    (tmp_path / "other.pth").write_bytes(b"x")
    assert "import-release" in refused("own-classification", "--from", str(tmp_path / "other.pth"))
    (tmp_path / "bad.safetensors").write_bytes(b"x")
    assert "not a readable" in refused("own-classification", "--from", str(tmp_path / "bad.safetensors"))
    assert "it is of another size" in refused("own-classification", "--from", str(trained), "model.size=small")


def test_weights_name_what_they_come_from_and_not_where_it_lies() -> None:
    settings = {"folder": "/home/someone/scans", "start": "/home/someone/old/best.safetensors"}
    said = with_settings(recipe("own-classification", "tiny"), settings).preparation(["a", "b"])
    assert "home" not in said.to_json()
    assert (said.data, said.recipe) == ("scans", "own-classification tiny, started from best.safetensors")
