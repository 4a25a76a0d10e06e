"""Workers and their items: all are done, few at a time; who dies is replaced, and what always kills is given up."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cloud_transformers.cluster.pool import Lost, Pool, lost_sentence, pool_of
from cloud_transformers.cluster.worker import Hello, Mistake
from cloud_transformers.errors import InputError
from tests.cluster.toys import Squares

pytestmark = pytest.mark.cluster
MEMORY = 100 << 20


def squares(ray: Any, work: Squares, items: Any, **options: Any) -> dict[Any, Any]:
    with pool_of(ray, work, workers=2, memory=MEMORY) as pool:
        return dict(pool.run(items, **options))


def test_every_item_is_answered(ray: Any, tmp_path: Path) -> None:
    assert squares(ray, Squares(tmp_path), range(50)) == {number: number**2 for number in range(50)}


def test_items_are_made_when_a_worker_is_free(ray: Any, tmp_path: Path) -> None:
    """However many there are, no more are on their way than there are workers, and one that is asked for."""
    made = 0

    def items() -> Iterator[int]:
        nonlocal made
        for number in range(30):
            made += 1
            yield number

    with pool_of(ray, Squares(tmp_path), workers=2, memory=MEMORY) as pool:
        for done, _ in enumerate(pool.run(items()), start=1):
            assert made <= done + 2


def test_one_pool_does_one_run_after_the_other(ray: Any, tmp_path: Path) -> None:
    with pool_of(ray, Squares(tmp_path), workers=2, memory=MEMORY) as pool:
        assert dict(pool.run([])) == {}
        assert dict(pool.run([3])) == {3: 9}
        assert dict(pool.run([4, 5])) == {4: 16, 5: 25}


def test_a_run_that_is_given_up_leaves_nothing_for_the_next(ray: Any, tmp_path: Path) -> None:
    with pool_of(ray, Squares(tmp_path), workers=2, memory=MEMORY) as pool:
        begun = pool.run(range(100))
        next(begun)
        begun.close()
        assert dict(pool.run(range(200, 203))) == {number: number**2 for number in range(200, 203)}


def test_a_killed_worker_is_replaced_and_its_item_done_again(ray: Any, tmp_path: Path) -> None:
    work = Squares(tmp_path, deadly=(3, 7), deaths=1)
    assert squares(ray, work, range(10)) == {number: number**2 for number in range(10)}
    assert (work.tries(3), work.tries(7), work.tries(5)) == (2, 2, 1)


def test_an_item_that_kills_every_time_is_given_up_after_three_tries(ray: Any, tmp_path: Path) -> None:
    work = Squares(tmp_path, deadly=(3,))
    found = squares(ray, work, range(8))
    lost = found.pop(3)
    assert isinstance(lost, Lost)
    assert lost.tries == work.tries(3) == 3
    assert lost_sentence(lost, "three.ply").startswith("three.ply: 3 workers")
    assert found == {number: number**2 for number in range(8) if number != 3}


def test_of_several_together_only_the_deadly_one_is_given_up(ray: Any, tmp_path: Path) -> None:
    work = Squares(tmp_path, deadly=(2,))
    found = squares(ray, work, [(0, 1, 2), (3, 4)], split=lambda some: [(each,) for each in some])
    assert isinstance(found.pop((2,)), Lost)
    assert found == {(0,): [0], (1,): [1], (3, 4): [9, 16]}
    assert work.tries(2) == 3


def test_a_mistake_is_an_answer_and_costs_no_worker(ray: Any, tmp_path: Path) -> None:
    found = squares(ray, Squares(tmp_path, wrong=(1,)), range(3))
    assert isinstance(found[1], Mistake)
    assert str(found[1].error) == "1 is wrong"
    assert (found[0], found[2]) == (0, 4)


def test_work_that_cannot_be_opened_is_said(ray: Any, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such weights"):
        squares(ray, Squares(tmp_path, mistake="no such weights"), range(3))


def test_all_workers_can_be_waited_for(ray: Any, tmp_path: Path) -> None:
    with pool_of(ray, Squares(tmp_path), workers=2, memory=MEMORY) as pool:
        pool.wait()
        assert all(member.hello is not None for member in pool._members)
        assert dict(pool.run([3, 4])) == {3: 9, 4: 16}
    broken = Squares(tmp_path, mistake="no such weights")
    with pool_of(ray, broken, workers=1, memory=MEMORY) as pool, pytest.raises(InputError, match="no such weights"):
        pool.wait()


def test_another_version_on_a_worker_is_named() -> None:
    from cloud_transformers.cluster.pool import _checked

    with pytest.raises(InputError, match=r"far-away has cloud-transformers 0\.0\.0"):
        _checked(Hello("0.0.0", "far-away", 1))


def test_more_workers_than_fit_are_not_waited_for(ray: Any, tmp_path: Path) -> None:
    said: list[str] = []
    with pool_of(ray, Squares(tmp_path), workers=9, memory=MEMORY, tell=said.append) as pool:
        assert isinstance(pool, Pool)
        assert dict(pool.run([2])) == {2: 4}
    assert said == ["2 of 9 workers fit on the cluster"]


SHORT_OF_MEMORY = """
import os, sys, time
os.environ.update(RAY_memory_monitor_refresh_ms="200", RAY_memory_usage_threshold="0.01", RAY_USAGE_STATS_ENABLED="0")
import ray
ray.init(address="local", num_cpus=1, include_dashboard=False, logging_level=40, log_to_driver=False)
from cloud_transformers.cluster.pool import pool_of
from cloud_transformers.errors import InputError

def sleep():
    return lambda seconds: time.sleep(seconds)

try:
    with pool_of(ray, sleep, workers=1, memory=100 << 20) as pool:
        for _, answer in pool.run([600]):
            print(answer.tries, answer.reason)
except InputError as error:
    print(error)
"""


def test_workers_that_ray_itself_ends_for_their_memory_are_lost_workers() -> None:
    """As every cluster does that was not started by us; here, because one hundredth of the memory is in use."""
    done = subprocess.run([sys.executable, "-c", SHORT_OF_MEMORY], capture_output=True, text=True, timeout=300)
    assert "Traceback" not in done.stderr
    assert "low on memory" in done.stdout
