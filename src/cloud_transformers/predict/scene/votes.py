"""What regions say of points, collected: logits are averaged, and a point that no region showed is an error.

Letters: M points, K classes.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from cloud_transformers.errors import InputError
from cloud_transformers.votes import decided


class Votes:
    def __init__(self, num_points: int, num_classes: int) -> None:
        self.sums = np.zeros((num_points, num_classes), np.float32)
        self.visits = np.zeros(num_points, np.int32)

    def add(self, rows: NDArray[np.int64], logits: NDArray[np.float32]) -> int:  # [n], [n, K]
        """One region's answer, in which no row may come twice; returns how many rows had none before."""
        if not np.isfinite(logits).all():
            raise InputError("the model's answer is not finite: its weights are damaged, or its input has wild colours")
        self.sums[rows] = self.sums.take(rows, axis=0) + logits
        visits = self.visits.take(rows)
        self.visits[rows] = visits + 1
        return len(rows) - int(np.count_nonzero(visits))

    def answers(self) -> tuple[NDArray[Any], NDArray[np.float32]]:
        """The class of each point, and how probable it is."""
        missed = int((self.visits == 0).sum())
        if missed:
            raise RuntimeError(f"{missed:,} of {len(self.visits):,} points were in no region, so they have no answer")
        labels, confidence = decided(self.sums, self.visits)
        return labels.astype(label_dtype(self.sums.shape[1])), confidence


def label_dtype(num_classes: int) -> Any:
    return np.uint8 if num_classes <= 256 else np.int32
