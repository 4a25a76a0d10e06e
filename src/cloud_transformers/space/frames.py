"""Frame: how a sample's coordinates came from its file's, so that a prediction can be taken back there."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

Axis = Literal["x", "y", "z"]


def upright(up: Axis, to: Axis) -> NDArray[np.float64]:
    """The quarter turn [3, 3], for column vectors, that brings the axis `up` to `to`; the third axis stays."""
    matrix = np.eye(3)
    first, second = "xyz".index(up), "xyz".index(to)
    if first != second:
        matrix[first, first] = matrix[second, second] = 0
        matrix[second, first], matrix[first, second] = 1, -1
    return matrix


@dataclass(frozen=True, eq=False)
class Frame:
    """The affine map `sample = file @ matrix.T + shift`, in float64 however many transforms made it up.

    Jitter is no part of it: noise cannot be undone.
    """

    matrix: NDArray[np.float64] = field(default_factory=lambda: np.eye(3))  # [3, 3]
    shift: NDArray[np.float64] = field(default_factory=lambda: np.zeros(3))  # [3]

    def then(self, matrix: NDArray[Any], shift: NDArray[Any]) -> Frame:
        """This map followed by another one."""
        return Frame(np.asarray(matrix, np.float64) @ self.matrix, matrix @ self.shift + shift)

    def apply(self, positions: NDArray[Any]) -> NDArray[np.float64]:
        """File coordinates [..., 3] to sample coordinates."""
        return positions.astype(np.float64) @ self.matrix.T + self.shift

    def undo(self, positions: NDArray[Any]) -> NDArray[np.float64]:
        """Sample coordinates [..., 3] to file coordinates."""
        return (positions.astype(np.float64) - self.shift) @ np.linalg.inv(self.matrix).T
