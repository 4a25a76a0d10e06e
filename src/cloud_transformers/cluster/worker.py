"""What runs on a worker: it opens its work once, a model say, and then does one item after the other."""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Protocol

from cloud_transformers import __version__
from cloud_transformers.errors import InputError


class Opening(Protocol):
    """Work that can be sent to a worker: called there once, it gives what each item is handed to."""

    def __call__(self) -> Callable[[Any], Any]: ...


@dataclass(frozen=True)
class Hello:
    """What a worker says of itself."""

    version: str
    machine: str
    process: int
    mistake: InputError | OSError | None = None  # why the work could not be opened


@dataclass(frozen=True)
class Mistake:
    """What cannot be done for this item, and would not be anywhere: a user's mistake, or the system's no."""

    error: InputError | OSError
    machine: str


class Worker:
    """An actor. Its process is the worker's own, so what crashes is one worker and one item."""

    def __init__(self, opening: Opening, threads: int, folder: str) -> None:
        self.opening, self.threads, self.folder = opening, threads, folder
        self.work: Callable[[Any], Any]

    def open(self) -> Hello:
        _no_core_files()
        with suppress(OSError):  # a machine without this folder can still do work on addresses and absolute paths
            os.chdir(self.folder)
        if "torch" in sys.modules:
            sys.modules["torch"].set_num_threads(self.threads)
        else:  # torch looks at it when it is imported
            os.environ["OMP_NUM_THREADS"] = str(self.threads)
        mistake = None
        try:
            self.work = self.opening()
        except (InputError, OSError) as error:
            mistake = error
        return Hello(__version__, platform.node(), os.getpid(), mistake)

    def do(self, item: Any) -> Any:
        try:
            return self.work(item)
        except (InputError, OSError) as error:
            return Mistake(error, platform.node())
        except MemoryError:
            return Mistake(InputError("memory ran out; take less at once, or give more --memory"), platform.node())


def _no_core_files() -> None:
    """A worker that crashes again and again must not fill the disk with its memory."""
    with suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))
