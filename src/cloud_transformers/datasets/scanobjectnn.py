"""ScanObjectNN: objects cut out of real indoor scans, with background and its mask."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cloud_transformers.cloud import PointCloud
from cloud_transformers.datasets.dataset import Dataset, count_classes
from cloud_transformers.datasets.hdf5 import Column, Hdf5Rows, label_rows, non_finite_rows
from cloud_transformers.datasets.layout import FolderLayout, choose, locate
from cloud_transformers.datasets.problems import Problem
from cloud_transformers.datasets.sample import ClassificationSample

CLASSES: tuple[str, ...] = (
    "bag",
    "bin",
    "box",
    "cabinet",
    "chair",
    "desk",
    "display",
    "door",
    "shelf",
    "table",
    "bed",
    "pillow",
    "sink",
    "sofa",
    "toilet",
)

# Variant -> (folder suffix, ending of the file name).
VARIANTS = {
    "OBJ_ONLY": ("_nobg", ""),
    "OBJ_BG": ("", ""),
    "PB_T25": ("", "_augmented25_norot"),
    "PB_T25_R": ("", "_augmented25rot"),
    "PB_T50_R": ("", "_augmentedrot"),
    "PB_T50_RS": ("", "_augmentedrot_scale75"),
}
SPLITS = {"train": "training", "test": "test"}
STRETCH = 50  # rows: ten objects with their five copies
FOLDS = ("main_split", "split1", "split2", "split3", "split4")


def _fits(folder: Path) -> bool:
    return any((folder / f"{fold}{suffix}").is_dir() for fold in FOLDS for suffix in ("", "_nobg"))


LAYOUT = FolderLayout(
    "ScanObjectNN",
    "ScanObjectNN, `h5_files.zip`, from the project page 'ScanObjectNN: A New Benchmark Dataset and Classification "
    "Model on Real-World Data' (a form must be filled in)",
    "the folders main_split, main_split_nobg, split1 ... of h5_files",
    _fits,
)


def path_of(root: Path, split: str, variant: str, fold: str, background: bool) -> Path:
    suffix, ending = VARIANTS[variant]
    folder = f"{fold}{suffix if background else '_nobg'}"
    return root / folder / f"{SPLITS[split]}_objectdataset{ending}.h5"


class ScanObjectNNSource:
    """Rows of one ScanObjectNN file. See `scanobjectnn`."""

    classes: tuple[str, ...] = CLASSES

    def __init__(self, path: Path):
        self.rows = Hdf5Rows(
            [path],
            [
                Column("data", (-1, 3), "float32"),
                Column("label", (), "int64"),
                Column("mask", (-1,), "int64", optional=True),
            ],
            check_rows,
            check_version="scanobjectnn-1",
        )

    def __len__(self) -> int:
        return len(self.rows)

    def __repr__(self) -> str:
        return f"ScanObjectNN({str(self.rows.files[0])!r})"

    def name(self, index: int) -> str:
        return self.rows.name(index)

    def read(self, index: int, rng: np.random.Generator, epoch: int = 0) -> ClassificationSample:
        row = self.rows.row(index)
        fields: dict[str, NDArray[Any]] = {"mask": row["mask"] != -1} if "mask" in row else {}
        cloud = PointCloud(positions=row["data"], fields=fields)
        return ClassificationSample(name=self.name(index), cloud=cloud, label=int(row["label"]))

    def problems(self) -> list[Problem]:
        return self.rows.problems()

    def objects(self) -> NDArray[np.int64]:
        """A number per row [n], equal for the copies of one object in the PB variants, as far as the file tells.

        The files name no objects, and do not tell in which order copies stand. What is known: copies have one label,
        and where masks keep the scan's instance numbers, as its raw files do, one instance. So rows with equal label
        and instance count as one object; two objects that share both just stay together. Where masks hold no such
        numbers, stretches of at most `STRETCH` rows of one class count as one object: if copies are neighbours, only
        those at the two ends of a stretch can be torn apart.
        """
        arrays = self.rows.arrays()
        label = np.array(arrays["label"])
        if "mask" in arrays:
            instance = arrays["mask"].max(axis=1)
            if len(np.unique(np.stack([label, instance]), axis=1).T) > 2 * len(np.unique(label)):
                return _numbered(label, instance)
        start = np.maximum.accumulate(np.where(np.diff(label, prepend=-1) != 0, np.arange(len(label)), 0))
        return _numbered(start, (np.arange(len(label)) - start) // STRETCH)

    def counts(self) -> dict[str, int]:
        return count_classes(self.classes, self.rows.arrays()["label"])


def _numbered(*columns: NDArray[Any]) -> NDArray[np.int64]:
    """Equal numbers for rows that are equal in all columns."""
    return np.unique(np.stack(columns), axis=1, return_inverse=True)[1].reshape(-1)


def check_rows(rows: Mapping[str, NDArray[Any]]) -> list[tuple[int, str]]:
    problems = non_finite_rows(rows["data"]) + label_rows(rows["label"], len(CLASSES))
    if "mask" in rows:
        problems += [(int(row), "mask has a value below -1") for row in np.flatnonzero((rows["mask"] < -1).any(axis=1))]
        empty = np.flatnonzero((rows["mask"] == -1).all(axis=1))
        problems += [(int(row), "the mask calls every point background") for row in empty]
    return problems


def scanobjectnn(
    root: str | Path,
    split: str,
    *,
    variant: str = "PB_T50_RS",
    fold: str = "main_split",
    background: bool = True,
    transform: Callable[..., Any] | None = None,
    seed: int = 0,
) -> Dataset[ClassificationSample]:
    """ScanObjectNN, 2902 objects of 15 classes, 2048 points each, up axis y.

    Public name: ScanObjectNN (`h5_files`). `root` holds `main_split`, `main_split_nobg`, `split1` ... `split4_nobg`.
    Main split: OBJ_ONLY and OBJ_BG 2309 training and 581 test objects; PB_T50_RS, the hardest and the paper's,
    11,416 and 2882 (each object shifted, rotated and scaled five times). The field `mask` is true on the object;
    files without a mask have no such field. `background=False` takes the `_nobg` folder of a PB variant.
    """
    choose("split", split, list(SPLITS))
    choose("variant", variant, list(VARIANTS))
    choose("fold", fold, FOLDS)
    path = path_of(locate(LAYOUT, Path(root)), split, variant, fold, background)
    return Dataset(ScanObjectNNSource(path), transform, seed=seed)
