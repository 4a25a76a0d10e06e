"""JSON or text -> typed values: the inverse of `dataclasses.asdict`, which checks all that it is given.

Types and ranges stand where the values are declared: `width: Annotated[int, Between(1, 4096)]`.
"""

from __future__ import annotations

import json
import math
import re
import sys
import types
import typing
from collections.abc import Mapping
from dataclasses import MISSING, Field, dataclass, fields, is_dataclass
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

from cloud_transformers.errors import InputError

T = TypeVar("T")

MOST_BYTES = 1 << 24  # of a configuration: far more than any has, and parsed in a moment
_DEEPEST = 32
_LARGEST = 1 << 63  # whole numbers that arrays can hold

_KINDS = {bool: "true or false", int: "a whole number", float: "a number", str: "text"}
_TRUTHS = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}


@dataclass(frozen=True)
class Between:
    """The range of a number, both ends included; of a tuple, that of its length."""

    low: float
    high: float

    def __str__(self) -> str:
        return f"from {self.low:g} to {self.high:g}"


def parse_json(text: str | bytes, source: str) -> Any:
    """The value that JSON describes, if its numbers are finite and it is neither huge nor deeply nested.

    InputError begins with the `source`.
    """
    try:
        if len(text) > MOST_BYTES:
            raise ValueError(f"{len(text)} bytes are more than a configuration takes")
        content = json.loads(text, parse_constant=_refuse_constant)
        check_plain(content)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{source}: {_reason(error)}") from None
    return content


def parse_toml(data: bytes, path: Path) -> dict[str, Any]:
    """What TOML describes, within the same bounds; InputError names the `path`.

    The parser itself would take minutes for a key of thousands of parts, and end in a nest of brackets.
    """
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib
    try:
        if len(data) > MOST_BYTES:
            raise ValueError(f"{len(data)} bytes are more than settings take")
        text = data.decode("utf-8-sig")
        bare = re.sub(r'"[^"\n]*"|\'[^\'\n]*\'', "", text)
        if any(line.partition("#")[0].count(".") > _DEEPEST for line in bare.split("\n")):
            raise ValueError(f"a key has more than {_DEEPEST} parts")
        content = tomllib.loads(text)
        check_plain(content)
    except UnicodeDecodeError as error:
        raise InputError("not text (UTF-8)", path=path, place=f"byte {error.start}") from None
    except (ValueError, RecursionError) as error:
        raise InputError(f"not TOML: {_reason(error)}", path=path) from None
    return content


def read_object(path: Path) -> dict[str, Any]:
    """The named values in a file of JSON."""
    with path.open("rb") as file:
        content = parse_json(file.read(MOST_BYTES + 1), f"{path}: is not JSON")
    if not isinstance(content, dict):
        raise InputError(f"{path}: must hold named values, not a {type(content).__name__}")
    return content


def check_plain(content: Any) -> None:
    """ValueError for what no configuration has: NaN, numbers of a thousand digits, nesting without end."""
    level = [content]
    for _ in range(_DEEPEST):
        inner: list[Any] = []
        for value in level:
            if isinstance(value, Mapping):
                inner += value.values()
            elif isinstance(value, list):
                inner += value
            elif isinstance(value, float) and not math.isfinite(value):
                raise ValueError(f"{value} is no number that can be used")
            elif isinstance(value, int) and not -_LARGEST <= value < _LARGEST:
                raise ValueError("a whole number has more than 63 bits")
        if not inner:
            return
        level = inner
    raise ValueError(f"it is nested more than {_DEEPEST} deep")


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is no number that can be used")


def _reason(error: Exception) -> str:
    return f"it is nested more than {_DEEPEST} deep" if isinstance(error, RecursionError) else str(error)


def decode(kind: type[T], content: Any, source: str) -> T:
    """The dataclass of this type that `content`, as JSON holds it, describes; what it leaves out has its default.

    InputError names the first value that does not fit, by its place (`trunk.width`), after `source`.
    """
    try:
        return _dataclass(kind, content, "")
    except ValueError as error:
        raise InputError(f"{source}: {error}") from None


def typed(hint: Any, value: Any, *, from_text: bool = False) -> Any:
    """The value as this type, or a ValueError that says what was wanted.

    Whole numbers count as numbers and lists as tuples. With `from_text`, text is read as on a command line: "none",
    "true", "1e3", values between commas.
    """
    return _typed(hint, value, "", from_text=from_text)


def check_names(options: type, given: Mapping[str, Any]) -> None:
    """TypeError for a keyword that a TypedDict of options does not have; a type checker sees it earlier."""
    there = typing.get_type_hints(options)
    if unknown := sorted(given.keys() - there.keys()):
        raise TypeError(f"there is no option {', '.join(unknown)}; there are {', '.join(there)}")


def wanted(hint: Any) -> str:
    """The type in a user's words."""
    options = _options(hint)
    words = [_wanted(option) for option in options if option is not type(None)]
    return " or ".join(words + ["none"] * (type(None) in options))


def _wanted(hint: Any) -> str:
    if typing.get_origin(hint) is Annotated:
        inner, bound = typing.get_args(hint)
        return f"{wanted(inner)} {bound}" if inner in _KINDS else f"{wanted(inner)}, {bound} of them"
    if typing.get_origin(hint) is Literal:
        return " or ".join(map(str, typing.get_args(hint)))
    if typing.get_origin(hint) is tuple:
        return "values between commas"
    if is_dataclass(hint):
        return "named values"
    return _KINDS.get(hint, str(hint))


def _options(hint: Any) -> tuple[Any, ...]:
    # `Literal[...] | None` is the one kind of union, `str | None` the other.
    return typing.get_args(hint) if typing.get_origin(hint) in (types.UnionType, typing.Union) else (hint,)


def _dataclass(kind: type[T], content: Any, place: str) -> T:
    if not isinstance(content, Mapping):
        raise ValueError(f"{place.rstrip('.') or 'it'} must be named values, got {_shown(content)}")
    known: dict[str, Field[Any]] = {field.name: field for field in fields(kind)}  # type: ignore[arg-type]
    if unknown := sorted(map(str, content.keys() - known.keys())):
        raise ValueError(f"unknown: {', '.join(place + name for name in unknown)[:200]}")
    needed = [name for name, field in known.items() if field.default is MISSING and field.default_factory is MISSING]
    if missing := [place + name for name in needed if name not in content]:
        raise ValueError(f"missing: {', '.join(missing)}")
    hints = typing.get_type_hints(kind, include_extras=True)
    return kind(**{name: _typed(hints[name], value, place + name) for name, value in content.items()})


def _typed(hint: Any, value: Any, place: str, *, from_text: bool = False) -> Any:
    options = _options(hint)
    nested = next((option for option in options if is_dataclass(option)), None)
    if nested is not None and value is not None:
        return _dataclass(typing.cast(type[Any], nested), value, f"{place}.")
    for option in options:
        try:
            return _as(option, value, from_text=from_text)
        except (ValueError, TypeError, KeyError, OverflowError):
            continue
    raise ValueError(f"{place} must be {wanted(hint)}, got {_shown(value)}".strip())


def _as(hint: Any, value: Any, *, from_text: bool) -> Any:
    """The value as this type, which is no union; or one of the errors above."""
    if typing.get_origin(hint) is Annotated:
        inner, bound = typing.get_args(hint)
        found = _as(inner, value, from_text=from_text)
        if not bound.low <= (len(found) if isinstance(found, tuple) else found) <= bound.high:
            raise ValueError
        return found
    text = value if from_text and isinstance(value, str) else None
    if hint is type(None):
        if value is None or (text or "").lower() in ("none", "null"):
            return None
        raise ValueError
    if typing.get_origin(hint) is Literal:
        if value in typing.get_args(hint):
            return value
        raise ValueError
    if typing.get_origin(hint) is tuple:
        return _as_tuple(typing.get_args(hint), text.split(",") if text is not None else value, from_text=from_text)
    if hint is bool and text is not None:
        return _TRUTHS[text.lower()]
    if hint is int and text is not None:
        value = float(text.replace("_", ""))
    if hint is float and text is not None:
        value = float(text)
    if hint is str and text is not None and text.lower() in ("none", "null"):
        raise ValueError
    if isinstance(value, bool) != (hint is bool):
        raise ValueError
    if hint is int and isinstance(value, (int, float)) and value == int(value) and abs(value) < _LARGEST:
        return int(value)
    if hint is float and isinstance(value, (int, float)) and math.isfinite(value):
        return float(value)
    if hint in (bool, str) and isinstance(value, hint):
        return value
    raise ValueError


def _as_tuple(hints: tuple[Any, ...], values: Any, *, from_text: bool) -> tuple[Any, ...]:
    if not isinstance(values, (list, tuple)):
        raise ValueError
    given = [value for value in values if not (from_text and value == "")]
    wanted_types = hints[:1] * len(given) if hints[-1] is Ellipsis else hints
    return tuple(_typed(hint, value, "", from_text=from_text) for hint, value in zip(wanted_types, given, strict=True))


def _shown(value: Any) -> str:
    """A value in an error: short, however long it is."""
    try:
        text = repr(value)
    except (ValueError, RecursionError):  # a number of thousands of digits, or nesting without end
        return f"a {type(value).__name__} too large to show"
    return text if len(text) <= 80 else f"{text[:77]}..."
