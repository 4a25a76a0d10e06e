"""Files that are sent to where a URL points: there whole, or not at all.

- `s3`: an object is there when its upload ends well: a small one in a single request, a large one in parts that become
  an object when the last request says so.
- `gs`: the same.
- `memory`: the name is given when all is there.
- `http`, `https`: nothing is written there.

So no object with a temporary name is needed, which could stay behind, and which S3 could not rename in one step. An
error or Ctrl-C takes the parts back; after `kill -9` the parts (never an object) stay until the bucket's rule for
unfinished uploads removes them.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Any

from cloud_transformers.errors import InputError
from cloud_transformers.progress import bytes_bar
from cloud_transformers.remote.complaints import explained
from cloud_transformers.remote.url import Url

_SMALL = 16 << 20  # bytes that are sent in one request
_MOST_PARTS = 9_000  # S3 takes 10,000


def upload(local: Path, url: Url) -> None:
    """Sends a file; what was behind the URL before is replaced."""
    _require_possible(url)
    size = local.stat().st_size
    with explained(url, "written"):
        if size <= _SMALL:
            url.files.pipe_file(url.address, local.read_bytes())
            return
        file = _begun(url, max(_SMALL, size // _MOST_PARTS))
        try:
            _send(local, file, size, url.name)
            file.close()
            file.commit()
        except BaseException:
            _take_back(file)
            raise


def require_writable(url: Url) -> None:
    """InputError if nothing can be written there: said before hours of work, by an upload that is taken back."""
    _require_possible(url, is_folder=True)
    if url.scheme == "memory":
        return
    with explained(url, "written"):
        file = _begun(url / "probe" if url.is_folder else url, _SMALL)
        try:
            file.write(b"\0")
            file.flush(force=True)
        finally:
            _take_back(file)


def _require_possible(url: Url, *, is_folder: bool = False) -> None:
    if not url.system.writes:
        raise InputError("nothing can be written to a web server; write to a path, s3:// or gs://", path=url)
    if not url.key and not (is_folder and url.place):
        raise InputError("is a bucket, not a file in it", path=url)
    if url.is_folder and not is_folder:
        raise InputError("is a folder; name a file", path=url)


def _begun(url: Url, block_size: int) -> Any:
    return url.files.open(url.address, "wb", block_size=block_size, autocommit=False)


def _send(local: Path, file: Any, size: int, name: str) -> None:
    with bytes_bar(f"sending {name}", size) as bar, local.open("rb") as source:
        while part := source.read(1 << 20):
            file.write(part)
            bar.update(len(part))


def _take_back(file: Any) -> None:
    with suppress(Exception):  # what went wrong is said already
        file.discard()
    file.closed = True  # else the rest of it would be sent when it is forgotten
