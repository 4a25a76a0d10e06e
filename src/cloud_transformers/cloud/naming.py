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

from cloud_transformers.errors import InputError

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

Plan = dict[str, list[str]]  # field name -> its columns; one column that bears the field's name means [N]


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


def normal_columns(names: Collection[str]) -> list[str]:
    """Those of the names that are the three columns of normals; none if there are no such."""
    lower = {name.lower(): name for name in names}
    for variant in _GROUPS["normal"]:
        if all(name in lower for name in variant):
            return [lower[name] for name in variant]
    return []


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


def grouped(
    columns: Mapping[str, NDArray[Any]], source: object, drop: Collection[str] = ()
) -> tuple[NDArray[Any], dict[str, NDArray[Any]]]:
    """Columns, each [n] or already [n, C], as coordinates and fields in this machine's byte order.

    `drop` leaves out columns by their own names.
    """
    columns = {name: values for name, values in columns.items() if name not in drop or name.lower() in ("x", "y", "z")}
    flat = {name: values.dtype for name, values in columns.items() if values.ndim == 1}
    axes, plan = plan_fields(flat, source)
    fields = {
        field: native(columns[names[0]]) if _is_single(field, names) else _stack([columns[name] for name in names])
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
    return _stack(coordinates, np.dtype(np.float32 if exact else np.float64)), fields


def _is_single(field: str, names: Sequence[str]) -> bool:
    """Whether one column is the field itself, in any case of letters, rather than the first of its channels."""
    return len(names) == 1 and names[0].lower() == field.lower()


def column_names(field: str, values: NDArray[Any], normal: Sequence[str] = ("nx", "ny", "nz")) -> list[str]:
    if values.ndim == 1:
        return [field]
    C = values.shape[1]
    if field == "color" and C in (3, 4):
        return ["red", "green", "blue", "alpha"][:C]
    if field == "normal" and C == 3:
        return list(normal)
    return [f"{field}[{index}]" for index in range(C)]


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
