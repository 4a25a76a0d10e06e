"""What the header of a file says of all points together, known before the first of them is written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cloud_transformers.cloud import PointCloud


@dataclass(frozen=True, eq=False)
class Outline:
    """How many points there are, and the box of their positions, without the offset."""

    num_points: int  # in all parts together
    low: NDArray[np.float64]  # [3]
    high: NDArray[np.float64]  # [3]

    @classmethod
    def of(cls, clouds: Sequence[PointCloud]) -> Outline:
        """That of clouds with one offset."""
        some = [cloud.positions for cloud in clouds if len(cloud)]
        if not some:
            return cls(0, np.zeros(3), np.zeros(3))
        low = np.min([positions.min(axis=0) for positions in some], axis=0).astype(np.float64)
        high = np.max([positions.max(axis=0) for positions in some], axis=0).astype(np.float64)
        return cls(sum(map(len, some)), low, high)
