"""Many files answered by one verb, a batch at a time: in this process, or by the workers of a cluster.

What a verb does to a file is one and the same code in both places (`answered`). What it has to say about it travels
back, and is said here in the order of the files.
"""

from __future__ import annotations

import argparse
import os
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cloud_transformers.cli.shared.many_files import Failures, Job, say
from cloud_transformers.errors import InputError
from cloud_transformers.memory import parse_bytes

WORKER_BYTES = 1536 << 20  # what a worker may take unless --memory says it


class Answering(ABC):
    """A verb at work. To another process it goes without what `open` has loaded, and is opened there."""

    def __init__(self, args: argparse.Namespace) -> None:
        self.args = args
        self.granted: list[str] = []  # what was taken for granted, to be said once

    def __reduce__(self) -> Any:
        return type(self), (self.args,)

    @abstractmethod
    def open(self) -> None:
        """Load what answers need, where they are made."""

    @abstractmethod
    def answer(self, jobs: Sequence[Job], attempt: Callable[..., Any]) -> None:
        """Answer a batch. `attempt(job, step, *given)` runs a step that may fail for this file alone.

        What the last step of a job returns is told.
        """

    @abstractmethod
    def tell(self, job: Job, told: Any) -> None:
        """Say what was found, in the command's own process."""


class Predicting(Answering):
    """A verb that prepares files, has a model score some of them at once, and finishes each."""

    @abstractmethod
    def prepare(self, path: Path) -> Any: ...

    @abstractmethod
    def score(self, prepared: list[Any]) -> Sequence[Any]: ...

    @abstractmethod
    def finish(self, job: Job, prepared: Any, result: Any) -> Any:
        """Write the answer, and return what is to be told of it: little, for it may come from another machine."""

    def answer(self, jobs: Sequence[Job], attempt: Callable[..., Any]) -> None:
        pairs = [(job, attempt(job, self.prepare, job.source)) for job in jobs]
        ready = [(job, prepared) for job, prepared in pairs if prepared is not None]
        for (job, prepared), result in zip(ready, self.score([each for _, each in ready]), strict=True):
            attempt(job, self.finish, job, prepared, result)


@dataclass(frozen=True)
class Outcome:
    """What became of a job: what is to be told of it, or why there is no answer."""

    job: Job
    told: Any = None
    reason: str | None = None
    granted: tuple[str, ...] = ()


def answered(verb: Answering, jobs: Sequence[Job]) -> list[Outcome]:
    """The jobs of a batch, done one way or the other."""
    failures = Failures(speak=False)
    told: dict[Job, Any] = {}

    def attempt(job: Job, step: Callable[..., Any], *given: Any) -> Any:
        told[job] = failures.attempt(job.source, step, *given)
        return told[job]

    verb.granted.clear()
    verb.answer(jobs, attempt)
    granted = tuple(verb.granted)
    return [Outcome(job, told.get(job), failures.reasons.get(str(job.source)), granted) for job in jobs]


def answer_all(verb: Answering, jobs: Sequence[Job], failures: Failures, *, batch_size: int) -> None:
    """Answers the jobs, a batch in memory at a time, where the arguments say. A file that fails stops no other."""
    batches = (tuple(jobs[start : start + batch_size]) for start in range(0, len(jobs), batch_size))
    outcomes = (answered(verb, some) for some in batches) if verb.args.on is None else _far(verb, batches)
    tell_all(verb, jobs, outcomes, failures)


def tell_all(verb: Answering, jobs: Sequence[Job], outcomes: Iterator[list[Outcome]], failures: Failures) -> None:
    """Says what became of the jobs, in their order, under a bar that counts them."""
    from tqdm import tqdm

    said: set[str] = set()
    with tqdm(total=len(jobs), unit="file", delay=1.0, leave=False, disable=not sys.stderr.isatty()) as bar:
        for some in in_order(outcomes, jobs, bar.update):
            for sentence in some.granted:
                if sentence not in said:
                    tell_sentence(sentence)
                    said.add(sentence)
            if some.reason is None:
                verb.tell(some.job, some.told)
            else:
                failures.add(str(some.job.source), some.reason)


def in_order(
    outcomes: Iterator[list[Outcome]], jobs: Sequence[Job], advance: Callable[[float], object]
) -> Iterator[Outcome]:
    """Outcomes in the order of the jobs; those that come too early wait, and they are small."""
    waiting: dict[Job, Outcome] = {}
    following = iter(jobs)
    job = next(following, None)
    for some in outcomes:
        advance(len(some))
        waiting |= {each.job: each for each in some}
        while job in waiting:
            yield waiting.pop(job)
            job = next(following, None)


def _far(verb: Answering, batches: Iterator[tuple[Job, ...]]) -> Iterator[list[Outcome]]:
    with workers_for(verb.args, Opened(verb)) as pool:
        yield from far_outcomes(pool, batches)


@contextmanager
def workers_for(args: argparse.Namespace, opening: Any) -> Iterator[Any]:
    """The pool of workers that the arguments ask for."""
    from cloud_transformers.cluster.connection import connected
    from cloud_transformers.cluster.pool import pool_of

    cpus = None if args.workers is None else max(args.workers, os.cpu_count() or 1)
    with (
        connected(args.on, cpus=cpus) as ray,
        pool_of(
            *(ray, opening),
            workers=args.workers,
            memory=worker_bytes(args),
            device=getattr(args, "device", "cpu"),
            tell=tell_sentence,
        ) as pool,
    ):
        yield pool


def worker_bytes(args: argparse.Namespace) -> int:
    """What one worker may take of a machine's memory."""
    told = getattr(args, "memory", None)
    return WORKER_BYTES if told is None else parse_bytes(told)


def far_outcomes(pool: Any, batches: Iterator[tuple[Job, ...]]) -> Iterator[list[Outcome]]:
    """Batches as workers have done them; of one that ends its worker again and again, each file is tried alone."""
    for some, answer in pool.run(batches, split=lambda some: [(job,) for job in some]):
        yield outcomes_of(some, answer)


@dataclass(frozen=True)
class Opened:
    """What a worker is sent: the verb, to be opened there."""

    verb: Answering

    def __call__(self) -> Callable[[Sequence[Job]], list[Outcome]]:
        self.verb.open()
        return lambda jobs: answered(self.verb, jobs)


def outcomes_of(jobs: Sequence[Job], answer: Any) -> list[Outcome]:
    """The outcomes that a worker sent, or what took their place."""
    from cloud_transformers.cluster.pool import Lost, lost_sentence
    from cloud_transformers.cluster.worker import Mistake

    if isinstance(answer, Lost):
        return [Outcome(job, reason=lost_sentence(answer, str(job.source))) for job in jobs]
    if isinstance(answer, Mistake):
        raise InputError(f"{answer.error} (on {answer.machine})")
    found: list[Outcome] = answer
    return found


def tell_sentence(sentence: str) -> None:
    say(f"cloudt: {sentence}", error=True)
