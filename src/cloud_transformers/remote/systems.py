"""Which schemes there are, which packages they need, and how patient we are with their servers."""

from __future__ import annotations

import importlib
import logging
from dataclasses import dataclass
from typing import Any

from cloud_transformers.errors import InputError

_NOWHERE = logging.NullHandler()
CONNECT_SECONDS, READ_SECONDS, ATTEMPTS = 10, 60, 3


@dataclass(frozen=True)
class System:
    """A kind of place.

    package: what fsspec needs for it; None if nothing.
    extra: the extra of cloud-transformers that brings it.
    lists: whether it tells what is in a folder. A web server does not: a page of links is what its author wrote.
    writes: whether files are written there.
    """

    package: str | None
    extra: str = "remote"
    lists: bool = True
    writes: bool = True


SYSTEMS = {
    "s3": System("s3fs"),
    "gs": System("gcsfs", extra="gcs"),
    "https": System("aiohttp", lists=False, writes=False),
    "http": System("aiohttp", lists=False, writes=False),
    "memory": System(None),
}


def file_system(scheme: str, name: object, *, encoded: bool = False) -> Any:
    """fsspec's file system for a scheme, with the user's own settings; `name` is what complaints are about.

    `encoded`: the URL is percent-encoded already, as a signed one is, and must not be touched.
    """
    system = SYSTEMS[scheme]
    try:
        import fsspec

        if system.package is not None:
            importlib.import_module(system.package)
    except ImportError as error:
        package, remedy = system.package or "fsspec", f"pip install 'cloud-transformers[{system.extra}]'"
        broken = "" if error.name in (package, "fsspec") else f", which cannot be loaded here ({error})"
        text = f"{scheme}:// needs the package {package}{broken}; install it with {remedy}"
        raise InputError(text, path=name) from None
    # Libraries log what they then raise, with URLs in it; whoever configures logging still sees it.
    logging.getLogger(system.package or "fsspec").addHandler(_NOWHERE)
    own = fsspec.config.conf.get(scheme, {})
    usual = {key: value for key, value in _patience(scheme, encoded=encoded).items() if key not in own}
    system_files = fsspec.filesystem(scheme, **usual)
    if scheme == "s3":
        system_files.retries = ATTEMPTS  # s3fs tries again by itself, so botocore need not do so within each try
    return system_files


def _patience(scheme: str, *, encoded: bool) -> dict[str, Any]:
    """Options under which nothing waits for ever, and nothing remembered is taken for what is there now."""
    if scheme == "s3":
        times = {"connect_timeout": CONNECT_SECONDS, "read_timeout": READ_SECONDS}
        return {"use_listings_cache": False, "config_kwargs": {**times, "retries": {"max_attempts": 0}}}
    if scheme == "gs":
        return {"use_listings_cache": False, "timeout": READ_SECONDS}
    if scheme in ("http", "https"):
        import aiohttp

        timeout = aiohttp.ClientTimeout(total=None, sock_connect=CONNECT_SECONDS, sock_read=READ_SECONDS)
        # Compressed on the way, a file would have another length than the server declares, and could swell.
        as_it_is = {"headers": {"Accept-Encoding": "identity"}, "auto_decompress": False}
        return {"client_kwargs": {"timeout": timeout, "trust_env": True, **as_it_is}, "encoded": encoded}
    return {}
