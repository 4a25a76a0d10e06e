"""The application: routes to the API and to the page's few files, behind the guard."""

from __future__ import annotations

import sqlite3
from functools import cache
from importlib.resources import files

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from cloud_transformers.serve.api import Api, refuse
from cloud_transformers.serve.guard import Guard
from cloud_transformers.serve.uploads import Refused, drain

# The page: path -> package, file in its folder static, media type. Nothing else of the disk can be named.
PAGE = {
    "/": ("serve", "index.html", "text/html"),
    "/page.js": ("serve", "page.js", "text/javascript"),
    "/page.css": ("serve", "page.css", "text/css"),
    "/viewer.js": ("viewer", "viewer.js", "text/javascript"),
    "/viewer.css": ("viewer", "viewer.css", "text/css"),
    "/licenses.txt": ("viewer", "LICENSES.txt", "text/plain"),
}


def application(api: Api) -> ASGIApp:
    """The API and the page as an ASGI application."""
    job = "/api/jobs/{id}"
    routes = [
        Route("/api/health", api.health),
        Route("/api/offer", api.offer),
        Route("/metrics", api.metrics),
        Route("/openapi.json", api.schema),
        Route("/api/tasks/{task}", api.submit, methods=["POST"]),
        Route("/api/samples/{sample}", api.submit_sample, methods=["POST"]),
        Route(job, api.one, methods=["GET", "DELETE"]),
        Route(f"{job}/events", api.events),
        Route(f"{job}/cancel", api.cancel, methods=["POST"]),
        Route(f"{job}/result", api.result),
        Route(f"{job}/scene", api.scene),
        Route(f"{job}/input", api.input),
        Route(f"{job}/preview", api.preview),
        Route(f"{job}/inspect", api.inspect),
        Route(f"{job}/heads", api.heads),
        Route(f"{job}/folding", api.folding),
        Route(f"{job}/answer/{{format}}", api.answer),
        *(Route(path, page_file) for path in PAGE),
    ]
    app = Starlette(
        routes=routes,
        exception_handlers={Refused: refuse, HTTPException: not_routed, OSError: no_room, sqlite3.Error: no_room},
    )
    app.router.redirect_slashes = False
    return Guard(app, api.settings, api.statuses)


async def page_file(request: Request) -> Response:
    package, name, media_type = PAGE[request.url.path]
    return Response(_content(package, name), media_type=media_type)


@cache
def _content(package: str, name: str) -> bytes:
    return (files(f"cloud_transformers.{package}") / "static" / name).read_bytes()


async def not_routed(request: Request, error: Exception) -> Response:
    """A path or method that does not exist, in our own words."""
    assert isinstance(error, HTTPException)
    await drain(request)
    return JSONResponse({"error": error.detail}, error.status_code, error.headers)


async def no_room(request: Request, error: Exception) -> Response:
    """What the system refuses while a request is served is its disk, as good as always."""
    return await refuse(request, Refused(507, f"the server's disk is full or cannot be written to ({error})"))
