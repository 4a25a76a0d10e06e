"""Several processes do what one does with the same batches, and a killed one costs nothing."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest
import torch

from cloud_transformers.engine import RunFolder
from tests.engine import together

ROOT = Path(__file__).parents[2]


def torchrun(*words, restarts: int = 0) -> None:
    launcher = ["-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2", "--max-restarts", str(restarts)]
    result = subprocess.run(
        [sys.executable, *launcher, "-m", *words], cwd=ROOT, capture_output=True, text=True, timeout=300
    )
    assert result.returncode == 0, result.stderr


def first_gradients(folder: Path) -> torch.Tensor:
    """Adam's average after one step is a tenth of the gradient."""
    state = torch.load(folder / "checkpoints/step-00000001/state.pt", weights_only=True)
    return torch.cat([each["exp_avg"].flatten() for each in state["optimizer"]["state"].values()])


def validations(folder: Path) -> list[dict]:
    return [line["validation"] for line in RunFolder(folder).records() if "validation" in line]


def test_two_processes_do_what_one_does(tmp_path):
    together.main(tmp_path / "one")
    torchrun("tests.engine.together", str(tmp_path / "two"))
    for task in ("classification", "reconstruction"):
        one, two = (first_gradients(tmp_path / number / task) for number in ("one", "two"))
        assert one.abs().max() > 0
        torch.testing.assert_close(two, one, rtol=1e-3, atol=1e-4 * float(one.abs().max()))
        losses = [
            [line["loss"] for line in RunFolder(tmp_path / number / task).records() if "loss" in line]
            for number in ("one", "two")
        ]
        assert losses[1] == pytest.approx(losses[0], rel=1e-5)
        # Seven or nine clouds over two processes: none is counted twice.
        one, two = (validations(tmp_path / number / task) for number in ("one", "two"))
        assert len(two) == 2
        assert two == [pytest.approx(each, rel=1e-4) for each in one]


def test_own_statistics_are_other_ones_and_kept_alike(tmp_path):
    """Half a batch has other means than all of it, so gradients differ; `together` looks at what is kept."""
    together.main(tmp_path / "one")
    torchrun("tests.engine.together", str(tmp_path / "two"), "own")
    one, two = (first_gradients(tmp_path / number / "classification") for number in ("one", "two"))
    assert (one - two).abs().max() > 0.01 * one.abs().max()


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="this system cannot kill -9")
def test_one_of_two_killed_both_start_again_from_the_last_checkpoint(tmp_path):
    torchrun("tests.engine.mortal", str(tmp_path), restarts=1)
    assert (tmp_path / "died").exists()
    steps = [line["step"] for line in RunFolder(tmp_path / "run").records()]
    assert steps == [1, 2, 3, 4]
    assert (tmp_path / "run/weights.safetensors").is_file()
