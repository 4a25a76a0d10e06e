"""PointCloud, one cloud with named per-point fields, and CloudBatch, clouds of different length padded for the models.

Letters: B clouds in a batch, N points (the longest cloud's, in a batch), C channels of a field.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from cloud_transformers.errors import InputError

if TYPE_CHECKING:
    from torch import Tensor

    from cloud_transformers.viewer import Page


@dataclass(frozen=True, eq=False, kw_only=True)
class PointCloud:
    """Points and what is known of each of them.

    World coordinates are `positions + offset`, and `residual` if there is one: the offset is kept apart, in float64, so
    that coordinates of millions of metres (UTM) survive although positions are float32. Usual field names: `color`
    (uint8 [N, 3], or float32 in [0, 1]), `normal`, `intensity`, `label`. Anything else is kept under the name its file
    gave it. `metadata` holds what a format needs to be written back as it was read (scale, coordinate system); it is
    not per point. Clouds do not change: methods return new ones.

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
        if self.positions.ndim != 2 or self.positions.shape[1] != 3 or self.positions.dtype != np.float32:
            raise ValueError(
                f"positions must be a float32 array [N, 3], got {self.positions.dtype} {list(self.positions.shape)}"
            )
        if self.offset.shape != (3,) or self.offset.dtype != np.float64:
            raise ValueError(f"offset must be a float64 array [3], got {self.offset.dtype} {list(self.offset.shape)}")
        if self.residual is not None and self.residual.shape != self.positions.shape:
            raise ValueError(f"residual must be as positions, {list(self.positions.shape)}, got {self.residual.shape}")
        for name, values in self.fields.items():
            if values.ndim not in (1, 2) or len(values) != len(self.positions):
                raise ValueError(
                    f"field {name!r} must be [N] or [N, C] with N = {len(self.positions)}, got {list(values.shape)}"
                )

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

    def to_pandas(self) -> Any:
        """A DataFrame with the columns x, y, z and one for each channel of each field, as in a text file."""
        try:
            import pandas
        except ImportError:
            raise InputError("to_pandas needs the package pandas; install it with pip install pandas") from None

        columns = {axis: self.coordinates[:, index] for index, axis in enumerate("xyz")}
        for name, values in self.fields.items():
            if values.ndim == 1:
                columns[name] = values
            else:
                columns |= {f"{name}[{index}]": values[:, index] for index in range(values.shape[1])}
        return pandas.DataFrame(columns)

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

    def with_fields(self, **fields: NDArray[Any]) -> PointCloud:
        """A copy with these fields added or replaced."""
        return replace(self, fields={**self.fields, **fields})

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


# Integer types that torch's operators do not serve, and the narrowest that holds the same values.
_TORCH_TYPES = {np.dtype(np.uint16): np.int32, np.dtype(np.uint32): np.int64, np.dtype(np.uint64): np.int64}


@dataclass(frozen=True, eq=False, kw_only=True)
class CloudBatch:
    """Clouds of different length in one tensor, filled up behind their last point.

    `mask` is True where a point is. Padding is zero in positions and fields unless `from_clouds` was told otherwise;
    nothing may depend on it. Fields keep their dtype, but for uint16, which becomes int32, and uint32 and uint64,
    which become int64: torch has no operators for them.

    >>> batch = ct.CloudBatch.from_clouds([np.zeros((3, 3)), np.ones((2, 3))])
    >>> batch.positions.shape, batch.mask.tolist()
    (torch.Size([2, 3, 3]), [[True, True, True], [True, True, False]])
    """

    positions: Tensor  # [B, N, 3] float32
    mask: Tensor  # [B, N] bool
    fields: Mapping[str, Tensor] = field(default_factory=dict)  # each [B, N] or [B, N, C]
    offsets: Tensor  # [B, 3] float64

    @classmethod
    def from_clouds(
        cls, clouds: Sequence[PointCloud | ArrayLike], *, padding: Mapping[str, float] | None = None
    ) -> CloudBatch:
        """Pads clouds, or plain arrays [N, 3] of positions, to the longest of them.

        All must have the same fields with the same channels and dtypes. `padding` gives a field's fill value, for
        example `{"label": -1}`. Clouds without points are allowed: their row of the mask is all False.
        """
        import torch

        batch = [_as_cloud(cloud, index) for index, cloud in enumerate(clouds)]
        if not batch:
            raise ValueError("a batch needs at least one cloud, got an empty list")
        fill = dict(padding or {})
        if unknown := fill.keys() - batch[0].fields.keys():
            raise ValueError(f"padding is given for {sorted(unknown)}, which the clouds do not have")
        for index, cloud in enumerate(batch):
            _check_same_fields(batch[0], cloud, index)
        B, N = len(batch), max(len(cloud) for cloud in batch)

        mask = np.zeros((B, N), bool)
        for row, cloud in enumerate(batch):
            mask[row, : len(cloud)] = True
        fields = {
            name: torch.from_numpy(_pad([cloud.fields[name] for cloud in batch], N, fill.get(name, 0)))
            for name in batch[0].fields
        }
        return cls(
            positions=torch.from_numpy(_pad([cloud.positions for cloud in batch], N, 0)),
            mask=torch.from_numpy(mask),
            fields=fields,
            offsets=torch.from_numpy(np.stack([cloud.offset for cloud in batch])),
        )

    def __len__(self) -> int:
        return len(self.positions)

    @property
    def lengths(self) -> Tensor:
        """How many points each cloud has, int64 [B]."""
        return self.mask.sum(dim=1)

    def to(self, device: Any) -> CloudBatch:
        """The same batch on another device; nothing changes its dtype."""
        return CloudBatch(
            positions=self.positions.to(device),
            mask=self.mask.to(device),
            fields={name: values.to(device) for name, values in self.fields.items()},
            offsets=self.offsets.to(device),
        )

    def clouds(self) -> Iterator[PointCloud]:
        """The clouds again, without their padding. Metadata does not travel through a batch."""
        for row in range(len(self)):
            rows = self.mask[row]
            yield PointCloud(
                positions=self.positions[row][rows].numpy(force=True),
                fields={name: values[row][rows].numpy(force=True) for name, values in self.fields.items()},
                offset=self.offsets[row].numpy(force=True),
            )


def _as_cloud(cloud: PointCloud | ArrayLike, index: int) -> PointCloud:
    if isinstance(cloud, PointCloud):
        return cloud
    positions = np.asarray(cloud, dtype=np.float32)
    if positions.ndim != 2 or positions.shape[1] != 3:
        raise ValueError(f"cloud {index} of the batch must be an array [N, 3], got {list(positions.shape)}")
    return PointCloud(positions=positions)


def _check_same_fields(first: PointCloud, cloud: PointCloud, index: int) -> None:
    if cloud.fields.keys() != first.fields.keys():
        raise ValueError(
            f"all clouds of a batch need the same fields: cloud 0 has {sorted(first.fields)}, "
            f"cloud {index} has {sorted(cloud.fields)}"
        )
    for name, values in cloud.fields.items():
        wanted = first.fields[name]
        if values.shape[1:] != wanted.shape[1:] or values.dtype != wanted.dtype:
            raise ValueError(
                f"field {name!r} of cloud {index} is {values.dtype} {list(values.shape)}, "
                f"cloud 0 has {wanted.dtype} {list(wanted.shape)}"
            )


def _pad(arrays: list[NDArray[Any]], length: int, value: float) -> NDArray[Any]:
    first = arrays[0]
    dtype = _TORCH_TYPES.get(first.dtype, first.dtype)
    padded = np.full((len(arrays), length, *first.shape[1:]), value, dtype)
    for row, array in enumerate(arrays):
        if first.dtype == np.uint64 and array.size and array.max() > np.iinfo(np.int64).max:
            raise ValueError(f"a field holds {array.max()}, which is too large for torch's int64")
        padded[row, : len(array)] = array
    return padded
