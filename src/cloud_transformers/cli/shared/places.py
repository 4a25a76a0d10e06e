"""Arguments that name a place: a path, or a URL."""

from __future__ import annotations

import argparse
from pathlib import Path

from cloud_transformers.errors import InputError
from cloud_transformers.remote import is_url, located


def path_or_url(text: str) -> Path:
    """An argument that names a file or a folder, here or elsewhere."""
    try:
        return located(text)
    except InputError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def local_path(text: str) -> Path:
    """An argument that names a file or folder on a disk: what is read again and again, or written bit by bit."""
    require_local(text)
    return Path(text)


def local_name(text: str) -> str:
    """The same, or a name."""
    require_local(text)
    return text


def require_local(text: str) -> None:
    if is_url(text):
        raise argparse.ArgumentTypeError(f"{path_or_url(text)}: must be on a disk here; copy it to one, or mount it")


def name_or_url(text: str) -> str | Path:
    """An argument that is a name, unless it is a URL: then secrets in it are not shown."""
    return path_or_url(text) if is_url(text) else text
