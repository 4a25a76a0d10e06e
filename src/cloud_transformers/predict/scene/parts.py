"""Parts of a file put aside on disk, as far as the model will need them, until it is known which tiles there are."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cloud_transformers.predict.scene.intake import Part


class PartsFolder:
    """What is in it, other processes can read too, once they have been sent this description."""

    def __init__(self, path: Path) -> None:
        self.path, self.num_points = path, 0
        # Points, channels of the fields, and dtype and channels of the colours.
        self._parts: list[tuple[Path, int, int, tuple[Any, int] | None]] = []

    def keep(self, part: Part) -> None:
        """Put the next part aside."""
        path = self.path / f"{len(self._parts):05d}"
        self.path.mkdir(exist_ok=True)
        with path.open("wb") as file:
            for values in (part.positions, part.fields, part.colors):
                if values is not None:
                    file.write(as_bytes(values))
        self._parts.append((path, len(part.positions), part.fields.shape[1], _kind(part.colors)))
        self.num_points += len(part.positions)

    def read(self, *, remove: bool = False) -> Iterator[Part]:
        """What was put aside, in its order; with `remove`, each part is then gone."""
        for path, count, num_fields, kind in self._parts:
            positions = read_array(path, np.float32, 0, 3 * count).reshape(-1, 3)
            fields = read_array(path, np.float32, 3 * count, num_fields * count).reshape(count, num_fields)
            colors = None
            if kind is not None:
                colors = np.fromfile(path, kind[0], offset=positions.nbytes + fields.nbytes).reshape(count, kind[1])
            yield Part(positions, colors, fields)
            if remove:
                path.unlink()


def _kind(colors: NDArray[Any] | None) -> tuple[Any, int] | None:
    return None if colors is None else (colors.dtype, colors.shape[1])


def as_bytes(values: Any) -> Any:
    """An array as a file takes it: unlike `tofile`, writing these says when the disk is full."""
    contiguous: Any = np.ascontiguousarray(values)
    return memoryview(contiguous).cast("B") if values.size else b""


def read_array(path: Path, dtype: Any, start: int, count: int) -> NDArray[Any]:
    """So many values of a file, from the value `start` on."""
    return np.fromfile(path, dtype, count, offset=start * np.dtype(dtype).itemsize)
