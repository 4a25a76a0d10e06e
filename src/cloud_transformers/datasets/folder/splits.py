"""Which file belongs to which split: by patterns, by folders named train, val and test, or drawn by its name."""

from __future__ import annotations

import hashlib
from fnmatch import fnmatchcase
from pathlib import Path

from cloud_transformers.datasets.folder.config import FILE, SPLITS, FolderConfig
from cloud_transformers.errors import InputError


def split_folders(root: Path) -> dict[str, Path]:
    """The folders named after splits, or {"": root} if there are none. `train` must be among them."""
    found = {split: root / split for split in SPLITS if (root / split).is_dir()}
    return found if "train" in found else {"": root}


def drawn_split(name: str, config: FolderConfig) -> str:
    """The split of a name. It depends on the name and the seed alone: files that are added later move no other file."""
    digest = hashlib.sha256(f"{config.seed}\0{name}".encode()).digest()
    place = int.from_bytes(digest[:8], "big") / 2**64
    if place < config.test:
        return "test"
    return "val" if place < config.test + config.val else "train"


def assign_splits(root: Path, names: list[str], config: FolderConfig) -> dict[str, str]:
    """Name -> split. With patterns, a name that two splits claim or a pattern that finds nothing is an error."""
    if not config.splits:
        return {name: drawn_split(name, config) for name in names}
    assigned: dict[str, str] = {}
    for split, patterns in config.splits.items():
        for pattern in patterns:
            hits = [name for name in names if _matches(name, pattern)]
            if not hits:
                raise InputError(f"{root / FILE}: splits: {split} lists {pattern!r}, which no file matches")
            for name in hits:
                if assigned.setdefault(name, split) != split:
                    raise InputError(f"{root / FILE}: splits: {name} is in {assigned[name]} and in {split}")
    return assigned


def _matches(name: str, pattern: str) -> bool:
    """Patterns may name a file with or without its suffix."""
    return fnmatchcase(name, pattern) or fnmatchcase(name.rpartition(".")[0] or name, pattern)
