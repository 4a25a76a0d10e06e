"""The user's own pairs: partial/ and complete/ (completion), images/ and clouds/ (reconstruction).

A pair is told by its name: the path below the folder without its suffix. Several views of one shape stand in a folder
of that name: partial/chair/a/0.ply and partial/chair/a/1.ply belong to complete/chair/a.ply. Where each view has its
own counterpart (images/chair/a/0.png, clouds/chair/a/0.ply), `views = true` in the settings says that 0 is a view of
chair/a and not a shape, so that all views of a shape come into the same split.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from cloud_transformers.datasets.cloud_files import at_offset, problems_by_reading
from cloud_transformers.datasets.folder.clouds import read_own_cloud
from cloud_transformers.datasets.folder.config import FILE, FolderConfig
from cloud_transformers.datasets.folder.single import cloud_files
from cloud_transformers.datasets.folder.splits import assign_splits, split_folders
from cloud_transformers.datasets.problems import EmptySplit, Problem
from cloud_transformers.datasets.sample import CompletionSample, ReconstructionSample
from cloud_transformers.errors import InputError
from cloud_transformers.io.images import read_image

PICTURES = (".png", ".jpg", ".jpeg")


@dataclass(frozen=True)
class Pair:
    """What is given (a partial cloud or a picture) and what is wanted (a cloud)."""

    name: str
    given: Path
    wanted: Path
    view: int

    @property
    def category(self) -> str:
        return self.name.partition("/")[0] if "/" in self.name else ""


def _by_name(folder: Path, files: Sequence[Path]) -> dict[str, Path]:
    named: dict[str, Path] = {}
    for path in files:
        name = path.relative_to(folder).with_suffix("").as_posix()
        if name in named:
            raise InputError(f"has the same name as {named[name].name}; which of them belongs to the pair?", path=path)
        named[name] = path
    return named


def find_pairs(folder: Path, given: str, wanted: str, views: bool) -> list[Pair]:
    """All pairs below a folder. A file without its counterpart is an error that names it."""
    for name in (given, wanted):
        if not (folder / name).is_dir():
            raise InputError(f"has no folder {name!r}; pairs need {given}/NAME.* and {wanted}/NAME.*", path=folder)
    targets = _by_name(folder / wanted, cloud_files(folder / wanted))
    if given == "images":
        files = sorted(path for path in (folder / given).rglob("*") if path.suffix.lower() in PICTURES)
    else:
        files = cloud_files(folder / given)
    pairs, used = [], set()
    for name, path in _by_name(folder / given, files).items():
        shape, _, view = name.rpartition("/")
        if name in targets:
            owner = name
            is_view = views and bool(shape)
        else:
            owner, is_view = shape, True
            if owner not in targets:
                raise InputError(f"has no counterpart {wanted}/{name}.* (nor {wanted}/{shape or name}.*)", path=path)
        used.add(owner)
        number = int(view) if is_view and view.isdecimal() else 0
        pairs.append(Pair(shape if is_view else name, path, targets[owner], number))
    if unused := sorted(set(targets) - used):
        raise InputError(f"{targets[unused[0]]}: has no counterpart {given}/{unused[0]}.*")
    if not pairs:
        raise InputError(f"{folder / given}: holds no file of a known format")
    return pairs


def split_pairs(root: Path, split: str, config: FolderConfig, given: str, wanted: str) -> list[Pair]:
    """The pairs of a split; all views of a shape are in the same one."""
    folders = split_folders(root)
    if "" not in folders:
        chosen = find_pairs(folders[split], given, wanted, config.views) if split in folders else []
    else:
        pairs = find_pairs(root, given, wanted, config.views)
        splits = assign_splits(root, sorted({pair.name for pair in pairs}), config)
        chosen = [pair for pair in pairs if splits.get(pair.name) == split]
    if not chosen:
        raise EmptySplit(f"no pair is in the split {split!r}; give it some in {FILE}", path=root)
    return chosen


class PairFolder(ABC):
    """What both kinds of pairs have in common."""

    task: str
    given: str
    wanted: str

    def __init__(self, root: Path, split: str, config: FolderConfig, missing_color: str):
        self.root, self.split, self.config, self.missing_color = root, split, config, missing_color
        self.pairs = split_pairs(root, split, config, self.given, self.wanted)
        self.classes: tuple[str, ...] = tuple(sorted({pair.category for pair in self.pairs}))

    def __len__(self) -> int:
        return len(self.pairs)

    def __repr__(self) -> str:
        return f"folder({str(self.root)!r}, {self.task!r}, {self.split!r})"

    def name(self, index: int) -> str:
        return str(self.pairs[index].given)

    def group(self, index: int) -> str:
        """What of the folder's samples must stay together when some are held out: the views of a shape."""
        return self.pairs[index].name

    @abstractmethod
    def read(self, index: int, rng: np.random.Generator, epoch: int = 0) -> Any:
        """A sample of the task."""

    def problems(self) -> list[Problem]:
        files = [[pair.given, pair.wanted] for pair in self.pairs]
        version = f"folder-1 {self.config!r} {self.missing_color}"
        return problems_by_reading(self, files, version=version)

    def counts(self) -> dict[str, int]:
        """Pairs per category ("" without category folders)."""
        names = [pair.category for pair in self.pairs]
        return {name: names.count(name) for name in self.classes}


class CompletionFolder(PairFolder):
    task, given, wanted = "completion", "partial", "complete"

    def read(self, index: int, rng: np.random.Generator, epoch: int = 0) -> CompletionSample:
        pair = self.pairs[index]
        complete = read_own_cloud(pair.wanted, self.config, self.missing_color)
        partial = read_own_cloud(pair.given, self.config, self.missing_color)
        return CompletionSample(
            name=str(pair.given),
            partial=at_offset(partial, complete.offset),
            complete=complete,
            taxonomy=pair.category,
            id=pair.name,
            view=pair.view,
        )


class ReconstructionFolder(PairFolder):
    task, given, wanted = "reconstruction", "images", "clouds"

    def read(self, index: int, rng: np.random.Generator, epoch: int = 0) -> ReconstructionSample:
        pair = self.pairs[index]
        return ReconstructionSample(
            name=str(pair.given),
            image=read_image(pair.given),
            cloud=read_own_cloud(pair.wanted, self.config, self.missing_color),
            category=pair.category,
            id=pair.name,
            view=pair.view,
        )
