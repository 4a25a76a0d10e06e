"""The operators as exporters can take them: standard torch operations, few of them, none in place.

The references in `ops` would export too, but they visit the corners of a cell one after the other and note for the
backward pass who won: some 800 graph nodes for one cloud transform, against 40 here. That is the difference between
seconds and an hour for a full model. Tests hold these to the references.

Letters: B batch, H heads, N points, C channels per head, D grid dimension, K corners of a cell, G grid nodes.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import product
from math import prod
from typing import Any

import torch
from torch import Tensor
from torch.overrides import TorchFunctionMode

import cloud_transformers.ops  # noqa: F401  (registers the operators that are replaced here)
from cloud_transformers.errors import InputError
from cloud_transformers.ops.corners import KEY_LIMIT
from cloud_transformers.ops.keys import SQUASHES
from cloud_transformers.ops.keys import reference as keys_reference
from cloud_transformers.ops.norm import reference as norm_reference

NAMESPACE = "cloud_transformers"


@contextmanager
def in_standard_operators() -> Iterator[None]:
    """Inside, models compute with torch's own operators only, so that a trace of them runs where we are not."""
    with _Replacing(_replacements()):
        yield


class _Replacing(TorchFunctionMode):
    def __init__(self, replacements: dict[Any, Callable[..., Any]]) -> None:
        super().__init__()
        self.replacements = replacements

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        return self.replacements.get(func, func)(*args, **(kwargs or {}))


def _replacements() -> dict[Any, Callable[..., Any]]:
    ours = torch.ops.cloud_transformers
    return {
        ours.rasterize.default: _rasterize,
        ours.derasterize.default: _derasterize,
        ours.transform.default: _transform,
        ours.project_keys.default: _project_keys,
        ours.normalize.default: norm_reference.forward,
        ours.scale_and_shift.default: norm_reference.apply,
    }


def _rasterize(
    values: Tensor, keys: Tensor, size: Sequence[int], reduce: str, mask: Tensor | None, balance: bool
) -> tuple[Tensor, Tensor]:
    """The grid; the note for the backward pass is left empty."""
    values, keys = _hidden(values, mask), _hidden(keys, mask)
    return _write(values, *_corners(keys, size), size, reduce, mask).unflatten(2, tuple(size)), values.new_empty(0)


def _derasterize(grid: Tensor, keys: Tensor, mask: Tensor | None, balance: bool) -> Tensor:
    size = tuple(grid.shape[2:-1])
    return _read(grid.flatten(2, -2), *_corners(_hidden(keys, mask), size), mask)


def _transform(
    values: Tensor,  # [B, H, N, C]
    keys: Tensor,  # [B, H, N, D]
    weight: Tensor,
    bias: Tensor,
    size: Sequence[int],
    reduce: str,
    mask: Tensor | None,
    balance: bool,
) -> Tensor:  # [B, H, N, C]
    B, H, _, C = values.shape
    D = len(size)
    cell, share = _corners(_hidden(keys, mask), size)
    grid = _write(_hidden(values, mask), cell, share, size, reduce, mask).transpose(2, 3).reshape(B, H * C, *size)
    convolution = torch.nn.functional.conv2d if D == 2 else torch.nn.functional.conv3d
    grid = convolution(grid, weight, bias, padding=1, groups=H)
    return _read(grid.reshape(B, H, C, prod(size)).transpose(2, 3), cell, share, mask)


def _project_keys(
    positions: Tensor, residuals: Tensor | None, shift: Tensor, matrix: Tensor, squash: str
) -> Tensor:  # [B, H, N, D]
    return keys_reference.forward(positions, residuals, shift, matrix, SQUASHES[squash][0])


def _corners(
    keys: Tensor,  # [B, H, N, D]
    size: Sequence[int],
) -> tuple[Tensor, Tensor]:  # flat index of the node, and interpolation weight: both [B, H, N, K]
    """All corners of every key's cell at once; as `ops.corners`, but an axis of size 1 has one end, not two equal."""
    D = len(size)
    last = torch.tensor([side - 1 for side in size], dtype=keys.dtype)
    stride = [prod(size[axis + 1 :]) for axis in range(D)]
    coordinate = (keys.clamp(-KEY_LIMIT, KEY_LIMIT) + 1) * (last / 2)
    lower = torch.minimum(coordinate.floor(), (last - 1).clamp(min=0))
    lower = lower.where(lower == lower, 0)  # a key that is not a number has no cell: 0 keeps the index legal
    fraction = coordinate - lower
    steps = [sum(map(int.__mul__, ends, stride)) for ends in product(*[range(min(side, 2)) for side in size])]
    first = (lower.long() * torch.tensor(stride)).sum(-1, keepdim=True)
    share = torch.ones_like(first, dtype=keys.dtype)
    for axis, side in enumerate(size):
        upper = fraction[..., axis : axis + 1]
        ends = torch.cat([1 - upper, upper], dim=-1) if side > 1 else 1 - upper
        share = ends if axis == 0 else (share[..., None] * ends[..., None, :]).flatten(-2)
    return first + torch.tensor(steps), share


def _write(
    values: Tensor,  # [B, H, N, C], 0 where masked
    cell: Tensor,  # [B, H, N, K]
    share: Tensor,  # [B, H, N, K]
    size: Sequence[int],
    reduce: str,
    mask: Tensor | None,
) -> Tensor:  # [B, H, G, C]
    B, H, _, C = values.shape
    nodes = cell.flatten(2)[..., None]
    brought = (share[..., None] * values[..., None, :]).flatten(2, 3)
    grid = values.new_zeros(B, H, prod(size), C)
    if reduce == "max":
        return grid.scatter_reduce(2, nodes.expand_as(brought), brought, "amax")
    grid = grid.scatter_add(2, nodes.expand_as(brought), brought)
    if reduce == "sum":
        return grid
    if reduce != "mean":
        raise InputError(
            f"reduce={reduce!r} cannot be exported; write it in export/operators.py, or train with another"
        )
    visible = torch.ones_like(share) if mask is None else _hidden(torch.ones_like(share), mask)
    count = values.new_zeros(B, H, prod(size), 1).scatter_add(2, nodes, visible.flatten(2)[..., None])
    return grid / count.clamp(min=1)


def _read(
    nodes: Tensor,  # [B, H, G, C]
    cell: Tensor,  # [B, H, N, K]
    share: Tensor,  # [B, H, N, K]
    mask: Tensor | None,
) -> Tensor:  # [B, H, N, C]
    index = cell.flatten(2)[..., None].expand(-1, -1, -1, nodes.shape[3])
    corners = nodes.gather(2, index).unflatten(2, (-1, cell.shape[3]))
    return _hidden((share[..., None] * corners).sum(3), mask)


def _hidden(values: Tensor, mask: Tensor | None) -> Tensor:  # [B, H, N, .]
    return values if mask is None else values.where(mask[:, None, :, None], 0)
