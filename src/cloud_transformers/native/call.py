"""Calling a native kernel: tensors become pointers, numbers 64-bit integers, sequences arrays of them."""

import ctypes
import os
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Any

import torch
from torch import Tensor

from cloud_transformers.native.library import load

Argument = Tensor | int | float | Sequence[int] | None
_NUMBERS = (int, float)


def call(library: str, function: str, *arguments: Argument) -> None:
    """Call a C function of csrc/LIBRARY.cpp; the number of threads is added as its last argument.

    C types: Tensor -> pointer to its first element, None -> null, int and bool -> int64_t, float -> double,
    sequence of ints -> const int64_t*. Which of them an argument is must not change between calls of one function, but
    for None in place of a tensor.
    """
    run = _function(library, function)
    if run.argtypes is None:  # said once, so that ctypes need not be handed an object for every number
        run.argtypes = [*map(_type, arguments), ctypes.c_int64]
    run(*map(_value, arguments), num_threads())


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


@cache
def _function(library: str, function: str) -> Any:
    run = getattr(load(library).library, function)
    run.restype = None
    return run


def _type(argument: Argument) -> type:
    if isinstance(argument, float):
        return ctypes.c_double
    return ctypes.c_int64 if isinstance(argument, int) else ctypes.c_void_p


def _value(argument: Argument) -> object:
    if argument is None or isinstance(argument, _NUMBERS):
        return argument
    return argument.data_ptr() if isinstance(argument, Tensor) else _array(tuple(argument))


@lru_cache(maxsize=4096)
def _array(numbers: tuple[int, ...]) -> ctypes.Array[ctypes.c_int64]:
    """Sizes and strides are the same from step to step. Kernels only read them."""
    return (ctypes.c_int64 * len(numbers))(*numbers)
