"""What a caller can say about reading and writing, in one place, so that every format takes the same words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypedDict

import numpy as np
from numpy.typing import DTypeLike

from cloud_transformers.errors import InputError
from cloud_transformers.io.limits import MAX_EXPAND

if TYPE_CHECKING:
    from typing_extensions import Unpack

_SHORTHAND = {
    "xyz": ("x", "y", "z"),
    "rgba": ("red", "green", "blue", "alpha"),
    "rgb": ("red", "green", "blue"),
    "normal": ("nx", "ny", "nz"),
    "intensity": ("intensity",),
    "label": ("label",),
    "_": ("_",),
}


class LayoutKeywords(TypedDict, total=False):
    """What has to be said of files that do not say it themselves, or say too much."""

    columns: str | Iterable[str] | None
    positions: str | None
    drop: Iterable[str]
    decimal: str | None
    min_opacity: float | None
    max_expand: float


class ChunkKeywords(LayoutKeywords, total=False):
    """What `read_chunks` can be told; `read` documents each of them."""

    non_finite: str


class ShapeKeywords(ChunkKeywords, total=False):
    """What `read_shape` can be told."""

    seed: int
    progress: bool


class ReadKeywords(ShapeKeywords, total=False):
    """What `read` can be told."""

    sample: int | None
    vertices: bool


class WriteKeywords(TypedDict, total=False):
    """What `write` can be told, which documents each of them."""

    drop: Iterable[str]
    cast: Mapping[str, DTypeLike] | None
    encoding: str | None
    header: bool
    separator: str | None
    scale: float | None
    compress: bool
    progress: bool


@dataclass(frozen=True, kw_only=True)
class ReadOptions:
    """The keywords of `read`, checked, as every format gets them."""

    columns: tuple[str, ...] | None = None
    positions: str | None = None
    drop: frozenset[str] = frozenset()
    non_finite: str = "refuse"
    decimal: str | None = None
    min_opacity: float | None = None
    max_expand: float = MAX_EXPAND
    sample: int | None = None
    seed: int = 0
    vertices: bool = False
    progress: bool = False

    @classmethod
    def of(cls, **keywords: Unpack[ReadKeywords]) -> ReadOptions:
        given: dict[str, Any] = dict(keywords)
        columns, drop = parse_columns(given.pop("columns", None)), frozenset(given.pop("drop", ()))
        return cls(columns=columns, drop=drop, **given)

    def __post_init__(self) -> None:
        if self.non_finite not in ("refuse", "drop", "keep"):
            raise InputError(f'non_finite must be "refuse", "drop" or "keep", not {self.non_finite!r}')
        if self.decimal not in (None, ".", ","):
            raise InputError(f'decimal must be "." or ",", not {self.decimal!r}')
        if self.min_opacity is not None and not 0 <= self.min_opacity <= 1:
            raise InputError(f"min_opacity must lie between 0 and 1, not {self.min_opacity}")
        if not 1 <= self.max_expand < float("inf"):
            raise InputError(f"max_expand must be a number of at least 1, not {self.max_expand}")
        if self.sample is not None and self.sample < 1:
            raise InputError(f"sample must be at least 1 point, not {self.sample}")
        if self.sample is not None and self.vertices:
            raise InputError("sample and vertices exclude each other: points drawn on the faces, or the corners")


@dataclass(frozen=True, kw_only=True)
class WriteOptions:
    """The keywords of `write` that are the formats' business."""

    encoding: str | None = None
    header: bool = True
    separator: str | None = None
    scale: float | None = None
    compress: bool = False
    progress: bool = False

    def choose_encoding(self, allowed: Iterable[str], as_read: Any, path: Any) -> str:
        """The encoding asked for, else the one the cloud was read with, else the first allowed."""
        allowed = list(allowed)
        if self.encoding is None:
            return as_read if as_read in allowed else allowed[0]
        if self.encoding not in allowed:
            raise InputError(f"encoding must be one of {', '.join(allowed)}, not {self.encoding!r}", path=path)
        return self.encoding


def parse_columns(columns: str | Iterable[str] | None) -> tuple[str, ...] | None:
    """Column names from a list, from "x y z red green blue" or from a shorthand such as "xyzrgb" or "xyz_label".

    The words of a shorthand are xyz, rgb, rgba, normal, intensity and label; `_` stands for a column to be left out.
    """
    if columns is None:
        return None
    if isinstance(columns, str):
        words = columns.replace(",", " ").split()
        names = tuple(words) if len(words) > 1 else _expand(columns.strip())
    else:
        names = tuple(columns)
    named = [name for name in names if name != "_"]
    if repeated := {name for name in named if named.count(name) > 1}:
        raise InputError(f"columns names {', '.join(sorted(repeated))} twice")
    return names


def _expand(word: str) -> tuple[str, ...]:
    names: list[str] = []
    rest = word.lower()
    while rest:
        for short, columns in _SHORTHAND.items():
            if rest.startswith(short):
                names += columns
                rest = rest[len(short) :]
                break
        else:
            raise InputError(
                f"columns {word!r} is not understood from {rest!r} on; write names with commas between them, "
                'or a shorthand of xyz, rgb, rgba, normal, intensity, label and _ such as "xyzrgb"'
            )
    return tuple(names)


def plain_name(name: str) -> bool:
    """Whether every format and terminal can show a field's name: not empty, and nothing but printable characters."""
    return name != "" and name.isprintable()


def plain_dtype(dtype: np.dtype[Any]) -> bool:
    """Whether a field of this dtype is numbers or truth values, which is all that clouds are made of."""
    return dtype.kind in "biuf"
