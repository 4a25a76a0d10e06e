"""A progress bar for work that may take longer than a second: on stderr, and only if somebody watches."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from typing import TypeVar

T = TypeVar("T")


def progress(items: Iterable[T], what: str, total: int | None = None) -> Iterator[T]:
    """The items, with a bar that appears after a second on a terminal and nowhere else."""
    from tqdm import tqdm

    return iter(tqdm(items, desc=what, total=total, delay=1.0, leave=False, disable=not sys.stderr.isatty()))
