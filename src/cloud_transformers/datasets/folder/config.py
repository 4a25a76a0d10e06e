"""`dataset.toml`: what a folder of the user's own files cannot say by itself."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cloud_transformers.datasets.layout import choose
from cloud_transformers.decoding import parse_toml
from cloud_transformers.errors import InputError

FILE = "dataset.toml"
TASKS = ("segmentation", "classification", "completion", "reconstruction")
SPLITS = ("train", "val", "test")
MISSING_COLOR = ("error", "grey", "leave")
_MOST_CROPS = 1_000_000
IGNORED = -1  # the label of points whose value in the file is listed under `ignore`


@dataclass(frozen=True, kw_only=True)
class FolderConfig:
    """The settings of one folder; every one has a default, so that no `dataset.toml` is needed.

    task: one of `TASKS`, if it is not given in code or on the command line.
    classes: class name -> value in the files (segmentation), or -> class number (classification). None = as found.
    merged: other values in the files -> the value of the class that they count as; `table = [7, 14]` makes {14: 7}.
    ignore: label values that are no class; their points get the label -1.
    ignore_rest: the same for all values that are no class; `ignore = "rest"`.
    up: the axis that points up in the files, "x", "y" or "z", where recipes are not told another.
    scale: metres per unit of the files; positions are multiplied by it as they are read.
    label: the name of the field with the labels.
    columns: names of the columns of text files without a header, as in `cloud_transformers.io.read`.
    missing_color: what a file without colours means: "error" (say so and stop), "grey" (0.5 everywhere) or "leave"
        (clouds are used without the field). Default: "error" for segmentation, "leave" otherwise.
    max_expand: how many times its size a compressed file may take, where it is known to shrink well; None = as usual.
    color_max: the value of full brightness, where the type of the stored numbers does not tell.
    colors: class name -> "#rrggbb", for pictures.
    splits: split -> patterns of file names; empty = folders named after splits, else drawn by name.
    crops: how many samples of an epoch come from one file, for transforms that crop.
    views: in pairs, whether files of one folder are views of one shape although each has its own counterpart.
    val, test, seed: the shares that are drawn for these splits, and what the draw depends on.
    """

    task: str | None = None
    classes: Mapping[str, int] | None = None
    merged: Mapping[int, int] = field(default_factory=dict)
    ignore: tuple[int, ...] = ()
    ignore_rest: bool = False
    up: str | None = None
    scale: float = 1.0
    label: str = "label"
    columns: str | None = None
    missing_color: str | None = None
    max_expand: float | None = None
    color_max: float | None = None
    colors: Mapping[str, str] = field(default_factory=dict)
    crops: int = 1
    views: bool = False
    splits: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    val: float = 0.1
    test: float = 0.1
    seed: int = 0


def read_config(root: Path) -> FolderConfig:
    """The folder's `dataset.toml`, checked key by key; the defaults if there is none."""
    path = root / FILE
    if not path.is_file():
        return FolderConfig()
    content = parse_toml(path.read_bytes(), path)
    values: dict[str, Any] = {}
    for key, value in content.items():
        if key not in _READERS:
            raise InputError(f"unknown key {key!r}; there are {', '.join(_READERS)}", path=path)
        try:
            found = _READERS[key](value)
        except (TypeError, ValueError, AttributeError) as error:
            raise InputError(f"{key}: {error}", path=path) from None
        values.update(found)
    config = FolderConfig(**values)
    if config.classes is None and config.ignore_rest:
        raise InputError('ignore = "rest" needs [classes], of which these values are the rest', path=path)
    if config.classes is not None and (unknown := set(config.colors) - set(config.classes)):
        raise InputError(f"[colors] names {', '.join(sorted(unknown))}, which is not among [classes]", path=path)
    return config


def _text(key: str, allowed: tuple[str, ...] | None = None) -> Callable[[Any], dict[str, Any]]:
    def check(value: Any) -> dict[str, Any]:
        if not isinstance(value, str):
            raise TypeError(f"must be a string, got {value!r}")
        return {key: value if allowed is None else choose(key, value, allowed)}

    return check


def _classes(value: Any) -> dict[str, Any]:
    if isinstance(value, list):
        value = {name: number for number, name in enumerate(value)}
    if not isinstance(value, dict) or not value:
        raise TypeError("must be a list of names or a table 'name = value in the files'")
    lists = {name: item if isinstance(item, list) else [item] for name, item in value.items()}
    if not all(isinstance(name, str) and name for name in value):
        raise TypeError("names must be strings")
    if not all(each and all(type(item) is int for item in each) for each in lists.values()):
        raise TypeError("values must be whole numbers, or lists of such: 'table = [7, 14]'")
    every = [item for each in lists.values() for item in each]
    if len(set(every)) != len(every):
        raise ValueError("two classes have the same value")
    merged = {item: each[0] for each in lists.values() for item in each[1:]}
    return {"classes": {name: each[0] for name, each in lists.items()}, "merged": merged}


def _ignore(value: Any) -> dict[str, Any]:
    if value == "rest":
        return {"ignore_rest": True}
    if not isinstance(value, list) or not all(type(item) is int for item in value):
        raise TypeError("must be a list of whole numbers, or 'rest' for all that are no class")
    return {"ignore": tuple(value)}


def _colors(value: Any) -> dict[str, Any]:
    for name, color in value.items():
        if not isinstance(color, str) or not re.fullmatch("#[0-9a-fA-F]{6}", color):
            raise ValueError(f"{name} must be '#rrggbb', got {color!r}")
    return {"colors": value}


def _positive(key: str) -> Callable[[Any], dict[str, Any]]:
    def check(value: Any) -> dict[str, Any]:
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < float("inf"):
            raise ValueError(f"must be a positive number, got {value!r}")
        return {key: float(value)}

    return check


def _columns(value: Any) -> dict[str, Any]:
    if isinstance(value, list) and all(isinstance(name, str) for name in value):
        value = " ".join(value)
    return _text("columns")(value)


def _crops(value: Any) -> dict[str, Any]:
    if type(value) is not int or not 1 <= value <= _MOST_CROPS:
        raise ValueError(f"must be a whole number from 1 to {_MOST_CROPS:,}, got {value!r}")
    return {"crops": value}


def _views(value: Any) -> dict[str, Any]:
    if not isinstance(value, bool):
        raise TypeError(f"must be true or false, got {value!r}")
    return {"views": value}


def _splits(value: Any) -> dict[str, Any]:
    """Either patterns for every split, or the shares to draw and the seed."""
    found: dict[str, Any] = {}
    patterns: dict[str, tuple[str, ...]] = {}
    for key, item in value.items():
        if key == "seed" and type(item) is int and item >= 0:
            found["seed"] = item
        elif key in ("val", "test") and isinstance(item, int | float) and 0 <= item < 1:
            found[key] = float(item)
        elif key in SPLITS and isinstance(item, list) and all(isinstance(pattern, str) for pattern in item):
            patterns[key] = tuple(item)
        else:
            raise ValueError(
                f"{key} = {item!r} is neither a share (val = 0.1, test = 0.1, seed = 0) nor a list of file names "
                "(train = ['a/*.ply'], val = [...], test = [...])"
            )
    if found and patterns:
        raise ValueError("gives shares and lists of files; give one or the other")
    if found.get("val", 0.1) + found.get("test", 0.1) >= 1:
        raise ValueError("leaves nothing for training")
    return {**found, "splits": patterns}


_READERS: dict[str, Callable[[Any], dict[str, Any]]] = {
    "task": _text("task", TASKS),
    "classes": _classes,
    "ignore": _ignore,
    "label": _text("label"),
    "columns": _columns,
    "missing_color": _text("missing_color", MISSING_COLOR),
    "max_expand": _positive("max_expand"),
    "color_max": _positive("color_max"),
    "up": _text("up", ("x", "y", "z")),
    "scale": _positive("scale"),
    "colors": _colors,
    "crops": _crops,
    "views": _views,
    "splits": _splits,
}
