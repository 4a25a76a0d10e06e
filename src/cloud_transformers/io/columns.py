"""The columns of files and the fields of clouds, for every format that stores one number per column."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from numpy.typing import NDArray

from cloud_transformers.cloud import PointCloud
from cloud_transformers.cloud.naming import Plan, column_names, grouped, plan_fields
from cloud_transformers.errors import InputError
from cloud_transformers.io.limits import MOST_COLUMNS
from cloud_transformers.io.options import plain_dtype, plain_name
from cloud_transformers.io.table import Block, Fields


def group_columns(columns: Mapping[str, NDArray[Any]], source: object, drop: Collection[str] = ()) -> Block:
    """Columns, each [n] or already [n, C], as coordinates and fields in this machine's byte order.

    `drop` leaves out columns by their own names.
    """
    if len(columns) > MOST_COLUMNS:
        raise InputError(f"has {len(columns)} columns; {MOST_COLUMNS} can be read", path=source)
    return Block(*grouped(columns, source, drop))


def flatten_fields(
    cloud: PointCloud, path: object, *, normal: Sequence[str] = ("nx", "ny", "nz"), forbidden: str = " "
) -> Fields:
    """The columns of a cloud, coordinates first: float32 where that is all there is, else float64.

    Refuses names that would be read back as something else, cannot be shown, or hold a character that the format
    forbids.
    """
    world = cloud.coordinates
    columns: Fields = {axis: world[:, index] for index, axis in enumerate("xyz")}
    intended: Plan = {}
    for field, values in cloud.fields.items():
        if not plain_dtype(values.dtype):
            raise InputError(
                f"field {field!r} has dtype {values.dtype}; only numbers can be written",
                path=path,
            )
        names = column_names(field, values, normal)
        intended[field] = names
        for index, name in enumerate(names):
            if name in columns or not plain_name(name) or any(character in forbidden for character in name):
                raise InputError(
                    f"field {field!r} cannot be written as a column {name!r}; rename or drop it",
                    path=path,
                )
            columns[name] = values[:, index] if values.ndim == 2 else values
    if values_without_columns := [field for field, names in intended.items() if not names]:
        raise InputError(
            f"field {values_without_columns[0]!r} has no channels; drop it",
            path=path,
        )
    _, plan = plan_fields({name: values.dtype for name, values in columns.items()}, path)
    if plan != intended:
        odd = next(field for field in intended if plan.get(field) != intended[field])
        raise InputError(f"field {odd!r} would be read back as another field; rename or drop it", path=path)
    return columns


def header_words(raw: bytes) -> list[str]:
    """The words of a line that names columns: in UTF-8, as it is written here, else in Latin-1, which any bytes are."""
    try:
        return raw.decode().split()
    except UnicodeDecodeError:
        return raw.decode("latin1").split()
