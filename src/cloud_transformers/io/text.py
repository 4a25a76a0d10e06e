"""Text tables: .xyz, .txt, .csv and the like, with or without a header line.

Text says nothing about types, so this is the rule: a column is whole numbers if its first value is written without
point and exponent and no later value has a fraction. Whole colours are uint8 (uint16 above 255), other whole columns
int64. Colours, normals and intensities with a fraction are float32, all else float64. Columns that have no name,
because there is neither a header nor `columns`, go into one field `features` behind the first three. A line with one
whole number before the rows is their count, and is checked. Commas are decimal where the first row makes sense in no
other way, or where the options say so.
"""

from __future__ import annotations

import codecs
import math
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from cloud_transformers.cloud import PointCloud
from cloud_transformers.cloud.naming import native, plan_fields
from cloud_transformers.errors import InputError
from cloud_transformers.io.columns import flatten_fields, group_columns
from cloud_transformers.io.options import ReadOptions, WriteOptions, parse_columns
from cloud_transformers.io.outline import Outline
from cloud_transformers.io.rows import RowReader, as_floats, is_number, write_rows
from cloud_transformers.io.table import Block, Fields, Table
from cloud_transformers.progress import points_bar

_SEPARATORS = {",": ",", ";": ";", "tab": "\t", "space": " "}
# What Open3D and Leica mean by these suffixes, where a file has no header of its own: by the number of columns.
_CONVENTIONS = {
    ".xyzn": {6: "xyznormal"},
    ".xyzrgb": {6: "xyzrgb"},
    ".pts": {4: "xyzintensity", 6: "xyzrgb", 7: "xyzintensityrgb"},
}
_EXACT = 2.0**53  # doubles hold every whole number up to here
_LONGEST_LINE = 1 << 20
_LOOKED_AT = 1 << 14  # bytes
_DIGITS = 9  # in which float32 is written without loss


@dataclass(frozen=True)
class Layout:
    """What the first lines of a file tell. `whole` marks columns whose first value is a whole number."""

    names: tuple[str, ...] | None
    separator: str | None
    start: int
    line: int
    whole: tuple[bool, ...]
    num_rows: int | None
    decimal: str = "."


def open_table(path: Path, options: ReadOptions) -> Table:
    with path.open("rb") as file:
        layout = _find_layout(file, path, options.decimal)
    num_columns = len(layout.whole)
    convention = _CONVENTIONS.get(path.suffix.lower(), {}).get(num_columns)
    names = options.columns or layout.names or parse_columns(convention)
    if names == layout.names and names is not None and len(set(names)) != len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise InputError(f"its header names the column {twice!r} twice; name them with columns= (--columns)", path=path)
    if names is not None and "" in names:
        place = names.index("") + 1
        raise InputError(f"column {place} of its header has no name; name them with columns= (--columns)", path=path)
    if names is not None and len(names) != num_columns:
        raise InputError(
            f"line {layout.line} has {num_columns} values, but {len(names)} columns are named: {', '.join(names)}",
            path=path,
            place=f"line {layout.line}",
        )
    if names is None and num_columns < 3:
        raise InputError(
            f"line {layout.line} has {num_columns} values; a point needs at least x, y and z",
            path=path,
            place=f"line {layout.line}",
        )
    whole = _whole_fields(names, layout, path)
    row = _row(names, whole, num_columns, path)

    def blocks(size: int) -> Iterator[Block]:
        with path.open("rb") as file:
            file.seek(layout.start)
            reader = RowReader(
                file,
                path,
                row,
                line=layout.line,
                separator=layout.separator,
                lenient=True,
                decimal=layout.decimal,
            )
            num_rows = 0
            for rows in reader.blocks(None, size):
                num_rows += len(rows)
                yield _as_block(rows, names, path, options)
            if not num_rows:
                yield _as_block(np.empty(0, as_floats(row)), names, path, options)
            if layout.num_rows not in (None, num_rows):
                raise InputError(f"says that {layout.num_rows} points follow, but {num_rows} do", path=path)

    def finish(fields: Fields) -> Fields:
        return {name: _narrow(name, values, whole.get(name, False)) for name, values in fields.items()}

    metadata = {"text": {"separator": layout.separator, "header": layout.names is not None}}
    return Table(
        path=path,
        num_points=None,
        blocks=blocks,
        columns=names or (),
        metadata=metadata,
        finish=finish,
        tolerance=_half_a_step(path, layout, names),
    )


def _row(names: tuple[str, ...] | None, whole: dict[str, bool], num_columns: int, path: Path) -> np.dtype[Any]:
    """How a row is parsed: coordinates as doubles, the columns of whole fields as int64."""
    if names is None:
        kind = np.int64 if whole["features"] else np.float64
        return np.dtype([("xyz", np.float64, (3,)), ("features", kind, (num_columns - 3,))])
    _, plan = plan_fields({name: np.dtype(np.float64) for name in names if name != "_"}, path)
    integers = {column for field, columns in plan.items() if whole[field] for column in columns}
    kinds = [
        (f"_ {i}" if name == "_" else name, np.int64 if name in integers else np.float64)
        for i, name in enumerate(names)
    ]
    return np.dtype(kinds)


def _as_block(rows: NDArray[Any], names: tuple[str, ...] | None, path: Path, options: ReadOptions) -> Block:
    if names is None:
        features = native(rows["features"])
        return Block(native(rows["xyz"]), {"features": features} if features.shape[1] else {})
    block = group_columns({name: rows[name] for name in names if name != "_"}, path, options.drop)
    if (color := block.fields.get("color")) is not None and color.dtype.kind == "i":
        block.fields["color"] = _narrow("color", color, True)  # an eighth of the memory until all blocks are there
    return block


def _find_layout(file: BinaryIO, path: Path, decimal: str | None) -> Layout:
    """Looks at the lines up to the first row of numbers."""
    heading, number, num_rows = "", 0, None
    while True:
        start = file.tell()
        raw = file.readline(_LONGEST_LINE)
        number += 1
        if not raw:
            names = tuple(heading.replace(",", " ").replace(";", " ").split())
            if {"x", "y", "z"} <= {name.lower() for name in names} and len(set(names)) == len(names):
                return Layout(names, None, start, number, (False,) * len(names), num_rows)
            raise InputError("holds no row of numbers", path=path)
        if len(raw) == _LONGEST_LINE or b"\0" in raw:
            raise InputError(
                f"line {number} is not text (a zero byte, or no end within a megabyte)",
                path=path,
                place=f"line {number}",
            )
        line = raw.decode("utf-8-sig" if start == 0 else "utf-8", "replace").strip()
        if not line:
            continue
        if line.startswith(("#", "//")):
            # A remark like any other, unless it names the coordinates.
            words = line.lstrip("#/ ").lower().replace(",", " ").replace(";", " ").replace('"', "").split()
            heading = line.lstrip("#/ ") if {"x", "y"} <= set(words) else heading
            continue
        separator, mark, words = _read_words(line, decimal)
        if num_rows is None and re.fullmatch("[0-9]{1,18}", line):
            num_rows = int(line)
            continue
        if all(is_number(word) for word in words):
            if raw.startswith(codecs.BOM_UTF8):
                start += len(codecs.BOM_UTF8)
            whole = tuple(map(_looks_whole, words))
            return Layout(_names(heading, len(words)), separator, start, number, whole, num_rows, mark)
        if (heading and _names(heading, len(words))) or any(is_number(word) for word in words):
            bad = next(word for word in words if not is_number(word))
            raise InputError(
                f"line {number} has {bad[:24]!r} where a number belongs", path=path, place=f"line {number}"
            )
        heading = line


def _half_a_step(path: Path, layout: Layout, names: tuple[str, ...] | None) -> float:
    """Half of the last decimal that coordinates are written with, unless float32 has as many digits anyway."""
    lower = [name.lower() for name in names] if names is not None else ["x", "y", "z"]
    at = [lower.index(axis) for axis in "xyz" if axis in lower]
    with path.open("rb") as file:
        file.seek(layout.start)
        lines = file.read(_LOOKED_AT).decode("latin1").replace(layout.decimal, ".").split("\n")[:-1]
    rows = [line.split(layout.separator) for line in lines]
    words = [row[column].strip() for row in rows for column in at if column < len(row)]
    written = [match.groups() for word in words if (match := re.fullmatch(r"[+-]?([0-9]*)[.]([0-9]+)", word))]
    digits = max((len((whole + decimals).lstrip("0")) for whole, decimals in written), default=0)
    return 0.45 * 10.0 ** -max(len(decimals) for _, decimals in written) if digits > _DIGITS else math.inf


def _names(heading: str, num_columns: int) -> tuple[str, ...] | None:
    """A heading's words, if there is one for each column; any other line in front is a remark."""
    words = tuple(word.strip().strip('"') for word in heading.split(_separator(heading)))
    if len(words) != num_columns or not heading:
        return None
    if len(set(words)) != len(words) and not {"x", "y"} & {word.lower() for word in words}:
        return None
    return words


def _read_words(line: str, decimal: str | None) -> tuple[str | None, str, list[str]]:
    """Separator, decimal mark and words of a line; commas are decimal if that alone makes numbers of all words."""
    separator = _separator(line)
    words = [word.strip() for word in line.split(separator)]
    if decimal == "." or "," not in line or (decimal is None and all(map(is_number, words))):
        return separator, decimal or ".", words
    other = _separator(line.replace(",", " "))
    with_points = [word.strip().replace(",", ".") for word in line.split(other)]
    if decimal == "," or (len(with_points) >= 3 and all(map(is_number, with_points))):
        return other, ",", with_points
    return separator, ".", words


def _separator(line: str) -> str | None:
    return next((mark for mark in (";", "\t", ",") if mark in line), None)


def _looks_whole(word: str) -> bool:
    return re.fullmatch("[+-]?[0-9]+", word) is not None


def _whole_fields(names: tuple[str, ...] | None, layout: Layout, path: Path) -> dict[str, bool]:
    if names is None:
        return {"features": all(layout.whole[3:])}
    column = dict(zip(names, layout.whole, strict=True))
    _, plan = plan_fields({name: np.dtype(np.float64) for name in names if name != "_"}, path)
    return {field: all(column[name] for name in parts) for field, parts in plan.items()}


def _narrow(name: str, values: NDArray[Any], whole: bool) -> NDArray[Any]:
    if values.dtype.kind in "iu" or (whole and np.all((values == np.floor(values)) & (np.abs(values) <= _EXACT))):
        if name == "color" and values.size:
            low, high = values.min(), values.max()
            if low >= 0 and high <= 65535:
                return values.astype(np.uint8 if high <= 255 else np.uint16)
        return values.astype(np.int64, copy=False)
    with np.errstate(over="ignore"):
        return values.astype(np.float32 if name in ("color", "normal", "intensity") else np.float64)


def write(path: Path, cloud: PointCloud, options: WriteOptions, target: Path) -> None:
    """Rows of text: commas for .csv, blanks otherwise. Numbers come back to the bit, their types do not."""
    write_parts(path, [cloud], Outline.of([cloud]), options, target)


def write_parts(path: Path, parts: Iterable[PointCloud], outline: Outline, options: WriteOptions, target: Path) -> None:
    """The parts of one cloud, one after the other, below one header."""
    separator = _chosen_separator(path, options)
    with target.open("wb") as file, points_bar(path, "writing", outline.num_points, options.progress) as bar:
        for number, cloud in enumerate(parts):
            columns = flatten_fields(cloud, path, forbidden=' ,;#"')
            _check_columns(columns, options, path)
            named = len(columns) > 3 or path.suffix.lower() == ".csv" or not outline.num_points
            if number == 0 and options.header and named:
                file.write((separator.join(columns) + "\n").encode())
            write_rows(file, list(columns.values()), bar, separator, neat=3)


def _check_columns(columns: Fields, options: WriteOptions, path: Path) -> None:
    for name, values in columns.items():
        if name == "_" or is_number(name):
            raise InputError(f"a column called {name!r} would not be read back; rename or drop the field", path=path)
        if values.dtype.kind in "iu" and values.size and max(abs(int(values.min())), abs(int(values.max()))) > _EXACT:
            raise InputError(f"{name} holds whole numbers beyond 2^53, which text readers round; drop it", path=path)
    if not options.header and len(columns) > 3:
        names = ",".join(columns)
        raise InputError(
            f"without a header its columns ({names}) lose their names; write the header, or drop the fields", path=path
        )


def _chosen_separator(path: Path, options: WriteOptions) -> str:
    if options.separator is None:
        return "," if path.suffix.lower() == ".csv" else " "
    chosen = _SEPARATORS.get(options.separator, options.separator)
    if chosen not in _SEPARATORS.values():
        raise InputError(f"the separator must be comma, semicolon, tab or space, not {options.separator!r}", path=path)
    return chosen
