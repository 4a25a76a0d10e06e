"""A first `dataset.toml` for a folder in an unknown layout: what its files say, for a person to correct."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from cloud_transformers.cloud import PointCloud
from cloud_transformers.datasets.cloud_files import read_cloud
from cloud_transformers.datasets.folder.config import FolderConfig
from cloud_transformers.datasets.folder.label_values import label_values
from cloud_transformers.datasets.folder.single import cloud_files
from cloud_transformers.datasets.folder.splits import split_folders
from cloud_transformers.errors import InputError

_LABELS = ("label", "labels", "classification", "class", "semantic", "semantic_label", "sem_label", "scalar_label")
_TELLING = {"intensity": "intensity", "normal": "normals", "return_number": "return_number"}  # fields -> features
_LOOKED_AT = 5  # files whose fields are read
_MOST_CLASSES = 256
_UNITS = {"millimetres": 0.001, "centimetres": 0.01}
_SMALLEST, _LARGEST = 1.0, 300.0  # metres: the longest side of what is scanned on the ground


def propose(root: Path) -> str:
    """The text of a `dataset.toml` for the folder."""
    if not root.is_dir():
        raise InputError("no such folder", path=root)
    first = next(iter(split_folders(root).values()))
    for given, wanted, task in (("partial", "complete", "completion"), ("images", "clouds", "reconstruction")):
        if (first / given).is_dir() and (first / wanted).is_dir():
            return "\n".join([f'task = "{task}"', "", *_splits(root), ""])
    files = cloud_files(root)
    if not files:
        raise InputError("holds no file of a known format", path=root)
    clouds = _some(files)
    label = _label_field(clouds)
    if label is not None:
        return "\n".join([*_segmentation(root, files, clouds, label), ""])
    return "\n".join([*_classification(root, first, files, clouds), ""])


def _some(files: Sequence[Path]) -> list[PointCloud]:
    """A few of the files, spread over all of them; those that cannot be read are for `cloudt data check` to name."""
    chosen = [files[round(place)] for place in np.linspace(0, len(files) - 1, min(_LOOKED_AT, len(files)))]
    clouds, failure = [], None
    for path in chosen:
        try:
            clouds.append(read_cloud(path))
        except InputError as error:
            failure = failure or error
    if failure is not None and not clouds:
        raise failure
    return clouds


def _label_field(clouds: Sequence[PointCloud]) -> str | None:
    """The field of all clouds that looks like labels: by its name and its few whole numbers."""
    shared = [name for name in clouds[0].fields if all(name in cloud.fields for cloud in clouds)]
    for name in sorted(shared, key=lambda name: _LABELS.index(name.lower()) if name.lower() in _LABELS else 99):
        if name.lower() in _LABELS and all(_is_label(cloud.fields[name]) for cloud in clouds):
            return name
    return None


def _is_label(values: np.ndarray) -> bool:
    if values.ndim != 1 or values.dtype.kind not in "iuf":
        return False
    distinct = np.unique(values)
    return len(distinct) <= _MOST_CLASSES and bool(
        np.isfinite(distinct).all() and (distinct == np.rint(distinct)).all()
    )


def _segmentation(root: Path, files: Sequence[Path], clouds: Sequence[PointCloud], label: str) -> list[str]:
    values: Counter[int] = Counter()
    in_files: Counter[int] = Counter()
    for found in label_values(files, FolderConfig(label=label)):
        values.update(found)
        in_files.update(found.keys())
    return [
        'task = "segmentation"',
        f"label = {json.dumps(label)}",
        *_fields(clouds),
        *_space(clouds),
        "# crops = 50                # columns that an epoch takes from each file",
        '# ignore = [0]              # label values that are no class; "rest": all that are not below',
        "",
        "[classes]                   # name = value in the files, or several: table = [7, 14]. Give them names",
        *(
            f"{json.dumps(str(value))} = {value}".ljust(27) + f" # {count:,} points in {in_files[value]:,} files"
            for value, count in sorted(values.items())
        ),
        "",
        *_splits(root),
    ]


def _classification(root: Path, first: Path, files: Sequence[Path], clouds: Sequence[PointCloud]) -> list[str]:
    below = [path.relative_to(first if path.is_relative_to(first) else path.parents[1]).parts for path in files]
    folders = sorted({parts[0] for parts in below if len(parts) > 1})
    if len(folders) < 2:
        fields = ", ".join(clouds[0].fields) or "none"
        raise InputError(
            f"has neither a field of labels ({', '.join(_LABELS)}; its files have {fields}"
            ") nor a folder per class; write a dataset.toml that names the field with label = '...' or the "
            "columns with columns = '...'",
            path=root,
        )
    classes = ", ".join(map(json.dumps, folders))
    return ['task = "classification"', f"classes = [{classes}]", *_space(clouds), "", *_splits(root)]


def _fields(clouds: Sequence[PointCloud]) -> list[str]:
    have = sum("color" in cloud.fields and bool(cloud.fields["color"].any()) for cloud in clouds)
    others = sorted({name for cloud in clouds for name in cloud.fields} - {"color"})
    lines = [f"# fields of the files: {', '.join(others) or 'none'}{' and colours' if have else ''}"]
    if told := [feature for field, feature in _TELLING.items() if field in others]:
        features = ",".join([*(["color"] if have else []), *told])
        lines.append(f"# the setting features={features} lets a model learn from these fields, too")
    if have < len(clouds):
        lines.append('missing_color = "grey"      # not all files have colours; features=height trains without any')
    return lines


def _space(clouds: Sequence[PointCloud]) -> list[str]:
    """What is up, by the side that is shortest most often, and which unit, by the length of the longest."""
    sides = np.median([cloud.positions.max(axis=0) - cloud.positions.min(axis=0) for cloud in clouds], axis=0)
    size = " x ".join(f"{side:.4g}" for side in sides)
    up = "xyz"[int(sides.argmin())] if sides.min() < 0.7 * np.median(sides) else "z"
    lines = [f'up = "{up}"                    # a guess: the files measure {size}']
    is_in_world = any(cloud.offset.any() for cloud in clouds)  # map coordinates are metres, or feet
    unit = next((name for name, scale in _UNITS.items() if sides.max() * scale > _SMALLEST), None)
    if sides.max() > _LARGEST and not is_in_world and unit is not None:
        lines.append(
            f"scale = {_UNITS[unit]:g}               # metres per unit, a guess: the files are likely in {unit}"
        )
    else:
        lines.append("scale = 1.0                 # metres per unit of the files")
    return lines


def _splits(root: Path) -> list[str]:
    folders = split_folders(root)
    if "" not in folders:
        missing = "" if "val" in folders else "; some files of train are kept for validation"
        return [f"# splits: the folders {', '.join(folders)}{missing}"]
    return [
        "[splits]                    # drawn by file name; or lists: train = ['north/*'] test = ['south/*']",
        "val = 0.1",
        "test = 0.1",
    ]
