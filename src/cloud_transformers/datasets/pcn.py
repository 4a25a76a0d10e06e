"""PCN completion: partial views of ShapeNet models, and the complete models."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args

import numpy as np

from cloud_transformers.datasets.cloud_files import at_offset, read_cloud
from cloud_transformers.datasets.dataset import Dataset
from cloud_transformers.datasets.layout import FolderLayout, choose, is_plain_name, locate
from cloud_transformers.datasets.problems import EmptySplit, Problem
from cloud_transformers.datasets.sample import CompletionSample
from cloud_transformers.datasets.views import Shape, ViewIndex, Views, view_files
from cloud_transformers.decoding import parse_json
from cloud_transformers.errors import InputError
from cloud_transformers.progress import progress

SPLITS = ("train", "val", "test")
TAXONOMIES = {
    "02691156": "airplane",
    "02933112": "cabinet",
    "02958343": "car",
    "03001627": "chair",
    "03636649": "lamp",
    "04256520": "sofa",
    "04379243": "table",
    "04530566": "vessel",
}
LISTS = ("ShapeNet.json", "PCN.json")

LAYOUT = FolderLayout(
    "PCN completion",
    "`ShapeNetCompletion` (the PCN dataset as GRNet's project page offers it)",
    "train, val and test, each with partial/TAXONOMY/ID/00.pcd and complete/TAXONOMY/ID.pcd",
    lambda folder: any((folder / split / "complete").is_dir() for split in SPLITS),
)


def split_lists(root: Path, split: str) -> dict[str, tuple[str, list[str]]]:
    """Taxonomy -> (its name, the ids of the split), from the JSON list or, if that is missing, from the folders."""
    path = next((root / name for name in LISTS if (root / name).is_file()), None)
    if path is None:
        folders = sorted(folder for folder in (root / split / "complete").glob("*") if folder.is_dir())
        return {
            folder.name: (
                TAXONOMIES.get(folder.name, folder.name),
                sorted(file.stem for file in folder.glob("*.pcd")),
            )
            for folder in folders
        }
    again = "delete it to have it rebuilt"
    entries = parse_json(path.read_bytes(), f"{path}: not JSON; {again}")
    try:
        lists = {
            str(entry["taxonomy_id"]): (
                str(entry.get("taxonomy_name", entry["taxonomy_id"])),
                [str(name) for name in entry[split]],
            )
            for entry in entries
        }
    except (KeyError, TypeError, AttributeError):
        raise InputError(
            f"is not a list of entries with taxonomy_id, taxonomy_name, train, val and test; {again}", path=path
        ) from None
    for taxonomy, (_, names) in lists.items():
        for name in (taxonomy, *names):
            if not is_plain_name(name):
                raise InputError(f"{name[:40]!r} leads to another folder, which is not followed; {again}", path=path)
    return lists


class PcnSource:
    """Shapes of one split. See `pcn`."""

    def __init__(self, root: Path, split: str, views: Views):
        self.root, self.split = root, split
        lists = split_lists(root, split)
        self.taxonomies = {taxonomy: name for taxonomy, (name, _) in lists.items()}
        self.classes = tuple(self.taxonomies.values())
        listed = [(taxonomy, name) for taxonomy, (_, names) in lists.items() for name in names]
        shapes = [
            Shape(taxonomy, name, view_files(root / split / "partial" / taxonomy / name, (".pcd",)))
            for taxonomy, name in progress(listed, f"listing {split}")
        ]
        if not shapes:
            raise EmptySplit(f"{root / split}: holds no shape; get the data as {LAYOUT.public_name}")
        self.index = ViewIndex(shapes, views)

    def __len__(self) -> int:
        return len(self.index)

    def __repr__(self) -> str:
        return f"PCN({str(self.root)!r}, {self.split!r}, views={self.index.views!r})"

    def name(self, index: int) -> str:
        shape = self.index.shape(index)
        return f"{self.split}/{shape.category}/{shape.id}"

    def complete_path(self, shape: Shape) -> Path:
        return self.root / self.split / "complete" / shape.category / f"{shape.id}.pcd"

    def view_folder(self, shape: Shape) -> Path:
        return self.root / self.split / "partial" / shape.category / shape.id

    def read(self, index: int, rng: np.random.Generator, epoch: int = 0) -> CompletionSample:
        return self._read(index, self.index.pick(index, rng))

    def _read(self, index: int, view: Path | None) -> CompletionSample:
        shape = self.index.shape(index)
        if view is None:
            raise InputError(f"{self.view_folder(shape)}: holds no view")
        complete = read_cloud(self.complete_path(shape))
        return CompletionSample(
            name=f"{self.name(index)}/{view.stem}",
            partial=at_offset(read_cloud(view), complete.offset),
            complete=complete,
            taxonomy=shape.category,
            id=shape.id,
            view=int(view.stem),
        )

    def _files(self, index: int) -> list[Path]:
        return [self.complete_path(self.index.shape(index)), *self.index.choices(index)]

    def problems(self) -> list[Problem]:
        return self.index.problems(self, self.view_folder, self._files, self._read, version="pcn-1")

    def counts(self) -> dict[str, int]:
        return self.index.counts(self.taxonomies)


def pcn(
    root: str | Path,
    split: str,
    *,
    views: Views | None = None,
    transform: Callable[..., Any] | None = None,
    seed: int = 0,
) -> Dataset[CompletionSample]:
    """PCN completion: 8 ShapeNet categories, complete clouds of 16,384 points, partial ones of varying length.

    Public name: `ShapeNetCompletion` (the PCN dataset). 28,974 shapes for training with 8 views each, 800 for
    validation and 1200 for test with one. With views="random", the default in training, a sample is a shape and each
    epoch draws one of all its views; with "all" each view is a sample. The split list `ShapeNet.json` or `PCN.json` is
    rebuilt from the folders where it is missing.
    """
    choose("split", split, SPLITS)
    mode = views or ("random" if split == "train" else "all")
    choose("views", mode, get_args(Views))
    return Dataset(PcnSource(locate(LAYOUT, Path(root)), split, mode), transform, seed=seed)
