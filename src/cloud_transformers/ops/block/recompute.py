"""Forgetting activations that are cheap to compute again.

A normalised activation is one multiply-add away from what it was computed from, and that has to be kept anyway, for the
normalisation's own backward pass. Inside `recomputing()`, operations that would keep a normalised activation for their
backward pass keep a note of how to compute it instead.
"""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import torch
from torch import Tensor


class Forgotten:
    """A tensor that can be had again. It is held from the first request until everybody who was promised it has it."""

    def __init__(self, recompute: Callable[[], Tensor]) -> None:
        self.recompute = recompute
        self.num_promised = self.num_given = 0
        self.tensor: Tensor | None = None

    def get(self) -> Tensor:
        if self.tensor is None:
            with torch.no_grad():
                self.tensor = self.recompute()
        tensor = self.tensor
        self.num_given += 1
        if self.num_given % self.num_promised == 0:
            self.tensor = None
        return tensor


@dataclass
class Part:
    """What a backward pass keeps in place of a view of a forgotten tensor."""

    forgotten: Forgotten
    shape: torch.Size
    stride: tuple[int, ...]
    offset: int | torch.SymInt


class Scopes(threading.local):
    """The open scopes of a thread. In each: address of a storage -> its tensor, held so that nobody else gets that
    address, and how to have it again."""

    def __init__(self) -> None:
        self.open: list[dict[int, tuple[Tensor, Forgotten]]] = []


_scopes = Scopes()


@contextmanager
def recomputing() -> Iterator[None]:
    """A scope in which what `mark_recomputable` names is not kept for the backward pass.

    Compilers decide by themselves what to compute again.
    """
    if not torch.is_grad_enabled() or torch.compiler.is_compiling():
        yield
        return
    known: dict[int, tuple[Tensor, Forgotten]] = {}

    def pack(tensor: Tensor) -> Tensor | Part:
        _, forgotten = known.get(tensor.untyped_storage().data_ptr(), (None, None))
        if forgotten is None:
            # The tensor itself would hold the operation that made it, and be held by it, for ever.
            return tensor.detach()
        forgotten.num_promised += 1
        return Part(forgotten, tensor.shape, tensor.stride(), tensor.storage_offset())

    def unpack(kept: Tensor | Part) -> Tensor:
        if isinstance(kept, Tensor):
            return kept
        return kept.forgotten.get().as_strided(kept.shape, kept.stride, kept.offset)

    _scopes.open.append(known)
    try:
        with torch.autograd.graph.saved_tensors_hooks(pack, unpack):
            yield
    finally:
        _scopes.open.pop()
        known.clear()


def mark_recomputable(tensor: Tensor, recompute: Callable[[], Tensor]) -> None:
    """Inside `recomputing()`: `recompute()` gives the same numbers in the same layout. Elsewhere nothing happens."""
    if _scopes.open and tensor.numel() > 0:
        _scopes.open[-1][tensor.untyped_storage().data_ptr()] = tensor, Forgotten(recompute)
