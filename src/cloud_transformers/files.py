"""Files and folders that appear whole or not at all.

They are written under a temporary name (`temporary.py`). What goes to a URL is written to this machine's disk first,
and then sent.
"""

import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from cloud_transformers.errors import InputError
from cloud_transformers.remote import as_url, located, scratch_folder, upload
from cloud_transformers.temporary import temporary_folder, temporary_path


@contextmanager
def whole_file(path: str | Path) -> Iterator[Path]:
    """A path to write to; what is there takes the place of the wanted file when the block ends without an error.

    The temporary file keeps the suffix, since some libraries choose the format by it, and is removed on any error, an
    interrupt included.
    """
    path = located(path)
    url = as_url(path)
    if url is None and not path.parent.is_dir():
        raise InputError(f"the folder {path.parent} does not exist; create it first", path=path)
    if url is None and path.is_dir():
        raise InputError(f"{path} is a folder; name a file")
    with scratch_file(path) as temporary, naming(path, instead=temporary):
        yield temporary
        if url is None:
            temporary.replace(path)
        else:
            upload(temporary, url)


@contextmanager
def scratch_file(path: Path) -> Iterator[Path]:
    """A name with the wanted suffix for what is not whole yet, gone at the end: beside a file, far from a URL."""
    url = as_url(path)
    if url is None:
        temporary = temporary_path(path)
        try:
            yield temporary
        finally:
            temporary.unlink(missing_ok=True)
    else:
        with scratch_folder() as folder:
            yield folder / url.local_name


@contextmanager
def new_folder(out: Path) -> Iterator[Path]:
    """A temporary folder that becomes `out` if all goes well and vanishes if not. `out` must be absent or empty."""
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise InputError("exists and is not an empty folder; name another one or remove it", path=out)
    out.parent.mkdir(parents=True, exist_ok=True)
    temporary = temporary_folder(out)
    try:
        with naming(out):
            yield temporary
        open_to_all(temporary)
        if out.is_dir():
            out.rmdir()
        temporary.rename(out)
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def is_fresh(folder: Path) -> bool:
    """Whether nothing is in a folder but what is hidden, such as a lock or what a killed process was writing."""
    return all(each.name.startswith(".") for each in folder.iterdir())


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
