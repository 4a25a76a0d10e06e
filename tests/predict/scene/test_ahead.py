"""Stages that run ahead: order, bounds, errors and ends are those of one thread."""

import threading
import time
from collections.abc import Iterator
from contextlib import closing

import pytest

from cloud_transformers.ops import use_backend
from cloud_transformers.ops.backend import asked_backend
from cloud_transformers.predict.scene.ahead import ahead, spread


@pytest.mark.parametrize("depth", [1, 2, 50])
def test_items_come_in_their_order(depth: int) -> None:
    assert list(ahead(range(20), depth)) == list(range(20))
    assert list(ahead([], depth)) == []


def test_it_is_at_most_so_far_ahead() -> None:
    made: list[int] = []
    enough = threading.Event()

    def items() -> Iterator[int]:
        for number in range(10):
            made.append(number)
            if number == 3:
                enough.set()
            yield number

    with closing(ahead(items(), 3)) as numbers:
        assert next(numbers) == 0
        assert enough.wait(10)  # one in use and three ahead
        assert made == [0, 1, 2, 3]


def test_an_error_is_raised_behind_the_items_before_it() -> None:
    def items() -> Iterator[int]:
        yield 1
        raise KeyboardInterrupt

    numbers = ahead(items(), 5)
    assert next(numbers) == 1
    with pytest.raises(KeyboardInterrupt):
        next(numbers)


def test_closing_ends_all_stages_and_their_threads() -> None:
    closed: list[str] = []

    def stage(name: str, items: Iterator[int]) -> Iterator[int]:
        try:
            yield from items
        finally:
            closed.append(name)

    before = threading.active_count()
    numbers = ahead(stage("second", ahead(stage("first", iter(range(1000))), 2)), 2)
    assert next(numbers) == 0
    numbers.close()
    assert closed == ["first", "second"]
    assert threading.active_count() == before


def test_stages_see_the_scopes_of_their_caller() -> None:
    with use_backend("reference"):
        assert list(ahead(asked_backend() for _ in range(2))) == ["reference"] * 2


@pytest.mark.parametrize("workers", [1, 2, 5])
def test_what_is_spread_comes_in_order(workers: int) -> None:
    def late(number: int) -> int:
        time.sleep(0.01 if number % 3 == 0 else 0)  # later than those behind it
        return number * 2

    begun: list[None] = []
    assert list(spread(late, range(30), workers, lambda: begun.append(None))) == list(range(0, 60, 2))
    assert 1 <= len(begun) <= workers
    assert list(spread(late, [], workers)) == []


def test_an_error_in_one_of_several_ends_all() -> None:
    def fragile(number: int) -> int:
        if number == 7:
            raise KeyboardInterrupt
        return number

    found: list[int] = []
    before = threading.active_count()
    with pytest.raises(KeyboardInterrupt), closing(spread(fragile, range(1000), 3)) as numbers:
        found.extend(numbers)
    assert found == list(range(7))
    assert threading.active_count() == before
