"""Mean and deviation of fields over the files of a folder, for features that a model can learn from."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from cloud_transformers.cache import cached_folder, fingerprint
from cloud_transformers.datasets.folder.single import SegmentationFolder
from cloud_transformers.errors import InputError
from cloud_transformers.progress import progress


def field_statistics(
    source: SegmentationFolder, rows: Sequence[int], names: Sequence[str]
) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Means and deviations of the fields of these names, over all points of some files of a folder.

    Six digits of each, so that they are the same wherever they are computed; the deviation of a constant is 1.
    """

    def build(folder: Path) -> None:
        sums = np.zeros((3, len(names)))  # how many values, their sum, and that of their squares about `middle`
        middle: list[float] = []  # of the first file: squares of large numbers would lose all digits
        for row in progress(rows, "looking at fields"):
            cloud = source.read(int(row), np.random.default_rng(0)).cloud
            for place, name in enumerate(names):
                values = cloud.fields[name][np.isfinite(cloud.fields[name])].astype(np.float64)
                if len(middle) == place:
                    middle.append(float(values.mean()) if len(values) else 0.0)
                values = values - middle[place]
                sums[:, place] += len(values), values.sum(), np.square(values).sum()
        for name, count in zip(names, sums[0], strict=True):
            if not count:
                raise InputError(f"field {name!r} has no finite value in the training files", path=source.root)
        mean = sums[1] / sums[0]
        deviation = np.sqrt(np.maximum(sums[2] / sums[0] - np.square(mean), 0))
        found = {"mean": (mean + middle).tolist(), "deviation": deviation.tolist()}
        (folder / "statistics.json").write_text(json.dumps(found), encoding="utf-8")

    files = [source.files[int(row)] for row in rows]
    key = fingerprint(files, version=1, names=list(names), settings=source.settings())
    text = (cached_folder("folder-statistics", key, build) / "statistics.json").read_text(encoding="utf-8")
    found = json.loads(text)
    least = [1e-6 * max(abs(mean), 1e-20) for mean in found["mean"]]  # below it, a deviation is rounding
    deviations = [value if value > low else 1.0 for value, low in zip(found["deviation"], least, strict=True)]
    return tuple(map(_rounded, found["mean"])), tuple(map(_rounded, deviations))


def _rounded(value: float) -> float:
    return float(f"{value:.6g}")
