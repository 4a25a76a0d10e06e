"""Benchmarks that come as one file per cloud: reading clouds, and checking files by reading them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cloud_transformers.cache import cached_folder, fingerprint
from cloud_transformers.cloud import PointCloud
from cloud_transformers.datasets.dataset import Source
from cloud_transformers.datasets.problems import Problem
from cloud_transformers.datasets.spreading import looked_at
from cloud_transformers.errors import InputError

_WORTH_CACHING = 1 << 20  # bytes


def read_cloud(path: Path, **options: Any) -> PointCloud:
    """One cloud of at least one point, all coordinates finite. Options are those of `cloud_transformers.io.read`."""
    from cloud_transformers.io import read

    if not path.is_file():
        raise InputError("no such file", path=path)
    cloud = read(path, **options)
    if not len(cloud):
        raise InputError("holds no points", path=path)
    if not np.isfinite(cloud.positions).all():
        row = int(np.flatnonzero(~np.isfinite(cloud.positions).all(axis=1))[0])
        raise InputError("a coordinate is NaN or infinite", path=path, place=f"point {row}")
    return cloud


def at_offset(cloud: PointCloud, offset: NDArray[np.float64]) -> PointCloud:
    """The same points counted from another offset, for clouds of different files that share one frame."""
    if np.array_equal(cloud.offset, offset):
        return cloud
    return replace(cloud, positions=(cloud.positions + (cloud.offset - offset)).astype(np.float32), offset=offset)


def cached_cloud(path: Path, make: Callable[[], PointCloud], **parameters: Any) -> PointCloud:
    """What `make` makes of a file with these parameters, memory-mapped from the cache if the file is large.

    A scan from which every epoch takes a few crops is parsed once, not once per crop. Metadata is not kept.
    """
    if path.stat().st_size < _WORTH_CACHING:
        return make()

    def build(folder: Path) -> None:
        cloud = make()
        np.save(folder / "positions.npy", cloud.positions, allow_pickle=False)
        np.save(folder / "offset.npy", cloud.offset, allow_pickle=False)
        for number, values in enumerate(cloud.fields.values()):
            np.save(folder / f"field{number}.npy", values, allow_pickle=False)
        (folder / "fields.json").write_text(json.dumps(list(cloud.fields)), encoding="utf-8")

    folder = cached_folder("clouds", fingerprint([path], version=1, **parameters), build)

    def load(name: str) -> NDArray[Any]:
        return np.asarray(np.load(folder / f"{name}.npy", mmap_mode="r", allow_pickle=False))

    names = json.loads((folder / "fields.json").read_text(encoding="utf-8"))
    fields = {name: load(f"field{number}") for number, name in enumerate(names)}
    return PointCloud(positions=load("positions"), fields=fields, offset=load("offset"))


def _problem_of(
    source: Source[Any], read_all: Callable[[int], object] | None, index: int
) -> tuple[int, str | None, str, str] | None:
    try:
        if read_all is None:
            source.read(index, np.random.default_rng(0), 0)
        else:
            read_all(index)
    except InputError as error:
        return index, error.path, error.place, error.text
    except OSError as error:
        return index, None, "", str(error)
    return None


def problems_by_reading(
    source: Source[Any],
    files: Sequence[Sequence[Path]],  # those that each sample may open
    *,
    version: str,
    read_all: Callable[[int], object] | None = None,  # opens all that a sample can show, where that is more than one
) -> list[Problem]:
    """What goes wrong when every sample of a source is read. The answer is kept in the cache until a file changes."""
    missing = [
        Problem(str(path), "", "no such file", index)
        for index, paths in enumerate(files)
        for path in paths
        if not path.is_file()
    ]
    gone = {problem.index for problem in missing}
    present: Iterable[Path] = {path for paths in files for path in paths if path.is_file()}

    def build(folder: Path) -> None:
        there = [index for index in range(len(source)) if index not in gone]
        look = partial(_problem_of, source, read_all)
        found = [problem for problem in looked_at(look, there, len(there)) if problem is not None]
        (folder / "problems.json").write_text(json.dumps(found), encoding="utf-8")

    key = fingerprint(
        present, form=2, version=version, length=len(source), missing=[problem.path for problem in missing]
    )
    stored = json.loads((cached_folder("checks", key, build) / "problems.json").read_text(encoding="utf-8"))
    return missing + [
        Problem(path or str(files[index][0]), "" if text.startswith(place) else place, text, index)
        for index, path, place, text in stored
    ]
