"""Runs that end in time."""

import json

from cloud_transformers.cli import main
from cloud_transformers.engine import TrainingOptions
from cloud_transformers.engine.pace import steps_within
from tests.recipes import own_folders


def test_steps_and_validations_fit_into_the_minutes() -> None:
    options = TrainingOptions(steps=1000, validate_every=250, minutes=10)
    chosen = steps_within(options, 0.5, validation_batches=30)
    assert chosen.steps // chosen.validate_every == 4
    spent = 0.5 * chosen.steps + 4 * 30 * 0.5 / 3
    assert 0.85 * 600 < spent < 600
    assert steps_within(TrainingOptions(minutes=0.001), 1.0).steps == 10


def test_a_run_that_goes_on_keeps_its_steps(tmp_path, capsys) -> None:
    words = ["--data", str(own_folders.objects(tmp_path / "mine", count=4)), "--size", "tiny", "points=32"]
    words += ["batch_size=4", "minutes=0.001", "validate_every=0", "device=cpu", "--out", str(tmp_path / "run")]
    assert main(["train", "own-classification", *words]) == 0, capsys.readouterr().err
    assert "10 steps in 0.001 minutes" in capsys.readouterr().err
    content = json.loads((tmp_path / "run/configuration.json").read_text())
    assert content["training"]["steps"] == 10
    assert main(["train", "own-classification", *words]) == 0, capsys.readouterr().err
    assert "s per step" not in capsys.readouterr().err


def test_what_a_task_does_not_have_is_said_before_its_pace_is_measured(tmp_path, capsys) -> None:
    words = ["--size", "tiny", "minutes=0.001", "points_at_first=0.5", "world_size=16", "device=cpu"]
    assert main(["train", "completion", *words, "--out", str(tmp_path / "run")]) == 2
    assert "points_at_first is for classification, not for completion" in capsys.readouterr().err
