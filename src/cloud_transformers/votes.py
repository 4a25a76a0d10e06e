"""What several regions say of one point, in one answer: evaluation and prediction decide alike.

Letters: M points, K classes.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


class Votes:
    """Logits of all regions that showed a point, added up, and how many these were."""

    def __init__(self, num_points: int, num_classes: int, dtype: Any = np.float32) -> None:
        self.sums = np.zeros((num_points, num_classes), dtype)  # [M, K]
        self.visits = np.zeros(num_points, np.int32)  # [M]

    def add(self, rows: NDArray[np.int64], logits: NDArray[Any]) -> int:  # [n], [n, K]
        """One region's answer, in which no row may come twice; returns how many rows had none before."""
        self.sums[rows] = self.sums.take(rows, axis=0) + logits
        visits = self.visits.take(rows)
        self.visits[rows] = visits + 1
        return len(rows) - int(np.count_nonzero(visits))

    def merge(self, other: Votes) -> None:
        """Adds the votes that someone else collected for the same points."""
        self.sums += other.sums
        self.visits += other.visits

    def decided(self, temperature: float = 1.0) -> tuple[NDArray[np.int64], NDArray[np.float32]]:  # [M], [M]
        """The class with the largest mean logit, and its probability: the softmax of the mean logits / temperature.

        Of equal logits the first counts. A confident region so outweighs several that hesitate, as in the sphere
        protocol. A point that no region showed gets the first class: look at `visits` first.
        """
        mean = self._means()
        labels = mean.argmax(axis=1) if len(mean) else np.zeros(0, np.int64)
        others = np.exp((mean - np.take_along_axis(mean, labels[:, None], axis=1)) / temperature)
        return labels, (1 / others.sum(axis=1)).astype(np.float32)

    def familiarity(self) -> NDArray[Any]:  # [M]
        """The log-sum-exp of the mean logits: how much evidence there is for all classes together."""
        mean = self._means()
        highest = mean.max(axis=1, keepdims=True, initial=-np.inf)
        return (highest + np.log(np.exp(mean - highest).sum(axis=1, keepdims=True)))[:, 0]

    def probabilities(self, temperature: float = 1.0) -> NDArray[np.float32]:  # [M, K]
        """Of all classes: the softmax of the mean logits, divided by the temperature."""
        mean = self._means() / temperature
        shares = np.exp(mean - mean.max(axis=1, keepdims=True, initial=-np.inf))
        return (shares / shares.sum(axis=1, keepdims=True)).astype(np.float32)

    def _means(self) -> NDArray[Any]:  # [M, K]
        return self.sums / np.maximum(self.visits, 1)[:, None]
