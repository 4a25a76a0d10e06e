"""Long commands in small: what `tests.torture.trouble` kills, starves and lets run into each other.

    python -m tests.torture.victims segment FOLDER     makes its output in a folder, which must hold its input

Each ends with the same bytes however often it was interrupted before.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import sys
from collections.abc import Callable
from pathlib import Path

from cloud_transformers.cli import main as cloudt
from cloud_transformers.cli import run_verb


def segment(folder: Path) -> int:
    """A scene through 10 tiles and a scorer that takes its time."""
    from tests.predict.scene.test_streamed import segmented

    return _as_verb(lambda: segmented(folder / "scene.ply", folder / "out.laz", tile_points=1500))


def train(folder: Path) -> int:
    from tests.engine import toy

    return _as_verb(lambda: toy.run(folder / "run", steps=16, log_every=4))


def convert(folder: Path) -> int:
    """Text, which is slow, to a compressed format, which is written in parts."""
    return cloudt(["convert", str(folder / "cloud.csv"), str(folder / "out.laz"), "--force"])


def classify(folder: Path) -> int:
    """A folder of clouds, each answered by a cloud; what is answered is not answered again."""
    given, out = str(folder / "clouds"), str(folder / "out")
    return cloudt(["classify", given, "-o", out, "--skip-existing", "--batch", "1", "--votes", "1"])


def make(folder: Path) -> int:
    """A data set of the embedded world; an interrupted one goes on."""
    return cloudt(["data", "make", "modelnet40", str(folder / "data"), "--size", "40", "--workers", "1"])


_SMALL = ["world_size=16", "points=32", "batch_size=2"]
_SHORT = ["--size", "tiny", "--seeds", "1", "holdout=0", "steps=4", "validate_every=0", "checkpoint_every=2"]


def ablate(folder: Path) -> int:
    """Two short trainings of variants."""
    return cloudt(["ablate", "scanobjectnn", "--only", "full,mean", "--out", str(folder / "runs"), *_SHORT, *_SMALL])


def sweep(folder: Path) -> int:
    """Two short trainings with another setting each."""
    chosen = ["--sweep", "learning_rate=0.001,0.002", "--out", str(folder / "runs")]
    return cloudt(["train", "scanobjectnn", *chosen, *_SHORT, *_SMALL])


def adapt(folder: Path) -> int:
    """A model that is fitted to the scene before it answers."""
    given, out = str(folder / "scene.ply"), str(folder / "out.laz")
    return cloudt(["segment", given, "-o", out, "--adapt", "0.5", "--scale", "1", "--force"])


def complete(folder: Path) -> int:
    given, out = str(folder / "clouds"), str(folder / "out")
    return cloudt(["complete", given, "-o", out, "--skip-existing", "--batch", "1"])


def reconstruct(folder: Path) -> int:
    given, out = str(folder / "pictures"), str(folder / "out")
    return cloudt(["reconstruct", given, "-o", out, "--skip-existing", "--batch", "1"])


def init(folder: Path) -> int:
    return cloudt(["data", "init", str(folder / "tiles"), "--force"])


def prepare(folder: Path) -> int:
    """Rooms cut into blocks; a folder that is there is whole, and not made again."""
    if (folder / "blocks").exists():
        return 0
    return cloudt(["data", "prepare", "s3dis-blocks", str(folder / "rooms"), str(folder / "blocks")])


def evaluate(folder: Path) -> int:
    weights, out = str(folder / "weights" / "weights.safetensors"), str(folder / "results.json")
    return cloudt(["evaluate", weights, "--recipe", "scanobjectnn", "--out", out, *_SMALL])


def calibrate(folder: Path) -> int:
    """The weights are replaced by the same with two more numbers; again, by the same once more."""
    weights = str(folder / "weights" / "weights.safetensors")
    return cloudt(["calibrate", weights, "--recipe", "scanobjectnn", "holdout=0.5", *_SMALL])


def export(folder: Path) -> int:
    weights = str(folder / "weights" / "weights.safetensors")
    return cloudt(["export", weights, "-o", str(folder / "out.onnx")])


def convert_far(folder: Path) -> int:
    """Files on a worker of Ray's."""
    words = ["convert", str(folder / "clouds"), str(folder / "out"), "--to", "csv", "--skip-existing"]
    return cloudt([*words, "--on", "ray", "--workers", "1"])


def segment_far(folder: Path) -> int:
    """Tiles of a scene on a worker of Ray's, by a rule that takes its time."""
    from cloud_transformers.cluster.connection import connected
    from cloud_transformers.cluster.pool import pool_of
    from cloud_transformers.cluster.scenes import ScoredByWorkers
    from tests.cluster.rules import ByRule, segmented

    def work() -> None:
        source = folder / "scene.ply"
        with connected("ray", cpus=1) as ray, pool_of(ray, ByRule(seconds=0.1), workers=1, memory=300 << 20) as pool:
            segmented(source, folder / "out.laz", ScoredByWorkers(pool, str(source)))

    return _as_verb(work)


VICTIMS: dict[str, Callable[[Path], int]] = {
    "segment": segment,
    "train": train,
    "convert": convert,
    "classify": classify,
    "make": make,
    "ablate": ablate,
    "adapt": adapt,
    "complete": complete,
    "reconstruct": reconstruct,
    "init": init,
    "prepare": prepare,
    "evaluate": evaluate,
    "calibrate": calibrate,
    "export": export,
    "sweep": sweep,
}
# On a cluster that is started for them, which takes as long as all else.
FAR: dict[str, Callable[[Path], int]] = {"convert far": convert_far, "segment far": segment_far}
# What a victim leaves that must not depend on what happened on the way; the rest has times and speeds in it.
RESULTS = {
    "segment": ["out.laz"],
    "train": ["run/weights.safetensors", "run/configuration.json", "run/checkpoints"],
    "convert": ["out.laz"],
    "classify": ["out"],
    "make": ["data"],
    "ablate": ["runs/full/seed-0/weights.safetensors", "runs/mean/seed-0/weights.safetensors"],
    "adapt": ["out.laz"],
    "complete": ["out"],
    "reconstruct": ["out"],
    "init": ["tiles/dataset.toml"],
    "prepare": ["blocks"],
    "evaluate": ["results.json"],
    "calibrate": ["weights"],
    "export": ["out.onnx"],
    "sweep": [f"runs/learning_rate={rate}/seed-0/weights.safetensors" for rate in (0.001, 0.002)],
    "convert far": ["out"],
    "segment far": ["out.laz"],
}


def result_of(name: str, folder: Path) -> dict[str, str] | None:
    """Hashes of the files that a victim has made; None if something is missing."""
    found: dict[str, str] = {}
    for place in RESULTS[name]:
        path = folder / place
        if not path.exists():
            return None
        for file in sorted(each for each in path.rglob("*") if each.is_file()) if path.is_dir() else [path]:
            found[str(file.relative_to(folder))] = hashlib.blake2b(_content(file), digest_size=16).hexdigest()
    return found


def differences(made: dict[str, str] | None, wanted: dict[str, str] | None) -> str:
    """The files in which two results differ."""
    ours, theirs = made or {}, wanted or {}
    return ", ".join(sorted(name for name in ours.keys() | theirs.keys() if ours.get(name) != theirs.get(name)))


def _content(file: Path) -> bytes:
    """What must be the same in a file, whenever and wherever it was made."""
    data = file.read_bytes()
    if file.suffix == ".laz":
        return data[:90] + data[94:]  # without the day on which it was made
    if file.name == "results.json":
        return repr({**json.loads(data), "seconds": None, "weights": None}).encode()  # how long, and with which path
    if file.name != "state.pt":
        return data
    import torch

    # torch.save puts the folder's name into the archive; what counts is the optimiser's state itself.
    return repr(torch.load(file, weights_only=True)).encode()


def _as_verb(work: Callable[[], object]) -> int:
    """Runs a function as `cloudt` runs its verbs, so that its errors become the same sentences and codes."""

    def run(args: argparse.Namespace) -> None:
        work()

    return run_verb(argparse.Namespace(run=run, interrupted=""))


if __name__ == "__main__":
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    sys.exit({**VICTIMS, **FAR}[sys.argv[1]](Path(sys.argv[2])))
