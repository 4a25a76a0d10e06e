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
    affine: Tensor | None = None,  # [3, G, H * 3], G = 1 or B: centre, scale and shift
) -> Tensor:  # [B, H, N, D]
    """With `affine`, keys from (residuals - centre) * scale + shift, computed as residuals are loaded."""
    B, N, _ = positions.shape
    H, _, D = matrix.shape
    keys = native.scratch(B, H, N, D, like=positions)
    residuals, strides = _rows(residuals)
    native.call(
        "keys",
        "keys_forward",
        *(positions.contiguous(), residuals, strides, affine, 1 if affine is None else affine.shape[1]),
        *(shift.contiguous(), matrix.contiguous(), B, H, N, D, gain, keys),
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
    out: Tensor | None = None,  # [B, N, H * 3], a place for the gradient of the residuals
    affine: Tensor | None = None,  # as in forward
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Gradients of positions, residuals (with `affine`: of what that gives; empty without any), shift and matrix."""
    B, N, _ = positions.shape
    H, _, D = matrix.shape
    gradient = native.with_contiguous_rows(gradient)
    to_positions = native.scratch(B, N, 3, like=positions)
    to_residuals = out if residuals is None or out is not None else native.scratch(B, N, 3 * H, like=positions)
    to_shift, to_matrix = native.scratch(H, 3, like=positions), native.scratch(H, 3, D, like=positions)
    sums = native.scratch(B * -(-N // BLOCK), H, 3 * (1 + D), like=positions)
    residuals, strides = _rows(residuals)
    native.call(
        "keys",
        "keys_backward",
        *(gradient, native.outer_strides(gradient), keys.contiguous(), positions.contiguous(), residuals, strides),
        *(affine, 1 if affine is None else affine.shape[1], shift.contiguous(), matrix.contiguous()),
        *(B, H, N, D, slope, to_positions),
        *(to_residuals, [0, 0] if to_residuals is None else native.outer_strides(to_residuals)),
        *(to_shift, to_matrix, sums),
    )
    return to_positions, positions.new_empty(0) if to_residuals is None else to_residuals, to_shift, to_matrix


def _rows(residuals: Tensor | None) -> tuple[Tensor | None, list[int]]:
    """Residuals with contiguous channels, and their strides along clouds and points."""
    if residuals is None:
        return None, [0, 0]
    residuals = native.with_contiguous_rows(residuals)
    return residuals, native.outer_strides(residuals)
