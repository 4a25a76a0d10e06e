"""What all writers share: the settings of a job, its folder, and work spread over processes."""

from __future__ import annotations

import json
import multiprocessing
import os
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from cloud_transformers.errors import InputError
from cloud_transformers.files import is_fresh, whole_file
from cloud_transformers.progress import progress

J = TypeVar("J")
R = TypeVar("R")

MANIFEST = "world.json"
WORLD_VERSION = 5  # counts up whenever the same seed would give other samples, so that two halves never mix


@dataclass(frozen=True, kw_only=True)
class LayoutJob:
    """One layout to write. The same layout, size and seed give the same files for any number of workers."""

    layout: str
    root: Path
    size: int
    seed: int = 0
    workers: int = 1
    force: bool = False
    blocks: bool = True  # s3dis only: also cut the rooms into blocks
    meshes: tuple[str, ...] = ()  # FOLDER or FOLDER:UP, for those layouts that take them

    def open(self) -> None:
        """Make the folder. A folder with other content is refused, unless it is this job's own or `force` is set."""
        if self.size < (0 if self.meshes else 1):
            raise InputError(f"the size must be at least 1, got {self.size}")
        manifest = self.root / MANIFEST
        settings: dict[str, object] = {
            "layout": self.layout,
            "size": self.size,
            "seed": self.seed,
            "world_version": WORLD_VERSION,
            **({"meshes": list(self.meshes)} if self.meshes else {}),
        }
        if self.root.exists() and not self.root.is_dir():
            raise InputError(f"{self.root}: is a file; name a folder")
        if self.root.is_dir() and not is_fresh(self.root) and not self.force and _read(manifest) != settings:
            raise InputError(
                f"{self.root}: is not empty and was not begun with these settings; "
                "name another folder, or let files be overwritten with --force"
            )
        self.root.mkdir(parents=True, exist_ok=True)
        if _read(manifest) != settings:
            write_text(manifest, json.dumps(settings, indent=2) + "\n")

    def is_done(self, path: Path) -> bool:
        """Whether an earlier run wrote this file or folder, so that it can be left alone."""
        return path.exists() and not self.force

    def each(self, work: Callable[[J], R], tasks: Sequence[J], what: str) -> Iterator[R]:
        """`work` done on every task, results in order, with a progress bar. `work` must be a function of a module.

        No more than a few results per worker wait to be taken, so that memory does not grow with the job.
        """
        return progress(_in_order(work, tasks, self.workers), what, total=len(tasks))


def _in_order(work: Callable[[J], R], tasks: Sequence[J], workers: int) -> Iterator[R]:
    if workers <= 1 or len(tasks) <= 1:
        yield from map(work, tasks)
        return
    # spawn: forking a process that has loaded torch or h5py is not safe, and Windows and macOS spawn anyway.
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(min(workers, len(tasks)), mp_context=spawn, initializer=_end_with_parent) as pool:
        waiting: deque[Future[R]] = deque()
        try:
            for task in tasks:
                waiting.append(pool.submit(work, task))
                if len(waiting) > 4 * workers:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            for future in waiting:
                future.cancel()


def _end_with_parent() -> None:
    """In a worker: if the process that gives it work is killed, it must not wait for more for ever."""
    parent = multiprocessing.parent_process()
    assert parent is not None

    def watch() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def _read(manifest: Path) -> object:
    try:
        return json.loads(manifest.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None


def write_text(path: Path, text: str) -> None:
    write_bytes(path, text.encode())


def write_bytes(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with whole_file(path) as temporary:
        temporary.write_bytes(data)


def part_of(size: int, share: int) -> int:
    """How many samples a smaller split gets: one in `share`, at least one."""
    return max(1, size // share)
