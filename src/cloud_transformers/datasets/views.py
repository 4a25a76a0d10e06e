"""Shapes with several views: which views there are, and which one a sample shows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from cloud_transformers.datasets.cloud_files import problems_by_reading
from cloud_transformers.datasets.dataset import Source
from cloud_transformers.datasets.problems import Problem

# "random": a sample is a shape, and each epoch draws one of its views; "all": every view is a sample of its own.
Views = Literal["random", "all"]

_NO_VIEW = "holds no view"


@dataclass(frozen=True)
class Shape:
    """A shape and its view files, in the order of their numbers; none at all if the shape's folder is missing."""

    category: str
    id: str
    views: tuple[Path, ...]


def view_files(folder: Path, suffixes: Sequence[str]) -> tuple[Path, ...]:
    """The files NUMBER.suffix of a folder by number; where two differ in suffix only, the first suffix counts."""
    found: dict[int, Path] = {}
    if not folder.is_dir():
        return ()
    for path in folder.iterdir():
        rank = path.suffix.lower()
        if rank not in suffixes or not path.stem.isdecimal():
            continue
        number = int(path.stem)
        if number not in found or suffixes.index(rank) < suffixes.index(found[number].suffix.lower()):
            found[number] = path
    return tuple(found[number] for number in sorted(found))


class ViewIndex:
    """Numbers the samples of a list of shapes under either meaning of a sample."""

    def __init__(self, shapes: Sequence[Shape], views: Views):
        self.shapes = list(shapes)
        self.views = views
        # A shape without views still counts once, so that reading it names what is missing.
        self.owner: NDArray[np.int64] = np.repeat(np.arange(len(shapes)), [max(1, len(s.views)) for s in shapes])
        self.first: NDArray[np.int64] = np.searchsorted(self.owner, np.arange(len(shapes)))

    def __len__(self) -> int:
        return len(self.shapes) if self.views == "random" else len(self.owner)

    def shape(self, index: int) -> Shape:
        return self.shapes[index if self.views == "random" else int(self.owner[index])]

    def choices(self, index: int) -> tuple[Path, ...]:
        """The views that this sample can show."""
        shape = self.shape(index)
        if self.views == "random":
            return shape.views
        return shape.views[int(index - self.first[self.owner[index]]) :][:1]

    def pick(self, index: int, rng: np.random.Generator) -> Path | None:
        """The view that it does show; None if there is none."""
        choices = self.choices(index)
        return choices[int(rng.integers(len(choices)))] if choices else None

    def problems(
        self,
        source: Source[Any],
        folder_of: Callable[[Shape], Path],  # where a shape's views should be
        files_of: Callable[[int], Sequence[Path]],  # all files that a sample may open
        read: Callable[[int, Path | None], object],  # one view of a sample
        *,
        version: str,
    ) -> list[Problem]:
        """Shapes with missing views, and everything that goes wrong when all views are opened."""

        def read_all(index: int) -> None:
            for view in self.choices(index) or (None,):
                read(index, view)

        few = list(self._incomplete(folder_of))
        known = {problem.index for problem in few if problem.what == _NO_VIEW}
        files = [files_of(index) for index in range(len(self))]
        found = problems_by_reading(source, files, version=version, read_all=read_all)
        return few + [problem for problem in found if problem.index not in known]

    def counts(self, names: Mapping[str, str]) -> dict[str, int]:
        """Shapes of each category, by the categories' names."""
        owners = [names[shape.category] for shape in self.shapes]
        return {name: owners.count(name) for name in names.values()}

    def _incomplete(self, folder_of: Callable[[Shape], Path]) -> Iterable[Problem]:
        """Shapes with no view, or with fewer than most."""
        counts = np.array([len(shape.views) for shape in self.shapes])
        usual = int(np.bincount(counts).argmax()) if len(counts) else 0
        for number in np.flatnonzero(counts < max(1, usual)):
            shape = self.shapes[number]
            index = int(number if self.views == "random" else self.first[number])
            what = f"has {counts[number]} of {usual} views" if shape.views else _NO_VIEW
            yield Problem(str(folder_of(shape)), "", what, index)
