"""Text files of numbers, in which a broken line is named and, where only one reading is possible, repaired.

Raw S3DIS carries control characters inside numbers. A strict parser dies of them, a lenient one shifts all columns.
"""

from __future__ import annotations

import io
import itertools
import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from cloud_transformers.errors import InputError

# Everything that cannot be part of a number, a separator or a line end.
_FOREIGN = re.compile(rb"[^0-9eE+\-.,\s]+|[\x0b\x0c\x1c-\x1f]+")


@dataclass(frozen=True)
class BrokenLine:
    """A line that was repaired ("repaired" holds the numbers) or, if that was not possible, left out."""

    path: str
    line: int
    text: str
    repaired: tuple[float, ...] | None

    def __str__(self) -> str:
        fate = "left out" if self.repaired is None else f"read as {' '.join(f'{v:g}' for v in self.repaired)}"
        return f"{self.path}, line {self.line}: {self.text!r} {fate}"


def read_numbers(
    path: Path,
    num_columns: int,
    *,
    plausible: Callable[[NDArray[Any]], bool] | None = None,
    broken: list[BrokenLine] | None = None,
    on_corrupt: Literal["stop", "skip"] = "stop",
) -> NDArray[np.float64]:
    """All rows [N, num_columns] of a file whose numbers stand between blanks or commas. Empty lines do not count.

    A line with foreign characters is repaired if exactly one plausible row follows from deleting them, taking them
    for blanks or for lost digits. Plausible means: as many decimals in each column as in the whole rest of the file,
    where these are constant, and `plausible` agrees. Repairs are added to `broken`. Any other bad line stops the
    reading, or is left out and added to `broken` with on_corrupt="skip".
    """
    try:
        data = path.read_bytes()
    except IsADirectoryError:
        raise InputError("is a folder, not a file of numbers", path=path) from None
    fast = _parse_clean(data, num_columns)
    if fast is not None:
        return fast
    rows = []
    decimals = None
    for number, line in enumerate(lines := data.split(b"\n"), 1):
        if not line.strip():
            continue
        row = _parse_line(line, num_columns)
        if row is None:
            if decimals is None:
                decimals = _constant_decimals(lines, num_columns)
            row = _repair(line, num_columns, decimals, plausible)
            text = line[:80].decode("ascii", "backslashreplace")
            if row is None and on_corrupt == "stop":
                raise InputError(
                    f"{text!r} is not {num_columns} numbers; correct or delete it", path=path, place=f"line {number}"
                )
            if broken is not None:
                broken.append(BrokenLine(str(path), number, text, None if row is None else tuple(row)))
        if row is not None:
            rows.append(row)
    return np.array(rows, np.float64).reshape(-1, num_columns)


def _parse_clean(data: bytes, num_columns: int) -> NDArray[np.float64] | None:
    """The numbers of a file in which nothing is wrong, or None if something might be."""
    if data.translate(None, b"0123456789eE+-., \t\r\n"):
        return None
    if not data.strip():
        return np.zeros((0, num_columns))
    try:
        blank = "," if b"," in data else None
        rows = np.loadtxt(io.BytesIO(data), delimiter=blank, comments=None, ndmin=2, encoding="ascii")
    except ValueError:
        return None
    return rows if rows.shape[1] == num_columns and np.isfinite(rows).all() else None


def _words(line: bytes) -> list[bytes]:
    """A line's columns. Between commas an empty one is kept, for leaving it out would shift all others."""
    return [word.strip() for word in line.split(b",")] if b"," in line else line.split()


def _parse_line(line: bytes, num_columns: int) -> list[float] | None:
    words = _words(line)
    if len(words) != num_columns or _FOREIGN.search(line):
        return None
    try:
        row = [float(word) for word in words]
    except ValueError:
        return None
    return row if all(map(math.isfinite, row)) else None


def _decimals(word: bytes) -> int:
    return len(word.partition(b".")[2])


def _constant_decimals(lines: list[bytes], num_columns: int) -> list[int | None]:
    """For each column the number of decimals that all good lines share, or None if they do not."""
    seen: list[set[int]] = [set() for _ in range(num_columns)]
    for line in lines:
        words = _words(line)
        if len(words) == num_columns and not _FOREIGN.search(line):
            for column, word in zip(seen, words, strict=True):
                column.add(_decimals(word))
    return [next(iter(column)) if len(column) == 1 else None for column in seen]


def _repair(
    line: bytes,
    num_columns: int,
    decimals: list[int | None],
    plausible: Callable[[NDArray[Any]], bool] | None,
) -> list[float] | None:
    """The only row that the line can mean, or None if there is none or more than one."""
    pieces = _FOREIGN.split(line)
    if not 2 <= len(pieces) <= 4:
        return None
    readings = set()
    for glue in itertools.product((b"", b" ", *(b"%d" % digit for digit in range(10))), repeat=len(pieces) - 1):
        text = pieces[0] + b"".join(g + piece for g, piece in zip(glue, pieces[1:], strict=True))
        row = _parse_line(text, num_columns)
        if row is None or (plausible is not None and not plausible(np.array(row))):
            continue
        words = _words(text)
        if all(wanted in (None, _decimals(word)) for wanted, word in zip(decimals, words, strict=True)):
            readings.add(tuple(row))
    return list(readings.pop()) if len(readings) == 1 else None
