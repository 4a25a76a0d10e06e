"""How often a function was called, for tests of what must happen once."""

from collections import Counter
from collections.abc import Iterable
from typing import Any

import pytest


def count_calls(monkeypatch: pytest.MonkeyPatch, functions: Iterable[tuple[Any, str]]) -> Counter[str]:
    """A counter that follows each (module or class, name) from now on; what they do stays."""
    counted: Counter[str] = Counter()
    for place, name in functions:
        monkeypatch.setattr(place, name, _counting(getattr(place, name), name, counted))
    return counted


def _counting(function: Any, name: str, counted: Counter[str]) -> Any:
    def counting(*given: Any, **named: Any) -> Any:
        counted[name] += 1
        return function(*given, **named)

    return counting
