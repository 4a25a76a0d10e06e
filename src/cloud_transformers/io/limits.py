"""How much a file may swell when it is unpacked: in proportion to its size, so that a small one cannot fill the memory.

Scans shrink to a tenth, rarely to a thirtieth; what shrinks to a thousandth is empty, or made to do harm.
"""

from __future__ import annotations

from pathlib import Path

from cloud_transformers.errors import InputError

MAX_EXPAND = 40.0  # times its size ...
FREE_BYTES = 64 << 20  # ... and this much more, whatever its size
MOST_COLUMNS = 4096  # of points, and other parts of a file that each cost time, however small they are


def most_bytes(path: Path, max_expand: float) -> int:
    """What may be made of a file."""
    return FREE_BYTES + int(max_expand * path.stat().st_size)


def check_expanded(path: Path, num_bytes: int, max_expand: float) -> None:
    """InputError if what is unpacked from a file takes more than may be made of it."""
    if num_bytes > most_bytes(path, max_expand):
        raise too_large(path, max_expand, f"unpacks to {num_bytes / 2**20:,.0f} MB")


def too_large(path: Path, max_expand: float, what: str) -> InputError:
    return InputError(
        f"{what}, more than {max_expand:g} times its size; if you trust the file, allow more with max_expand=N "
        "(--max-expand N)",
        path=path,
    )
