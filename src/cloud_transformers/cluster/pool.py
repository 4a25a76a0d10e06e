"""Workers that do items, one each at a time, and are replaced when they are lost.

An item is handed out when a worker is free, so no more items than workers are on their way: however many there are,
they are made one by one, and their answers are used one by one. The item of a worker that is lost is done again. One
that has cost three workers is given up: it is the likely cause.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from cloud_transformers import __version__
from cloud_transformers.cluster.resources import Workers, plan_workers
from cloud_transformers.cluster.worker import Hello, Mistake, Opening, Worker
from cloud_transformers.errors import InputError

Item = TypeVar("Item")

TRIES = 3
_PATIENCE = 20.0  # seconds without any worker until it is said


@dataclass(frozen=True)
class Lost:
    """What is left of an item that has cost several workers."""

    tries: int
    reason: str  # what Ray says of the last one


@dataclass
class _Task(Generic[Item]):
    item: Item
    tries: int = 0


@dataclass(eq=False)
class _Member:
    """A worker, as the pool sees it."""

    handle: Any
    waiting_for: Any  # what it has been asked last
    task: _Task[Any] | None = None  # None: it is still opening its work, or free
    hello: Hello | None = None


@dataclass(kw_only=True)
class Pool:
    """Use `pool_of`, which also ends the workers.

    - `ray`: the module, connected.
    - `tell`: is given sentences for the user.
    """

    ray: Any
    opening: Opening
    workers: Workers
    tell: Callable[[str], None]
    _members: list[_Member] = field(default_factory=list)
    _failed_starts: int = 0

    def start(self) -> None:
        """Ask for all workers; they open their work while others still prepare theirs."""
        while len(self._members) < self.workers.count:
            self._members.append(self._new_member())

    def wait(self) -> None:
        """Until all workers have opened their work; InputError as from `run`."""
        while any(each.hello is None for each in self._members):
            for member in self._ready():
                for _ in self._take(member, deque(), lambda item: [item]):
                    raise AssertionError("nobody was asked for anything")

    def run(
        self,
        items: Iterable[Item],
        split: Callable[[Item], Sequence[Item]] = lambda item: [item],
    ) -> Generator[tuple[Item, Any], None, None]:
        """Items with their answers, as they are done. An answer may be a `Mistake` or a `Lost`.

        - `items`: are asked for one by one, whenever a worker is free.
        - `split`: the parts of an item that consists of several. One that has cost `TRIES` - 1 workers is split, so
          that only the part that is the cause is given up.
        """
        source, again = iter(items), deque[_Task[Item]]()
        self.start()
        try:
            while True:
                for member in [each for each in self._members if each.hello is not None and each.task is None]:
                    task = again.popleft() if again else next((_Task(item) for item in source), None)
                    if task is None:
                        break
                    member.task = task
                    member.waiting_for = member.handle.do.remote(task.item)
                if not any(member.task for member in self._members) and not again and self._is_over(source, again):
                    return
                for member in self._ready():
                    yield from self._take(member, again, split)
        finally:
            # After a mistake, answers of the others would be taken for those of the next run.
            for member in [each for each in self._members if each.task is not None]:
                self._dismiss(member)

    def _is_over(self, source: Iterator[Item], again: deque[_Task[Item]]) -> bool:
        """Whether nothing is left; if something is, although no worker was free, it waits for the first one."""
        item = next((_Task(each) for each in source), None)
        if item is None:
            return True
        again.append(item)
        return False

    def _ready(self) -> list[_Member]:
        """Members that have answered, after waiting for the first of them."""
        asked = {each.waiting_for: each for each in self._members if each.hello is None or each.task is not None}
        ready, _ = self.ray.wait(list(asked), num_returns=1, timeout=_PATIENCE)
        if not ready and not any(each.hello for each in self._members):
            self.tell(
                f"still waiting for the first worker, which needs {self.workers.cpus} free cores and "
                f"{self.workers.memory / 2**30:.1f} GB on a machine of the cluster"
            )
        return [asked[each] for each in ready]

    def _take(
        self, member: _Member, again: deque[_Task[Item]], split: Callable[[Item], Sequence[Item]]
    ) -> Iterator[tuple[Item, Any]]:
        try:
            answer = self.ray.get(member.waiting_for)
        except self.ray.exceptions.RayTaskError:  # an exception in our own code
            raise
        except self.ray.exceptions.RayError as error:  # the worker is lost: killed, by Ray itself for its memory, ...
            yield from self._replace(member, error, again, split)
            return
        if member.hello is None:
            self._failed_starts = 0
            member.hello = _checked(answer)
            return
        task, member.task, member.waiting_for = member.task, None, None
        assert task is not None
        yield task.item, answer

    def _replace(
        self,
        member: _Member,
        error: Exception,
        again: deque[_Task[Item]],
        split: Callable[[Item], Sequence[Item]],
    ) -> Iterator[tuple[Item, Any]]:
        self._dismiss(member)  # one that is out of reach only must not go on beside its replacement
        reason = " ".join(str(error).split())
        task = member.task
        if task is None:
            self._failed_starts += 1
            if self._failed_starts >= TRIES:
                raise InputError(
                    f"no worker could begin; is cloud-transformers {__version__} installed on all machines of the "
                    f"cluster? Ray says: {reason[:500]}"
                ) from error
        else:
            # A machine that is gone was not brought down by the item.
            task.tries += 0 if "node has died" in reason or "node was terminated" in reason else 1
            parts = split(task.item) if task.tries >= TRIES - 1 else [task.item]
            if task.tries >= TRIES and len(parts) == 1:
                yield task.item, Lost(task.tries, reason)
            else:
                again.extend(_Task(part, task.tries) for part in parts)
        self._members.append(self._new_member())

    def _new_member(self) -> _Member:
        needs = self.workers
        # Unlike the cores, which only say who may work where, threads are what is used.
        remote = self.ray.remote(Worker).options(
            num_cpus=needs.cpus, num_gpus=needs.gpus, memory=needs.memory, max_restarts=0, max_task_retries=0
        )
        handle = remote.remote(self.opening, needs.cpus, os.getcwd())
        return _Member(handle, handle.open.remote())

    def _dismiss(self, member: _Member) -> None:
        self._members.remove(member)
        with suppress(Exception):  # it, or Ray, may be gone already
            self.ray.kill(member.handle)

    def stop(self) -> None:
        for member in list(self._members):
            self._dismiss(member)


@contextmanager
def pool_of(
    ray: Any,
    opening: Opening,
    *,
    workers: int | None,
    memory: int,
    device: str | None = "cpu",
    tell: Callable[[str], None] = lambda sentence: None,
) -> Iterator[Pool]:
    """A pool of workers that end with the block.

    - `ray`: the module, connected (see `connection.connected`).
    - `opening`: what each worker does first; it gives what is called with each item.
    - `workers`: how many, at most; None takes as many as fit.
    - `memory`: bytes that one worker takes.
    - `device`: see `plan_workers`.
    - `tell`: is given sentences for the user.
    """
    machines = [node["Resources"] for node in ray.nodes() if node["Alive"]]
    plan = plan_workers(machines, wanted=workers, memory=memory, device=device)
    if workers is not None and plan.count < workers:
        tell(f"{plan.count} of {workers} workers fit on the cluster")
    pool = Pool(ray=ray, opening=opening, workers=plan, tell=tell)
    try:
        pool.start()
        yield pool
    finally:
        pool.stop()


def _checked(hello: Hello) -> Hello:
    if hello.version != __version__:
        raise InputError(
            f"{hello.machine} has cloud-transformers {hello.version}, and this machine {__version__}: install the same "
            "version on all machines of the cluster"
        )
    if hello.mistake is not None:
        raise hello.mistake
    return hello


def answer_or_raise(answer: Any, what: str) -> Any:
    """An item's answer; what kept it from being done is raised."""
    if isinstance(answer, Mistake):
        raise answer.error
    if isinstance(answer, Lost):
        raise InputError(lost_sentence(answer, what))
    return answer


def lost_sentence(lost: Lost, what: str) -> str:
    return (
        f"{what}: {lost.tries} workers in a row died over it, of too little memory or a crash, so it is given up; try "
        "it alone, without --on, or with more --memory"
    )
