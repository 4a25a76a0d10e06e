"""Servers on this machine that keep count of what they send, and misbehave when they are told to."""

from __future__ import annotations

import email.utils
import re
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class S3Server:
    """moto's S3 behind a door that counts."""

    def __init__(self) -> None:
        from moto.server import DomainDispatcherApplication, create_backend_app
        from werkzeug.serving import make_server

        self.app = DomainDispatcherApplication(create_backend_app)
        self.server = make_server("127.0.0.1", 0, self.answer, threaded=True)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        self.requests: list[str] = []
        self.served = 0
        self.deed: Callable[[str], int | None] = lambda request: None
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def answer(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        request = f"{environ['REQUEST_METHOD']} {environ['PATH_INFO']}?{environ['QUERY_STRING']}"
        self.requests.append(request)
        if (status := self.deed(request)) is not None:
            environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0))
            start_response(f"{status} no", [("Content-Length", "0")])
            return []
        parts = list(self.app(environ, start_response))
        self.served += 0 if request.startswith("HEAD") else sum(map(len, parts))
        return parts

    def forget(self) -> None:
        self.requests, self.served, self.deed = [], 0, lambda request: None


class Files(BaseHTTPRequestHandler):
    """Files of a dict, by path, with and without ranges."""

    protocol_version = "HTTP/1.1"
    server: WebServer

    def do_HEAD(self) -> None:
        self._answer(with_body=False)

    def do_GET(self) -> None:
        self._answer(with_body=True)

    def _answer(self, *, with_body: bool) -> None:
        web, path = self.server, self.path.partition("?")[0]
        web.requests.append(f"{self.command} {self.path} {self.headers.get('Range', '')}".strip())
        if path in web.redirects:
            return self._send(302, b"", {"Location": web.redirects[path]})
        if path in web.statuses:
            return self._send(web.statuses[path], b"", {})
        if path not in web.files:
            return self._send(404, b"", {})
        body, headers = web.files[path], {}
        if web.tags:
            headers["ETag"] = f'"{hash(body)}"'
            if self.headers.get("If-Match", headers["ETag"]) != headers["ETag"]:
                return self._send(412, b"", {})
        found = re.fullmatch(r"bytes=(\d+)-(\d+)", self.headers.get("Range", ""))
        status = 200
        if found and web.ranges:
            first, last = int(found[1]), min(int(found[2]), len(body) - 1)
            headers["Content-Range"] = f"bytes {first}-{last}/{len(body)}"
            body, status = body[first : last + 1], 206
        return self._send(status, body, headers, with_body=with_body)

    def _send(self, status: int, body: bytes, headers: dict[str, str], *, with_body: bool = True) -> None:
        web = self.server
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        if web.lengths:
            self.send_header("Content-Length", str(len(body)))
        else:
            self.send_header("Connection", "close")
        self.end_headers()
        if with_body:
            part = body[: web.stops_after]
            web.served += len(part)
            self.wfile.write(part)
        self.close_connection = self.close_connection or not web.lengths or len(body) > web.stops_after

    def date_time_string(self, timestamp: float | None = None) -> str:
        return email.utils.formatdate(0, usegmt=True)

    def log_message(self, format: str, *args: Any) -> None:
        pass


class WebServer(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Files)
        self.url = f"http://127.0.0.1:{self.server_port}"
        self.files: dict[str, bytes] = {}
        self.redirects: dict[str, str] = {}
        self.statuses: dict[str, int] = {}
        self.requests: list[str] = []
        self.served = 0
        self.ranges = self.tags = self.lengths = True
        self.stops_after = 1 << 40

    def handle_error(self, request: Any, client_address: Any) -> None:
        pass  # a client that has gone is what some tests are about


@contextmanager
def web_server() -> Iterator[WebServer]:
    server = WebServer()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
