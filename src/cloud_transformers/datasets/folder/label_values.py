"""Which label values the user's own files hold, and which of them the settings of `dataset.toml` do not know."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from cloud_transformers.cache import cached_folder, fingerprint
from cloud_transformers.datasets.cloud_files import read_cloud
from cloud_transformers.datasets.folder.clouds import file_labels, reading_options
from cloud_transformers.datasets.folder.config import FILE, FolderConfig
from cloud_transformers.errors import InputError
from cloud_transformers.progress import progress


def label_values(files: Sequence[Path], config: FolderConfig) -> list[dict[int, int]]:
    """For each file, how many points have which label value; kept in the cache until a file changes.

    A file that cannot be read has none: it is for the check to name. If there are only such, the first says why.
    """

    def build(folder: Path) -> None:
        found: list[list[tuple[int, int]]] = []
        failure = None
        for path in progress(files, "looking for labels"):
            try:
                cloud = read_cloud(path, **reading_options(path, config))
                values, counts = np.unique(file_labels(cloud, path, config), return_counts=True)
            except InputError as error:
                failure = failure or error
                found.append([])
                continue
            found.append(list(zip(values.tolist(), counts.tolist(), strict=True)))
        if failure is not None and not any(found):
            raise failure
        (folder / "values.json").write_text(json.dumps(found), encoding="utf-8")

    key = fingerprint(files, version=3, label=config.label, columns=config.columns, max_expand=config.max_expand)
    text = (cached_folder("folder-classes", key, build) / "values.json").read_text(encoding="utf-8")
    return [{int(value): int(count) for value, count in pairs} for pairs in json.loads(text)]


@dataclass(frozen=True)
class StrayValue:
    """A label value that is neither a class nor ignored."""

    value: int
    num_points: int
    num_files: int


def stray_values(files: Sequence[Path], config: FolderConfig) -> list[StrayValue]:
    """Those of all files, by value; none where the classes are whatever the files hold."""
    if config.classes is None or config.ignore_rest:
        return []
    known = {*config.classes.values(), *config.merged, *config.ignore}
    counts: dict[int, list[int]] = {}
    for values in label_values(files, config):
        for value, count in values.items():
            if value not in known:
                counts.setdefault(value, []).append(count)
    return [StrayValue(value, sum(each), len(each)) for value, each in sorted(counts.items())]


def advice_on(strays: Sequence[StrayValue], config: FolderConfig) -> list[str]:
    """What a person can write into `dataset.toml` about stray values, in lines."""
    if not strays:
        return []
    rows = [f"  {each.value:>6}  {each.num_points:>12,} points  {each.num_files:>5,} files" for each in strays]
    ignored = sorted({*config.ignore, *(each.value for each in strays)})
    names = "\n".join(f"  class_{each.value} = {each.value}".replace("-", "minus_", 1) for each in strays)
    return [
        f"{len(strays)} label value{'s are' if len(strays) > 1 else ' is'} neither a class nor ignored:",
        *rows,
        f"Lines of {FILE} that would settle it, one of:",
        f"  ignore = {ignored}",
        '  ignore = "rest"',
        "or, below [classes], as classes of their own (rename them), or added to one that is there (name = [1, 2]):",
        names,
    ]
