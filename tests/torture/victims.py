"""Long commands in small: what `tests.torture.trouble` kills, starves and lets run into each other.

    python -m tests.torture.victims segment FOLDER     makes its output in a folder, which must hold its input

Each ends with the same bytes however often it was interrupted before.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np

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


def ablate(folder: Path) -> int:
    """Two short trainings of variants."""
    small = ["world_size=16", "points=32", "holdout=0", "steps=4", "batch_size=2", "validate_every=0"]
    chosen = ["--size", "tiny", "--only", "full,mean", "--seeds", "1", "--out", str(folder / "runs")]
    return cloudt(["ablate", "scanobjectnn", *chosen, *small, "checkpoint_every=2"])


VICTIMS: dict[str, Callable[[Path], int]] = {
    "segment": segment,
    "train": train,
    "convert": convert,
    "classify": classify,
    "make": make,
    "ablate": ablate,
}


def _scene(path: Path, seed: int) -> None:
    from cloud_transformers.io import write
    from tests.predict.scene.scenes import room

    write(path, room(12_000, seed=seed))


def _table(path: Path, seed: int) -> None:
    from cloud_transformers.cloud import PointCloud
    from cloud_transformers.io import write

    rng = np.random.default_rng(seed)
    fields = {"color": rng.integers(0, 255, (60_000, 3), np.uint8)}
    write(path, PointCloud(positions=rng.random((60_000, 3), np.float32), fields=fields))


def _folder(path: Path, seed: int) -> None:
    from cloud_transformers.cloud import PointCloud
    from cloud_transformers.io import write

    rng = np.random.default_rng(seed)
    path.mkdir()
    for number in range(6):
        write(path / f"{number}.ply", PointCloud(positions=rng.random((800, 3), np.float32)))


# What a victim is given: its name, and what makes it, or another like it.
INPUTS: dict[str, tuple[str, Callable[[Path, int], None]]] = {
    "segment": ("scene.ply", _scene),
    "convert": ("cloud.csv", _table),
    "classify": ("clouds", _folder),
}
# What a victim leaves that must not depend on what happened on the way; the rest has times and speeds in it.
RESULTS = {
    "segment": ["out.laz"],
    "train": ["run/weights.safetensors", "run/configuration.json", "run/checkpoints"],
    "convert": ["out.laz"],
    "classify": ["out"],
    "make": ["data"],
    "ablate": ["runs/full/seed-0/weights.safetensors", "runs/mean/seed-0/weights.safetensors"],
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
    sys.exit(VICTIMS[sys.argv[1]](Path(sys.argv[2])))
