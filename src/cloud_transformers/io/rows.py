"""Rows of numbers in text: parsed by numpy's C reader, written with one format operation per block.

`np.loadtxt` parses straight into the columns' types and checks that all rows have equally many values. Files up to
100 MB go through it in one call; larger ones in blocks, which bounds the memory and lets a bar move. It is a seventh
quicker with a file that it opens itself than with lines from memory, so each block goes through a temporary file. It
numbers rows, not lines, and from the start of what it was given; so when it fails, the block at fault is looked at
once more, slowly, to name the line.
"""

from __future__ import annotations

import io
import math
import re
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from itertools import chain
from pathlib import Path
from typing import Any, BinaryIO, Literal

import numpy as np
from numpy.typing import NDArray

from cloud_transformers.errors import InputError
from cloud_transformers.temporary import scratch

_AT_ONCE = 100_000_000
_BLOCK_BYTES = 1 << 23
_LEAST_BYTES = 1 << 16
_BLOCK_ROWS = 1 << 15
_FEW_ROWS = 1000  # parsed sooner than a temporary file is made


class RowReader:
    """Parses rows of numbers, arrays [n] of the dtype `row`, from an open binary file's present position on.

    `line` is the number of the line there. Whole numbers may be written with a point; other values that do not fit
    their type are an error, unless `lenient`: then their rows come as float64 in every column, and # begins a remark.
    With `at_once` off, the file is left right behind the last row. `decimal` is "." or ","; the latter is then no
    separator.
    """

    def __init__(
        self,
        file: BinaryIO,
        path: Path,
        row: np.dtype[Any],
        *,
        line: int,
        separator: str | None = None,
        lenient: bool = False,
        at_once: bool = True,
        decimal: str = ".",
    ) -> None:
        self.file, self.path, self.row = file, path, row
        self.num_columns = num_values(row)
        self.separator, self.comments, self.lenient = separator, "#" if lenient else None, lenient
        self.first_line, self.first_byte = line, file.tell()
        self.row_bytes = 8.0 * self.num_columns  # a first guess; then as long as rows were so far
        self.buffer = bytearray()  # used again and again: fresh memory for each block would take its time
        self.scratch: BinaryIO | None = None
        self.at_once = at_once and decimal == "."
        self.decimal = decimal

    def blocks(self, num_rows: int | None, block_rows: int) -> Iterator[NDArray[Any]]:
        """Arrays of at most `block_rows` rows, up to `num_rows` rows or the end of the file.

        Empty lines do not count. Fewer rows than asked for is an error; no rows at all yield nothing.
        """
        rows = self._parse_at_once(num_rows)
        if rows is None:
            with ExitStack() as stack:
                self.buffer = bytearray(_BLOCK_BYTES)
                if num_rows is None or num_rows > _FEW_ROWS:
                    self.scratch = _scratch_file(stack)
                yield from self._parse_in_blocks(num_rows, block_rows)
        else:
            for start in range(0, len(rows), block_rows):
                yield rows[start : start + block_rows]

    def _parse_at_once(self, num_rows: int | None) -> NDArray[Any] | None:
        """The whole of a file that is not large and has no errors: numpy is quickest when it opens the file itself."""
        if not self.at_once or self.path.stat().st_size > _AT_ONCE or self.first_byte > _BLOCK_BYTES:
            return None
        self.file.seek(0)
        head, begin = self.file.read(self.first_byte), self.file.read(1 << 16)
        self.file.seek(self.first_byte)
        # numpy also ends lines at a lone carriage return, so one in the head would make it begin elsewhere.
        if _has_lone_return(head) or not _holds_rows(begin, self.comments is not None):
            return None
        rows = self._load(self.path, self.row, skip=self.first_line - 1, most=num_rows)
        return rows if rows is not None and len(rows) == (num_rows or len(rows)) else None

    def _parse_in_blocks(self, num_rows: int | None, block_rows: int) -> Iterator[NDArray[Any]]:
        done, parts, room = 0, list[NDArray[Any]](), block_rows
        while num_rows is None or done < num_rows:
            start = self.file.tell()
            text = self._take_lines(start, room if num_rows is None else min(room, num_rows - done))
            if not text and num_rows is None:
                break
            if not text:
                line = self._line_at(start)
                raise InputError(f"ends at line {line} after {done} of {num_rows} rows of numbers", path=self.path)
            rows = self._parse(text, start)
            self.row_bytes = len(text) / max(len(rows), 1)
            done, room = done + len(rows), room - len(rows)
            parts.append(rows)
            if room == 0:
                yield _joined(parts)
                parts, room = [], block_rows
        if room < block_rows:
            yield _joined(parts)

    def _take_lines(self, start: int, count: int) -> memoryview:
        """At most `count` whole lines, and at most a block of bytes, valid until the next call; leaves the file behind
        them."""
        wanted = min(max(int(1.01 * count * self.row_bytes), _LEAST_BYTES), _BLOCK_BYTES)
        whole = memoryview(self.buffer)
        size = self.file.readinto(whole[:wanted])  # type: ignore[attr-defined]
        if size == wanted and self.buffer.find(b"\n", 0, size) < 0:
            size += self.file.readinto(whole[wanted:])  # type: ignore[attr-defined]
        end = size
        if size in (wanted, _BLOCK_BYTES):  # the file may go on
            end = self.buffer.rfind(b"\n", 0, size) + 1
            if not end:
                line = self._line_at(start)
                raise InputError(
                    f"line {line} is longer than {_BLOCK_BYTES} bytes; this is not text",
                    path=self.path,
                    place=f"line {line}",
                )
        end = _end_of_lines(whole[:end], count)
        if end != size:
            self.file.seek(start + end)
        if self.decimal != ".":
            octets = np.frombuffer(self.buffer, np.uint8, end)
            octets[octets == ord(self.decimal)] = ord(".")
        return whole[:end]

    def _parse(self, text: memoryview, start: int) -> NDArray[Any]:
        if not _holds_rows(text, self.comments is not None):
            return np.empty(0, self.row)
        rows = self._load(self._as_file(text), self.row)
        if rows is not None:
            return rows
        matrix = self._load(io.BytesIO(text), np.dtype(np.float64), ndmin=2)
        if matrix is None or matrix.shape[1] != self.num_columns:
            raise self._complaint(text, self._line_at(start))
        if self.lenient:
            return np.ascontiguousarray(matrix).view(as_floats(self.row)).reshape(-1)
        return _as_row(matrix, self.row, self.path)

    def _as_file(self, text: memoryview) -> Any:
        """The text as the quickest thing for numpy to read."""
        # In a file numpy ends lines at a lone carriage return too, and would find more rows than lines.
        if self.scratch is None or (self.buffer.find(b"\r", 0, len(text)) >= 0 and _has_lone_return(bytes(text))):
            return io.BytesIO(text)
        try:
            self.scratch.seek(0)
            self.scratch.write(text)
            self.scratch.truncate()
        except OSError:  # no room for it: memory has to do
            self.scratch = None
            return io.BytesIO(text)
        return self.scratch.name

    def _load(
        self, source: Any, dtype: np.dtype[Any], *, skip: int = 0, most: int | None = None, ndmin: Literal[1, 2] = 1
    ) -> NDArray[Any] | None:
        try:
            return np.loadtxt(
                source,
                dtype,
                comments=self.comments,
                delimiter=self.separator,
                skiprows=skip,
                max_rows=most,
                ndmin=ndmin,
                encoding="latin1",
            )
        except ValueError:
            return None

    def _line_at(self, byte: int) -> int:
        """The number of the line that begins at a byte. Counted only when something is wrong."""
        self.file.seek(self.first_byte)
        line, left = self.first_line, byte - self.first_byte
        while left > 0:
            part = self.file.read(min(left, _BLOCK_BYTES))
            line += part.count(b"\n")
            left -= len(part)
        return line

    def _complaint(self, text: memoryview, line: int) -> InputError:
        """The first line of a block that is not a row, named."""
        for number, raw in enumerate(bytes(text).split(b"\n"), line):
            row = raw.decode("latin1")
            if self.comments is not None:
                row = row.partition(self.comments)[0]
            values = row.split(self.separator) if row.strip() else []
            if values and len(values) != self.num_columns:
                return InputError(
                    f"line {number} has {len(values)} values where {self.num_columns} belong",
                    path=self.path,
                    place=f"line {number}",
                )
            for value in values:
                if not is_number(value):
                    return InputError(
                        f"line {number} has {_shown(value)} where a number belongs",
                        path=self.path,
                        place=f"line {number}",
                    )
        return InputError(
            f"line {line} or one behind it is not a row of {self.num_columns} numbers",
            path=self.path,
            place=f"line {line}",
        )


def num_values(row: np.dtype[Any]) -> int:
    """How many numbers make up a row of this dtype, whose parts may be arrays."""
    return sum(math.prod(row[name].shape) for name in row.names or ())


def as_floats(row: np.dtype[Any]) -> np.dtype[Any]:
    """The same row with float64 in every column."""
    return np.dtype([(name, np.float64, row[name].shape) for name in row.names or ()])


def _as_row(matrix: NDArray[np.float64], row: np.dtype[Any], path: Path) -> NDArray[Any]:
    rows, at = np.empty(len(matrix), row), 0
    for name in row.names or ():
        shape, base = row[name].shape, row[name].base
        values = matrix[:, at : at + math.prod(shape)]
        at += math.prod(shape)
        if base.kind in "iu":
            limits = np.iinfo(base)
            whole = (values >= limits.min) & (values <= limits.max) & (values == np.floor(values))
            if not np.all(whole & (np.abs(values) <= 2.0**53)):
                raise InputError(f"column {name} holds numbers that its type, {base.name}, cannot", path=path)
        with np.errstate(over="ignore"):
            rows[name] = values.reshape(-1, *shape)
    return rows


def _joined(parts: list[NDArray[Any]]) -> NDArray[Any]:
    return parts[0] if len(parts) == 1 else np.concatenate(parts)


def _has_lone_return(text: bytes) -> bool:
    return text.count(b"\r") != text.count(b"\r\n")


def _scratch_file(stack: ExitStack) -> BinaryIO | None:
    """A file that others may open by its name, gone when the stack ends; None where there is no place for one."""
    try:
        folder = stack.enter_context(scratch())
        return stack.enter_context((folder / "rows.txt").open("wb", buffering=0))
    except OSError:
        return None


def _end_of_lines(text: memoryview, count: int) -> int:
    """The byte behind the first `count` lines; the length of the text if it has fewer."""
    values, done = np.frombuffer(text, np.uint8), 0
    for start in range(0, len(values), _LEAST_BYTES):  # small parts stay in the processor's cache
        is_end = values[start : start + _LEAST_BYTES] == ord("\n")
        found = int(np.count_nonzero(is_end))
        if done + found >= count:
            return start + int(np.flatnonzero(is_end)[count - done - 1]) + 1
        done += found
    return len(text)


def _holds_rows(text: bytes | memoryview, comments: bool) -> bool:
    return re.search(rb"^[ \t]*[^#\s]" if comments else rb"\S", text, re.MULTILINE) is not None


def is_number(text: str) -> bool:
    """Whether text is a number to numpy; unlike Python it knows neither underscores nor digits beyond ASCII."""
    if "_" in text or not text.isascii():
        return False
    try:
        float(text)
    except ValueError:
        return False
    return True


def write_rows(
    file: BinaryIO, columns: Sequence[NDArray[Any]], bar: Any, separator: str = " ", *, neat: int = 0
) -> None:
    """Writes equally long columns as lines of text, so that parsing gives back every bit.

    `bar` counts the rows. The first `neat` columns are world coordinates: when double, 15 digits do for them and read
    better than 17.
    """
    formats = [_format(values.dtype, index < neat) for index, values in enumerate(columns)]
    row = separator.join(formats) + "\n"
    for start in range(0, len(columns[0]), _BLOCK_ROWS):
        part = [values[start : start + _BLOCK_ROWS].tolist() for values in columns]
        text = (row * len(part[0])) % tuple(chain.from_iterable(zip(*part, strict=True)))
        file.write(text.encode("ascii"))
        bar.update(len(part[0]))


def _format(dtype: np.dtype[Any], neat: bool) -> str:
    if dtype.kind in "biu":
        return "%d"
    if dtype.itemsize <= 4:
        return "%.9g"
    return "%.15g" if neat else "%r"


def _shown(value: str) -> str:
    value = value.strip()
    return repr(value if len(value) <= 24 else value[:24] + "...")
