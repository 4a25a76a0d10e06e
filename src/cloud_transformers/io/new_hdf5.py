"""HDF5 files written so that a full disk is an error and not a crash.

When a write fails, the HDF5 library tries again while it closes the file and once more when the interpreter ends, where
it takes the whole process down. So it is given a file whose writes always seem to succeed, and what went wrong is
raised when it is done.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from cloud_transformers.files import naming


@contextmanager
def new_hdf5(path: Path) -> Iterator[Any]:
    """An open `h5py.File` that takes the place of whatever was at the path."""
    import h5py

    with naming(path), path.open("w+b", buffering=0) as file:
        patient = _Patient(file)
        try:
            with h5py.File(patient, "w") as hdf5:
                yield hdf5
        except Exception:
            if patient.error is not None:
                raise patient.error from None
            raise
        if patient.error is not None:
            raise patient.error


class _Patient:
    """What h5py asks of a file; after the first error nothing is written any more."""

    def __init__(self, file: BinaryIO) -> None:
        self.file = file
        self.error: OSError | None = None

    def write(self, part: Any) -> int:
        left = memoryview(part)
        try:
            while self.error is None and len(left):
                left = left[self.file.write(left) :]
        except OSError as error:
            self.error = error
        return len(part)

    def truncate(self, size: int | None = None) -> int:
        try:
            return self.file.truncate(size)
        except OSError as error:
            self.error = self.error or error
            return size or 0

    def read(self, size: int = -1) -> bytes:
        return self.file.read(size)

    def readinto(self, part: Any) -> int:
        return self.file.readinto(part)  # type: ignore[attr-defined]

    def seek(self, offset: int, whence: int = 0) -> int:
        return self.file.seek(offset, whence)

    def tell(self) -> int:
        return self.file.tell()

    def flush(self) -> None:
        """Nothing is kept back here."""
