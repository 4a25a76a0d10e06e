"""Serve a page where anyone tries the models in the browser, and an HTTP API behind it.

The page and the API are for programs on this machine unless --host names another address; then --token is needed.
Jobs and their results are kept in a folder and are there again after a restart, until newer ones need their room.
"""

from __future__ import annotations

import argparse
import os

from cloud_transformers.cli.shared.places import local_name, local_path
from cloud_transformers.cli.shared.predict_options import above_zero, at_least_one


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--port", type=_port, default=8765, metavar="N", help="0 takes any free one (default 8765)")
    parser.add_argument("--no-browser", action="store_true", help="do not open the page")
    parser.add_argument("--host", default="127.0.0.1", help="the address to listen at (default: this machine alone)")
    parser.add_argument(
        "--token", help="what clients must send as `Authorization: Bearer TOKEN` (default: the variable CLOUDT_TOKEN)"
    )
    parser.add_argument(
        "--weights",
        type=local_name,
        action="append",
        default=[],
        metavar="NAME",
        help="offer these beside those in the box: a file, a run's folder, owner/name on Hugging Face (repeatable)",
    )
    parser.add_argument(
        "--folder",
        type=local_path,
        metavar="DIR",
        help="where jobs are kept (default: serve in the user's cache folder)",
    )
    parser.add_argument("--workers", type=at_least_one, default=1, metavar="N", help="jobs at a time (default 1)")
    parser.add_argument(
        "--allow-host",
        action="append",
        default=[],
        metavar="NAME",
        help="a name that leads to this server (repeatable)",
    )
    parser.add_argument(
        "--allow-origin",
        action="append",
        default=[],
        metavar="ORIGIN",
        help="pages from there may use the API, such as https://example.org (repeatable)",
    )
    limits = parser.add_argument_group("limits")
    limits.add_argument("--max-upload", default="256MB", metavar="SIZE", help="of a file (default 256MB)")
    limits.add_argument(
        "--upload-seconds", type=above_zero, default=600.0, metavar="S", help="for an upload (default 600)"
    )
    limits.add_argument(
        "--max-points", type=at_least_one, default=5_000_000, metavar="N", help="of a cloud (default 5000000)"
    )
    limits.add_argument(
        "--max-jobs", type=at_least_one, default=64, metavar="N", help="that wait or run at once (default 64)"
    )
    limits.add_argument(
        "--jobs-per-client", type=at_least_one, default=16, metavar="N", help="likewise, of one address (default 16)"
    )
    limits.add_argument("--job-seconds", type=above_zero, default=600.0, metavar="S", help="for a job (default 600)")
    limits.add_argument("--memory", metavar="SIZE", help="of a worker process (default: half of what there is)")
    limits.add_argument(
        "--keep", type=at_least_one, default=200, metavar="N", help="finished jobs; older ones go (default 200)"
    )
    limits.add_argument("--disk", default="4GB", metavar="SIZE", help="of all jobs together (default 4GB)")


def _port(text: str) -> int:
    if not text.isdecimal() or int(text) > 65535:
        raise argparse.ArgumentTypeError(f"must be a number from 0 to 65535, not {text!r}")
    return int(text)


def run(args: argparse.Namespace) -> None:
    import webbrowser

    from cloud_transformers.cache import cache_root
    from cloud_transformers.errors import InputError
    from cloud_transformers.memory import available_memory, parse_bytes
    from cloud_transformers.serve.settings import Limits, Settings

    settings = Settings(
        folder=args.folder or cache_root() / "serve",
        host=args.host,
        port=args.port,
        token=args.token or os.environ.get("CLOUDT_TOKEN") or None,
        hosts=tuple(args.allow_host),
        origins=tuple(args.allow_origin),
        weights=tuple(args.weights),
        workers=args.workers,
        limits=Limits(
            upload_bytes=parse_bytes(args.max_upload),
            upload_seconds=args.upload_seconds,
            points=args.max_points,
            queue=args.max_jobs,
            per_client=args.jobs_per_client,
            job_seconds=args.job_seconds,
            results=args.keep,
            disk_bytes=parse_bytes(args.disk),
            memory_bytes=parse_bytes(args.memory) if args.memory else available_memory() // 2,
        ),
    )
    try:
        from cloud_transformers.serve.server import serve
    except ImportError as error:
        raise InputError(f"the server needs {error.name}: pip install 'cloud-transformers[serve]'") from None

    def ready(address: str) -> None:
        print(f"cloudt: serving at {address} (stop with Ctrl-C)", flush=True)
        if not args.no_browser:
            webbrowser.open(address)

    serve(settings, ready)
