"""Calling a native kernel: tensors become pointers, numbers 64-bit integers, sequences arrays of them."""

import ctypes
import os
from collections.abc import Sequence

import torch
from torch import Tensor

from cloud_transformers.native.library import load


def call(library: str, function: str, *arguments: Tensor | int | float | Sequence[int] | None) -> None:
    """Call a C function of csrc/LIBRARY.cpp; the number of threads is added as its last argument.

    C types: Tensor -> pointer to its first element, None -> null, int and bool -> int64_t, float -> double,
    sequence of ints -> const int64_t*.
    """
    getattr(load(library), function)(*map(_as_c, arguments), ctypes.c_int64(num_threads()))


def pointer(tensor: Tensor | None) -> ctypes.c_void_p:
    """The address of a tensor's first element; NULL for None."""
    return ctypes.c_void_p(None if tensor is None else tensor.data_ptr())


def num_threads() -> int:
    """As many as torch itself uses."""
    return torch.get_num_threads()


def scratch(*shape: int, like: Tensor) -> Tensor:
    """Memory of any contents. With CLOUDT_POISON_SCRATCH=1 it holds NaN, so that tests see what is read unwritten."""
    room = like.new_empty(shape)
    return room.fill_(float("nan")) if os.environ.get("CLOUDT_POISON_SCRATCH") == "1" else room


def outer_strides(tensor: Tensor) -> list[int]:
    """Strides of all axes but the last, which must be contiguous."""
    assert tensor.shape[-1] <= 1 or tensor.stride(-1) == 1
    return list(tensor.stride()[:-1])


def with_contiguous_rows(tensor: Tensor) -> Tensor:
    """The tensor itself where its last axis is contiguous, else a copy."""
    return tensor if tensor.shape[-1] <= 1 or tensor.stride(-1) == 1 else tensor.contiguous()


def _as_c(argument: Tensor | int | float | Sequence[int] | None) -> object:
    if argument is None or isinstance(argument, Tensor):
        return pointer(argument)
    if isinstance(argument, int):
        return ctypes.c_int64(argument)
    if isinstance(argument, float):
        return ctypes.c_double(argument)
    return (ctypes.c_int64 * len(argument))(*argument)
