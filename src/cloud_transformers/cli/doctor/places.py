"""Folders: can they be written, how much is in them, and which data lies there."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from cloud_transformers.cli.doctor.finding import Finding, problem
from cloud_transformers.errors import InputError

ENOUGH_DISK = 2e9  # bytes: a run's checkpoints, or a prepared benchmark's first rooms
MOST_FILES = 20_000  # to count in a cache before saying "more than"


def findings() -> Iterator[Finding]:
    yield _cache()
    here = Path.cwd()
    reason = why_not_writable(here)
    if reason:
        yield problem("working folder", f"{here} cannot be written ({reason})", "go to a folder of yours")
    else:
        yield Finding("working folder", f"{here}, writable")
    free = shutil.disk_usage(here).free
    if free < ENOUGH_DISK:
        yield problem("free disk", f"{free / 1e9:.1f} GB here", "make room: runs and prepared data take gigabytes")
    else:
        yield Finding("free disk", f"{free / 1e9:.1f} GB here")


def _cache() -> Finding:
    from cloud_transformers.cache import cache_root

    try:
        folder = cache_root()
    except InputError as error:
        return problem("cache", "none", str(error))
    reason = why_not_writable(folder)
    if reason:
        return problem("cache", f"{folder} cannot be written ({reason})", "name a writable folder in CLOUDT_CACHE")
    return Finding("cache", f"{folder}, {_size(folder)}, writable" if folder.is_dir() else f"{folder}, not made yet")


def why_not_writable(folder: Path) -> str | None:
    """None if files can be made in the folder, or where it would be made; tried, since permission bits do not say."""
    try:
        nearest = next(place for place in (folder, *folder.absolute().parents) if place.exists())
        with tempfile.TemporaryFile(dir=nearest):
            return None
    except OSError as error:
        return error.strerror or str(error)


def _size(folder: Path) -> str:
    total = count = 0
    for parent, _, names in os.walk(folder):
        for name in names:
            try:
                total += os.lstat(os.path.join(parent, name)).st_size
            except OSError:  # removed meanwhile
                continue
            count += 1
            if count == MOST_FILES:
                return f"more than {total / 1e6:.0f} MB in {count:,} files"
    return f"{total / 1e6:.0f} MB in {count:,} files"


def data_root(root: Path) -> Finding:
    """Which benchmarks, in the layouts that the readers take, lie in a folder or directly below it."""
    if not root.is_dir():
        return problem("data", f"{root} is no folder", "name one that exists")
    try:
        places = [root, *sorted(child for child in root.iterdir() if child.is_dir())]
        found = [f"{name} in {place}" for place in places for name in _layouts(place)]
    except OSError as error:
        return problem("data", f"{root} cannot be read ({error.strerror})", "change its permissions")
    if not found:
        remedy = "see docs/data.md for the layouts, or make data with `cloudt data make`"
        return problem("data", f"{root} holds nothing that is recognised", remedy)
    return Finding("data", "; ".join(found))


def _layouts(folder: Path) -> list[str]:
    from cloud_transformers.datasets import modelnet40, pcn, scanobjectnn, what3d
    from cloud_transformers.datasets.folder.config import FILE
    from cloud_transformers.datasets.s3dis.blocks import BLOCKS_LAYOUT
    from cloud_transformers.datasets.s3dis.rooms import RAW_LAYOUT
    from cloud_transformers.datasets.s3dis.spheres import SPHERES_LAYOUT

    benchmarks = (scanobjectnn.LAYOUT, modelnet40.LAYOUT, pcn.LAYOUT, what3d.LAYOUT)
    layouts = (RAW_LAYOUT, BLOCKS_LAYOUT, SPHERES_LAYOUT, *benchmarks)
    names = [layout.name for layout in layouts if layout.fits(folder)]
    return [*names, "your own data"] if (folder / FILE).is_file() else names
