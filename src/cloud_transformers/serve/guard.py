"""What stands before every request: which hosts and pages may ask, the token, and the headers of every response.

- The name in the Host header must be one under which this server is known, or an address: a page elsewhere can make a
  name of its own lead here (DNS rebinding), but then that name is what the browser sends.
- A request that a page of another origin makes is refused, unless the origin was allowed.
- With a token, everything under /api and /metrics wants `Authorization: Bearer TOKEN`, but for /api/health.
"""

from __future__ import annotations

import ipaddress
import secrets
import socket
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from cloud_transformers.serve.settings import Settings

OPEN_PATHS = ("/api/health",)  # no token needed; pages and scripts are not below /api
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Frame-Options": "DENY",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}
ALLOWED_METHODS, ALLOWED_HEADERS = "GET, POST, DELETE", "Authorization, Content-Type"


class Guard:
    """ASGI middleware."""

    def __init__(self, app: ASGIApp, settings: Settings, statuses: dict[int, int]) -> None:
        self.app, self.settings = app, settings
        self.statuses = statuses  # how often each was sent, for the metrics
        self.names = {"localhost", settings.host.lower(), *(name.lower() for name in settings.hosts)}
        if not settings.is_loopback:
            self.names.add(socket.gethostname().lower())

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        origin = headers.get("origin")
        crossing = origin in self.settings.origins and origin is not None

        async def finished(message: Message) -> None:
            if message["type"] == "http.response.start":
                self.statuses[message["status"]] = self.statuses.get(message["status"], 0) + 1
                own = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    own.setdefault(name, value)
                if crossing:
                    own["Access-Control-Allow-Origin"] = str(origin)
                    own["Vary"] = "Origin"
                    own["Cross-Origin-Resource-Policy"] = "cross-origin"
            await send(message)

        refusal = self._refusal(scope, headers, origin, crossing)
        await (refusal or self.app)(scope, receive, finished)

    def _refusal(self, scope: Scope, headers: Headers, origin: str | None, crossing: bool) -> Response | None:
        host = headers.get("host", "")
        if not self._is_ours(host):
            return refused(421, f"this server is not called {host[:100]!r}; allow the name with --allow-host")
        if crossing and scope["method"] == "OPTIONS":
            allowed = {"Access-Control-Allow-Methods": ALLOWED_METHODS, "Access-Control-Allow-Headers": ALLOWED_HEADERS}
            return Response(status_code=204, headers=allowed)
        from_here = origin is None or origin == f"{scope['scheme']}://{host}"
        site = headers.get("sec-fetch-site", "none")
        if not crossing and (not from_here or (site not in ("none", "same-origin") and not _is_visit(scope, headers))):
            return refused(403, "pages of other origins may not use this server; allow one with --allow-origin")
        if self.settings.token is not None and _wants_token(scope["path"]):
            given = headers.get("authorization", "").encode()
            if not secrets.compare_digest(given, f"Bearer {self.settings.token}".encode()):
                return refused(401, "a token is needed: Authorization: Bearer TOKEN", {"WWW-Authenticate": "Bearer"})
        return None

    def _is_ours(self, host: str) -> bool:
        name = host_name(host)
        if name is None:
            return False
        try:
            address = ipaddress.ip_address(name)
        except ValueError:
            return name in self.names
        return address.is_loopback or not self.settings.is_loopback


def host_name(host: str) -> str | None:
    """The name or address in a Host header, without the port; None if it is none."""
    try:
        parts = urlsplit(f"//{host}")
        parts.port  # noqa: B018 - complains about a port that is no number
        return None if parts.netloc != host or "@" in host or not parts.hostname else parts.hostname
    except ValueError:
        return None


def _is_visit(scope: Scope, headers: Headers) -> bool:
    """Whether someone follows a link to the page itself."""
    return scope["method"] == "GET" and headers.get("sec-fetch-mode") == "navigate" and scope["path"] == "/"


def _wants_token(path: str) -> bool:
    return (path.startswith("/api/") or path == "/metrics") and path not in OPEN_PATHS


def refused(status: int, sentence: str, headers: dict[str, str] | None = None) -> JSONResponse:
    """An answer that says what is wrong, in one sentence."""
    return JSONResponse({"error": sentence}, status, headers)
