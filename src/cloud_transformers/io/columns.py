"""How flat columns and named fields belong together, the same for every format that stores one number per column.

| field | columns written | also understood |
|---|---|---|
| positions | x y z | X Y Z |
| color [N, 3] or [N, 4] | red green blue (alpha) | r g b (a), diffuse_red ..., any case |
| normal [N, 3] | nx ny nz | normal_x normal_y normal_z, any case |
| intensity, label | intensity, label | any case |
| name [N] | name | |
| name [N, C] | name[0] ... name[C-1] | |
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cloud_transformers.cloud import PointCloud
from cloud_transformers.errors import InputError
from cloud_transformers.io.limits import MOST_COLUMNS
from cloud_transformers.io.options import plain_dtype, plain_name
from cloud_transformers.io.table import Block, Fields

_GROUPS: dict[str, tuple[tuple[str, ...], ...]] = {
    "color": (
        ("red", "green", "blue", "alpha"),
        ("red", "green", "blue"),
        ("r", "g", "b", "a"),
        ("r", "g", "b"),
        ("diffuse_red", "diffuse_green", "diffuse_blue", "diffuse_alpha"),
        ("diffuse_red", "diffuse_green", "diffuse_blue"),
    ),
    "normal": (("nx", "ny", "nz"), ("normal_x", "normal_y", "normal_z")),
    "intensity": (("intensity",),),
    "label": (("label",),),
}
_CHANNEL = re.compile(r"(.+)\[(\d{1,6})\]")

Plan = dict[str, list[str]]  # field name -> its columns; one column that bears the field's name means [N], not [N, 1]


def plan_fields(dtypes: Mapping[str, np.dtype[Any]], source: object) -> tuple[list[str], Plan]:
    """Which columns are the coordinates, and which make up which field. Columns of one field share their dtype."""
    lower: dict[str, str] = {}
    for name in dtypes:
        lower.setdefault(name.lower(), name)
    if missing := [axis for axis in "xyz" if axis not in lower]:
        raise InputError(
            f"has no column {' or '.join(missing)}, only {_listed(dtypes)}; "
            "name the columns with columns= (--columns) if the format has no names of its own",
            path=source,
        )
    axes = [lower[axis] for axis in "xyz"]
    taken, plan = set(axes), dict[str, list[str]]()

    for field, variants in _GROUPS.items():
        for variant in variants:
            if field in dtypes and variant != (field,):
                break  # the file uses the name for something of its own
            if all(name in lower for name in variant) and len({dtypes[lower[name]] for name in variant}) == 1:
                plan[field] = [lower[name] for name in variant]
                taken.update(plan[field])
                break

    for field, names in group_channels({name: dtypes[name] for name in dtypes if name not in taken}).items():
        if field not in dtypes and field not in plan:
            plan[field] = names
            taken.update(names)

    rest = {name: [name] for name in dtypes if name not in taken}
    return axes, plan | rest


def group_channels(dtypes: Mapping[str, np.dtype[Any]]) -> Plan:
    """Which columns are the channels of which field: name[0] to name[C-1], all there and of one dtype."""
    channels: dict[str, dict[int, str]] = {}
    for name in dtypes:
        if match := _CHANNEL.fullmatch(name):
            channels.setdefault(match[1], {})[int(match[2])] = name
    return {
        field: [parts[index] for index in range(len(parts))]
        for field, parts in channels.items()
        if field not in dtypes and parts.keys() == set(range(len(parts)))
        if len({dtypes[name] for name in parts.values()}) == 1
    }


def group_columns(columns: Mapping[str, NDArray[Any]], source: object, drop: Collection[str] = ()) -> Block:
    """Columns, each [n] or already [n, C], as coordinates and fields in this machine's byte order.

    `drop` leaves out columns by their own names.
    """
    if len(columns) > MOST_COLUMNS:
        raise InputError(f"has {len(columns)} columns; {MOST_COLUMNS} can be read", path=source)
    columns = {name: values for name, values in columns.items() if name not in drop or name.lower() in ("x", "y", "z")}
    flat = {name: values.dtype for name, values in columns.items() if values.ndim == 1}
    axes, plan = plan_fields(flat, source)
    fields = {
        field: native(columns[names[0]]) if names == [field] else _stack([columns[name] for name in names])
        for field, names in plan.items()
    }
    for name, values in columns.items():
        if values.ndim == 2:
            if name in fields:
                raise InputError(f"has two fields called {name!r}; drop one of them", path=source)
            fields[name] = native(values)
    coordinates = [columns[name] for name in axes]
    if any(values.dtype.kind not in "iuf" for values in coordinates):
        raise InputError(f"x, y and z must be numbers, not {coordinates[0].dtype}", path=source)
    # float32 holds integers of up to 16 bits exactly; wider ones go the way of doubles.
    exact = all(np.can_cast(values.dtype, np.float32) for values in coordinates)
    return Block(_stack(coordinates, np.dtype(np.float32 if exact else np.float64)), fields)


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
        names = _column_names(field, values, normal)
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


def _column_names(field: str, values: NDArray[Any], normal: Sequence[str]) -> list[str]:
    if values.ndim == 1:
        return [field]
    C = values.shape[1]
    if field == "color" and C in (3, 4):
        return ["red", "green", "blue", "alpha"][:C]
    if field == "normal" and C == 3:
        return list(normal)
    return [f"{field}[{index}]" for index in range(C)]


def header_words(raw: bytes) -> list[str]:
    """The words of a line that names columns: in UTF-8, as it is written here, else in Latin-1, which any bytes are."""
    try:
        return raw.decode().split()
    except UnicodeDecodeError:
        return raw.decode("latin1").split()


def native(values: NDArray[Any]) -> NDArray[Any]:
    """A contiguous, writable copy in this machine's byte order: blocks may be views of a file or of its bytes."""
    return np.array(values, values.dtype.newbyteorder("="), order="C")


def _stack(columns: list[NDArray[Any]], dtype: np.dtype[Any] | None = None) -> NDArray[Any]:
    stacked = np.empty((len(columns[0]), len(columns)), dtype or columns[0].dtype.newbyteorder("="))
    for index, values in enumerate(columns):
        stacked[:, index] = values
    return stacked


def _listed(names: Collection[str]) -> str:
    shown = ", ".join(list(names)[:12]) or "none"
    return shown + (" ..." if len(names) > 12 else "")
