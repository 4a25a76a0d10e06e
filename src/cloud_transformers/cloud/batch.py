"""Clouds of different length, padded for the models.

Letters: B clouds in a batch, N points of the longest cloud, C channels of a field.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cloud_transformers.cloud.point_cloud import PointCloud

if TYPE_CHECKING:
    from torch import Tensor

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
