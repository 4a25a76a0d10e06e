"""S3DIS: raw rooms as text with annotations, and the same rooms cut into blocks."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cloud_transformers.cloud import PointCloud
from cloud_transformers.datasets.s3dis import room_to_blocks, write_blocks
from cloud_transformers.files import new_folder
from cloud_transformers.world import rooms
from cloud_transformers.world.layouts.job import LayoutJob
from cloud_transformers.world.seeds import generator

BLOCKS_FOLDER = "indoor3d_sem_seg_hdf5_data"

Task = tuple[int, int, str, Path | None, bool]  # seed, index, full name, where to write the raw room, cut blocks
Blocks = tuple[str, NDArray[np.float32], NDArray[np.uint8]]


def write_s3dis(job: LayoutJob) -> str:
    """Area_x/ROOM/ROOM.txt, Area_x/ROOM/Annotations/CLASS_n.txt, and indoor3d_sem_seg_hdf5_data/."""
    job.open()
    blocks = job.root / BLOCKS_FOLDER
    cut = job.blocks and not job.is_done(blocks)
    tasks: list[Task] = []
    counts: Counter[tuple[int, str]] = Counter()
    for index in range(job.size):
        area, kind = rooms.area_of(index), rooms.kind_of(job.seed, index)
        counts[area, kind] += 1
        name = f"{kind}_{counts[area, kind]}"
        folder = job.root / f"Area_{area}" / name
        target = None if job.is_done(folder) else folder
        if target or cut:
            tasks.append((job.seed, index, f"Area_{area}_{name}", target, cut))
    if cut:
        if blocks.exists():
            shutil.rmtree(blocks)
        written = write_blocks(blocks, job.each(_room, tasks, "rooms"))
        return f"{job.size} rooms and {written} blocks"
    for _ in job.each(_room, tasks, "rooms"):
        pass
    return f"{job.size} rooms"


def _room(task: Task) -> Blocks:
    seed, index, name, folder, cut = task
    cloud = rooms.room(seed, index)
    if folder is not None:
        if folder.exists():
            shutil.rmtree(folder)
        with new_folder(folder) as temporary:
            write_room(temporary, folder.name, cloud)
    if not cut:
        return name, np.zeros((0, 4096, 9), np.float32), np.zeros((0, 4096), np.uint8)
    points = np.concatenate([cloud.positions, cloud.fields["color"]], axis=1)
    draws = generator("room blocks", seed, index)
    return (name, *room_to_blocks(points, cloud.fields["label"], draws, floor="robust"))


def write_room(folder: Path, name: str, cloud: PointCloud) -> None:
    """One room in the raw layout: all its points in NAME.txt, each thing's points in Annotations/CLASS_n.txt."""
    lines = TextLines(cloud.positions, cloud.fields["color"])
    (folder / f"{name}.txt").write_bytes(lines.text())
    annotations = folder / "Annotations"
    annotations.mkdir()
    for stem, rows in _things(cloud):
        (annotations / f"{stem}.txt").write_bytes(lines.text(rows))


def _things(cloud: PointCloud) -> Iterator[tuple[str, NDArray[np.int64]]]:
    """Each instance that was seen: its file's stem (wall_1, wall_2, chair_1...) and its rows."""
    instance = cloud.fields["instance"]
    order = np.argsort(instance, kind="stable")
    counts: Counter[str] = Counter()
    for rows in np.split(order, np.flatnonzero(np.diff(instance[order])) + 1):
        name = rooms.CLASSES[int(cloud.fields["label"][rows[0]])]
        counts[name] += 1
        yield f"{name}_{counts[name]}", rows


class TextLines:
    """Lines "x y z r g b" with three decimals, formatted all at once.

    By hand because numpy.savetxt formats number by number: a room would take longer to write than to build.
    """

    def __init__(self, positions: NDArray[Any], color: NDArray[Any]):
        columns = [_decimal(np.round(column.astype(np.float64) * 1000).astype(np.int64)) for column in positions.T]
        columns += [_digits(column.astype(np.int64), 3, 1) for column in color.T]
        pieces = []
        for k, column in enumerate(columns):
            end = b" " if k < 5 else b"\n"
            pieces += [column, np.full((len(column), 1), end[0], np.uint8)]
        self.table = np.concatenate(pieces, axis=1)  # padded with zero bytes

    def text(self, rows: NDArray[Any] | None = None) -> bytes:
        table = self.table if rows is None else self.table[rows]
        return table[table != 0].tobytes()


def _digits(numbers: NDArray[np.int64], width: int, least: int) -> NDArray[np.uint8]:
    """Right-aligned decimal digits [N, width] of numbers >= 0; leading zeros beyond `least` digits are zero bytes."""
    powers = 10 ** np.arange(width - 1, -1, -1)
    digits = (numbers[:, None] // powers % 10 + ord("0")).astype(np.uint8)
    leading = (numbers[:, None] < powers) & (np.arange(width) < width - least)
    digits[leading] = 0
    return digits


def _decimal(thousandths: NDArray[np.int64]) -> NDArray[np.uint8]:
    """Text [N, 11] of numbers given in thousandths, up to 99,999.999 in size."""
    size = np.abs(thousandths)
    sign = np.where(thousandths < 0, ord("-"), 0).astype(np.uint8)[:, None]
    point = np.full((len(size), 1), ord("."), np.uint8)
    return np.concatenate([sign, _digits(size // 1000, 5, 1), point, _digits(size % 1000, 3, 3)], axis=1)
