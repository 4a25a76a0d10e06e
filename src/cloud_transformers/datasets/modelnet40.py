"""ModelNet40: CAD models of 40 classes, from HDF5 files of 2048 points or text files of 10,000 points with normals."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cloud_transformers.cloud import PointCloud
from cloud_transformers.datasets.cloud_files import problems_by_reading
from cloud_transformers.datasets.dataset import Dataset, count_classes
from cloud_transformers.datasets.hdf5 import Column, Hdf5Rows, label_rows, non_finite_rows
from cloud_transformers.datasets.layout import FolderLayout, choose, is_plain_name, locate, read_lines
from cloud_transformers.datasets.problems import Problem
from cloud_transformers.datasets.repaired_text import read_numbers
from cloud_transformers.datasets.sample import ClassificationSample
from cloud_transformers.errors import InputError

_NAMES = (
    "airplane bathtub bed bench bookshelf bottle bowl car chair cone cup curtain desk door dresser flower_pot "
    "glass_box guitar keyboard lamp laptop mantel monitor night_stand person piano plant radio range_hood sink sofa "
    "stairs stool table tent toilet tv_stand vase wardrobe xbox"
)
CLASSES = tuple(_NAMES.split())
SPLITS = ("train", "test")


def _is_hdf5(folder: Path) -> bool:
    return any(folder.glob("ply_data_*.h5")) or (folder / "train_files.txt").is_file()


def _is_text(folder: Path) -> bool:
    return (folder / "modelnet40_train.txt").is_file() or (folder / "airplane" / "airplane_0001.txt").is_file()


LAYOUT = FolderLayout(
    "ModelNet40",
    "`modelnet40_ply_hdf5_2048` (PointNet's project page) or `modelnet40_normal_resampled` (PointNet++'s project page)",
    "ply_data_train0.h5 ..., train_files.txt, test_files.txt, shape_names.txt, or modelnet40_train.txt and a folder "
    "per class",
    lambda folder: _is_hdf5(folder) or _is_text(folder),
)


class ModelNet40Hdf5Source:
    """`modelnet40_ply_hdf5_2048`: `data` [n, 2048, 3], `label` [n, 1] in the files that a list names."""

    def __init__(self, root: Path, split: str):
        names = root / "shape_names.txt"
        self.classes = tuple(read_lines(names)) if names.is_file() else CLASSES
        listed = root / f"{split}_files.txt"
        if listed.is_file():  # its lines carry the folder of the machine that wrote them
            files = [root / Path(line.replace("\\", "/")).name for line in read_lines(listed)]
        else:
            files = sorted(root.glob(f"ply_data_{split}*.h5"), key=lambda path: (len(path.name), path.name))
        if not files:
            raise InputError(f"has no ply_data_{split}*.h5", path=root)
        self.root, self.split = root, split
        columns = [Column("data", (-1, 3), "float32"), Column("label", (1,), "int64")]
        self.rows = Hdf5Rows(files, columns, self._check_rows, check_version=f"modelnet40-1-{len(self.classes)}")

    def _check_rows(self, rows: Mapping[str, NDArray[Any]]) -> list[tuple[int, str]]:
        return non_finite_rows(rows["data"]) + label_rows(rows["label"], len(self.classes))

    def __len__(self) -> int:
        return len(self.rows)

    def __repr__(self) -> str:
        return f"ModelNet40({str(self.root)!r}, {self.split!r})"

    def name(self, index: int) -> str:
        return self.rows.name(index)

    def read(self, index: int, rng: np.random.Generator, epoch: int = 0) -> ClassificationSample:
        row = self.rows.row(index)
        return ClassificationSample(
            name=self.name(index), cloud=PointCloud(positions=row["data"]), label=int(row["label"][0])
        )

    def problems(self) -> list[Problem]:
        return self.rows.problems()

    def counts(self) -> dict[str, int]:
        return count_classes(self.classes, self.rows.arrays()["label"])


class ModelNet40TextSource:
    """`modelnet40_normal_resampled`: {class}/{id}.txt with x, y, z, nx, ny, nz, and a list of ids per split."""

    def __init__(self, root: Path, split: str):
        names = root / "modelnet40_shape_names.txt"
        self.classes = tuple(read_lines(names)) if names.is_file() else CLASSES
        self.root, self.split = root, split
        listed = root / f"modelnet40_{split}.txt"
        if not listed.is_file():
            raise InputError("no such file; the split cannot be told from the folders, so fetch it again", path=listed)
        self.ids = read_lines(listed)
        for line, name in enumerate(self.ids, 1):
            if name.rpartition("_")[0] not in self.classes or not is_plain_name(name):
                raise InputError(
                    f"{name!r} is not CLASS_NUMBER with one of the classes", path=listed, place=f"line {line}"
                )

    def __len__(self) -> int:
        return len(self.ids)

    def __repr__(self) -> str:
        return f"ModelNet40({str(self.root)!r}, {self.split!r}, normals)"

    def name(self, index: int) -> str:
        return str(self._path(index))

    def _path(self, index: int) -> Path:
        name = self.ids[index]
        return self.root / name.rpartition("_")[0] / f"{name}.txt"

    def read(self, index: int, rng: np.random.Generator, epoch: int = 0) -> ClassificationSample:
        numbers = read_numbers(self._path(index), 6)
        cloud = PointCloud(
            positions=np.ascontiguousarray(numbers[:, :3], np.float32),
            fields={"normal": np.ascontiguousarray(numbers[:, 3:], np.float32)},
        )
        return ClassificationSample(name=self.name(index), cloud=cloud, label=self._label(self.ids[index]))

    def problems(self) -> list[Problem]:
        return problems_by_reading(self, [[self._path(index)] for index in range(len(self))], version="modelnet40-1")

    def counts(self) -> dict[str, int]:
        return count_classes(self.classes, np.array([self._label(name) for name in self.ids], np.int64))

    def _label(self, name: str) -> int:
        return self.classes.index(name.rpartition("_")[0])


def modelnet40(
    root: str | Path,
    split: str,
    *,
    transform: Callable[..., Any] | None = None,
    seed: int = 0,
) -> Dataset[ClassificationSample]:
    """ModelNet40, 12,311 CAD shapes of 40 classes: 9843 for training, 2468 for test; unit sphere, up axis y.

    Public names: `modelnet40_ply_hdf5_2048` (2048 points) or `modelnet40_normal_resampled` (10,000 points and the
    field `normal`); which one `root` holds is found out.
    """
    choose("split", split, SPLITS)
    folder = locate(LAYOUT, Path(root))
    source = ModelNet40Hdf5Source(folder, split) if _is_hdf5(folder) else ModelNet40TextSource(folder, split)
    return Dataset(source, transform, seed=seed)
