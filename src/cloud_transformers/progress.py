"""Progress bars for work that takes longer than a second: on stderr, and only if that is a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

T = TypeVar("T")


def progress(items: Iterable[T], what: str, total: int | None = None) -> Iterator[T]:
    """The items, with a bar that counts them."""
    return iter(_bar(items, what, total))


def steps_bar(what: str, total: int) -> Any:
    """A tqdm bar for work that counts its steps itself."""
    return _bar(None, what, total)


def points_bar(path: Path, task: str, total: int | None, show: bool) -> Any:
    """A tqdm bar that counts the points of one file."""
    from tqdm import tqdm

    return tqdm(
        desc=f"{task} {path.name}",
        total=total,
        unit=" points",
        unit_scale=True,
        delay=1.0,
        leave=False,
        disable=None if show else True,
    )


def bytes_bar(what: str, total: int | None) -> Any:
    """A tqdm bar that counts bytes on their way."""
    from tqdm import tqdm

    is_shown = sys.stderr.isatty()
    return tqdm(desc=what, total=total, unit="B", unit_scale=True, delay=1.0, leave=False, disable=not is_shown)


def _bar(items: Iterable[Any] | None, what: str, total: int | None) -> Any:
    from tqdm import tqdm

    return tqdm(items, desc=what, total=total, delay=1.0, leave=False, disable=not sys.stderr.isatty())


@contextmanager
def stages_bar(task: str, count: int, show: bool) -> Iterator[Callable[[str], None]]:
    """A bar for work of a few long stages; each is named when it begins."""
    from tqdm import tqdm

    layout = "{desc} [{n_fmt}/{total_fmt}, {elapsed}]"
    with tqdm(total=count, leave=False, bar_format=layout, disable=None if show else True) as bar:

        def begin(name: str) -> None:
            bar.n += 1
            bar.set_description_str(f"{task}: {name}")

        yield begin
