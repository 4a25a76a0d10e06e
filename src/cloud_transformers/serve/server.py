"""`serve`: from settings to a server that listens, until it is interrupted."""

from __future__ import annotations

import asyncio
import errno
import socket
from collections.abc import Callable

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from cloud_transformers.errors import InputError
from cloud_transformers.serve.api import Api
from cloud_transformers.serve.app import application
from cloud_transformers.serve.crew import WorkerFailed
from cloud_transformers.serve.settings import Settings
from cloud_transformers.serve.store import Store

HEADER_SECONDS = 20.0  # within which a request's line and headers must have come


class PromptProtocol(H11Protocol):
    """HTTP/1.1 for clients that say what they want: a connection on which no request arrives is closed."""

    headers_due: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._expect_headers()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.conn.their_state is h11.IDLE:
            if self.headers_due is None:
                self._expect_headers()
        elif self.headers_due is not None:
            self.headers_due.cancel()
            self.headers_due = None

    def connection_lost(self, exc: Exception | None) -> None:
        if self.headers_due is not None:
            self.headers_due.cancel()
        super().connection_lost(exc)

    def _expect_headers(self) -> None:
        self.headers_due = self.loop.call_later(HEADER_SECONDS, self.transport.close)


class _Server(uvicorn.Server):
    """Starts the API before it listens, tells when it answers, and lets go of those who watch jobs before it stops."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None], api: Api) -> None:
        super().__init__(config)
        self.ready, self.api = ready, api

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await self.api.start()
        await super().startup(sockets)
        self.ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self.api.foreman.dismiss()
        await super().shutdown(sockets)
        await self.api.stop()


def serve(settings: Settings, ready: Callable[[str], None]) -> None:
    """Serves until it is interrupted; `ready` is told the address as soon as requests are answered."""
    listening = _bound(settings)
    with listening:
        host, port = listening.getsockname()[:2]
        shown = f"[{host}]" if ":" in host else host
        api = Api(settings, Store(settings.folder))
        config = uvicorn.Config(
            application(api),
            http=PromptProtocol,
            ws="none",
            lifespan="off",
            access_log=False,  # paths hold the ids of jobs, which are all that is needed to see them
            log_level="warning",
            proxy_headers=False,
            server_header=False,
            limit_concurrency=settings.limits.connections,
            timeout_graceful_shutdown=2,
        )
        server = _Server(config, lambda: ready(f"http://{shown}:{port}/"), api)
        try:
            server.run(sockets=[listening])
        except WorkerFailed as error:  # weights that cannot be used
            raise InputError(str(error)) from error


def _bound(settings: Settings) -> socket.socket:
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    try:
        return socket.create_server((settings.host, settings.port), family=family, backlog=1024)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise InputError(
                f"port {settings.port} is in use; choose another with --port, or any free one with --port 0"
            ) from error
        raise InputError(
            f"cannot listen at {settings.host}, port {settings.port}: {error.strerror or error}"
        ) from error
