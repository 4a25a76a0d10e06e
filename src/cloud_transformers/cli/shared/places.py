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


def name_or_url(text: str) -> str | Path:
    """An argument that is a name, unless it is a URL: then secrets in it are not shown."""
    return path_or_url(text) if is_url(text) else text
