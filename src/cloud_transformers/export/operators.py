"""The operators as exporters can take them: standard torch operations, few of them, none in place.

The references in `ops` would export too, but they visit the corners of a cell one after the other and note for the
backward pass who won: some 800 graph nodes for one cloud transform, against 30 here. That is the difference between
seconds and an hour for a full model. Tests hold these to the references.

Letters: B batch, H heads, N points, C channels per head, D grid dimension, K corners of a cell, G grid nodes.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
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
REDUCTIONS = ("max", "sum", "mean")


@contextmanager
def in_standard_operators(but: Collection[Any] = ()) -> Iterator[None]:
    """Inside, models compute with torch's own operators only, so that a trace of them runs where we are not.

    `but`: operators of ours that stay in the trace.
    """
    with _Replacing({ours: theirs for ours, theirs in _replacements().items() if ours not in but}):
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
    visible = _visible(mask)
    grid = _write(_hidden(values, visible), *_corners(_hidden(keys, visible), size), size, reduce, visible)
    return grid.unflatten(2, tuple(size)), values.new_empty(0)


def _derasterize(grid: Tensor, keys: Tensor, mask: Tensor | None, balance: bool) -> Tensor:
    size = tuple(grid.shape[2:-1])
    visible = _visible(mask)
    return _hidden(_read(grid.flatten(2, -2), *_corners(_hidden(keys, visible), size)), visible)


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
    visible = _visible(mask)
    cell, share = _corners(_hidden(keys, visible), size)
    grid = _write(_hidden(values, visible), cell, share, size, reduce, visible)
    grid = grid.transpose(2, 3).reshape(B, H * C, *size)
    convolution = torch.nn.functional.conv2d if D == 2 else torch.nn.functional.conv3d
    grid = convolution(grid, weight, bias, padding=1, groups=H)
    return _hidden(_read(grid.reshape(B, H, C, prod(size)).transpose(2, 3), cell, share), visible)


def _project_keys(
    positions: Tensor, residuals: Tensor | None, shift: Tensor, matrix: Tensor, squash: str
) -> Tensor:  # [B, H, N, D]
    return keys_reference.forward(positions, residuals, shift, matrix, SQUASHES[squash][0])


def check_reduction(reduce: str) -> None:
    if reduce not in REDUCTIONS:
        raise InputError(f"reduce={reduce!r} cannot be exported; add it to export/operators.py, or train with another")


@dataclass(frozen=True)
class CornerTable:
    """What all cells of a grid have in common; an axis of size 1 has one end, not two equal."""

    last: list[int]  # [D], the largest index along each axis
    stride: list[int]  # [D], from one node to the next along each axis, in flat indices
    steps: list[int]  # [K], from a cell's first corner to each of its corners, in flat indices
    lower_ends: list[list[float]]  # [K, D], 1 where a corner is at the lower end of an axis, else 0


def corner_table(size: Sequence[int]) -> CornerTable:
    stride = [prod(size[axis + 1 :]) for axis in range(len(size))]
    corners = list(product(*[range(min(side, 2)) for side in size]))
    return CornerTable(
        last=[side - 1 for side in size],
        stride=stride,
        steps=[sum(map(int.__mul__, ends, stride)) for ends in corners],
        lower_ends=[[1.0 - end for end in ends] for ends in corners],
    )


def _corners(
    keys: Tensor,  # [B, H, N, D]
    size: Sequence[int],
) -> tuple[Tensor, Tensor]:  # flat index of the node, and interpolation weight: both [B, H, N, K]
    """All corners of every key's cell at once."""
    table = corner_table(size)
    half, highest = ([last / 2 for last in table.last], [max(last - 1.0, 0.0) for last in table.last])
    coordinate = (keys.clamp(-KEY_LIMIT, KEY_LIMIT) + 1) * _along_axes(half, keys)
    lower = coordinate.floor().clamp(max=_along_axes(highest, keys))
    lower = lower.where(lower == lower, 0)  # a key that is not a number has no cell: 0 keeps the index legal
    first = (lower.long() * torch.tensor(table.stride)).sum(-1, keepdim=True)
    lower_ends = torch.tensor(table.lower_ends, dtype=keys.dtype)
    # The fraction at an upper end, 1 less the fraction at a lower one.
    share = (lower_ends - (coordinate - lower).unsqueeze(-2)).abs().prod(-1)
    return first + torch.tensor(table.steps), share


def _along_axes(numbers: list[float], like: Tensor) -> Any:
    """One number if they are all the same, as for the grids of models: a constant tensor is three nodes of a graph."""
    return numbers[0] if len(set(numbers)) == 1 else torch.tensor(numbers, dtype=like.dtype)


def _write(
    values: Tensor,  # [B, H, N, C], 0 where masked
    cell: Tensor,  # [B, H, N, K]
    share: Tensor,  # [B, H, N, K]
    size: Sequence[int],
    reduce: str,
    visible: Tensor | None,  # [B, 1, N, 1]
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
    check_reduction(reduce)
    each = _hidden(torch.ones_like(share), visible)
    count = values.new_zeros(B, H, prod(size), 1).scatter_add(2, nodes, each.flatten(2)[..., None])
    return grid / count.clamp(min=1)


def _read(
    nodes: Tensor,  # [B, H, G, C]
    cell: Tensor,  # [B, H, N, K]
    share: Tensor,  # [B, H, N, K]
) -> Tensor:  # [B, H, N, C]
    index = cell.flatten(2)[..., None].expand(-1, -1, -1, nodes.shape[3])
    corners = nodes.gather(2, index).unflatten(2, (-1, cell.shape[3]))
    return (share[..., None] * corners).sum(3)


def _visible(mask: Tensor | None) -> Tensor | None:  # [B, N] -> [B, 1, N, 1]
    return None if mask is None else mask.unsqueeze(1).unsqueeze(3)


def _hidden(values: Tensor, visible: Tensor | None) -> Tensor:  # [B, H, N, .]
    return values if visible is None else values.where(visible, 0)
