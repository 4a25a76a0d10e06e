"""Memory that the kernels' tensors leave behind, kept for the next tensors of their size.

A training step asks for the same large tensors as the step before. The C library gives freed memory of that size
back to the system, which hands out fresh pages filled with zeros: up to a tenth of a small model's step. So results and
scratch of the kernels are taken from here. What is held is bounded, and tensors of large models are left to the C
library.
"""

import ctypes
from functools import cache
from math import prod
from typing import Any

import torch
from torch import Tensor

STEP = 2**16  # sizes in bytes are multiples of it; smaller tensors are cheap to have anew
LARGEST = 2**23 - STEP  # of one tensor
MOST_KEPT = 2**27  # of all that nobody uses, in bytes

_unused: dict[int, list[Tensor]] = {}  # bytes -> blocks of that size


poisoned = False  # set by tests


def scratch(*shape: int, like: Tensor) -> Tensor:
    """A contiguous tensor of any contents: where `poisoned`, NaN, so that tests see what is read unwritten."""
    count = prod(shape)
    if STEP <= count * 4 <= LARGEST and like.dtype == torch.float32 and like.device.type == "cpu":
        loan = _loan_of(-(-count * 4 // STEP) * STEP)
        room = torch.frombuffer(loan, dtype=torch.float32, count=count).view(shape)
    else:
        room = like.new_empty(shape)
    return room.fill_(float("nan")) if poisoned else room


def _loan_of(size: int) -> Any:
    """A block as an object with a buffer. Whoever holds the buffer holds the object; then the block is kept again."""
    try:
        block = _unused[size].pop()
    except (KeyError, IndexError):
        block = torch.empty(size, dtype=torch.uint8)
    loan = _kind(size).from_address(block.data_ptr())
    loan.block = block
    return loan


@cache
def _kind(size: int) -> Any:
    return type("Loan", (ctypes.c_char * size,), {"__del__": _keep})


def _keep(loan: Any) -> None:
    # No lock: the garbage collector may call this anywhere. Two threads at once may keep a block too many.
    size = len(loan)
    if size + sum(each * len(blocks) for each, blocks in list(_unused.items())) <= MOST_KEPT:
        _unused.setdefault(size, []).append(loan.block)
