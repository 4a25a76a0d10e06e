"""Files that appear whole or not at all."""

import secrets
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
        raise InputError(f"{path}: the folder {path.parent} does not exist; create it first")
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
def naming(path: str | Path, *, instead: Path | None = None) -> Iterator[None]:
    """Gives the system's complaints that name no file, as that of a full disk, the name of what was being written.

    Those about `instead`, which means nothing to a user, get it too.
    """
    try:
        yield
    except OSError as error:
        if error.errno is not None and error.filename in (None, instead and str(instead)):
            error.filename = str(path)
        raise
