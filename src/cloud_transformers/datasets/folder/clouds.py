"""Reading the user's own clouds as the settings of `dataset.toml` say."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cloud_transformers.cloud import PointCloud
from cloud_transformers.datasets.cloud_files import read_cloud
from cloud_transformers.datasets.folder.config import FILE, IGNORED, FolderConfig
from cloud_transformers.errors import InputError

_NAMELESS = (".xyz", ".txt", ".csv", ".tsv", ".asc", ".npy")


def reading_options(path: Path, config: FolderConfig) -> dict[str, Any]:
    """The options of `io.read` for a file of the folder."""
    expand = {} if config.max_expand is None else {"max_expand": config.max_expand}
    return {**_column_names(path, config), **expand}


def _column_names(path: Path, config: FolderConfig) -> dict[str, str]:
    """The option that names a file's columns, for files that do not name them themselves."""
    if not config.columns or path.suffix.lower() not in _NAMELESS or not path.is_file():
        return {}
    from cloud_transformers.io import format_of
    from cloud_transformers.io.options import ReadOptions

    try:
        table = format_of(path).code.open_table(path, ReadOptions())
    except InputError:
        return {}  # whoever reads the file hears why
    return {} if table.columns else {"columns": config.columns}


def read_own_cloud(path: Path, config: FolderConfig, missing_color: str) -> PointCloud:
    """A cloud whose colours, if it has any, are floats in [0, 1]. One with nothing but black has none: formats with a
    place for colours are often written without them."""
    cloud = read_cloud(path, **reading_options(path, config))
    if config.scale != 1:
        positions = (cloud.positions * config.scale).astype(np.float32)
        cloud = replace(cloud, positions=positions, offset=cloud.offset * config.scale, residual=None)
    if "color" in cloud.fields and (cloud.fields["color"].any() or not len(cloud)):
        return cloud.with_fields(color=_brightness(cloud.fields["color"], path, config.color_max))
    fields, black = cloud.fields, "color" in cloud.fields
    cloud = replace(cloud, fields={name: values for name, values in fields.items() if name != "color"})
    if missing_color == "error":
        what = "nothing but black for colours" if black else f"no colours (fields: {', '.join(fields) or 'none'})"
        raise InputError(
            f"has {what}; name its columns, or choose missing_color = 'grey' or 'leave' in {FILE}",
            path=path,
        )
    if missing_color == "grey":
        return cloud.with_fields(color=np.full((len(cloud), 3), 0.5, np.float32))
    return cloud


def _brightness(colors: NDArray[Any], path: Path, full: float | None) -> NDArray[np.float32]:
    """Colours [N, 3] as floats in [0, 1]; alpha is left out."""
    if colors.ndim != 2 or colors.shape[1] not in (3, 4):
        raise InputError(f"colours must be [N, 3], got {list(colors.shape)}", path=path)
    colors = colors[:, :3]
    top = float(colors.max(initial=0))
    if full is None:
        if colors.dtype == np.uint16 and top <= 255:
            raise InputError(
                f"colours are 16-bit numbers, of which none exceeds 255; set color_max = 255 in {FILE} if that "
                "is full brightness, or 65535",
                path=path,
            )
        full = 65535.0 if colors.dtype == np.uint16 else 1.0 if colors.dtype.kind == "f" else 255.0
    if not (float(colors.min(initial=0)) >= 0 and top <= full):
        raise InputError(f"colours lie outside 0-{full:g}; set color_max in {FILE}", path=path)
    return (colors / full).astype(np.float32)


def file_labels(cloud: PointCloud, path: Path, config: FolderConfig) -> NDArray[np.int64]:
    """The label values [N] as the file has them."""
    values = cloud.fields.get(config.label)
    if values is None:
        raise InputError(
            f"has no field {config.label!r} with labels (fields: {', '.join(cloud.fields) or 'none'}); name "
            f"the field with label = '...' or the columns with columns = '...' in {FILE}",
            path=path,
        )
    if values.ndim == 2 and values.shape[1] == 1:
        values = values[:, 0]
    if values.ndim != 1 or not np.isfinite(values).all() or (values != np.rint(values)).any():
        raise InputError(f"field {config.label!r} must hold one whole number per point", path=path)
    return values.astype(np.int64)


def class_numbers(
    values: NDArray[np.int64], path: Path, classes: Mapping[str, int], config: FolderConfig
) -> NDArray[np.int64]:
    """Label values of the file [N] as class numbers 0 ... C - 1, ignored ones as -1. Any other value is an error."""
    table = {value: number for number, value in enumerate(classes.values())} | dict.fromkeys(config.ignore, IGNORED)
    table |= {other: table[value] for other, value in config.merged.items()}
    found, code, counts = np.unique(values, return_inverse=True, return_counts=True)
    strays = {value: n for value, n in zip(found.tolist(), counts.tolist(), strict=True) if value not in table}
    if strays and not config.ignore_rest:
        wanted = ", ".join(f"{value} {name}" for name, value in classes.items())
        listed = ", ".join(f"{value} ({count} points)" for value, count in strays.items())
        raise InputError(
            f"label{'s' if len(strays) > 1 else ''} {listed} {'are' if len(strays) > 1 else 'is'} none of the classes "
            f"({wanted}); add to classes or to ignore in {FILE}",
            path=path,
        )
    return np.array([table.get(value, IGNORED) for value in found.tolist()], np.int64)[code.reshape(-1)]
