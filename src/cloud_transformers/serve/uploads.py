"""The body of a request into a file: within a size, within a time, and not at all if either is exceeded."""

from __future__ import annotations

import asyncio
import contextlib
from pathlib import Path

from starlette.requests import ClientDisconnect, Request

from cloud_transformers.serve.settings import Limits


class Refused(Exception):
    """A request that is not done: the status code, and why in a sentence."""

    def __init__(self, status: int, sentence: str, headers: dict[str, str] | None = None) -> None:
        super().__init__(sentence)
        self.status, self.sentence, self.headers = status, sentence, headers


def declared_size(request: Request, limits: Limits) -> int:
    """The size that the request announces; without one, the most that it could have."""
    text = request.headers.get("content-length")
    if text is None:
        return limits.upload_bytes
    size = int(text)  # the server has checked that it is a number
    if size > limits.upload_bytes:
        raise too_large(limits)
    return size


def too_large(limits: Limits) -> Refused:
    return Refused(413, f"the file is larger than the {limits.upload_bytes:,} bytes that this server takes")


async def receive_file(request: Request, path: Path, limits: Limits) -> None:
    """Writes the body to the path."""
    try:
        await asyncio.wait_for(_receive(request, path, limits), limits.upload_seconds)
    except asyncio.TimeoutError:
        raise Refused(408, f"the upload took longer than {limits.upload_seconds:g} seconds") from None
    except ClientDisconnect:
        raise Refused(400, "the upload was broken off") from None


async def _receive(request: Request, path: Path, limits: Limits) -> None:
    size = 0
    with path.open("xb") as file:
        async for part in request.stream():
            size += len(part)
            if size > limits.upload_bytes:
                raise too_large(limits)
            file.write(part)


async def drain(request: Request, seconds: float = 2.0) -> None:
    """Reads on for a while, so that a client that is still sending hears why it was refused."""
    with contextlib.suppress(asyncio.TimeoutError, ClientDisconnect, RuntimeError):
        await asyncio.wait_for(_discard(request), seconds)


async def _discard(request: Request) -> None:
    async for _ in request.stream():
        pass
