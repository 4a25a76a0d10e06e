"""The S3DIS block protocol: `indoor3d_sem_seg_hdf5_data`, read, and prepared from raw rooms.

Letters: n blocks of P = 4096 points.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from cloud_transformers.cloud import PointCloud
from cloud_transformers.datasets.dataset import Dataset
from cloud_transformers.datasets.hdf5 import Column, Hdf5Rows, label_rows, non_finite_rows
from cloud_transformers.datasets.layout import FolderLayout, choose, locate, read_lines
from cloud_transformers.datasets.problems import EmptySplit, Problem
from cloud_transformers.datasets.repaired_text import BrokenLine
from cloud_transformers.datasets.s3dis.classes import BLOCK_CLASSES
from cloud_transformers.datasets.s3dis.room_blocks import BLOCK_POINTS, room_to_blocks
from cloud_transformers.datasets.s3dis.rooms import find_rooms, read_room
from cloud_transformers.datasets.sample import SegmentationSample
from cloud_transformers.errors import InputError
from cloud_transformers.files import new_folder
from cloud_transformers.io.new_hdf5 import new_hdf5
from cloud_transformers.progress import progress

FOLDER = "indoor3d_sem_seg_hdf5_data"
_BLOCKS_PER_FILE = 1000


def _fits(folder: Path) -> bool:
    return (folder / "all_files.txt").is_file() or (folder / "ply_data_all_0.h5").is_file()


BLOCKS_LAYOUT = FolderLayout(
    "S3DIS blocks",
    f"`{FOLDER}`, from PointNet's project page, or make it from raw rooms with `cloudt data prepare s3dis-blocks`",
    "ply_data_all_0.h5 ..., all_files.txt and room_filelist.txt",
    _fits,
)


class S3disBlocksSource:
    """The blocks of one side of the split. See `s3dis_blocks`."""

    classes: tuple[str, ...] = BLOCK_CLASSES

    def __init__(self, root: Path, split: str, test_area: int):
        listed = root / "all_files.txt"
        if listed.is_file():
            files = [root / Path(line.replace("\\", "/")).name for line in read_lines(listed)]
        else:
            files = sorted(root.glob("ply_data_all_*.h5"), key=lambda path: (len(path.name), path.name))
        columns = [Column("data", (-1, 9), "float32", channels=6), Column("label", (-1,), "uint8")]
        self.rows = Hdf5Rows(files, columns, check_rows, check_version="s3dis-blocks-1")
        rooms = root / "room_filelist.txt"
        if not rooms.is_file():
            raise InputError("no such file; without it no block's area is known, so fetch it again", path=rooms)
        self.rooms = read_lines(rooms)
        if len(self.rooms) != len(self.rows):
            raise InputError(
                f"has {len(self.rooms)} lines for {len(self.rows)} blocks in {len(files)} files; "
                "they do not belong together",
                path=rooms,
            )
        in_test = np.array([f"Area_{test_area}" in room for room in self.rooms])
        self.chosen = np.flatnonzero(in_test if split == "test" else ~in_test)
        if not len(self.chosen):
            raise EmptySplit(f"names no block for the {split} split with Area_{test_area} as test area", path=rooms)
        self.root, self.split, self.test_area = root, split, test_area

    def __len__(self) -> int:
        return len(self.chosen)

    def __repr__(self) -> str:
        return f"S3DIS blocks({str(self.root)!r}, {self.split!r}, test_area={self.test_area})"

    def name(self, index: int) -> str:
        return self.rows.name(int(self.chosen[index]))

    def read(self, index: int, rng: np.random.Generator, epoch: int = 0) -> SegmentationSample:
        row = int(self.chosen[index])
        arrays = self.rows.row(row)
        cloud = PointCloud(
            positions=np.ascontiguousarray(arrays["data"][:, :3]),
            fields={"color": np.ascontiguousarray(arrays["data"][:, 3:6]), "label": arrays["label"].astype(np.int64)},
        )
        return SegmentationSample(name=self.name(index), cloud=cloud, scene=self.rooms[row])

    def problems(self) -> list[Problem]:
        number = {int(row): index for index, row in enumerate(self.chosen)}
        return [
            Problem(problem.path, problem.where, problem.what, number[problem.index])
            for problem in self.rows.problems()
            if problem.index in number
        ]

    def counts(self) -> dict[str, int]:
        labels = self.rows.arrays()["label"]
        counts = np.zeros(256, np.int64)
        for start in range(0, len(self.chosen), 1000):
            counts += np.bincount(labels[self.chosen[start : start + 1000]].reshape(-1), minlength=256)
        return dict(zip(self.classes, counts.tolist(), strict=False))


def check_rows(rows: Mapping[str, NDArray[Any]]) -> list[tuple[int, str]]:
    problems = non_finite_rows(rows["data"]) + label_rows(rows["label"], len(BLOCK_CLASSES))
    colors = rows["data"][:, :, 3:6]
    outside = ((colors < 0) | (colors > 1)).any(axis=(1, 2))
    return problems + [(int(row), "a colour is outside 0-1") for row in np.flatnonzero(outside)]


def s3dis_blocks(
    root: str | Path,
    split: str,
    *,
    test_area: int = 5,
    transform: Callable[..., Any] | None = None,
    seed: int = 0,
) -> Dataset[SegmentationSample]:
    """S3DIS in 1 m blocks of 4096 points, with colours in [0, 1] and labels in `BLOCK_CLASSES`.

    Public name: `indoor3d_sem_seg_hdf5_data`. 23,585 blocks of 271 rooms; with Area 5 as test area 16,733 for
    training and 6852 for test. A block's area is told by its line of `room_filelist.txt`.
    """
    choose("split", split, ("train", "test"))
    return Dataset(S3disBlocksSource(locate(BLOCKS_LAYOUT, Path(root)), split, test_area), transform, seed=seed)


def write_blocks(
    out: str | Path,
    rooms: Iterable[tuple[str, NDArray[np.float32], NDArray[np.uint8]]],  # full name, data [n, P, 9], label [n, P]
) -> int:
    """Blocks of many rooms as a new folder `out` in the public layout; returns how many. Holds one file's in memory."""
    with new_folder(Path(out)) as folder:
        names: list[str] = []
        files: list[str] = []
        data = [np.zeros((0, BLOCK_POINTS, 9), np.float32)]
        label = [np.zeros((0, BLOCK_POINTS), np.uint8)]

        def flush(least: int) -> None:
            nonlocal data, label
            points, classes = np.concatenate(data), np.concatenate(label)
            while len(points) >= least and len(points):
                path = folder / f"ply_data_all_{len(files)}.h5"
                with new_hdf5(path) as file:
                    part = slice(0, _BLOCKS_PER_FILE)
                    file.create_dataset("data", data=points[part], compression="gzip", compression_opts=4)
                    file.create_dataset("label", data=classes[part], compression="gzip", compression_opts=1)
                files.append(f"{FOLDER}/{path.name}")
                points, classes = points[_BLOCKS_PER_FILE:], classes[_BLOCKS_PER_FILE:]
            data, label = [points], [classes]

        for name, points, classes in rooms:
            names += [name] * len(points)
            data.append(points)
            label.append(classes)
            if sum(map(len, data)) >= _BLOCKS_PER_FILE:
                flush(_BLOCKS_PER_FILE)
        flush(1)
        if not names:
            raise InputError("not written, because no room has a single block of 100 points", path=out)
        (folder / "all_files.txt").write_text("".join(f"{file}\n" for file in files), encoding="utf-8")
        (folder / "room_filelist.txt").write_text("".join(f"{name}\n" for name in names), encoding="utf-8")
    return len(names)


def prepare_blocks(
    raw: str | Path,
    out: str | Path,
    *,
    seed: int = 0,
    on_corrupt: Literal["stop", "skip"] = "stop",
) -> tuple[int, list[BrokenLine]]:
    """Cut all raw rooms into blocks below `out`; returns the number of blocks and the broken lines met on the way.

    Each room draws from its own seed, so that a room's blocks do not depend on which others are there.
    """
    rooms = find_rooms(raw)
    broken: list[BrokenLine] = []

    def cut() -> Iterable[tuple[str, NDArray[np.float32], NDArray[np.uint8]]]:
        for folder in progress(rooms, "rooms"):
            room = read_room(folder, BLOCK_CLASSES, broken=broken, on_corrupt=on_corrupt)
            rng = np.random.default_rng((seed, *folder.full_name.encode()))
            points = np.concatenate([room.positions, room.color], axis=1)
            yield (folder.full_name, *room_to_blocks(points, room.label, rng))

    return write_blocks(out, cut()), broken
