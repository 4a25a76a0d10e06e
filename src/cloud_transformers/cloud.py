"""PointCloud: one cloud on the numpy side, with named per-point fields that always stay aligned with its points.

Letters: N points, C channels of a field.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray


@dataclass(frozen=True, eq=False, kw_only=True)
class PointCloud:
    """Points and what is known of each of them.

    World coordinates are `positions + offset`: the offset is kept apart, in float64, so that coordinates of millions
    of metres (UTM) survive although positions are float32. Usual field names: `color` (uint8 [N, 3], or float32 in
    [0, 1]), `normal`, `intensity`, `label`. Anything else is kept under the name its file gave it. `metadata` holds
    what a format needs to be written back as it was read (scale, coordinate system); it is not per point.
    """

    positions: NDArray[np.float32]  # [N, 3]
    fields: Mapping[str, NDArray[Any]] = field(default_factory=dict)  # each [N] or [N, C]
    offset: NDArray[np.float64] = field(default_factory=lambda: np.zeros(3))  # [3]
    metadata: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.positions.ndim != 2 or self.positions.shape[1] != 3 or self.positions.dtype != np.float32:
            raise ValueError(
                f"positions must be a float32 array [N, 3], got {self.positions.dtype} {list(self.positions.shape)}"
            )
        if self.offset.shape != (3,) or self.offset.dtype != np.float64:
            raise ValueError(f"offset must be a float64 array [3], got {self.offset.dtype} {list(self.offset.shape)}")
        for name, values in self.fields.items():
            if values.ndim not in (1, 2) or len(values) != len(self.positions):
                raise ValueError(
                    f"field {name!r} must be [N] or [N, C] with N = {len(self.positions)}, got {list(values.shape)}"
                )

    def __len__(self) -> int:
        return len(self.positions)

    def select(self, index: ArrayLike | slice) -> PointCloud:
        """The points at an index array, boolean mask or slice, with all their fields."""
        rows: Any = index if isinstance(index, slice) else np.asarray(index)
        fields = {name: values[rows] for name, values in self.fields.items()}
        return replace(self, positions=self.positions[rows], fields=fields)

    def with_fields(self, **fields: NDArray[Any]) -> PointCloud:
        """A copy with these fields added or replaced."""
        return replace(self, fields={**self.fields, **fields})
