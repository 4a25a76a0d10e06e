"""The training loop: killed runs end as unbroken ones do, and what goes wrong is said."""

import json
import os
import platform
import shutil
import signal
import sys
from pathlib import Path

import pytest
import torch

from cloud_transformers import models
from cloud_transformers.checkpoints import read_safetensors
from cloud_transformers.datasets import Dataset
from cloud_transformers.engine import Protocol, RunFolder, train
from cloud_transformers.engine.evaluation import evaluate
from cloud_transformers.engine.interrupt import Interrupt
from cloud_transformers.engine.processes import Processes
from cloud_transformers.errors import InputError
from cloud_transformers.tasks import Segmentation, Term
from tests import forked
from tests.engine import toy

TIMES = ("clouds_per_second",)


def records(folder: Path) -> list[dict]:
    return [{name: value for name, value in line.items() if name not in TIMES} for line in RunFolder(folder).records()]


def same_bits(left: Path, right: Path) -> bool:
    ours, theirs = read_safetensors(left)[0], read_safetensors(right)[0]
    return ours.keys() == theirs.keys() and all(torch.equal(ours[name], theirs[name]) for name in ours)


KILLED = """
import os, signal, sys
from pathlib import Path
from tests import forked
from tests.engine import toy

class Deadly(toy.Shapes):
    reads = 0

    def read(self, index, rng, epoch):
        Deadly.reads += 1
        if Deadly.reads == int(sys.argv[2]):
            os.kill(os.getpid(), signal.SIGKILL)
        return super().read(index, rng, epoch)

settings = {"ema": 0.5, "validation": True, "validate_every": 2, "warmup": 0.5, "points_at_first": 0.5}
toy.run(Path(sys.argv[1]), dataset=toy.Dataset(Deadly(20)), **settings)
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="this system cannot kill -9")
def test_killed_and_resumed_ends_with_the_same_bits(tmp_path):
    settings = {"ema": 0.5, "validation": True, "validate_every": 2, "warmup": 0.5, "points_at_first": 0.5}
    toy.run(tmp_path / "whole", **settings)
    # The 19th sample belongs to the fifth step, after the checkpoint of the fourth.
    dead = forked.run(KILLED, tmp_path / "killed", 19)
    assert dead.returncode == -signal.SIGKILL, dead.stderr
    assert not (tmp_path / "killed" / "weights.safetensors").exists()
    assert [path.name for path in sorted((tmp_path / "killed" / "checkpoints").iterdir())] == [
        "step-00000002",
        "step-00000004",
    ]
    toy.run(tmp_path / "killed", **settings)
    for name in ("weights.safetensors", "best.safetensors", "checkpoints/step-00000006/model.safetensors"):
        assert same_bits(tmp_path / "whole" / name, tmp_path / "killed" / name), name
    states = [torch.load(tmp_path / kind / "checkpoints/step-00000006/state.pt") for kind in ("whole", "killed")]
    moments = [torch.cat([s["exp_avg"].flatten() for s in state["optimizer"]["state"].values()]) for state in states]
    assert torch.equal(*moments)
    assert states[0]["progress"] == states[1]["progress"]
    assert records(tmp_path / "whole") == records(tmp_path / "killed")


def test_it_learns_and_keeps_the_last_checkpoints(tmp_path):
    toy.run(tmp_path / "run", steps=80, validation=True, validate_every=20, checkpoint_every=10)
    lines = records(tmp_path / "run")
    losses = [line["loss"] for line in lines if "loss" in line]
    assert sum(losses[-10:]) < 0.9 * sum(losses[:10])
    accuracy = [line["validation"]["OA"] for line in lines if "validation" in line]
    assert max(accuracy) >= 75
    assert [path.name for path in sorted((tmp_path / "run/checkpoints").iterdir())] == [
        "step-00000070",
        "step-00000080",
    ]
    metadata = read_safetensors(tmp_path / "run/best.safetensors")[1]
    assert "toy shapes" in metadata["chosen_by"]
    assert [line["step"] for line in lines if line.get("best")][-1] == int(metadata["step"])
    # A finished run is not trained again.
    shutil.copy(tmp_path / "run/weights.safetensors", tmp_path / "before.safetensors")
    toy.run(tmp_path / "run", steps=80, validation=True, validate_every=20, checkpoint_every=10)
    assert same_bits(tmp_path / "run/weights.safetensors", tmp_path / "before.safetensors")
    assert records(tmp_path / "run") == lines


def test_workers_change_nothing(tmp_path):
    toy.run(tmp_path / "none", steps=3)
    toy.run(tmp_path / "two", steps=3, workers=2)
    assert same_bits(tmp_path / "none/weights.safetensors", tmp_path / "two/weights.safetensors")


def test_patience_ends_a_run_that_gets_no_better(tmp_path):
    toy.run(tmp_path / "run", steps=50, validation=True, validate_every=1, patience=2, learning_rate=1e-12)
    scores = [line["validation"]["OA"] for line in records(tmp_path / "run") if "validation" in line]
    assert len(scores) == 1 + scores.index(max(scores)) + 2, "two more after the best one"
    with pytest.raises(InputError, match="patience needs validation data"):
        toy.run(tmp_path / "other", patience=2)


def test_a_loss_that_is_not_finite_stops_with_its_batch(tmp_path):
    with pytest.raises(InputError, match=r"the loss is nan.*on_nonfinite=skip"):
        toy.run(tmp_path / "run", dataset=toy.shapes(broken=(7,)), steps=20)
    saved = list((tmp_path / "run").glob("nonfinite-*.safetensors"))
    assert len(saved) == 1
    tensors, metadata = read_safetensors(saved[0])
    assert "shape 7" in metadata["samples"]
    assert torch.isinf(tensors["0.positions"]).any()


def test_validation_is_every_so_many_steps_and_at_the_end(tmp_path):
    toy.run(tmp_path / "run", steps=5, validation=True, validate_every=2)
    assert [line["step"] for line in records(tmp_path / "run") if "validation" in line] == [2, 4, 5]


@pytest.mark.parametrize("accumulate", [1, 2])
def test_the_loss_that_is_told_is_the_mean_over_the_batch(tmp_path, monkeypatch, accumulate):
    def loss(task, prediction, batch, step):
        value = prediction[0].sum() * 0 + batch.labels.float().mean()
        return {"class": Term(value, 0.25), "mask": Term(value * 2, 0.5)}

    monkeypatch.setattr(type(toy.TASK), "loss", loss)
    monkeypatch.setattr(type(toy.TASK), "counts", lambda task, batch: dict.fromkeys(("class", "mask"), len(batch)))
    toy.run(tmp_path, dataset=toy.shapes(4), steps=1, accumulate=accumulate)
    (line,) = records(tmp_path)
    # Labels 0 to 3 in one batch of four.
    assert (line["class"], line["mask"], line["loss"]) == pytest.approx((1.5, 3.0, 0.25 * 1.5 + 0.5 * 3.0))


@pytest.mark.parametrize(
    "changes", [{"warmup": 1.5}, {"warmup": -0.1}, {"ema": 1.0}, {"learning_rate": 0.0}, {"points_at_first": 0.0}]
)
def test_options_that_cannot_be_are_named(changes):
    with pytest.raises(InputError, match=next(iter(changes))):
        toy.options(**changes)


def test_fewer_points_at_first_are_for_classification(tmp_path):
    options = toy.options(points_at_first=0.5)
    with pytest.raises(InputError, match="not for segmentation"):
        train(Segmentation(), lambda: models.segmenter("tiny"), toy.shapes(), options, RunFolder(tmp_path / "run"))
    assert not (tmp_path / "run").exists()


def test_or_it_is_left_out_and_counted(tmp_path):
    model = toy.run(tmp_path / "run", dataset=toy.shapes(broken=(7,)), steps=10, on_nonfinite="skip")
    assert records(tmp_path / "run")[-1]["skipped"] == 2  # ten steps of four are two epochs of twenty
    assert sum(line["loss"] is None for line in records(tmp_path / "run")) == 2
    assert all(torch.isfinite(value).all() for value in model.state_dict().values())


def test_another_configuration_is_refused_but_more_steps_are_not(tmp_path):
    toy.run(tmp_path / "run", steps=2)
    with pytest.raises(InputError, match=r"training.learning_rate was 0.003, is 0.1"):
        toy.run(tmp_path / "run", steps=2, learning_rate=0.1)
    toy.run(tmp_path / "run", steps=4)
    toy.run(tmp_path / "whole", steps=4)
    assert same_bits(tmp_path / "run/weights.safetensors", tmp_path / "whole/weights.safetensors")


def test_mistakes_are_sentences(tmp_path):
    with pytest.raises(InputError, match="training split is empty"):
        toy.run(tmp_path / "empty", dataset=toy.shapes(0))
    with pytest.raises(InputError, match="cannot be dealt out evenly"):
        toy.run(tmp_path / "uneven", accumulate=3)
    (tmp_path / "other").mkdir()
    (tmp_path / "other/thesis.tex").write_text("mine")
    with pytest.raises(InputError, match="holds no run"):
        toy.run(tmp_path / "other")
    toy.run(tmp_path / "run", steps=2)
    (tmp_path / "run/checkpoints/step-00000002/state.pt").write_bytes(b"half")
    with pytest.raises(InputError, match="delete this folder"):
        toy.run(tmp_path / "run", steps=4)


def test_the_folder_says_what_ran(tmp_path):
    toy.run(tmp_path / "run", steps=1)
    facts = json.loads((tmp_path / "run/environment.json").read_text())
    assert facts["versions"]["torch"] == torch.__version__
    assert facts["python"] == platform.python_version()
    assert json.loads((tmp_path / "run/configuration.json").read_text())["training"]["seed"] == 0
    assert list((tmp_path / "run/tensorboard").iterdir())


def test_a_first_interrupt_is_noted_and_a_second_obeyed():
    with Interrupt() as interrupt:
        signal.raise_signal(signal.SIGINT)
        assert interrupt.noted
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)


def test_interrupted_between_steps_nothing_is_lost(tmp_path):
    class Interrupting(toy.Shapes):
        reads = 0

        def read(self, index, rng, epoch):
            Interrupting.reads += 1
            if Interrupting.reads == 9:  # in the third step
                signal.raise_signal(signal.SIGINT)
            return super().read(index, rng, epoch)

    with pytest.raises(KeyboardInterrupt):
        toy.run(tmp_path / "run", dataset=toy.Dataset(Interrupting(20)), checkpoint_every=100)
    assert [path.name for path in (tmp_path / "run/checkpoints").iterdir()] == ["step-00000003"]
    toy.run(tmp_path / "run", checkpoint_every=100)
    toy.run(tmp_path / "whole", checkpoint_every=100)
    assert same_bits(tmp_path / "run/weights.safetensors", tmp_path / "whole/weights.safetensors")


@pytest.mark.parametrize("precision", ["bfloat16", "float16"])
def test_mixed_precision(tmp_path, precision):
    toy.run(tmp_path / "run", steps=2, precision=precision)
    assert all(line["loss"] < 5 for line in records(tmp_path / "run"))
    weights = read_safetensors(tmp_path / "run/weights.safetensors")[0]
    assert all(not value.is_floating_point() or value.dtype == torch.float32 for value in weights.values())


def test_a_run_killed_before_it_removed_old_checkpoints_removes_them_when_it_is_done(tmp_path):
    """After the last checkpoint none is written any more, so that nothing else would."""
    toy.run(tmp_path)
    kept = sorted((tmp_path / "checkpoints").iterdir())
    shutil.copytree(kept[-1], tmp_path / "checkpoints/step-00000001")
    (tmp_path / "checkpoints/step-00000001/state.pt").unlink()  # killed while it was being removed
    toy.run(tmp_path)
    assert sorted((tmp_path / "checkpoints").iterdir()) == kept


class Mortal(toy.Shapes):
    """One of its samples is the end of whichever process reads it, unless that is the test itself."""

    def read(self, index, rng, epoch):
        if index == 2 and torch.utils.data.get_worker_info() is not None:
            os.kill(os.getpid(), signal.SIGKILL)
        return super().read(index, rng, epoch)


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="this system cannot kill -9")
@pytest.mark.parametrize("at", ["training", "evaluation"])
def test_a_killed_reader_of_data_is_one_sentence(tmp_path, at):
    mortal = Dataset(Mortal(8))
    protocol = Protocol.once("toy shapes", toy.TASK, mortal, workers=1)
    work = {
        "training": lambda: toy.run(tmp_path, dataset=mortal, workers=1),
        "evaluation": lambda: evaluate(models.classifier("tiny", 4), protocol, Processes(device="cpu")),
    }
    with pytest.raises(InputError, match=r"a process that reads data was ended from outside.*workers=N"):
        work[at]()


FULL_DISK = """
import resource, sys
from pathlib import Path
from cloud_transformers.errors import InputError
from tests import forked
from tests.engine import toy

toy.run(Path(sys.argv[1]), steps=2)
resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
try:
    toy.run(Path(sys.argv[1]), steps=4)
except InputError as error:
    print(error)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="this system cannot limit the size of files")
def test_a_checkpoint_that_cannot_be_written_harms_none_before_it(tmp_path):
    result = forked.run(FULL_DISK, tmp_path / "run")
    assert result.returncode == 0, result.stderr
    assert "could not be written" in result.stdout
    assert [path.name for path in (tmp_path / "run/checkpoints").iterdir()] == ["step-00000002"]
    toy.run(tmp_path / "run", steps=4)
    toy.run(tmp_path / "whole", steps=4)
    assert same_bits(tmp_path / "run/weights.safetensors", tmp_path / "whole/weights.safetensors")


def test_accuracy_is_the_share_of_the_batch_that_was_right(tmp_path):
    """Before the step: of one batch that stays the same, what the model had before says all of it."""
    toy.run(tmp_path, dataset=toy.shapes(4), steps=3, batch_size=4)
    found = [line["accuracy"] for line in RunFolder(tmp_path).records() if "accuracy" in line]
    assert len(found) == 3
    assert set(found) <= {0, 25, 50, 75, 100}
