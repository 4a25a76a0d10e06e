"""Rows of numbers in text: parsed by numpy's C reader in blocks, written with one format operation per block.

`np.loadtxt` is within a fifth of the fastest parser numpy has and checks that all rows have equally many values. It
numbers rows, not lines, and from the start of what it was given; so a failed block is looked at once more, slowly,
to name the line.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from cloud_transformers.errors import InputError

_BLOCK_BYTES = 1 << 23
_BLOCK_ROWS = 1 << 15


class RowReader:
    """Parses rows of `num_columns` numbers from an open binary file, from its present position on.

    `line` is the number of the next line. After the last row asked for, the file stands right behind it.
    """

    def __init__(
        self, file: BinaryIO, path: Path, num_columns: int, *, line: int, separator: str | None = None, comments: bool
    ) -> None:
        self.file, self.path, self.num_columns, self.line = file, path, num_columns, line
        self.separator, self.comments = separator, comments

    def blocks(self, num_rows: int | None, block_rows: int) -> Iterator[NDArray[np.float64]]:
        """Arrays [n, num_columns] of at most `block_rows` rows, up to `num_rows` rows or the end of the file.

        Empty lines do not count. Fewer rows than asked for is an error; no rows at all yield nothing.
        """
        done = 0
        while num_rows is None or done < num_rows:
            wanted = block_rows if num_rows is None else min(block_rows, num_rows - done)
            text = self._take_lines(wanted)
            if not text:
                if num_rows is None:
                    return
                raise InputError(f"{self.path}: ends at line {self.line} after {done} of {num_rows} rows of numbers")
            rows = self._parse(text)
            self.line += text.count(b"\n")
            done += len(rows)
            if len(rows):
                yield rows

    def _take_lines(self, count: int) -> bytes:
        """At most `count` whole lines, and at most a block of bytes; leaves the file behind them."""
        start = self.file.tell()
        text = self.file.read(_BLOCK_BYTES)
        if len(text) == _BLOCK_BYTES:
            end = text.rfind(b"\n") + 1
            if end == 0:
                raise InputError(f"{self.path}: line {self.line} is longer than {_BLOCK_BYTES} bytes; this is not text")
            text = text[:end]
        if text.count(b"\n") > count:
            ends = np.flatnonzero(np.frombuffer(text, np.uint8) == ord("\n"))
            text = text[: int(ends[count - 1]) + 1]
        self.file.seek(start + len(text))
        return text

    def _parse(self, text: bytes) -> NDArray[np.float64]:
        comments = "#" if self.comments else None
        if not text.strip() or (self.comments and self._only_comments(text)):
            return np.empty((0, self.num_columns))
        try:
            rows = np.loadtxt(io.BytesIO(text), delimiter=self.separator, comments=comments, ndmin=2, encoding="latin1")
        except ValueError as error:
            raise self._complaint(text) or InputError(f"{self.path}: near line {self.line}: {error}") from None
        if rows.shape[1] != self.num_columns:
            raise self._complaint(text) or InputError(
                f"{self.path}: line {self.line} has {rows.shape[1]} values where {self.num_columns} belong"
            )
        return rows

    def _only_comments(self, text: bytes) -> bool:
        return all(not line.strip() or line.lstrip().startswith(b"#") for line in text.splitlines())

    def _complaint(self, text: bytes) -> InputError | None:
        """The first line of a block that is not a row, named."""
        for number, raw in enumerate(text.split(b"\n"), self.line):
            line = raw.decode("latin1")
            if self.comments:
                line = line.partition("#")[0]
            values = line.split(self.separator) if line.strip() else []
            if values and len(values) != self.num_columns:
                return InputError(
                    f"{self.path}: line {number} has {len(values)} values where {self.num_columns} belong"
                )
            for value in values:
                if not is_number(value):
                    return InputError(f"{self.path}: line {number} has {_shown(value)} where a number belongs")
        return None


def is_number(text: str) -> bool:
    """Whether text is a number to numpy; unlike Python it knows neither underscores nor digits beyond ASCII."""
    if "_" in text or not text.isascii():
        return False
    try:
        float(text)
    except ValueError:
        return False
    return True


def write_rows(file: BinaryIO, columns: Sequence[NDArray[Any]], separator: str = " ", *, neat: int = 0) -> None:
    """Writes equally long columns as lines of text, so that parsing gives back every bit.

    The first `neat` columns are world coordinates: when double, 15 digits do for them and read better than 17.
    """
    formats = [_format(values.dtype, index < neat) for index, values in enumerate(columns)]
    row = separator.join(formats) + "\n"
    for start in range(0, len(columns[0]), _BLOCK_ROWS):
        part = [values[start : start + _BLOCK_ROWS].tolist() for values in columns]
        text = (row * len(part[0])) % tuple(chain.from_iterable(zip(*part, strict=True)))
        file.write(text.encode("ascii"))


def _format(dtype: np.dtype[Any], neat: bool) -> str:
    if dtype.kind in "biu":
        return "%d"
    if dtype.itemsize <= 4:
        return "%.9g"
    return "%.15g" if neat else "%r"


def _shown(value: str) -> str:
    value = value.strip()
    return repr(value if len(value) <= 24 else value[:24] + "...")
