"""Sweeps: every combination, with every seed, in one table; what fails is named and stops nothing."""

import json
import os
import statistics

import pytest

from cloud_transformers.cli import main
from cloud_transformers.engine import RunFolder
from cloud_transformers.errors import InputError
from cloud_transformers.recipes import recipe, trials, with_settings
from cloud_transformers.recipes.sweep import UNCHANGED, sweep_trials
from cloud_transformers.recipes.trials import FAILURE, TRIES

TINY = ["scanobjectnn", "--size", "tiny", "world_size=16", "points=32", "steps=2", "batch_size=2"]
CHECKED = ["holdout=0.2", "validate_every=1", "log_every=1"]
UNCHECKED = ["holdout=0", "validate_every=0"]


def test_every_combination_is_a_variant_with_every_seed():
    base = with_settings(recipe("scanobjectnn", "tiny"), {"seed": 5})
    made = sweep_trials(base, ["learning_rate=1e-3,3e-3", "training.batch_size=2, 4"], 2)
    assert [(each.variant, each.seed) for each in made[::3]] == [
        ("learning_rate=1e-3 training.batch_size=2", 5),
        ("learning_rate=3e-3 training.batch_size=4", 5),
        ("learning_rate=3e-3 training.batch_size=2", 6),
    ]
    assert [(each.recipe.training.learning_rate, each.recipe.training.batch_size) for each in made[:4]] == [
        (1e-3, 2),
        (1e-3, 4),
        (3e-3, 2),
        (3e-3, 4),
    ]
    assert len({each.folder for each in made}) == len(made) == 8


def test_values_that_are_lists_are_separated_by_semicolons():
    made = sweep_trials(recipe("own-segmentation", "tiny"), ["features=color;color,intensity"], 1)
    assert [each.recipe.task.features for each in made] == [("color",), ("color", "intensity")]


def test_seeds_alone_are_a_sweep_of_one_variant():
    assert [str(each) for each in sweep_trials(recipe("completion", "tiny"), [], 2)] == [
        f"{UNCHANGED}, seed 0",
        f"{UNCHANGED}, seed 1",
    ]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--sweep", "learning_rat=1e-3"], "did you mean learning_rate?"),
        (["--sweep", "learning_rate=fast"], "learning_rate must be"),
        (["--sweep", "learning_rate=1e-3,-1"], "learning_rate must be above 0, got -1"),
        (["--sweep", "learning_rate"], "--sweep must be as learning_rate=1e-3,3e-3, got 'learning_rate'"),
        (["--sweep", "learning_rate=1,,2"], "--sweep must be as learning_rate=1e-3,3e-3"),
        (["--sweep", "steps=1,1"], "has a value twice"),
        (["--sweep", "steps=1", "--sweep=training.steps=2"], "--sweep steps is given twice"),
        (["--sweep", "seed=1,2"], "take --seeds N"),
        (["--sweep", "size=tiny,small"], "take one sweep per --size"),
        (["--sweep"], "--sweep must be as"),
        (["--sweep", "steps=1", "--seeds", "9" * 5000], "seeds must be a whole number from 1 to 10,000, got '999"),
        (["--sweep", f"steps={','.join(map(str, range(1, 102)))}", "--seeds", "100"], "asks for 10,100 trainings"),
        (["--sweep", "steps=1", "--seeds", "0"], "seeds must be a whole number from 1 to 10,000, got '0'"),
    ],
)
def test_mistakes_are_found_before_anything_starts(words, said, tmp_path, capsys):
    assert main(["train", *TINY, "--out", str(tmp_path / "out"), *words]) == 2
    assert said in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_variants_whose_names_make_one_folder_are_refused():
    with pytest.raises(InputError, match="would share the folder"):
        sweep_trials(recipe("own-segmentation", "tiny"), ["features=color,intensity;color intensity"], 1)


def test_one_that_fails_is_named_and_the_others_are_in_the_table(tmp_path, capsys):
    out = tmp_path / "out"
    words = [*TINY, *CHECKED, "--sweep", "learning_rate=1e-3,1e30", "--seeds", "2", "--out", str(out)]
    assert main(["train", *words]) == 1
    said = capsys.readouterr()
    assert "learning_rate=1e30, seed 1: step 1: the loss is" in said.err
    assert "learning_rate=1e30, seed 0: failed: step 1: the loss is" in said.out
    assert "2 of 4 runs are finished" in said.out
    found = json.loads((out / "sweep.json").read_text())
    (row,) = found["rows"]
    best = [
        [
            line["validation"]["OA"]
            for line in RunFolder(out / f"learning_rate=1e-3/seed-{seed}").records()
            if line.get("best")
        ][-1]
        for seed in (0, 1)
    ]
    assert [run["scores"]["OA"] for run in row["runs"]] == best
    assert row["scores"]["OA"]["mean"] == pytest.approx(statistics.fmean(best), abs=1e-4)
    assert row["scores"]["OA"]["sd"] == pytest.approx(statistics.stdev(best), abs=1e-4)
    assert row["scores"]["OA"]["shown"] in said.out
    assert "validation split" in found["protocol"]
    assert "1e30" in (out / "sweep.html").read_text()


def test_a_sweep_that_was_stopped_goes_on_and_what_crashes_is_tried_three_times(tmp_path, capsys, monkeypatch):
    begun = []

    def training(made, folder, train=trials.run_training):
        begun.append(folder.parent.name)
        if made.training.batch_size == 3:
            raise RuntimeError("the machine is on fire\nand more")
        return train(made, folder)

    monkeypatch.setattr(trials, "run_training", training)
    words = [*TINY[:-1], *UNCHECKED, "--sweep", "batch_size=2,3", "--seeds", "1", "--out", str(tmp_path)]
    for expected in (["batch_size=2"] + ["batch_size=3"] * TRIES, ["batch_size=3"] * TRIES):
        begun.clear()
        assert main(["train", *words]) == 1
        assert begun == expected
        said = capsys.readouterr()
        assert (
            f"batch_size=3, seed 0: failed {TRIES} times, at last with RuntimeError (the machine is on fire)"
            in said.err
        )
        assert "not the benchmark" in said.out  # judged on the test split of the embedded world
    assert "Traceback" in (tmp_path / "batch_size=3/seed-0" / FAILURE).read_text()


def test_a_second_one_for_the_same_trials_is_told_who_works_there(tmp_path, capsys, monkeypatch):
    """They would take trials from each other, and none of them would have all."""
    out = tmp_path / "sweep"
    words = ["train", *TINY, *UNCHECKED, "--sweep", "learning_rate=1e-3,3e-3", "--seeds", "1", "--out", str(out)]
    codes = []

    def at_once(*_):
        monkeypatch.undo()
        codes.append(main(words))
        yield from ()

    monkeypatch.setattr(trials, "one_after_the_other", at_once)
    main(words)
    assert codes == [2]
    assert f"process {os.getpid()} on" in (said := capsys.readouterr().err)
    assert f"is training for the table in {out} already" in said
    assert not list(out.glob(".*")), "a lock is left"
    (tmp_path / "file").touch()
    assert main([*words[:-1], str(tmp_path / "file")]) == 2
    assert f"{tmp_path / 'file'}: is a file; trials need a folder" in capsys.readouterr().err
