"""How the process deals with memory that it has freed."""

import ctypes
import sys

_M_TRIM_THRESHOLD, _M_MMAP_THRESHOLD, _M_ARENA_MAX = -1, -3, -8  # of glibc's mallopt
_LARGE = 2**30


def keep_freed_memory() -> bool:
    """Use freed memory again in place of giving it back to the system and asking anew; False where that is not offered.

    For loops that allocate the same large tensors in every step: fetching fresh pages, which the system fills with
    zeros, is some 5 % of a training step. The process's peak stays what it was, but it is held until the process ends.
    """
    return set_thresholds(mmap=_LARGE, trim=_LARGE)


def set_thresholds(*, mmap: int, trim: int) -> bool:
    """From how many bytes on memory comes from the system itself, and from how many free ones on they go back to it."""
    return _set((_M_MMAP_THRESHOLD, mmap), (_M_TRIM_THRESHOLD, trim))


def share_one_heap() -> bool:
    """Let threads that start from now on use the memory that others have freed; False where that is not offered.

    By default each has a heap of its own and keeps what was freed in it: with threads that hand large arrays to one
    another, several times what is in use.
    """
    return _set((_M_ARENA_MAX, 1))


def _set(*options: tuple[int, int]) -> bool:
    if sys.platform != "linux":
        return False
    try:
        set_option = ctypes.CDLL(None).mallopt
    except AttributeError:  # another C library
        return False
    return all(set_option(*option) for option in options)
