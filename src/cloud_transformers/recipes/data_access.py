"""Opening data for a recipe: the user's folder or the embedded world's, parts held out, transforms put on."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from cloud_transformers.cache import cached_folder, fingerprint
from cloud_transformers.datasets import Dataset
from cloud_transformers.errors import InputError
from cloud_transformers.world.layouts import LAYOUTS, LayoutJob
from cloud_transformers.world.layouts.job import WORLD_VERSION


def data_folder(folder: str | None, layout: str, world_size: int, world_seed: int, *, blocks: bool = True) -> Path:
    """The user's folder; or one of the cache, in the same layout, filled from the embedded world on first use."""
    if folder is not None:
        return Path(folder)
    if world_size < 1:
        raise InputError(f"world_size must be at least 1, got {world_size}")

    def build(root: Path) -> None:
        workers = min(os.cpu_count() or 1, -(-world_size // 50))  # a process takes longer to start than a few objects
        job = LayoutJob(layout=layout, root=root, size=world_size, seed=world_seed, workers=workers, blocks=blocks)
        LAYOUTS[layout].write(job)

    key = fingerprint([], layout=layout, size=world_size, seed=world_seed, blocks=blocks, version=WORLD_VERSION)
    return cached_folder("world", key, build)


def data_facts(folder: str | None, layout: str, world_size: int, world_seed: int) -> dict[str, Any]:
    """Which data a run had: the names and sizes of its files, hashed, or the world's settings."""
    if folder is None:
        return {
            "data": f"embedded world, layout {layout}",
            "world_size": world_size,
            "world_seed": world_seed,
            "world_version": WORLD_VERSION,
        }
    root = Path(folder)
    digest, count, total = hashlib.sha256(), 0, 0
    for path in sorted(path for path in root.rglob("*") if path.is_file()):
        size = path.stat().st_size
        digest.update(f"{path.relative_to(root).as_posix()}\0{size}\0".encode())
        count, total = count + 1, total + size
    return {
        "data": str(root.resolve()),
        "data_files": count,
        "data_bytes": total,
        "data_fingerprint": digest.hexdigest()[:32],
        "data_fingerprint_of": "names and sizes of all files",
    }


def where(folder: str | None, world_size: int, world_seed: int) -> str:
    """The end of a protocol's name: numbers of the embedded world must never pass for a benchmark's."""
    if folder is not None:
        return ""
    return f", on the embedded world (size {world_size}, seed {world_seed}), not the benchmark"


@dataclass(frozen=True, kw_only=True)
class BenchmarkData:
    """A benchmark in a folder of the user's; or, without one, in the same layout from the embedded world."""

    layout: ClassVar[str]  # of `world.layouts`

    folder: str | None = None
    world_size: int = 100
    world_seed: int = 0

    def fingerprint(self) -> dict[str, Any]:
        return data_facts(self.folder, self.layout, self.world_size, self.world_seed)

    def root(self, *, blocks: bool = True) -> Path:
        return data_folder(self.folder, self.layout, self.world_size, self.world_seed, blocks=blocks)

    def where(self) -> str:
        return where(self.folder, self.world_size, self.world_seed)


def derived(
    dataset: Dataset[Any], transform: Callable[..., Any] | None, *, seed: int = 0, rows: Any = None
) -> Dataset[Any]:
    """The same samples, or some rows of them, with another transform and seed."""
    chosen = dataset.rows if rows is None else rows
    return Dataset(dataset.source, transform, seed=seed, repeat=dataset.repeat, rows=chosen, skipped=dataset.skipped)


def held_out(
    dataset: Dataset[Any], share: float, groups: Sequence[Any] | None = None, *, seed: int = 0
) -> tuple[Any, Any]:
    """Rows to train on, and rows kept for validation: about `share` of the groups (of the samples, without groups).

    Samples of one group stay together: blocks of a room overlap, and would tell.
    """
    rows = dataset.rows
    names = np.array([groups[row] for row in rows] if groups is not None else rows)
    is_out = np.isin(names, held_groups(names, share, seed=seed))
    return rows[~is_out], rows[is_out]


def held_by_name(names: Sequence[str], share: float) -> set[str]:
    """About `share` of the distinct names, at least one of several, by a hash: other names hardly change who it is."""
    if not 0 <= share < 1:
        raise InputError(f"holdout must be in [0, 1), got {share}")
    distinct = sorted(set(names), key=lambda name: hashlib.sha256(name.encode()).digest())
    return set(distinct[: max(1, round(share * len(distinct)))]) if len(distinct) > 1 else set()


def held_groups(names: Any, share: float, *, seed: int = 0) -> Any:
    """Those of the distinct names that are kept for validation."""
    if not 0 <= share < 1:
        raise InputError(f"holdout must be in [0, 1), got {share}")
    distinct = np.unique(names)
    count = round(share * len(distinct))
    if share and not 0 < count < len(distinct):
        raise InputError(
            f"a share of {share:g} of {len(distinct)} groups of training samples leaves nothing on one side; "
            "change holdout, or set holdout=0 to train without validation"
        )
    return np.random.default_rng((seed, len(distinct))).permutation(distinct)[:count]
