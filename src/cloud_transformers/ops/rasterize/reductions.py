"""Reductions: how values that meet at a grid node become one. A new one is a line here and a branch in the reference.

Letters: B batch, H heads, C channels per head.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Literal, get_args

from torch import Tensor

from cloud_transformers.ops.backend import implementation

Reduce = Literal["max", "sum", "mean"]


@dataclass(frozen=True)
class Reduction:
    """What the operators have to know of a reduction."""

    code: int | None  # its number in the fast kernels (csrc/head.h); None: the reference computes it on every device
    note: Literal["values", "nodes", "nothing"]  # a number that the backward pass needs per node and channel, per node


REDUCTIONS: dict[str, Reduction] = {
    "max": Reduction(code=0, note="values"),
    "sum": Reduction(code=1, note="nothing"),
    "mean": Reduction(code=2, note="nodes"),
}
assert tuple(REDUCTIONS) == get_args(Reduce)


def rasterizer(values: Tensor, reduce: str) -> ModuleType:
    """The module of ops/rasterize/ which computes this reduction on tensors like this one."""
    if REDUCTIONS[reduce].code is not None:
        return implementation("rasterize", values)
    from cloud_transformers.ops.rasterize import reference

    return reference


def note_shape(reduce: str, values: Tensor, size: Sequence[int]) -> tuple[int, ...]:
    """The shape of what the forward pass notes for the backward pass."""
    B, H, _, C = values.shape
    return {"values": (B, H, *size, C), "nodes": (B, H, *size), "nothing": (0,)}[REDUCTIONS[reduce].note]
