"""How coordinates of a sample came from those of its file: which axis points up, turns, and the way back.

Letters: N points.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from cloud_transformers.errors import InputError

Axis = Literal["x", "y", "z"]
UP = ("x", "y", "z", "-x", "-y", "-z")


def up_rotation(source: str, target: str) -> NDArray[np.float64]:  # [3, 3]
    """The shortest turn that brings the axis `source` ("z", "-y", ...) onto `target`, for `p @ matrix.T`.

    Between different axes it is a quarter turn about the third one, and exact: zeros and ones.
    """
    for name in (source, target):
        if name not in UP:
            raise InputError(f"up must be one of {', '.join(UP)}, not {name!r}")
    matrix = np.eye(3)
    first, second = "xyz".index(source[-1]), "xyz".index(target[-1])
    if first != second:
        matrix[first, first] = matrix[second, second] = 0
        matrix[second, first], matrix[first, second] = 1, -1
    if source.startswith("-") == target.startswith("-"):
        return matrix
    around = (first + 1) % 3 if first == second else 3 - first - second
    half_turn = np.diag([1.0 if axis == around else -1.0 for axis in range(3)])
    return matrix @ half_turn


def rotation_about(axis: str, angle: float) -> NDArray[np.float64]:
    """The matrix [3, 3] of a right-handed turn by `angle` radians about an axis, x, y or z, for column vectors."""
    number = "xyz".index(axis)
    first, second = (number + 1) % 3, (number + 2) % 3
    matrix = np.eye(3)
    matrix[first, first] = matrix[second, second] = np.cos(angle)
    matrix[second, first] = np.sin(angle)
    matrix[first, second] = -np.sin(angle)
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
        """File coordinates, `positions` [..., 3], to sample coordinates."""
        return positions.astype(np.float64) @ self.matrix.T + self.shift

    def undo(self, positions: NDArray[Any]) -> NDArray[np.float64]:
        """Sample coordinates, `positions` [..., 3], to file coordinates."""
        return (positions.astype(np.float64) - self.shift) @ np.linalg.inv(self.matrix).T
