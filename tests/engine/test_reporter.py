"""What a run tells while it goes on, and what its results say."""

from __future__ import annotations

import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from cloud_transformers.engine import RunFolder
from cloud_transformers.engine.checkpoint import Progress
from cloud_transformers.engine.reporter import Reporter, _duration
from cloud_transformers.engine.results import Results
from cloud_transformers.metrics import Score
from tests.engine import toy


@pytest.fixture
def run(tmp_path: Path) -> RunFolder:
    folder = RunFolder(tmp_path)
    folder.open({}, {})
    return folder


def report(run: RunFolder, steps: int, log_every: int, *, is_main: bool = True) -> None:
    with Reporter(run, toy.options(steps=steps, log_every=log_every), 0, is_main) as reporter:
        for step in range(1, steps + 1):
            reporter.step(Progress(step=step, skipped=1), {"loss": 2.5}, 0.125, 0.75, num_samples=8)


def test_every_so_many_steps_and_the_last_one_are_told(run: RunFolder, capsys: pytest.CaptureFixture[str]) -> None:
    report(run, 7, 3)
    lines = [{name: line[name] for name in line if name != "clouds_per_second"} for line in run.records()]
    facts = {"loss": 2.5, "learning_rate": 0.125, "gradient_norm": 0.75, "skipped": 1}
    assert lines == [{"step": step, "epoch": step / 2, **facts} for step in (3, 6, 7)]  # batches of 4 of 8 samples
    said = capsys.readouterr().err.splitlines()
    assert [line.split("  ")[:3] for line in said] == [
        [f"step {step}/7", "loss 2.5", "rate 0.125"] for step in (3, 6, 7)
    ]
    assert said[-1].endswith("  0 s left")


def test_other_processes_tell_nothing(run: RunFolder, capsys: pytest.CaptureFixture[str]) -> None:
    report(run, 2, 1, is_main=False)
    assert not list(run.records())
    assert not capsys.readouterr().err


def test_a_validation_is_told(run: RunFolder, capsys: pytest.CaptureFixture[str]) -> None:
    scores = [
        Score(name=name, value=10.0 * number, unit="%", definition="", num_samples=4)
        for number, name in enumerate("abcd")
    ]
    with Reporter(run, toy.options(), 0, True) as reporter:
        reporter.validation(Progress(step=2), scores, True)
    assert list(run.records()) == [{"step": 2, "validation": {"a": 0.0, "b": 10.0, "c": 20.0, "d": 30.0}, "best": True}]
    assert "step 2: validation a" in capsys.readouterr().err


def test_tensorboard_has_what_the_records_have(run: RunFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    boards = []

    class Board:
        def __init__(self, folder: str, purge_step: int) -> None:
            boards.append((folder, purge_step, self))
            self.scalars: list[tuple[str, float, int]] = []

        def add_scalar(self, *scalar: object) -> None:
            self.scalars.append(scalar)

        def close(self) -> None:
            self.scalars.append("closed")

    monkeypatch.setitem(sys.modules, "torch.utils.tensorboard", SimpleNamespace(SummaryWriter=Board))
    report(run, 1, 1)
    ((folder, purge_step, board),) = boards
    assert (Path(folder), purge_step) == (run.path / "tensorboard", 1)  # of a killed run, later steps are told again
    assert board.scalars == [
        ("train/loss", 2.5, 1),
        ("train/learning rate", 0.125, 1),
        ("train/gradient norm", 0.75, 1),
        "closed",
    ]


@pytest.mark.parametrize(
    ("seconds", "text"), [(0, "0 s"), (89, "89 s"), (90, "2 min"), (5399, "90 min"), (5400, "1.5 h"), (36000, "10.0 h")]
)
def test_durations_are_in_the_unit_that_suits_them(seconds: float, text: str) -> None:
    assert _duration(seconds) == text


def test_a_card_has_everything_and_the_record_too() -> None:
    score = Score(name="OA", value=50.0, unit="%", definition="right over all", num_samples=4)
    results = Results(
        recipe="toy",
        protocol="toy shapes",
        weights="w.safetensors",
        seconds=2.0,
        scores=[score],
        details=[],
        classes=("a", "b"),
        confusion=[[1, 1], [1, 1]],
        absent=["c"],
        facts={"data": "a folder", "files": 3},
        notes=("mind the gap", "and the step"),
    )
    lines = results.card().splitlines()
    assert lines[:6] == [
        "protocol  toy shapes",
        "weights   w.safetensors",
        "data      a folder",
        "time      2.0 s",
        "note      mind the gap",
        "note      and the step",
    ]
    assert "OA" in lines[7]
    assert lines[-1].endswith("not averaged: c")
    record = results.as_record()
    assert {name: record[name] for name in record if name not in ("cloud_transformers", "scores")} == {
        "recipe": "toy",
        "protocol": "toy shapes",
        "weights": "w.safetensors",
        "seconds": 2.0,
        "details": [],
        "classes": ["a", "b"],
        "confusion": [[1, 1], [1, 1]],
        "absent": ["c"],
        "data": {"data": "a folder", "files": 3},
        "notes": ["mind the gap", "and the step"],
    }
    assert [each["name"] for each in record["scores"]] == ["OA"]
