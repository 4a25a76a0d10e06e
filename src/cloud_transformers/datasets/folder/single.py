"""The user's own clouds, one per sample: with labels (segmentation) or in a folder per class (classification)."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from cloud_transformers.cloud import PointCloud
from cloud_transformers.cloud.channels import channels
from cloud_transformers.datasets.cloud_files import cached_cloud, problems_by_reading
from cloud_transformers.datasets.folder.clouds import class_numbers, file_labels, read_own_cloud
from cloud_transformers.datasets.folder.config import FILE, FolderConfig
from cloud_transformers.datasets.folder.label_values import label_values
from cloud_transformers.datasets.folder.splits import assign_splits, split_folders
from cloud_transformers.datasets.problems import EmptySplit, Problem
from cloud_transformers.datasets.sample import ClassificationSample, SegmentationSample
from cloud_transformers.errors import InputError
from cloud_transformers.progress import progress


def cloud_files(folder: Path) -> list[Path]:
    """Every file below a folder that may hold a cloud, hidden ones and `dataset.toml` left out."""
    from cloud_transformers.io import FORMATS

    return sorted(
        path
        for path in folder.rglob("*")
        if path.suffix.lower() in FORMATS
        and path.is_file()
        and not any(part.startswith(".") for part in path.relative_to(folder).parts)
    )


def split_files(root: Path, split: str, config: FolderConfig) -> tuple[list[Path], list[Path]]:
    """All files of the data, and those of the split."""
    folders = split_folders(root)
    if "" not in folders and not config.splits:
        files = [path for folder in folders.values() for path in cloud_files(folder)]
        chosen = cloud_files(folders[split]) if split in folders else []
    else:
        files = cloud_files(root)
        splits = assign_splits(root, [path.relative_to(root).as_posix() for path in files], config)
        chosen = [path for path in files if splits.get(path.relative_to(root).as_posix()) == split]
    if not files:
        raise InputError("holds no file of a known format", path=root)
    if not chosen:
        raise EmptySplit(f"none of the {len(files)} files is in the split {split!r}; give it some in {FILE}", path=root)
    return files, chosen


class FileFolder:
    """What folders of one cloud per sample have in common."""

    root: Path
    files: Sequence[Path]  # of the split

    def __len__(self) -> int:
        return len(self.files)

    def name(self, index: int) -> str:
        return str(self.files[index])

    def group(self, index: int) -> str:
        """What of the folder's samples must stay together when some are held out: here a file of its own."""
        return self.files[index].relative_to(self.root).as_posix()


class SegmentationFolder(FileFolder):
    """Clouds with a label field."""

    def __init__(self, root: Path, split: str, config: FolderConfig, missing_color: str, features: Sequence[str] = ()):
        self.root, self.split, self.config, self.missing_color = root, split, config, missing_color
        self.features = tuple(features)  # fields beside colours that every file must have; see `cloud.channels`
        every, self.files = split_files(root, split, config)
        self.values: Mapping[str, int] = config.classes or self._values_found(every)
        self.classes = tuple(self.values)
        self._find_floor: Callable[[NDArray[np.float32]], float] | None = None
        self._floors: dict[int, float] = {}  # of files that were read already: an epoch takes many crops of each

    def with_floors(self, find: Callable[[NDArray[np.float32]], float]) -> SegmentationFolder:
        """The same files, whose samples say where their floor is: what `find` makes of their positions [N, 3]."""
        changed = copy.copy(self)
        changed._find_floor, changed._floors = find, {}
        return changed

    def _values_found(self, files: Sequence[Path]) -> dict[str, int]:
        """The label values of all files, as classes named by their number: what a folder without settings has."""
        values = {value for found in label_values(files, self.config) for value in found}
        kept = [value for value in sorted(values) if value not in self.config.ignore]
        if len(kept) > 256:
            raise InputError(
                f"field {self.config.label!r} has {len(kept)} different values, too many for classes; "
                f"name the field with the labels in {FILE}",
                path=self.root,
            )
        return {str(value): value for value in kept}

    def __repr__(self) -> str:
        return f"folder({str(self.root)!r}, 'segmentation', {self.split!r})"

    def read(self, index: int, rng: np.random.Generator, epoch: int = 0) -> SegmentationSample:
        path = self.files[index]
        cloud = cached_cloud(path, partial(self._labelled_cloud, path), settings=self.settings())
        if self._find_floor is not None and index not in self._floors:
            self._floors[index] = self._find_floor(cloud.positions)
        return SegmentationSample(name=str(path), cloud=cloud, scene=self.group(index), floor=self._floors.get(index))

    def _labelled_cloud(self, path: Path) -> PointCloud:
        cloud = read_own_cloud(path, self.config, self.missing_color)
        values = file_labels(cloud, path, self.config)
        fields = {name: channels(cloud, name, path) for name in self.features}
        return cloud.with_fields(**fields, label=class_numbers(values, path, self.values, self.config))

    def settings(self) -> str:
        """What a file's cloud depends on besides the file."""
        return f"1 {self.config!r} {self.missing_color} {dict(self.values)!r} {self.features}"

    def problems(self) -> list[Problem]:
        return problems_by_reading(self, [[path] for path in self.files], version=self.settings())

    def counts(self) -> dict[str, int]:
        counts = np.zeros(len(self.classes), np.int64)
        for index in progress(range(len(self)), "counting"):
            try:
                label = self.read(index, np.random.default_rng(0)).cloud.fields["label"]
            except InputError:
                continue
            counts += np.bincount(label[label >= 0], minlength=len(counts))
        return dict(zip(self.classes, counts.tolist(), strict=True))


class ClassificationFolder(FileFolder):
    """Clouds in a folder per class, below the data's folder or below those of its splits."""

    def __init__(self, root: Path, split: str, config: FolderConfig, missing_color: str):
        self.root, self.split, self.config, self.missing_color = root, split, config, missing_color
        every, self.files = split_files(root, split, config)
        by_folder = "" not in split_folders(root)
        self.depth = 1 if by_folder else 0  # how many folders stand before that of the class
        found = sorted({self._class_name(path) for path in every})
        if config.classes is None:
            self.classes = tuple(found)
        else:
            self.classes = tuple(sorted(config.classes, key=lambda name: config.classes[name]))  # type: ignore[index]
            if unknown := [name for name in found if name not in config.classes]:
                raise InputError(f"has a folder {unknown[0]!r}, which is none of the classes in {FILE}", path=root)

    def _class_name(self, path: Path) -> str:
        parts = path.relative_to(self.root).parts
        if len(parts) <= self.depth + 1:
            raise InputError(f"lies in no class folder; classification needs CLASS/FILE below {self.root}", path=path)
        return parts[self.depth]

    def __repr__(self) -> str:
        return f"folder({str(self.root)!r}, 'classification', {self.split!r})"

    def read(self, index: int, rng: np.random.Generator, epoch: int = 0) -> ClassificationSample:
        path = self.files[index]
        cloud = read_own_cloud(path, self.config, self.missing_color)
        return ClassificationSample(name=str(path), cloud=cloud, label=self.classes.index(self._class_name(path)))

    def problems(self) -> list[Problem]:
        version = f"folder-1 {self.config!r} {self.missing_color}"
        return problems_by_reading(self, [[path] for path in self.files], version=version)

    def counts(self) -> dict[str, int]:
        names = [self._class_name(path) for path in self.files]
        return {name: names.count(name) for name in self.classes}
