"""From the queue to the workers and back: one job per worker, oldest first, with news for whoever watches."""

from __future__ import annotations

import asyncio
import sqlite3
import time
from collections.abc import AsyncIterator, Callable
from dataclasses import asdict, dataclass
from typing import Any

from cloud_transformers.serve.crew import Worker, WorkerDied, WorkerFailed
from cloud_transformers.serve.jobs import UNFINISHED, Job, State
from cloud_transformers.serve.settings import Limits
from cloud_transformers.serve.store import Store

_AGAIN = 0.5  # seconds after which a full disk is tried again


@dataclass
class Progress:
    """How far a running job is; not kept, for a job that was interrupted begins again."""

    share: float = 0.0
    step: str = "starting"


@dataclass
class Tally:
    """What the server did since it started, for its metrics."""

    done: int = 0
    failed: int = 0
    cancelled: int = 0
    seconds: float = 0.0  # of work, of all jobs together
    deaths: int = 0  # of worker processes


class Foreman:
    """Runs the jobs of a store in worker processes."""

    def __init__(self, store: Store, limits: Limits, paths: dict[str, str], workers: int) -> None:
        self.store, self.limits, self.paths = store, limits, paths
        self.workers = [Worker(limits) for _ in range(workers)]
        self.progress: dict[str, Progress] = {}
        self.running: dict[str, asyncio.Task[None]] = {}
        self.tally = Tally()
        self.closing = False
        self._news = asyncio.Event()
        self._loops: list[asyncio.Task[None]] = []

    def start(self) -> None:
        self._loops = [asyncio.create_task(self._work(worker)) for worker in self.workers]

    def dismiss(self) -> None:
        """Whoever watches a job is let go: the server is about to stop."""
        self.closing = True
        self.announce()

    async def stop(self) -> None:
        """Jobs that run stay as running in the store: the next server runs them again."""
        for loop in self._loops:
            loop.cancel()
        await asyncio.gather(*self._loops, return_exceptions=True)
        await asyncio.gather(*(worker.kill() for worker in self.workers))

    def announce(self) -> None:
        """Something changed: wakes idle workers and everyone who watches a job."""
        self._news.set()
        self._news = asyncio.Event()

    async def cancel(self, job: Job) -> None:
        """Stops a job that waits or runs; of others nothing changes."""
        task = self.running.get(job.id)
        if task is not None:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
        now = self.store.get(job.id)
        if now is not None and now.state in UNFINISHED:
            self._finish(job.id, "cancelled", "was cancelled")

    async def watch(self, job_id: str, heartbeat: float = 15.0) -> AsyncIterator[Job | None]:
        """The job now and after every change, until it is finished or deleted; None now and then, as a sign of life."""
        shown: tuple[object, ...] | None = None
        while True:
            waiting = self._news
            job = self.store.get(job_id)
            if job is None or self.closing:
                return
            progress = self.progress.get(job_id, Progress())
            state = (job.state, progress.share, progress.step, self.store.ahead_of(job))
            if state != shown:
                shown = state
                yield job
                if job.state not in UNFINISHED:
                    return
            try:
                await asyncio.wait_for(waiting.wait(), heartbeat)
            except asyncio.TimeoutError:
                yield None

    def asked(self, job: Job) -> dict[str, Any]:
        """What a worker must know of a job; no weights if this server does not offer them any more."""
        weights = self.paths.get(job.order.weights)
        return {"order": asdict(job.order), "weights": weights, "most_points": self.limits.points}

    async def _work(self, worker: Worker) -> None:
        while True:
            await worker.started()
            waiting = self._news
            job = self.store.next_queued()
            if job is None:
                await waiting.wait()
                continue
            begun = {"state": "running", "started": time.time(), "attempts": job.attempts + 1}
            await self._patiently(self.store.change, job.id, **begun)
            task = self.running[job.id] = asyncio.create_task(self._run(worker, job))
            self.progress[job.id] = Progress()
            self.announce()
            try:
                await asyncio.shield(task)
            except asyncio.CancelledError:
                if not task.cancelled():  # the server stops, not the job alone
                    task.cancel()
                    await asyncio.gather(task, return_exceptions=True)
                    raise
            finally:
                del self.running[job.id], self.progress[job.id]
                self.announce()

    async def _run(self, worker: Worker, job: Job) -> None:
        def tell(share: float, step: str) -> None:
            self.progress[job.id] = Progress(share, step)
            self.announce()

        began = time.monotonic()
        try:
            place = str(self.store.place(job))
            facts = await worker.ask("answer", tell, place=place, **self.asked(job))
            end: dict[str, Any] = {"state": "done", "facts": facts}
        except asyncio.TimeoutError:
            said = f"took longer than the {self.limits.job_seconds:g} seconds that a job may"
            end = {"state": "failed", "message": said}
        except WorkerFailed as error:
            self.tally.deaths += isinstance(error, WorkerDied)
            end = {"state": "failed", "message": str(error)}
        finally:
            self.tally.seconds += time.monotonic() - began
        await self._patiently(self._finish, job.id, **end)

    async def _patiently(self, write: Callable[..., None], *given: Any, **values: Any) -> None:
        """Writes to the store; again and again while there is no room for it, for an answer is worth waiting for."""
        while True:
            try:
                return write(*given, **values)
            except (sqlite3.Error, OSError):
                await asyncio.sleep(_AGAIN)

    def _finish(self, job_id: str, state: State, message: str | None = None, facts: object = None) -> None:
        if self.store.get(job_id) is None:  # deleted meanwhile
            return
        self.store.finish(job_id, state, message=message, facts=facts)
        setattr(self.tally, state, getattr(self.tally, state) + 1)
        self.store.make_room(results=self.limits.results, disk_bytes=self.limits.disk_bytes)
        self.announce()
