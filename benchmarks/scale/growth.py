"""What grows faster than the scene: all tiles are passed by, once for every part written and every tile scored."""

from __future__ import annotations

import pickle
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from cloud_transformers.predict.scene.points import ScenePoints
from cloud_transformers.predict.scene.scoring import Answers
from cloud_transformers.predict.scene.work import WorkFolder

TILES, POINTS = 500, 4  # of a folder that is made for it


def measure() -> dict[str, float]:
    """Core-seconds of one look at one tile, and bytes that a tile takes in the command's memory and on the way out."""
    with tempfile.TemporaryDirectory() as folder:
        work = _folder(Path(folder) / "work")
        opened = [_seconds(lambda tile=tile: work.answers(tile * POINTS, POINTS)) for tile in range(TILES)]
        return {
            "core-seconds to open one tile for one written part": sum(opened) / TILES,
            "core-seconds to pass by one tile for one written part": _passing_by(),
            "core-seconds to compare one tile's box with one other": _neighbour_search(),
            "bytes sent to every worker, per tile": len(pickle.dumps(work)) / TILES,
        }


def _seconds(call: Callable[[], object]) -> float:
    start = time.process_time()
    call()
    return time.process_time() - start


def _passing_by(num_tiles: int = 1_000_000) -> float:
    work: Any = WorkFolder(Path("nowhere"), 3)
    work.numbers = np.zeros((num_tiles, 2), np.int64)
    return _seconds(lambda: [work.answers(5, 1) for _ in range(20)]) / (20 * num_tiles)


def _folder(path: Path) -> WorkFolder:
    work: Any = WorkFolder(path, 3)
    path.mkdir()
    work.begin(TILES)
    number = np.arange(TILES * POINTS)
    tile = number // POINTS
    positions = np.stack([tile % 50, tile // 50, tile * 0], axis=1).astype(np.float32)
    work.append(ScenePoints(positions, np.zeros((len(number), 3), np.float32), number), tile)
    for each in range(TILES):
        work.keep_answers(each, Answers(np.zeros(POINTS, np.uint8), np.zeros(POINTS, np.float32), None))
    return work


def _neighbour_search(num_tiles: int = 100_000) -> float:
    work: Any = WorkFolder(Path("nowhere"), 3)
    low = np.random.default_rng(0).uniform(0, 1000, (num_tiles, 1, 2))
    work.boxes = np.concatenate([low, low + 3], axis=1)
    return _seconds(lambda: [work.tiles_within(*work.boxes[tile]) for tile in range(20)]) / (20 * num_tiles)
