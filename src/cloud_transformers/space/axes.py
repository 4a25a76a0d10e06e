"""Which axis points up: turning a cloud into the model's axes."""

from __future__ import annotations

from typing import cast

import numpy as np
from numpy.typing import NDArray

from cloud_transformers.errors import InputError
from cloud_transformers.space.frames import Axis, upright

UP = ("x", "y", "z", "-x", "-y", "-z")


def up_rotation(source: str, target: str) -> NDArray[np.float64]:  # [3, 3]
    """The shortest turn that brings the axis `source` ("z", "-y", ...) onto `target`, for `p @ matrix.T`.

    Between axes that point the same way it is the turn of the training data (`space.frames.upright`).
    """
    for name in (source, target):
        if name not in UP:
            raise InputError(f"up must be one of {', '.join(UP)}, not {name!r}")
    turn = upright(cast(Axis, source[-1]), cast(Axis, target[-1]))
    if source.startswith("-") == target.startswith("-"):
        return turn
    first, second = "xyz".index(source[-1]), "xyz".index(target[-1])
    around = (first + 1) % 3 if first == second else 3 - first - second
    half_turn = np.diag([1.0 if axis == around else -1.0 for axis in range(3)])
    return turn @ half_turn
