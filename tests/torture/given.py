"""What the commands of `victims` are given: each input has a seed, so that another one like it can be made."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np

from cloud_transformers.cloud import PointCloud
from cloud_transformers.io import write


def _scene(path: Path, seed: int) -> None:
    from tests.predict.scene.scenes import room

    write(path, room(12_000, seed=seed))


def _table(path: Path, seed: int) -> None:
    rng = np.random.default_rng(seed)
    fields = {"color": rng.integers(0, 255, (60_000, 3), np.uint8)}
    write(path, PointCloud(positions=rng.random((60_000, 3), np.float32), fields=fields))


def _clouds(path: Path, seed: int) -> None:
    rng = np.random.default_rng(seed)
    path.mkdir()
    for number in range(6):
        write(path / f"{number}.ply", PointCloud(positions=rng.random((800, 3), np.float32)))


def _labelled(path: Path, seed: int) -> None:
    from tests.predict.scene.scenes import room

    path.mkdir()
    for number in range(6):
        cloud = room(4000, seed=seed + number)
        labels = (cloud.positions[:, 2] > 1).astype(np.uint8)
        write(path / f"{number}.laz", cloud.with_fields(classification=labels))


def _pictures(path: Path, seed: int) -> None:
    from PIL import Image

    rng = np.random.default_rng(seed)
    path.mkdir()
    for number in range(4):
        Image.fromarray(rng.integers(0, 255, (48, 48, 3), np.uint8)).save(path / f"{number}.png")


def _rooms(path: Path, seed: int) -> None:
    from tests.datasets.layouts import s3dis_raw

    s3dis_raw(path)


def _weights(path: Path, seed: int) -> None:
    """A tiny classifier that was never trained."""
    import torch

    from cloud_transformers import models
    from cloud_transformers.datasets.scanobjectnn import CLASSES

    torch.manual_seed(seed)
    model = models.classifier("tiny", len(CLASSES))
    said = models.Preparation(task="classification", classes=CLASSES, up="y", points=32)
    path.mkdir()
    models.save(model, path / "weights.safetensors", preparation=said)


# By victim: its name, and what makes it.
INPUTS: dict[str, tuple[str, Callable[[Path, int], None]]] = {
    "segment": ("scene.ply", _scene),
    "adapt": ("scene.ply", _scene),
    "convert": ("cloud.csv", _table),
    "classify": ("clouds", _clouds),
    "complete": ("clouds", _clouds),
    "reconstruct": ("pictures", _pictures),
    "init": ("tiles", _labelled),
    "prepare": ("rooms", _rooms),
    "evaluate": ("weights", _weights),
    "calibrate": ("weights", _weights),
    "export": ("weights", _weights),
    "convert far": ("clouds", _clouds),
    "segment far": ("scene.ply", _scene),
}
