"""JSON and text to typed values, and what is said about those that do not fit."""

import json
from dataclasses import asdict, dataclass
from typing import Any, Literal, TypedDict

import pytest

from cloud_transformers.decoding import check_names, decode, typed, wanted
from cloud_transformers.errors import InputError


@dataclass(frozen=True, kw_only=True)
class Inner:
    side: int
    widths: tuple[int, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Outer:
    name: str
    pairs: tuple[tuple[int, int], ...] = ()
    share: float = 0.5
    keys: Literal["full", "linear"] = "full"
    inner: Inner | None = None
    depth: int | None = None
    fast: bool = False


def test_it_undoes_asdict_and_json() -> None:
    for value in (
        Outer(name="a"),
        Outer(name="b", pairs=((1, 2), (3, 4)), share=1.0, keys="linear", inner=Inner(side=3, widths=(4,)), depth=2),
    ):
        assert decode(Outer, json.loads(json.dumps(asdict(value))), "here") == value
    found = decode(Outer, {"name": "a", "share": 1, "depth": 3.0}, "here")
    assert (type(found.share), type(found.depth)) == (float, int)


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ([], "here: it must be named values, got []"),
        ({}, "here: missing: name"),
        ({"name": "a", "nam": 1}, "here: unknown: nam"),
        ({"name": 3}, "here: name must be text, got 3"),
        ({"name": "a", "share": "0.5"}, "here: share must be a number, got '0.5'"),
        ({"name": "a", "share": True}, "here: share must be a number, got True"),
        ({"name": "a", "keys": "lineal"}, "here: keys must be full or linear, got 'lineal'"),
        ({"name": "a", "depth": 2.5}, "here: depth must be a whole number or none, got 2.5"),
        ({"name": "a", "depth": float("inf")}, "here: depth must be a whole number or none, got inf"),
        ({"name": "a", "fast": 1}, "here: fast must be true or false, got 1"),
        ({"name": "a", "pairs": [[1, 2, 3]]}, "here: pairs must be values between commas, got [[1, 2, 3]]"),
        ({"name": "a", "inner": 3}, "here: inner must be named values, got 3"),
        ({"name": "a", "inner": {"side": "x"}}, "here: inner.side must be a whole number, got 'x'"),
        ({"name": "a", "inner": {"widths": []}}, "here: missing: inner.side"),
        ({"name": "a", "inner": {"side": 1, "other": 2}}, "here: unknown: inner.other"),
    ],
)
def test_the_place_of_what_does_not_fit_is_named(content: Any, complaint: str) -> None:
    with pytest.raises(InputError) as error:
        decode(Outer, content, "here")
    assert str(error.value) == complaint


@pytest.mark.parametrize(
    ("hint", "text", "value"),
    [
        (int, "1e3", 1000),
        (int, "1_000", 1000),
        (float, "2", 2.0),
        (bool, "Yes", True),
        (bool, "0", False),
        (str | None, "none", None),
        (tuple[float, ...], "1,2.5", (1.0, 2.5)),
        (tuple[str, ...], "", ()),
    ],
)
def test_text_is_read_as_on_a_command_line(hint: Any, text: str, value: Any) -> None:
    assert typed(hint, text, from_text=True) == value
    assert type(typed(hint, text, from_text=True)) is type(value)


@pytest.mark.parametrize(("hint", "text"), [(int, "2.5"), (int, "inf"), (bool, "2"), (float, "x"), (str, "none")])
def test_text_that_does_not_fit(hint: Any, text: str) -> None:
    with pytest.raises(ValueError, match=f"^must be {wanted(hint)}, got '{text}'$"):
        typed(hint, text, from_text=True)


def test_options_are_checked_by_name() -> None:
    class Options(TypedDict, total=False):
        size: int
        color: str

    check_names(Options, {"size": 1})
    with pytest.raises(TypeError, match="there is no option colour; there are size, color"):
        check_names(Options, {"colour": 1})
