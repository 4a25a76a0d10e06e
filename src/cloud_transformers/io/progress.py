"""A bar for work on one file that takes longer than a second."""

from __future__ import annotations

from pathlib import Path
from typing import Any


def points_bar(path: Path, task: str, total: int | None, show: bool) -> Any:
    """A tqdm bar that counts points: on stderr, only if that is a terminal, and only once a second has passed."""
    from tqdm import tqdm

    return tqdm(
        desc=f"{task} {path.name}",
        total=total,
        unit=" points",
        unit_scale=True,
        delay=1,
        leave=False,
        disable=None if show else True,
    )
