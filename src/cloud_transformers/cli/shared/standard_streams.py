"""`-` in place of a file: standard input and standard output, through a temporary file, for readers go to and fro."""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from cloud_transformers.errors import InputError
from cloud_transformers.remote import holding

STREAM = Path("-")


@contextmanager
def input_file(path: Path, suffix: str | None) -> Iterator[Path]:
    """The file that is meant, or what came through standard input, in the format of the suffix or of its content."""
    if path != STREAM:
        if suffix is not None:
            raise InputError("--format is for standard input, -; the format of a file follows from itself", path=path)
        with holding(path):
            yield path
        return
    with tempfile.TemporaryDirectory(prefix="cloudt-") as folder:
        inside = Path(folder) / f"stdin{_dotted(suffix)}"
        with inside.open("wb") as file:
            shutil.copyfileobj(sys.stdin.buffer, file, 1 << 20)
        try:
            if suffix is None:
                _check_content(inside)
            yield inside
        except InputError as error:
            if error.path != str(inside):
                raise
            raise InputError(error.text, path="standard input", place=error.place) from error


def _check_content(inside: Path) -> None:
    from cloud_transformers.io import format_of

    try:
        format_of(inside)
    except InputError:
        text = "does not begin as a file of a known format; name it with --format, as in --format csv"
        raise InputError(text, path=inside) from None


@contextmanager
def output_file(path: Path, suffix: str | None) -> Iterator[Path]:
    """The file that is meant, or one that goes to standard output when it is written."""
    if path != STREAM:
        if suffix is not None:
            raise InputError("--to is for standard output, -; the format of a file follows from its suffix", path=path)
        yield path
        return
    if suffix is None:
        raise InputError("standard output has no suffix: name its format with --to, as in --to ply")
    with tempfile.TemporaryDirectory(prefix="cloudt-") as folder:
        inside = Path(folder) / f"stdout{_dotted(suffix)}"
        yield inside
        with inside.open("rb") as file:
            shutil.copyfileobj(file, sys.stdout.buffer, 1 << 20)


def _dotted(suffix: str | None) -> str:
    return "" if suffix is None else f".{suffix.lstrip('.')}"
