"""A worker process as the server sees it: ask it something, hear how far it is, kill it, and it starts anew."""

from __future__ import annotations

import asyncio
import contextlib
import json
import sys
from collections.abc import Callable
from typing import Any

from cloud_transformers.serve.settings import Limits

PROGRAM = (sys.executable, "-m", "cloud_transformers.serve.worker")
_LONGEST_LINE = 1 << 22
_UNPACKED_PER_UPLOAD = 8  # a file that is written in a worker may be this many times as large as an upload


class WorkerFailed(Exception):
    """The job cannot be done, in a sentence for its owner."""


class WorkerDied(WorkerFailed):
    """The process ended without an answer."""


class Worker:
    """One process, started when it is needed, or before. It takes one request at a time; others wait their turn."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.process: asyncio.subprocess.Process | None = None
        self.turn = asyncio.Lock()
        self.starts = 0

    async def ask(
        self, action: str, tell: Callable[[float, str], None] = lambda share, step: None, **given: Any
    ) -> Any:
        """The answer to a request. WorkerFailed if there is none; TimeoutError after the time that a job may take.

        Whoever is cancelled while waiting takes the process along: there is no other way to stop it.
        """
        async with self.turn:
            try:
                return await asyncio.wait_for(self._ask(action, given, tell), self.limits.job_seconds)
            except (WorkerDied, asyncio.TimeoutError, asyncio.CancelledError):
                await self.kill()
                raise

    async def _ask(self, action: str, given: dict[str, Any], tell: Callable[[float, str], None]) -> Any:
        process = await self.started()
        assert process.stdin is not None
        assert process.stdout is not None
        with contextlib.suppress(ConnectionError):  # it has just died: reading says so
            process.stdin.write(json.dumps({"action": action, **given}).encode() + b"\n")
            await process.stdin.drain()
        while line := await self._line(process.stdout):
            reply = json.loads(line)
            if "progress" in reply:
                tell(reply["progress"], reply["step"])
            elif "done" in reply:
                return reply["done"]
            else:
                raise WorkerFailed(reply["failed"])
        code = await process.wait()
        why = "was killed, most likely because memory ran out" if code == -9 else f"ended with code {code}"
        raise WorkerDied(f"the process that worked on it {why}; give fewer points")

    async def _line(self, replies: asyncio.StreamReader) -> bytes:
        try:
            return await replies.readline()
        except ValueError:  # asyncio's word for a line beyond its limit
            raise WorkerDied("more is to be said about the answer than fits; give a file with fewer fields") from None

    async def started(self) -> asyncio.subprocess.Process:
        """The process, which needs some seconds until it is ready: asking it early saves them."""
        if self.process is None or self.process.returncode is not None:  # it may have died while it had nothing to do
            self.process = await self._start()
        return self.process

    async def _start(self) -> asyncio.subprocess.Process:
        self.starts += 1
        written = self.limits.upload_bytes * _UNPACKED_PER_UPLOAD
        return await asyncio.create_subprocess_exec(
            *(*PROGRAM, str(self.limits.memory_bytes), str(written)),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            limit=_LONGEST_LINE,
            start_new_session=True,  # the terminal's interrupt is for the server, which ends its workers itself
        )

    async def kill(self) -> None:
        """Ends the process, whatever it is doing."""
        process, self.process = self.process, None
        if process is None:
            return
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()
