"""How many samples are looked at: one after the other in this process, unless a caller has others do it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from cloud_transformers.progress import progress

# A function, the items that it is called with, and how many these are -> its answers, in the order of the items.
Spread = Callable[[Callable[[Any], Any], Iterable[Any], int], Iterator[Any]]


def _here(function: Callable[[Any], Any], items: Iterable[Any], total: int) -> Iterator[Any]:
    return (function(item) for item in progress(items, "checking", total))


_spread: ContextVar[Spread] = ContextVar("spread", default=_here)


def looked_at(function: Callable[[Any], Any], items: Iterable[Any], total: int) -> Iterator[Any]:
    """The answers of a function to each item, in their order."""
    return _spread.get()(function, items, total)


@contextmanager
def spread_by(spread: Spread) -> Iterator[None]:
    """While entered, this is how items are looked at. Functions and items may then go to other processes."""
    token = _spread.set(spread)
    try:
        yield
    finally:
        _spread.reset(token)
