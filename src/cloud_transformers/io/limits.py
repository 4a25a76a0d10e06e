"""How much a file may swell when it is unpacked: in proportion to its size, so that a small one cannot fill the memory.

Scans shrink to a tenth, rarely to a thirtieth; what shrinks to a thousandth is empty, or made to do harm.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from cloud_transformers.errors import InputError

MAX_EXPAND = 40.0  # times its size ...
FREE_BYTES = 64 << 20  # ... and this much more, whatever its size
_BYTES_PER_POINT = 48  # of a cloud's coordinates while they are read: as doubles, and then as what is kept of them
MOST_COLUMNS = 4096  # of points, and other parts of a file that each cost time, however small they are


_packed: dict[Path, int] = {}  # what is unpacked for a while -> the size of the file that was given


@contextmanager
def inside_of(path: Path, inside: Path) -> Iterator[None]:
    """While entered, bounds for what is inside of a file are those of the file: else they would multiply."""
    _packed[inside] = path.stat().st_size
    try:
        yield
    finally:
        del _packed[inside]


def most_bytes(path: Path, max_expand: float) -> int:
    """What may be made of a file."""
    size = _packed.get(path)
    return FREE_BYTES + int(max_expand * (path.stat().st_size if size is None else size))


def check_expanded(path: Path, num_bytes: int, max_expand: float, num_points: int = 0) -> None:
    """InputError if what is unpacked from a file, and the cloud that is made of it, take more than may be."""
    num_bytes += num_points * _BYTES_PER_POINT
    if num_bytes > most_bytes(path, max_expand):
        raise too_large(path, max_expand, f"unpacks to {num_bytes / 2**20:,.0f} MB")


def too_large(path: Path, max_expand: float, what: str) -> InputError:
    return InputError(
        f"{what}, more than {max_expand:g} times its size; if you trust the file, allow more with max_expand=N "
        "(--max-expand N)",
        path=path,
    )
