"""Problem: one thing wrong with a user's data, named by file and place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from cloud_transformers.errors import InputError


@dataclass(frozen=True)
class Problem:
    """`where` is a line, byte, dataset or row inside the file; `index` the sample it spoils (None = not one sample)."""

    path: str
    where: str
    what: str  # is wrong, in a few words
    index: int | None = None

    def __str__(self) -> str:
        return f"{self.path}{f', {self.where}' if self.where else ''}{f': {self.what}' if self.what else ''}"


class EmptySplit(InputError):
    """The data is there, but none of it is in the split that was asked for."""


def stop_at(problems: Sequence[Problem]) -> None:
    """Raise InputError for the first problem, with the number of the others; nothing if there is none."""
    if not problems:
        return
    more = f" (and {len(problems) - 1} more problem{'s' if len(problems) > 2 else ''})" if len(problems) > 1 else ""
    ending = ""
    if any(problem.index is not None for problem in problems):
        ending = "; replace the file, or say on_corrupt='skip' to leave such samples out"
    raise InputError(f"{problems[0]}{more}{ending}")
