"""Training on Ray: what torchrun's processes do, and what is lost is done again from the last checkpoint."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest
import torch

from cloud_transformers.checkpoints import read_safetensors
from cloud_transformers.engine import RunFolder
from cloud_transformers.errors import InputError
from tests.cluster.toy_recipe import STEPS, toy_recipe

pytest.importorskip("ray")
from cloud_transformers.cluster.training import OWN_FOLDER, train_on_ray

pytestmark = [
    pytest.mark.cluster,
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),  # of Ray's parts about one another
]
ROOT = Path(__file__).parents[2]
COMMAND = ["-m", "tests.cluster.toy_command"]


@pytest.fixture(scope="module")
def by_torchrun(tmp_path_factory) -> Path:
    """The run of two processes of torchrun's."""
    out = tmp_path_factory.mktemp("torchrun") / "run"
    launcher = ["-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2"]
    done = subprocess.run([sys.executable, *launcher, *COMMAND, str(out)], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return out


def require_same(run: Path, other: Path) -> None:
    """Weights and metrics; only the time that steps took may differ."""
    for name in ("weights.safetensors", "best.safetensors"):
        found, wanted = (read_safetensors(folder / name)[0] for folder in (run, other))
        torch.testing.assert_close(found, wanted, rtol=1e-4, atol=1e-6)
    lines = [RunFolder(folder).records() for folder in (run, other)]
    for found, wanted in zip(*lines, strict=True):
        assert found.keys() == wanted.keys()
        for name in found.keys() - {"clouds_per_second"}:
            assert found[name] == pytest.approx(wanted[name], rel=1e-4, abs=1e-6), name
    steps = [line["step"] for line in lines[0] if "loss" in line]
    assert steps == list(range(1, STEPS + 1))


def test_processes_of_ray_train_as_those_of_torchrun_do(ray, by_torchrun, tmp_path, capsys):
    train_on_ray(ray, toy_recipe(), tmp_path / "run", workers=2)
    require_same(tmp_path / "run", by_torchrun)
    said = capsys.readouterr().err
    assert f"step {STEPS}/{STEPS}  loss" in said
    assert "step 3: validation" in said
    assert not (tmp_path / "run" / OWN_FOLDER).exists()


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="this system cannot kill -9")
def test_a_worker_is_killed_and_all_go_on_from_the_last_checkpoint(ray, by_torchrun, tmp_path, capsys):
    mark = tmp_path / "died"
    train_on_ray(ray, toy_recipe(victim="reader", mark=str(mark)), tmp_path / "run", workers=2)
    assert mark.exists()
    require_same(tmp_path / "run", by_torchrun)
    said = capsys.readouterr().err
    assert said.count("step 2/6") == 1  # done before the checkpoint, so not again


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="this system cannot kill -9")
def test_the_command_is_killed_and_the_same_command_goes_on(by_torchrun, tmp_path):
    words = [sys.executable, *COMMAND, str(tmp_path / "run"), "--on-ray", "--kill-command", str(tmp_path / "died")]
    killed = subprocess.run(words, cwd=ROOT, capture_output=True, text=True)
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    assert [each.name for each in (tmp_path / "run/checkpoints").iterdir()] == ["step-00000002"]
    again = subprocess.run(words, cwd=ROOT, capture_output=True, text=True)
    assert again.returncode == 0, again.stderr
    assert "step 2/6" not in again.stderr
    require_same(tmp_path / "run", by_torchrun)


def test_a_mistake_is_one_sentence_and_is_not_tried_again_and_again(ray, tmp_path):
    with pytest.raises(InputError, match=r"^these shapes cannot be learned$"):
        train_on_ray(ray, toy_recipe(mistake=True), tmp_path / "run", workers=1)


def test_more_processes_than_cores_are_refused(ray, tmp_path):
    with pytest.raises(InputError, match="--workers 3: the cluster has 2 cores"):
        train_on_ray(ray, toy_recipe(), tmp_path / "run", workers=3)
    assert not (tmp_path / "run").exists()
