"""Heads at work: where keys fall, what the grids hold before and after the convolution, and how far points move.

Letters: H heads, N visible points, C channels per head, D grid dimension, w grid side.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from cloud_transformers.inspect.walk import SeenBlock, SeenGroup
from cloud_transformers.ops import rasterize
from cloud_transformers.ops.corners import locate

Array = NDArray[np.float32]


@dataclass(frozen=True, eq=False, kw_only=True)
class Head:
    """One head on one cloud. Shares are from 0 to 1."""

    kind: str  # "planar" or "volumetric"
    number: int  # among those of its kind in the block, from 1
    size: tuple[int, ...]  # nodes of the grid along each axis
    channels: int  # C
    occupied: float  # share of the grid's nodes that a point touches
    border: float  # share of the keys in the grid's outermost cells
    key_low: tuple[float, ...]  # the smallest and the largest key along each axis, in [-1, 1]
    key_high: tuple[float, ...]  # likewise
    moved: float  # how far residuals move a point before it is projected, in units of the model's input: the mean
    moved_most: float  # and the largest
    moved_cells: float  # how far they move its key, in cells of the grid: the mean
    axes: Array = field(repr=False)  # [D, 3] directions of the keys' axes in the model's input, scales included
    origin: Array = field(repr=False)  # [3] the place whose key is 0, of a point that no residual moves
    has_plane: bool  # whether keys come from positions at all
    keys: Array = field(repr=False)  # [N, D]
    moves: Array = field(repr=False)  # [N] how far residuals move each point, as `moved`
    before: Array = field(repr=False)  # [*size] norm over the channels, before the convolution
    after: Array = field(repr=False)  # [*size] and after it
    touched: NDArray[np.bool_] = field(repr=False)  # [*size] whether any point does

    @property
    def normal(self) -> Array | None:
        """[3], of unit length: the direction along which a planar head looks."""
        if self.kind != "planar" or not self.has_plane:
            return None
        normal = np.cross(self.axes[0], self.axes[1])
        return np.asarray(normal / np.linalg.norm(normal), np.float32)

    def to_json(self) -> dict[str, Any]:
        """The numbers, ready for JSON; grids and keys are left out."""
        return {
            "kind": self.kind,
            "head": self.number,
            "grid": list(self.size),
            "channels": self.channels,
            "occupied": self.occupied,
            "border": self.border,
            "key_low": list(self.key_low),
            "key_high": list(self.key_high),
            "moved": self.moved,
            "moved_most": self.moved_most,
            "moved_cells": self.moved_cells,
            "before": {"mean": float(self.before.mean()), "largest": float(self.before.max())},
            "after": {"mean": float(self.after.mean()), "largest": float(self.after.max())},
            "axes": self.axes.tolist() if self.has_plane else None,
            "origin": self.origin.tolist() if self.has_plane else None,
            "normal": None if self.normal is None else self.normal.tolist(),
        }


def heads(seen: SeenBlock, *, cloud: int = 0) -> list[Head]:
    """All heads of a block, as it was `seen` at work, on one cloud of its batch: planar ones first."""
    return [head for group in seen.groups() for head in _of_group(group, cloud)]


def heads_json(seen: SeenBlock) -> dict[str, Any]:
    """Which block was `seen` at work, and the numbers of all its heads, ready for JSON."""
    numbers = [head.to_json() for head in heads(seen)]
    return {"part": seen.part, "block": seen.number, "cascade": seen.cascade, "heads": numbers}


@torch.no_grad()
def _of_group(group: SeenGroup, cloud: int) -> list[Head]:
    seen, projection = group.seen, group.transform.projection.keys
    visible = seen.visible[cloud]
    H, D = group.keys.shape[1], group.keys.shape[3]
    keys = group.keys[cloud][:, visible]  # [H, N, D]
    cells = keys.new_tensor(group.size)[:, None].T - 1  # [1, D] cells along each axis
    before, after = (grid[cloud].norm(dim=-1) for grid in (group.rasterized(), group.convolved()))
    touched = rasterize(torch.ones_like(group.keys[..., :1]), group.keys, group.size, reduce="sum", mask=seen.mask)
    lower, _ = locate(keys, group.size)
    outermost = ((lower == 0) | (lower >= cells - 1)).any(-1)  # [H, N]
    residuals, distance, steps = group.residuals(), keys.new_zeros(keys.shape[:2]), keys.new_zeros(keys.shape[:2])
    if residuals is not None:
        unmoved = projection.from_normalized(seen.positions, torch.zeros_like(residuals.transpose(1, 2).flatten(2)))
        distance = residuals[cloud][:, visible].norm(dim=-1)
        steps = ((keys - unmoved[cloud][:, visible]) * cells / 2).norm(dim=-1)
    shift, matrix = projection.transform(seen.positions)
    return [
        Head(
            kind=group.kind,
            number=head + 1,
            size=group.size,
            channels=group.values.shape[-1],
            occupied=float((touched[cloud, head] > 0).float().mean()),
            border=float(outermost[head].float().mean()),
            key_low=tuple(keys[head].amin(0).tolist()),
            key_high=tuple(keys[head].amax(0).tolist()),
            moved=float(distance[head].mean()),
            moved_most=float(distance[head].max()),
            moved_cells=float(steps[head].mean()),
            axes=_array(matrix[head, :, :D].T),
            origin=_array(-shift[head]),
            has_plane=projection.mode != "linear",
            keys=_array(keys[head]),
            moves=_array(distance[head]),
            before=_array(before[head]),
            after=_array(after[head]),
            touched=_array(touched[cloud, head, ..., 0]) > 0,
        )
        for head in range(H)
    ]


def _array(tensor: torch.Tensor) -> Array:
    return np.asarray(tensor.float().numpy(force=True))
