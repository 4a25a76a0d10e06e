"""Files and folders that appear whole or not at all."""

import os
import re
import secrets
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from cloud_transformers.errors import InputError


@contextmanager
def whole_file(path: str | Path) -> Iterator[Path]:
    """A path beside the wanted one to write to; it takes its place when the block ends without an error.

    The temporary file keeps the suffix, since some libraries choose the format by it, and is removed on any error, an
    interrupt included.
    """
    path = Path(path)
    if not path.parent.is_dir():
        raise InputError(f"the folder {path.parent} does not exist; create it first", path=path)
    if path.is_dir():
        raise InputError(f"{path} is a folder; name a file")
    temporary = path.with_name(f".{path.stem}.{secrets.token_hex(4)}{path.suffix}")
    try:
        with naming(path, instead=temporary):
            yield temporary
            temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


@contextmanager
def new_folder(out: Path) -> Iterator[Path]:
    """A temporary folder that becomes `out` if all goes well and vanishes if not. `out` must be absent or empty."""
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise InputError("exists and is not an empty folder; name another one or remove it", path=out)
    out.parent.mkdir(parents=True, exist_ok=True)
    temporary = Path(tempfile.mkdtemp(prefix=f".{out.name}-", dir=out.parent))
    try:
        with naming(out):
            yield temporary
        open_to_all(temporary)
        if out.is_dir():
            out.rmdir()
        temporary.rename(out)
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def open_to_all(folder: Path) -> None:
    """mkdtemp's folder is for its owner alone; the result is for whom the user's umask allows."""
    mask = os.umask(0)
    os.umask(mask)
    folder.chmod(0o777 & ~mask)


@contextmanager
def naming(path: str | Path, *, instead: Path | None = None) -> Iterator[None]:
    """Gives the system's complaints that name no file, as that of a full disk, the name of what was being written.

    Those about `instead`, which means nothing to a user, get it too.
    """
    try:
        yield
    except OSError as error:
        if error.errno is None and re.fullmatch(r"\d+ requested and \d+ written", str(error)):  # numpy's own words
            raise InputError("could not be written whole, the disk may be full", path=path) from error
        if error.errno is not None and error.filename in (None, instead and str(instead)):
            error.filename = str(path)
        raise
