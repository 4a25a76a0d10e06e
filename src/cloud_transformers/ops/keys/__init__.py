"""Keys of points: where each head sees them, squashed into the grid's range.

Letters: B batch, H heads, N points, D grid dimension (2 or 3).
"""

from typing import Any

import torch
from torch import Tensor

from cloud_transformers.ops.backend import implementation
from cloud_transformers.tensor_checks import ShapeCheck

# name -> (gain, slope): key = tanh(gain x), and the backward pass takes its derivative to be slope (1 - key^2).
# sigmoid to (0, 1), seen on the grid as 2 sigmoid - 1, is tanh of half the argument; balancing leaves out the factor 2.
SQUASHES = {"tanh": (1.0, 1.0), "sigmoid": (0.5, 0.5), "balanced_sigmoid": (0.5, 0.25)}


def project_keys(
    positions: Tensor,  # [B, N, 3]
    residuals: Tensor | None,  # [B, N, H * 3]
    shift: Tensor,  # [H, 3]
    matrix: Tensor,  # [H, 3, D]
    *,
    squash: str = "tanh",
) -> Tensor:  # [B, H, N, D] in (-1, 1)
    """key = squash((position + residual + shift) matrix), points being rows. `squash`: one of SQUASHES."""
    check = ShapeCheck()
    check("positions", positions, "B N 3")
    check("shift", shift, "H 3")
    check("matrix", matrix, "H 3 D", D=(2, 3))
    if residuals is not None:
        check("residuals", residuals, "B N R", R=3 * shift.shape[0])
    if squash not in SQUASHES:
        raise ValueError(f"squash must be one of {', '.join(SQUASHES)}, got {squash!r}")
    return _project(positions, residuals, shift, matrix, squash)


@torch.library.custom_op("cloud_transformers::project_keys", mutates_args=())
def _project(positions: Tensor, residuals: Tensor | None, shift: Tensor, matrix: Tensor, squash: str) -> Tensor:
    gain, _ = SQUASHES[squash]
    return implementation("keys", positions).forward(positions, residuals, shift, matrix, gain)


@torch.library.custom_op("cloud_transformers::project_keys_backward", mutates_args=())
def _project_backward(
    gradient: Tensor,
    keys: Tensor,
    positions: Tensor,
    residuals: Tensor | None,
    shift: Tensor,
    matrix: Tensor,
    squash: str,
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    _, slope = SQUASHES[squash]
    return implementation("keys", positions).backward(gradient, keys, positions, residuals, shift, matrix, slope)


@_project.register_fake
def _(positions: Tensor, residuals: Tensor | None, shift: Tensor, matrix: Tensor, squash: str) -> Tensor:
    B, N, _ = positions.shape
    H, _, D = matrix.shape
    return positions.new_empty(B, H, N, D)


@_project_backward.register_fake
def _(
    gradient: Tensor,
    keys: Tensor,
    positions: Tensor,
    residuals: Tensor | None,
    shift: Tensor,
    matrix: Tensor,
    squash: str,
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    B, N, _ = positions.shape
    to_residuals = positions.new_empty(0) if residuals is None else positions.new_empty(B, N, 3 * shift.shape[0])
    return positions.new_empty(B, N, 3), to_residuals, shift.new_empty(shift.shape), matrix.new_empty(matrix.shape)


def _save(ctx: Any, inputs: tuple[Any, ...], output: Tensor) -> None:
    positions, residuals, shift, matrix, ctx.squash = inputs
    ctx.save_for_backward(output, positions, residuals, shift, matrix)


def _gradient(ctx: Any, gradient: Tensor) -> tuple[Tensor | None, ...]:
    keys, positions, residuals, shift, matrix = ctx.saved_tensors
    to_positions, to_residuals, to_shift, to_matrix = _project_backward(
        gradient, keys, positions, residuals, shift, matrix, ctx.squash
    )
    return to_positions, None if residuals is None else to_residuals, to_shift, to_matrix, None


_project.register_autograd(_gradient, setup_context=_save)
