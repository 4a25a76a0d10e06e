"""Jobs in SQLite and a folder each on disk. What was finished is there after a crash; what was not begins again.

folder/jobs.sqlite      one row per job
folder/jobs/ID/         input.ply (as uploaded), answer.npz and what else was made for the job
folder/lock             held by the one server that uses the folder
"""

from __future__ import annotations

import json
import shutil
import sqlite3
import time
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from cloud_transformers.errors import InputError
from cloud_transformers.serve.jobs import FINISHED, Job, Order, State, new_id

MOST_ATTEMPTS = 2  # a job that was running when the server died, twice, is suspected of having killed it

_TABLE = """
CREATE TABLE IF NOT EXISTS jobs (
  id TEXT PRIMARY KEY, client TEXT NOT NULL, asked TEXT NOT NULL, state TEXT NOT NULL, created REAL NOT NULL,
  started REAL, finished REAL, attempts INTEGER NOT NULL DEFAULT 0, message TEXT, facts TEXT NOT NULL DEFAULT '{}',
  size INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX IF NOT EXISTS by_state ON jobs (state, created);
"""


class Store:
    """All jobs of one server. Not for several threads."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        self.lock = FileLock(folder / "lock", timeout=0)
        try:
            self.lock.acquire()
        except Timeout:
            raise InputError(f"{folder}: another server uses this folder; name another one with --folder") from None
        try:
            self.rows = sqlite3.connect(folder / "jobs.sqlite", isolation_level=None)
            self.rows.row_factory = sqlite3.Row
            self.rows.execute("PRAGMA journal_mode = WAL")
            self.rows.execute("PRAGMA synchronous = NORMAL")
            self.rows.executescript(_TABLE)
        except sqlite3.Error as error:
            self.lock.release()
            raise InputError(f"{folder / 'jobs.sqlite'}: is no table of jobs ({error}); remove it") from error

    def close(self) -> None:
        self.rows.close()
        self.lock.release()

    def place(self, job: Job | str) -> Path:
        """The folder of a job that exists."""
        return self.folder / "jobs" / (job if isinstance(job, str) else job.id)

    def add(self, client: str, order: Order, state: State) -> Job:
        job = Job(id=new_id(), client=client, order=order, state=state, created=time.time())
        self.place(job).mkdir(parents=True)
        self.rows.execute(
            "INSERT INTO jobs (id, client, asked, state, created) VALUES (?, ?, ?, ?, ?)",
            (job.id, client, json.dumps(asdict(order)), state, job.created),
        )
        return job

    def get(self, job_id: str) -> Job | None:
        row = self.rows.execute("SELECT * FROM jobs WHERE id = ?", (job_id,)).fetchone()
        return None if row is None else _job(row)

    def change(self, job_id: str, **columns: Any) -> None:
        """New values of a job's columns; facts as a dictionary."""
        if "facts" in columns:
            columns["facts"] = json.dumps(columns["facts"])
        names = ", ".join(f"{name} = ?" for name in columns)
        self.rows.execute(f"UPDATE jobs SET {names} WHERE id = ?", (*columns.values(), job_id))

    def finish(self, job_id: str, state: State, *, message: str | None = None, facts: Any = None) -> None:
        self.change(job_id, state=state, finished=time.time(), message=message, facts=facts or {})
        self.measure(job_id)

    def measure(self, job_id: str) -> None:
        """Counts what a job takes on disk."""
        size = sum(path.stat().st_size for path in self.place(job_id).rglob("*") if path.is_file())
        self.change(job_id, size=size)

    def delete(self, job_id: str) -> None:
        """The row goes last: a job without files can be deleted again, files without a row are found by `recover`."""
        shutil.rmtree(self.place(job_id), ignore_errors=True)
        self.rows.execute("DELETE FROM jobs WHERE id = ?", (job_id,))

    def next_queued(self) -> Job | None:
        row = self.rows.execute("SELECT * FROM jobs WHERE state = 'queued' ORDER BY created, rowid LIMIT 1").fetchone()
        return None if row is None else _job(row)

    def count(self, *states: State, client: str | None = None) -> int:
        marks = ", ".join("?" * len(states))
        query, values = f"SELECT COUNT(*) FROM jobs WHERE state IN ({marks})", list(states)
        if client is not None:
            query, values = f"{query} AND client = ?", [*values, client]  # type: ignore[list-item]
        return int(self.rows.execute(query, values).fetchone()[0])

    def ahead_of(self, job: Job) -> int:
        """How many jobs wait or run before this one."""
        query = "SELECT COUNT(*) FROM jobs WHERE state IN ('queued', 'running') AND created < ?"
        return int(self.rows.execute(query, (job.created,)).fetchone()[0])

    def bytes_used(self) -> int:
        return int(self.rows.execute("SELECT COALESCE(SUM(size), 0) FROM jobs").fetchone()[0])

    def make_room(self, *, results: int, disk_bytes: int) -> int:
        """Deletes finished jobs, the oldest first, until both limits hold; returns what is still too much on disk."""
        surplus = self.count(*FINISHED) - results
        excess = self.bytes_used() - disk_bytes
        for job in self._oldest_finished():
            if surplus <= 0 and excess <= 0:
                break
            self.delete(job.id)
            surplus, excess = surplus - 1, excess - job.size
        return max(excess, 0)

    def _oldest_finished(self) -> Iterator[Job]:
        marks = ", ".join("?" * len(FINISHED))
        yield from map(
            _job,
            self.rows.execute(f"SELECT * FROM jobs WHERE state IN ({marks}) ORDER BY finished", FINISHED).fetchall(),
        )

    def recover(self) -> None:
        """After a restart: what ran waits again, uploads that were cut short are gone, and so is what has no row."""
        for row in self.rows.execute("SELECT * FROM jobs WHERE state IN ('uploading', 'running')").fetchall():
            job = _job(row)
            if job.state == "uploading":
                self.delete(job.id)
            elif job.attempts >= MOST_ATTEMPTS:
                self.finish(job.id, "failed", message=f"is lost: the server stopped {job.attempts} times while it ran")
            else:
                self.change(job.id, state="queued", started=None)
        places = self.folder / "jobs"
        for place in places.iterdir() if places.is_dir() else ():
            if self.get(place.name) is None:
                shutil.rmtree(place, ignore_errors=True)


def _job(row: sqlite3.Row) -> Job:
    values = dict(row)
    order, facts = Order(**json.loads(values.pop("asked"))), json.loads(values.pop("facts"))
    return Job(order=order, facts=facts, **values)
