"""Keys with the C++ kernels of csrc/keys.cpp: the same signatures and results as the reference.

Letters: B batch, H heads, N points, D grid dimension.
"""

from torch import Tensor

from cloud_transformers import native

BLOCK = 128  # points that are summed up together, as in csrc/keys.cpp


def forward(
    positions: Tensor,  # [B, N, 3]
    residuals: Tensor | None,  # [B, N, H * 3]
    shift: Tensor,  # [H, 3]
    matrix: Tensor,  # [H, 3, D]
    gain: float,
) -> Tensor:  # [B, H, N, D]
    B, N, _ = positions.shape
    H, _, D = matrix.shape
    keys = native.scratch(B, H, N, D, like=positions)
    residuals, strides = _rows(residuals)
    native.call(
        "keys",
        "keys_forward",
        *(positions.contiguous(), residuals, strides, shift.contiguous(), matrix.contiguous()),
        *(B, H, N, D, gain, keys),
    )
    return keys


def backward(
    gradient: Tensor,  # [B, H, N, D]
    keys: Tensor,  # [B, H, N, D], as returned by forward
    positions: Tensor,
    residuals: Tensor | None,
    shift: Tensor,
    matrix: Tensor,
    slope: float,
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Gradients of positions, residuals (empty without any), shift and matrix."""
    B, N, _ = positions.shape
    H, _, D = matrix.shape
    gradient = native.with_contiguous_rows(gradient)
    to_positions = native.scratch(B, N, 3, like=positions)
    to_residuals = None if residuals is None else native.scratch(B, N, 3 * H, like=positions)
    sums = native.scratch(B * -(-N // BLOCK), H, 3 * (1 + D), like=positions)
    residuals, strides = _rows(residuals)
    native.call(
        "keys",
        "keys_backward",
        *(gradient, native.outer_strides(gradient), keys.contiguous(), positions.contiguous(), residuals, strides),
        *(shift.contiguous(), matrix.contiguous(), B, H, N, D, slope, to_positions, to_residuals, sums),
    )
    # In double precision, one head's number after another's: sums of blocks are too few for threads to split.
    total = sums.double().sum(0).to(sums.dtype)
    to_shift, to_matrix = total[:, :3].clone(), total[:, 3:].clone().view(H, 3, D)
    return to_positions, positions.new_empty(0) if to_residuals is None else to_residuals, to_shift, to_matrix


def _rows(residuals: Tensor | None) -> tuple[Tensor | None, list[int]]:
    """Residuals with contiguous channels, and their strides along clouds and points."""
    if residuals is None:
        return None, [0, 0]
    residuals = native.with_contiguous_rows(residuals)
    return residuals, native.outer_strides(residuals)
