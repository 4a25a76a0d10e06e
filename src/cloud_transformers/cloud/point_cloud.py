"""PointCloud, one cloud with named per-point fields.

Letters: N points, C channels of a field.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from cloud_transformers.cloud import exchange
from cloud_transformers.cloud.coordinates import choose_offset, finite_rows, residual_of, split
from cloud_transformers.errors import InputError

if TYPE_CHECKING:
    from cloud_transformers.viewer import Page


@dataclass(frozen=True, eq=False, kw_only=True)
class PointCloud:
    """Points and what is known of each of them.

    World coordinates are `positions + offset`, and `residual` if there is one: the offset is kept apart, in float64, so
    that coordinates of millions of metres (UTM) survive although positions are float32. Usual field names: `color`
    (uint8 [N, 3], or float32 in [0, 1]), `normal`, `intensity`, `label`. Anything else is kept under the name its file
    gave it. `metadata` holds what a format needs to be written back as it was read (scale, coordinate system); it is
    not per point. Clouds do not change: methods return new ones. Lists and arrays of any number type will do; of
    float64 positions the offset and the residual are found.

    >>> cloud = ct.PointCloud(positions=np.eye(3, dtype=np.float32), fields={"label": np.array([0, 1, 1])})
    >>> cloud[cloud["label"] == 1]
    PointCloud(2 points; label int64)
    """

    positions: NDArray[np.float32]  # [N, 3]
    fields: Mapping[str, NDArray[Any]] = field(default_factory=dict)  # each [N] or [N, C]
    offset: NDArray[np.float64] = field(default_factory=lambda: np.zeros(3))  # [3]
    metadata: Mapping[str, Any] = field(default_factory=dict)
    residual: NDArray[np.float32] | None = None  # [N, 3], what float32 leaves out, where a file has more digits

    def __post_init__(self) -> None:
        self._take("fields", {name: np.asarray(values) for name, values in self.fields.items()})
        self._take("offset", np.asarray(self.offset, np.float64))
        positions = np.asarray(self.positions)
        if positions.ndim != 2 or positions.shape[1] != 3 or positions.dtype.kind not in "iuf":
            raise ValueError(f"positions must be numbers [N, 3], got {positions.dtype} {list(positions.shape)}")
        if self.offset.shape != (3,):
            raise ValueError(f"offset must be three numbers, got {list(self.offset.shape)}")
        self._take("positions", positions)
        if positions.dtype != np.float32:
            self._split(positions.astype(np.float64))
        if self.residual is not None and self.residual.shape != self.positions.shape:
            raise ValueError(f"residual must be as positions, {list(self.positions.shape)}, got {self.residual.shape}")
        for name, values in self.fields.items():
            if values.ndim not in (1, 2) or len(values) != len(self.positions):
                raise ValueError(
                    f"field {name!r} must be [N] or [N, C] with N = {len(self.positions)}, got {list(values.shape)}"
                )

    def _split(self, world: NDArray[np.float64]) -> None:
        """Coordinates in other types than float32: nothing of them is lost."""
        finite = finite_rows(world)
        shift = choose_offset(world if finite is None else world[finite])
        positions = split(world, shift, "positions")
        self._take("positions", positions)
        self._take("residual", residual_of(world, shift, positions, 0.0))
        self._take("offset", self.offset + shift)

    def _take(self, name: str, value: Any) -> None:
        object.__setattr__(self, name, value)

    def __len__(self) -> int:
        return len(self.positions)

    @property
    def world(self) -> NDArray[np.float64]:
        """World coordinates, float64 [N, 3]: a new array, twice the size of the positions."""
        local = self.positions if self.residual is None else self.positions.astype(np.float64) + self.residual
        return local + self.offset

    @property
    def coordinates(self) -> NDArray[Any]:
        """World coordinates in the smallest type that has them: the positions if these are all, else float64."""
        return self.positions if self.residual is None and not self.offset.any() else self.world

    @property
    def bounds(self) -> NDArray[np.float64]:
        """The lowest and the highest world coordinates, float64 [2, 3]; of points that are not finite, none count."""
        finite = self.coordinates[np.isfinite(self.positions).all(axis=1)]
        if not len(finite):
            return np.full((2, 3), np.nan)
        return np.stack([finite.min(axis=0), finite.max(axis=0)]).astype(np.float64)

    @property
    def crs(self) -> str | None:
        """The coordinate system, as WKT or as a code such as EPSG:32632, if the file had one."""
        return self.metadata.get("crs")

    def __repr__(self) -> str:
        fields = ", ".join(
            f"{name} {values.dtype}{list(values.shape[1:]) or ''}" for name, values in self.fields.items()
        )
        offset = f", offset {self.offset.tolist()}" if self.offset.any() else ""
        return f"PointCloud({len(self):,} points{offset}; {fields or 'no fields'})"

    def __getitem__(self, index: str | ArrayLike | slice) -> Any:
        """A field by its name, or the points at a mask, an index array or a slice."""
        if not isinstance(index, str):
            return self.select(index)
        if index not in self.fields:
            raise KeyError(f"there is no field {index!r}; the cloud has {', '.join(self.fields) or 'none'}")
        return self.fields[index]

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> NDArray[Any]:
        """World coordinates [N, 3], as `coordinates` has them."""
        return np.array(self.coordinates, dtype) if copy else np.asarray(self.coordinates, dtype)

    def __eq__(self, other: object) -> bool:
        """Whether points, offset and fields are the same, types included; metadata does not count."""
        if not isinstance(other, PointCloud):
            return NotImplemented
        if self.fields.keys() != other.fields.keys() or (self.residual is None) != (other.residual is None):
            return False
        pairs: list[tuple[NDArray[Any], NDArray[Any]]] = [
            (self.positions, other.positions),
            (self.offset, other.offset),
        ]
        pairs += [(values, other.fields[name]) for name, values in self.fields.items()]
        if self.residual is not None and other.residual is not None:
            pairs.append((self.residual, other.residual))
        return all(a.dtype == b.dtype and np.array_equal(a, b, equal_nan=a.dtype.kind == "f") for a, b in pairs)

    __hash__ = None  # type: ignore[assignment]

    def _repr_html_(self) -> str:
        return exchange.html_table(self)

    def to_pandas(self) -> Any:
        """A DataFrame with the columns x, y, z and one for each channel of each field, named as in a text file."""
        return exchange.to_pandas(self)

    @classmethod
    def from_pandas(cls, frame: Any) -> PointCloud:
        """Of a DataFrame, `frame`, with columns x, y and z: all others become fields, as those of a text file do.

        Columns that are not numbers are an InputError: drop them first.
        """
        world, fields = exchange.arrays_of_frame(frame)
        return cls(positions=world, fields=fields)

    def to_open3d(self) -> Any:
        """An open3d.t.geometry.PointCloud with the positions (in float64 if float32 has not all of them), colours as
        floats, normals, and every other field that Open3D has a type for."""
        return exchange.to_open3d(self)

    @classmethod
    def from_open3d(cls, cloud: Any) -> PointCloud:
        """Of `cloud`, an open3d.geometry.PointCloud, or one of open3d.t.geometry with all its attributes."""
        world, fields = exchange.arrays_of_open3d(cloud)
        return cls(positions=world, fields=fields)

    def show(self, name: str = "cloud", **settings: Any) -> Page:
        """The cloud in 3D: notebooks (Jupyter, VS Code) show it, elsewhere `.save(path)` and `.open()` do.

        The settings are those of `viewer.show`: `up`, `points`, `classes`, `title`, `height`.
        """
        from cloud_transformers.viewer import show

        return show({name: self}, **settings)

    def select(self, index: ArrayLike | slice) -> PointCloud:
        """The points at an index array, boolean mask or slice, with all their fields."""
        rows: Any = index if isinstance(index, slice) else np.asarray(index)
        fields = {name: values[rows] for name, values in self.fields.items()}
        residual = None if self.residual is None else self.residual[rows]
        return replace(self, positions=self.positions[rows], fields=fields, residual=residual)

    def with_fields(self, **fields: ArrayLike) -> PointCloud:
        """A copy with these fields added or replaced."""
        return replace(self, fields={**self.fields, **{name: np.asarray(values) for name, values in fields.items()}})

    def without_fields(self, *names: str) -> PointCloud:
        """A copy that lacks these fields; a name the cloud does not have is an error, for it is likely misspelt."""
        for name in names:
            if name not in self.fields:
                raise InputError(
                    f"there is no field {name!r} to drop; the cloud has {', '.join(self.fields) or 'none'}"
                )
        return replace(self, fields={name: values for name, values in self.fields.items() if name not in names})

    def cast(self, **dtypes: DTypeLike) -> PointCloud:
        """A copy whose named fields have these dtypes; refused where a value would change.

        `color` is special: between uint8, uint16 and floats it is rescaled, so that full brightness stays full
        brightness (255, 65535, 1.0), and rounded.
        """
        fields = dict(self.fields)
        for name, dtype in dtypes.items():
            if name not in fields:
                raise InputError(f"there is no field {name!r} to cast; the cloud has {', '.join(fields) or 'none'}")
            fields[name] = _cast(name, fields[name], np.dtype(dtype))
        return replace(self, fields=fields)


def _cast(name: str, values: NDArray[Any], dtype: np.dtype[Any]) -> NDArray[Any]:
    if name == "color" and values.dtype != dtype:
        return _rescale_color(values, dtype)
    with np.errstate(invalid="ignore", over="ignore"):
        converted = values.astype(dtype)
        same = (converted == values) | (values != values)
    if np.issubdtype(dtype, np.floating) and np.issubdtype(values.dtype, np.floating):
        return converted  # rounding to a shorter float is what was asked for
    if not np.all(same):
        worst = values[~same].flat[0]
        raise InputError(f"field {name!r} holds {worst}, which {dtype} cannot; choose a wider type")
    return converted


def _full_brightness(dtype: np.dtype[Any]) -> float:
    if np.issubdtype(dtype, np.floating):
        return 1.0
    if dtype in (np.uint8, np.uint16):
        return float(np.iinfo(dtype).max)
    raise InputError(f"colours are uint8, uint16 or floats in [0, 1], not {dtype}")


def _rescale_color(values: NDArray[Any], dtype: np.dtype[Any]) -> NDArray[Any]:
    before, after = _full_brightness(values.dtype), _full_brightness(dtype)
    scaled = values.astype(np.float64) * (after / before)
    if values.size and not (scaled.min() >= 0 and scaled.max() <= after):
        raise InputError(f"colours of type {values.dtype} must lie in [0, {before:g}]; got up to {values.max()}")
    return (scaled if after == 1.0 else np.rint(scaled)).astype(dtype)
