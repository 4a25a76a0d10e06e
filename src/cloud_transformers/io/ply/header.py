"""The header of a PLY file: which elements it declares, and whether the file is long enough to hold them."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from cloud_transformers.errors import InputError
from cloud_transformers.io.columns import header_words
from cloud_transformers.io.limits import MOST_COLUMNS

ENCODINGS = {"binary_little_endian": "<", "binary_big_endian": ">", "ascii": ""}
_TYPES = {
    "char": "i1", "uchar": "u1", "short": "i2", "ushort": "u2", "int": "i4", "uint": "u4", "float": "f4",
    "double": "f8", "int8": "i1", "uint8": "u1", "int16": "i2", "uint16": "u2", "int32": "i4", "uint32": "u4",
    "float32": "f4", "float64": "f8",
}  # fmt: skip
TYPE_NAMES = {code: name for name, code in reversed(_TYPES.items())}
_LONGEST_HEADER = 1 << 20


@dataclass
class Element:
    """One element of the header: its scalar properties are `type`, its lists `(count type, item type)`."""

    name: str
    count: int
    properties: dict[str, str | tuple[str, str]] = field(default_factory=dict)

    @property
    def has_lists(self) -> bool:
        return any(isinstance(kind, tuple) for kind in self.properties.values())

    def row_dtype(self, order: str) -> np.dtype[Any]:
        return np.dtype([(name, order + str(kind)) for name, kind in self.properties.items()])


@dataclass
class Header:
    encoding: str
    elements: list[Element]
    comments: list[str]
    num_lines: int
    num_bytes: int

    def element(self, name: str) -> Element | None:
        return next((element for element in self.elements if element.name == name), None)


def read_header(file: BinaryIO, path: Path) -> Header:
    """Parses the header and leaves the file at the first byte behind it."""
    if file.readline(64).strip() != b"ply":
        raise InputError('line 1 is not "ply", so this is not a PLY file', path=path, place="line 1")
    encoding, elements, comments, number = "", list[Element](), list[str](), 1
    names: set[str] = set()
    while True:
        raw = file.readline(_LONGEST_HEADER)
        number += 1
        if not raw.endswith(b"\n") or file.tell() > _LONGEST_HEADER:
            raise InputError(f"the header does not end with a line end_header (line {number})", path=path)
        words = header_words(raw)
        match words:
            case ["end_header"]:
                break
            case ["format", kind, _] if kind in ENCODINGS:
                encoding = kind
            case ["comment" | "obj_info", *_]:
                comments.append(raw.decode("utf-8", "replace").strip())
            case ["element", name, count] if count.isascii() and count.isdigit() and len(count) < 20:
                if name in names:
                    raise InputError(
                        f"line {number} declares a second element {name}", path=path, place=f"line {number}"
                    )
                names.add(name)
                elements.append(Element(name, int(count)))
            case ["property", "list", count_type, item_type, name] if elements:
                if count_type not in _TYPES or item_type not in _TYPES or _TYPES[count_type][0] == "f":
                    raise InputError(
                        f"line {number} declares a list of unknown types: {' '.join(words)[:80]}",
                        path=path,
                        place=f"line {number}",
                    )
                _add_property(elements[-1], name, (_TYPES[count_type], _TYPES[item_type]), path, number)
            case ["property", kind, name] if elements and kind in _TYPES:
                _add_property(elements[-1], name, _TYPES[kind], path, number)
            case []:
                pass
            case _:
                raise InputError(
                    f"line {number} of the header is not understood: {' '.join(words)[:80]!r}",
                    path=path,
                    place=f"line {number}",
                )
    if max(len(elements), *(len(element.properties) for element in elements), 0) > MOST_COLUMNS:
        raise InputError(f"the header declares more than {MOST_COLUMNS} elements or properties", path=path)
    if not encoding:
        raise InputError(f"the header has no line format (ascii, {', '.join(list(ENCODINGS)[:2])})", path=path)
    return Header(encoding, elements, comments, number, file.tell())


def _add_property(element: Element, name: str, kind: str | tuple[str, str], path: Path, number: int) -> None:
    if name in element.properties:
        raise InputError(
            f"line {number} declares property {name} of {element.name} a second time", path=path, place=f"line {number}"
        )
    element.properties[name] = kind


def check_size(header: Header, path: Path) -> None:
    """Refuses counts for which the file is too short, before anything is allocated for them."""
    available = path.stat().st_size - header.num_bytes
    for element in header.elements:
        if header.encoding == "ascii":
            least = 2 * len(element.properties)  # a digit and the blank behind it
            available += 1  # the last line may lack its end
        else:
            kinds = element.properties.values()
            least = sum(np.dtype(kind[0] if isinstance(kind, tuple) else kind).itemsize for kind in kinds)
        needed = element.count * least
        if needed > available:
            raise InputError(
                f"the header declares {element.count} of element {element.name}, at least {needed} bytes, "
                f"but only {max(available, 0)} bytes are left for them; the file is cut short or its header is wrong",
                path=path,
            )
        if element.count and not least:
            raise InputError(
                f"element {element.name} has no properties, so it cannot have {element.count} rows",
                path=path,
            )
        available -= needed
