"""Benchmarks that come as HDF5: rows of several files as one memory-mapped array, checked while it is unpacked.

The public files are compressed in chunks that cut across rows, so that one row costs the decompression of dozens.
They are unpacked once into the cache, row after row: workers of any number then share the same pages, and nothing
of HDF5 has to survive a fork.

Letters: R rows (samples) in all files.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cloud_transformers.cache import cached_folder, fingerprint
from cloud_transformers.datasets.problems import Problem
from cloud_transformers.errors import InputError
from cloud_transformers.io.hdf5_checks import check_names, own_member
from cloud_transformers.io.limits import MAX_EXPAND, check_expanded
from cloud_transformers.progress import progress

VERSION = 1  # raised when what is unpacked changes, so that old caches are not taken for new ones
_CHUNK_BYTES = 1 << 26
_MAX_COMPRESSION = 1100  # deflate cannot do better: a header that claims more than that lies

# Looks at some rows (column name -> array) and says what is wrong with which of them.
RowCheck = Callable[[Mapping[str, NDArray[Any]]], list[tuple[int, str]]]


@dataclass(frozen=True)
class Column:
    """One HDF5 dataset: its name, the shape of a row (-1 = any), the dtype and the number of channels that are kept."""

    name: str
    row_shape: tuple[int, ...]
    dtype: str
    channels: int | None = None
    optional: bool = False


class Hdf5Rows:
    """Rows of `files` in the order given. Opening looks at headers only; data is unpacked on first use."""

    def __init__(self, files: Sequence[Path], columns: Sequence[Column], check: RowCheck, *, check_version: str):
        self.files = list(files)
        self.check = check
        self.check_version = check_version
        self.counts: list[int] = []
        present: list[set[str]] = []
        shapes: dict[str, tuple[int, ...]] = {}
        for path in self.files:
            with opened(path) as file:
                found = {column.name: _header(file, path, column) for column in columns}
            kept = {name: shape for name, shape in found.items() if shape is not None}
            if len({shape[0] for shape in kept.values()}) != 1:
                sizes = ", ".join(f"{name} {shape[0]}" for name, shape in kept.items())
                raise InputError(
                    f"its datasets differ in length ({sizes}), so the file is damaged; replace it", path=path
                )
            for name, shape in kept.items():
                if shapes.setdefault(name, shape[1:]) != shape[1:]:
                    raise InputError(
                        f"rows are {list(shape[1:])}, in {self.files[0].name} they are "
                        f"{list(shapes[name])}; the files do not belong together",
                        path=path,
                        place=f"dataset '{name}'",
                    )
            present.append(set(kept))
            self.counts.append(next(iter(kept.values()))[0])
        everywhere = set.intersection(*present) if present else set()
        self.columns = [column for column in columns if column.name in everywhere]
        self.shapes = shapes
        self.starts = np.concatenate([[0], np.cumsum(self.counts)]).astype(np.int64)
        self._arrays: dict[str, NDArray[Any]] | None = None
        self._problems: list[Problem] | None = None
        self._bad: dict[int | None, Problem] | None = None
        if not len(self):
            raise InputError(f"{self.files[0] if self.files else 'no file'}: holds no samples")

    def __len__(self) -> int:
        return int(self.starts[-1])

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_arrays": None}

    def place(self, row: int) -> tuple[Path, int]:
        """The file of a row and its number there."""
        number = int(np.searchsorted(self.starts, row, side="right")) - 1
        return self.files[number], int(row - self.starts[number])

    def name(self, row: int) -> str:
        path, number = self.place(row)
        return f"{path}, row {number}"

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Column name -> read-only array [R, ...] on disk."""
        if self._arrays is None:
            folder = self._folder()
            self._arrays = {
                column.name: np.load(folder / f"{column.name}.npy", mmap_mode="r", allow_pickle=False)
                for column in self.columns
            }
        return self._arrays

    def row(self, row: int) -> dict[str, NDArray[Any]]:
        """A copy of one row. A row known to be corrupt raises InputError."""
        if self._bad is None:
            self._bad = {problem.index: problem for problem in reversed(self.problems())}
        if row in self._bad:
            raise InputError(str(self._bad[row]))
        return {name: np.array(array[row]) for name, array in self.arrays().items()}

    def problems(self) -> list[Problem]:
        if self._problems is None:
            stored = json.loads((self._folder() / "problems.json").read_text(encoding="utf-8"))
            self._problems = []
            for row, what in stored:
                path, number = self.place(row)
                self._problems.append(Problem(str(path), f"row {number}", what, row))
        return self._problems

    def _folder(self) -> Path:
        parameters = {
            "version": VERSION,
            "check": self.check_version,
            "columns": [[c.name, list(c.row_shape), c.dtype, c.channels] for c in self.columns],
            "order": [str(path) for path in self.files],
        }
        return cached_folder("hdf5", fingerprint(self.files, **parameters), self._unpack)

    def _unpack(self, folder: Path) -> None:
        out = {
            column.name: np.lib.format.open_memmap(
                folder / f"{column.name}.npy", mode="w+", dtype=column.dtype, shape=(len(self), *self._kept(column))
            )
            for column in self.columns
        }
        problems: list[tuple[int, str]] = []
        row_bytes = sum(array[:1].nbytes for array in out.values())
        step = max(1, _CHUNK_BYTES // max(1, row_bytes))
        pieces = [
            (number, start, min(start + step, count))
            for number, count in enumerate(self.counts)
            for start in range(0, count, step)
        ]
        for number, start, stop in progress(pieces, "unpacking"):
            first = int(self.starts[number]) + start
            rows = slice(first, first + stop - start)
            with opened(self.files[number]) as file:
                for column in self.columns:
                    problems += _copy(file, column, start, out[column.name][rows], first)
            piece = {name: array[rows] for name, array in out.items()}
            problems += [(first + row, what) for row, what in self.check(piece)]
        for array in out.values():
            array.flush()
        (folder / "problems.json").write_text(json.dumps(sorted(set(problems))), encoding="utf-8")

    def _kept(self, column: Column) -> tuple[int, ...]:
        shape = self.shapes[column.name]
        return shape if column.channels is None else (*shape[:-1], column.channels)


@contextmanager
def opened(path: Path) -> Iterator[Any]:
    """An open h5py.File; whatever HDF5 has to say against it becomes an InputError."""
    try:
        import h5py
    except ImportError:
        raise InputError("reading HDF5 needs h5py: pip install 'cloud-transformers[data]'", path=path) from None
    if not path.is_file():
        raise InputError("no such file", path=path)
    try:
        file = h5py.File(path, "r")
    except OSError as error:
        raise InputError(f"not a readable HDF5 file ({_short(error)}); fetch it again", path=path) from None
    with file:
        yield file


def _header(file: Any, path: Path, column: Column) -> tuple[int, ...] | None:
    """The shape of a dataset after checking what its header claims; None for an absent optional one."""
    try:
        return _checked_header(file, path, column)
    except InputError:
        raise
    except Exception as error:  # HDF5 reports damage with whatever exception its layers happen to map it to
        raise InputError(
            f"unreadable ({_short(error)}); fetch the file again", path=path, place=f"dataset '{column.name}'"
        ) from None


def _checked_header(file: Any, path: Path, column: Column) -> tuple[int, ...] | None:
    import h5py

    check_names(file, path)
    dataset = own_member(file, column.name, path)
    if not isinstance(dataset, h5py.Dataset):
        if column.optional:
            return None
        names = ", ".join(sorted(file)) or "nothing"
        raise InputError(f"has no dataset '{column.name}' (it has {names}); is this the right file?", path=path)
    shape = tuple(int(size) for size in dataset.shape or ())
    wanted = column.row_shape
    fits = len(shape) == len(wanted) + 1 and all(w in (-1, s) for w, s in zip(wanted, shape[1:], strict=True))
    if not fits:
        text = ", ".join(["n", *("any" if size == -1 else str(size) for size in wanted)])
        raise InputError(f"shape {list(shape)} instead of [{text}]", path=path, place=f"dataset '{column.name}'")
    if dataset.dtype.kind not in "fiub":
        raise InputError(f"holds {dataset.dtype}, not numbers", path=path, place=f"dataset '{column.name}'")
    claimed = int(np.prod([float(size) for size in shape])) * dataset.dtype.itemsize
    if claimed > _MAX_COMPRESSION * dataset.id.get_storage_size() + (1 << 20):
        raise InputError(
            f"claims {claimed} bytes but stores {dataset.id.get_storage_size()}, "
            "so the file is damaged; fetch it again",
            path=path,
            place=f"dataset '{column.name}'",
        )
    check_expanded(path, claimed, MAX_EXPAND)
    return shape


def _copy(file: Any, column: Column, start: int, out: NDArray[Any], first: int) -> list[tuple[int, str]]:
    """Fill `out` from row `start` on. Rows that HDF5 cannot decode are left 0 and named."""

    def take(begin: int, end: int) -> NDArray[Any]:
        values = file[column.name][begin:end]
        return values if column.channels is None else values[..., : column.channels]

    try:
        values = take(start, start + len(out))
    except Exception:  # as above; row by row it is found out which rows are meant
        values = None
    if values is not None:
        return _store(values, column, out, first)
    problems = []
    for row in range(len(out)):
        try:
            values = take(start + row, start + row + 1)
        except Exception as error:
            problems.append((first + row, f"dataset '{column.name}' cannot be decoded ({_short(error)})"))
        else:
            problems += _store(values, column, out[row : row + 1], first + row)
    return problems


def _store(values: NDArray[Any], column: Column, out: NDArray[Any], first: int) -> list[tuple[int, str]]:
    """Values into the kept dtype, naming the rows that it cannot hold: integers must be whole and in range."""
    if np.dtype(column.dtype).kind == "f":
        with np.errstate(over="ignore"):
            out[...] = values
        return []
    limits = np.iinfo(column.dtype)
    with np.errstate(invalid="ignore"):
        whole = np.isfinite(values) & (values == np.rint(values)) & (values >= limits.min) & (values <= limits.max)
    out[...] = np.where(whole, values, 0).astype(column.dtype)
    bad = np.flatnonzero(~whole.reshape(len(values), -1).all(axis=1))
    return [(first + int(row), f"dataset '{column.name}' holds a value that is no {column.dtype}") for row in bad]


def _short(error: Exception) -> str:
    return " ".join(str(error).split())[:120]


def non_finite_rows(values: NDArray[Any]) -> list[tuple[int, str]]:
    """Rows [R, ...] with NaN or infinity, with how many of their numbers are."""
    bad = ~np.isfinite(values).reshape(len(values), -1)
    counts = bad.sum(axis=1)
    return [(int(row), f"{counts[row]} coordinates are NaN or infinite") for row in np.flatnonzero(counts)]


def label_rows(labels: NDArray[Any], num_classes: int, *, low: int = 0) -> list[tuple[int, str]]:
    """Rows with a label outside low .. num_classes - 1."""
    flat = labels.reshape(len(labels), -1)
    bad = (flat < low) | (flat >= num_classes)
    problems = []
    for row in np.flatnonzero(bad.any(axis=1)):
        first = int(flat[row][bad[row]][0])
        problems.append((int(row), f"label {first} is outside {low}-{num_classes - 1}"))
    return problems
