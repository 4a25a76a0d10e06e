"""what3d: renderings of ShapeNet models and the clouds seen from the same camera."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args

import numpy as np

from cloud_transformers.datasets.cloud_files import read_cloud
from cloud_transformers.datasets.dataset import Dataset
from cloud_transformers.datasets.layout import FolderLayout, choose, locate, read_lines
from cloud_transformers.datasets.problems import EmptySplit, Problem
from cloud_transformers.datasets.sample import ReconstructionSample
from cloud_transformers.datasets.views import Shape, ViewIndex, Views, view_files
from cloud_transformers.errors import InputError
from cloud_transformers.io.images import Alpha as Alpha
from cloud_transformers.io.images import read_image
from cloud_transformers.progress import progress

SPLITS = ("train", "val", "test")
_PICTURES = (".png", ".jpg", ".jpeg")

LAYOUT = FolderLayout(
    "what3d",
    "the data of 'What Do Single-view 3D Reconstruction Networks Learn?' (its project page, what3d)",
    "classes.txt, lists, points and renderings",
    lambda folder: (folder / "lists").is_dir() and (folder / "points").is_dir(),
)


def read_classes(root: Path) -> dict[str, str]:
    """Category folder -> class name, from `classes.txt` ("name id" lines; a name may contain blanks)."""
    path = root / "classes.txt"
    if not path.is_file():
        raise InputError("no such file; it names the categories, so fetch it again", path=path)
    found = {}
    for number, line in enumerate(read_lines(path), 1):
        name, _, identifier = line.rpartition(" ")
        if not name:
            raise InputError(f"{line!r} is not 'name id'", path=path, place=f"line {number}")
        # The folders bear the id in the public data; copies that were renamed by hand bear the name.
        folder = identifier if (root / "lists" / identifier).is_dir() else name.strip()
        if not (root / "lists" / folder).is_dir():
            raise InputError(f"{root / 'lists'}: has no folder {identifier!r}, which {path.name} line {number} names")
        found[folder] = name.strip()
    if not found:
        raise InputError("names no category", path=path)
    return found


class What3dSource:
    """Pictures of one split. See `what3d`."""

    def __init__(self, root: Path, split: str, views: Views, alpha: Alpha = "dropped"):
        self.root, self.split, self.alpha = root, split, alpha
        self.categories = read_classes(root)
        self.classes = tuple(self.categories.values())
        listed = []
        for category in self.categories:
            path = root / "lists" / category / f"{split}.txt"
            if not path.is_file():
                raise InputError(f"no such file; an empty one says that the category has no {split} shapes", path=path)
            listed += [(category, name) for name in read_lines(path)]
        shapes = [
            Shape(category, name, view_files(root / "renderings" / category / name, _PICTURES))
            for category, name in progress(listed, f"listing {split}")
        ]
        if not shapes:
            raise EmptySplit(f"{root / 'lists'}: lists no shape for the {split} split")
        self.index = ViewIndex(shapes, views)

    def __len__(self) -> int:
        return len(self.index)

    def __repr__(self) -> str:
        return f"what3d({str(self.root)!r}, {self.split!r}, views={self.index.views!r})"

    def name(self, index: int) -> str:
        shape = self.index.shape(index)
        return f"{self.split}/{shape.category}/{shape.id}"

    def cloud_path(self, shape: Shape, view: Path) -> Path:
        return self.root / "points" / shape.category / shape.id / f"{view.stem}.ply"

    def view_folder(self, shape: Shape) -> Path:
        return self.root / "renderings" / shape.category / shape.id

    def read(self, index: int, rng: np.random.Generator, epoch: int = 0) -> ReconstructionSample:
        return self._read(index, self.index.pick(index, rng))

    def _read(self, index: int, view: Path | None) -> ReconstructionSample:
        shape = self.index.shape(index)
        if view is None:
            raise InputError(f"{self.view_folder(shape)}: holds no view")
        return ReconstructionSample(
            name=f"{self.name(index)}/{view.stem}",
            image=read_image(view, self.alpha),
            cloud=read_cloud(self.cloud_path(shape, view)),
            category=self.categories[shape.category],
            id=shape.id,
            view=int(view.stem),
        )

    def _files(self, index: int) -> list[Path]:
        shape, choices = self.index.shape(index), self.index.choices(index)
        return [*choices, *(self.cloud_path(shape, view) for view in choices)]

    def problems(self) -> list[Problem]:
        return self.index.problems(self, self.view_folder, self._files, self._read, version="what3d-1")

    def counts(self) -> dict[str, int]:
        return self.index.counts(self.categories)


def what3d(
    root: str | Path,
    split: str,
    *,
    views: Views | None = None,
    alpha: Alpha = "dropped",
    transform: Callable[..., Any] | None = None,
    seed: int = 0,
) -> Dataset[ReconstructionSample]:
    """what3d reconstruction: 55 ShapeNet classes, 5 renderings per shape, viewer-centred clouds in the unit cube.

    Public name: what3d ('What Do Single-view 3D Reconstruction Networks Learn?'). Pictures may be .png or .jpg; ids
    may contain blanks. With views="random", the default in training, a sample is a shape and each epoch draws one of
    its views; with "all" each view is a sample. A sample's `category` is the name of its class. `alpha`: see
    `io.images.read_image`.
    """
    choose("split", split, SPLITS)
    mode = views or ("random" if split == "train" else "all")
    choose("views", mode, get_args(Views))
    return Dataset(What3dSource(locate(LAYOUT, Path(root)), split, mode, alpha), transform, seed=seed)
