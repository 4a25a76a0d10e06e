"""Trials side by side on Ray: the same records as one after the other; what dies goes on, what always dies is named."""

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest
import torch

from cloud_transformers.cli import main
from cloud_transformers.recipes.trials import FINISHED, TRIES, Failure, finished, one_after_the_other
from cloud_transformers.world.layouts import LAYOUTS, LayoutJob
from tests.cluster.toy_recipe import slower, toy_recipe, toy_trials

pytest.importorskip("ray")
from cloud_transformers.cluster.search import side_by_side

pytestmark = [
    pytest.mark.cluster,
    pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="this system cannot kill -9"),
]
ROOT = Path(__file__).parents[2]


@pytest.fixture
def one_thread():
    """As every trial has here: sums of several threads differ in their last digits, and training makes more of it."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


def require_same(record: dict, wanted: dict) -> None:
    """All but times; data that kill say so in the configuration."""
    for name in wanted.keys() - {"cpu_seconds", "configuration", "variant", "scores", "loss"}:
        assert record[name] == wanted[name], name
    assert record["scores"] == pytest.approx(wanted["scores"], rel=1e-4)
    assert record["loss"] == pytest.approx(wanted["loss"], rel=1e-4)


def test_what_dies_goes_on_and_what_always_dies_is_named(ray, one_thread, tmp_path):
    (local,) = one_after_the_other(toy_trials(sound=toy_recipe()), tmp_path / "local")
    trials = toy_trials(
        hopeless=toy_recipe(victim="reader"),
        sound=toy_recipe(),
        unlucky=toy_recipe(victim="reader", mark=str(tmp_path / "died")),
        wrong=toy_recipe(mistake=True),
    )
    outcomes = list(side_by_side(ray, trials, tmp_path / "out"))
    failed = {each.trial.variant: each.reason for each in outcomes if isinstance(each, Failure)}
    assert failed.keys() == {"hopeless", "wrong"}
    assert failed["hopeless"].startswith(f"failed {TRIES} times, at last its process died")
    assert failed["wrong"] == "these shapes cannot be learned"
    records = {each["variant"]: each for each in outcomes if isinstance(each, dict)}
    assert records.keys() == {"sound", "unlucky"}
    assert (tmp_path / "died").exists()
    for record in records.values():
        require_same(record, local)
    # Given again, what is finished is kept.
    made = (trials[1].folder(tmp_path / "out") / FINISHED).stat().st_mtime_ns
    assert list(side_by_side(ray, trials[1:3], tmp_path / "out")) == [records["sound"], records["unlucky"]]
    assert (trials[1].folder(tmp_path / "out") / FINISHED).stat().st_mtime_ns == made


def test_the_command_is_killed_and_the_same_command_goes_on(one_thread, tmp_path):
    out, mark = tmp_path / "out", tmp_path / "died"
    words = [sys.executable, "-m", "tests.cluster.toy_command", str(out), "--sweep", "--kill-command", str(mark)]
    killed = subprocess.run(words, cwd=ROOT, capture_output=True, text=True)
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    done, begun = out / "slow/seed-0", out / "usual/seed-0"
    made = (done / FINISHED).stat().st_mtime_ns
    assert (begun / "checkpoints/step-00000002").is_dir()
    assert not (begun / FINISHED).exists()
    again = subprocess.run(words, cwd=ROOT, capture_output=True, text=True)
    assert again.returncode == 0, again.stderr
    assert (done / FINISHED).stat().st_mtime_ns == made
    wanted = toy_trials(slow=slower(toy_recipe()), usual=toy_recipe())
    for trial, local in zip(wanted, one_after_the_other(wanted, tmp_path / "local"), strict=True):
        require_same(json.loads((trial.folder(out) / FINISHED).read_text()), local)
    assert finished(wanted[0], out) is not None


def test_verbs_make_the_table_of_one_process(ray, tmp_path, capsys):
    data = tmp_path / "data"
    LAYOUTS["scanobjectnn"].write(LayoutJob(layout="scanobjectnn", root=data, size=16))
    words = ["scanobjectnn", "--size", "tiny", "--data", str(data), "points=32", "steps=1", "batch_size=2", "holdout=0"]
    words += ["validate_every=0", "--seeds", "1"]
    tables = []
    for place in ([], ["--on", "ray", "--workers", "2"]):
        out = tmp_path / f"out{len(tables)}"
        assert main(["ablate", *words, "--only", "full,sum", "--out", str(out), *place]) == 0, capsys.readouterr().err
        assert main(["train", *words, "--sweep", "learning_rate=1e-3,3e-3", "--out", str(out / "sweep"), *place]) == 0
        files = (out / "ablations.json", out / "sweep/sweep.json")
        tables.append([json.loads(path.read_text())["rows"] for path in files])
    for local, far in zip(*tables, strict=True):
        assert [row["variant"] for row in far] == [row["variant"] for row in local]
        for ours, theirs in zip(far, local, strict=True):
            assert ours["scores"]["OA"]["mean"] == pytest.approx(theirs["scores"]["OA"]["mean"], abs=1e-3)
