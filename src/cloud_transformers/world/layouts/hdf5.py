"""HDF5 files filled row by row, several side by side, without holding them in memory."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np

from cloud_transformers.errors import InputError
from cloud_transformers.files import whole_file
from cloud_transformers.io.new_hdf5 import new_hdf5

CHUNK = 64  # rows written at once


def write_rows(
    paths: Sequence[Path],
    columns: Mapping[str, tuple[tuple[int, ...], Any]],  # name -> (shape of a row, dtype)
    num_rows: int,
    rows: Iterable[Sequence[Mapping[str, Any]]],  # for each row: one mapping per path
) -> None:
    """Write `num_rows` rows to each path. The files appear together when all rows are there, else none does."""
    try:
        import h5py  # noqa: F401  asked for here, where a file can be named
    except ImportError:
        raise InputError(f"{paths[0]}: writing .h5 needs h5py: pip install 'cloud-transformers[io]'") from None

    with ExitStack() as finish, ExitStack() as close:
        tables = []
        for path in paths:
            path.parent.mkdir(parents=True, exist_ok=True)
            file = close.enter_context(new_hdf5(finish.enter_context(whole_file(path))))
            tables.append(
                {
                    name: file.create_dataset(
                        name, (num_rows, *shape), dtype, chunks=(min(CHUNK, num_rows), *shape),
                        compression="gzip", compression_opts=1,
                    )
                    for name, (shape, dtype) in columns.items()
                }
            )  # fmt: skip
        waiting: list[Sequence[Mapping[str, Any]]] = []
        start = 0
        for row in rows:
            waiting.append(row)
            if len(waiting) == CHUNK or start + len(waiting) == num_rows:
                for k, table in enumerate(tables):
                    for name, (shape, dtype) in columns.items():
                        block = np.stack([np.asarray(each[k][name], dtype).reshape(shape) for each in waiting])
                        table[name][start : start + len(waiting)] = block
                start += len(waiting)
                waiting = []
        assert start == num_rows
