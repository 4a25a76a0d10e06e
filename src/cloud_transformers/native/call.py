"""What every call of a native kernel needs: raw pointers of tensors, and the number of threads."""

import ctypes
import os

import torch
from torch import Tensor


def pointer(tensor: Tensor | None) -> ctypes.c_void_p:
    """The address of a tensor's first element; NULL for None."""
    return ctypes.c_void_p(None if tensor is None else tensor.data_ptr())


def num_threads() -> int:
    """As many as torch itself uses."""
    return torch.get_num_threads()


def poison_scratch() -> bool:
    """Whether kernels must fill their scratch memory with NaN first, so that a test sees what is read unwritten."""
    return os.environ.get("CLOUDT_POISON_SCRATCH") == "1"
