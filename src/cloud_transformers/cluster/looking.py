"""Samples of a data set, looked at by workers: what `datasets.spreading` asks for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from cloud_transformers.cluster.pool import Pool, answer_or_raise
from cloud_transformers.progress import steps_bar

_AT_ONCE = 16  # items that a worker is handed together


@dataclass(frozen=True)
class LookTask:
    """Some items for a function; what is large in it lies in Ray's object store, once for all tasks."""

    function: Any
    first: int
    items: tuple[Any, ...]


class Looking:
    """What a worker opens: it needs nothing."""

    def __call__(self) -> Callable[[LookTask], list[Any]]:
        return look


def look(task: LookTask) -> list[Any]:
    import ray

    function = ray.get(task.function)
    return [function(item) for item in task.items]


@dataclass(frozen=True)
class LookedAtByWorkers:
    """The workers of a pool that was opened with `Looking`."""

    pool: Pool

    def __call__(self, function: Callable[[Any], Any], items: Iterable[Any], total: int) -> Iterator[Any]:
        kept = self.pool.ray.put(function)
        every = list(items)
        tasks = (LookTask(kept, first, tuple(every[first : first + _AT_ONCE])) for first in range(0, total, _AT_ONCE))
        found: dict[int, list[Any]] = {}
        with steps_bar("checking", total) as bar:
            for task, answer in self.pool.run(tasks, split=_single):
                found[task.first] = answer_or_raise(answer, f"sample {task.first}")
                bar.update(len(task.items))
        return (each for first in sorted(found) for each in found[first])


def _single(task: LookTask) -> list[LookTask]:
    return [LookTask(task.function, task.first + place, (item,)) for place, item in enumerate(task.items)]
