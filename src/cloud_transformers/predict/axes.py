"""Which axis points up: turning a cloud into the model's axes."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cloud_transformers.errors import InputError

UP = ("x", "y", "z", "-x", "-y", "-z")


def up_rotation(source: str, target: str) -> NDArray[np.float64]:  # [3, 3]
    """The shortest turn that brings the axis `source` ("z", "-y", ...) onto `target`, for `p @ matrix.T`.

    From z to y it is (x, y, z) -> (x, z, -y), by which the data sets with y up were made from z-up models.
    """
    a, b = _axis(source), _axis(target)
    if (a == b).all():
        return np.eye(3)
    if (a == -b).all():
        around = np.roll(np.abs(a), 1)
        return 2 * np.outer(around, around) - np.eye(3)
    c = np.cross(a, b)
    return np.outer(b, a) - np.outer(a, b) + np.outer(c, c)


def _axis(name: str) -> NDArray[np.float64]:
    if name not in UP:
        raise InputError(f"up must be one of {', '.join(UP)}, not {name!r}")
    axis = np.zeros(3)
    axis["xyz".index(name[-1])] = -1 if name.startswith("-") else 1
    return axis
