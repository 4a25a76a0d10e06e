"""What all formats have in common: a file is a table of points that comes block by block.

A format module opens a file as a `Table`; reading the whole and reading in chunks are both done here. Memory for the
whole: the cloud itself, 24 bytes per point more while double coordinates are split, and one block.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cloud_transformers.cloud import PointCloud
from cloud_transformers.cloud.coordinates import Tolerance, choose_offset, finite_rows, residual_of, split
from cloud_transformers.errors import InputError
from cloud_transformers.io.options import ReadOptions
from cloud_transformers.progress import points_bar

BLOCK_POINTS = 1 << 17

Fields = dict[str, NDArray[Any]]


@dataclass(frozen=True)
class Block:
    """Some consecutive points of a file: world coordinates, float32 or float64 [n, 3], and their fields."""

    world: NDArray[Any]
    fields: Fields


@dataclass(frozen=True, kw_only=True)
class Table:
    """A file that was opened and whose declared sizes were checked against its length.

    `blocks(n)` yields at most n points at a time, and at least one block. `columns` are the names in the file, which
    may be dropped before they are made into fields. `num_points` is None where only reading tells. `metadata` goes to
    the cloud. `finish` gives fields their final dtype, for formats whose blocks cannot tell (text). `offset` is set
    by formats that store one: their blocks hold positions relative to it. Otherwise it is chosen from the coordinates.
    `tolerance` is how far float64 coordinates may be off: half the step in which the file has them, zero for doubles.
    `rows(n, first, count)` is like `blocks` for some consecutive points, where these can be had without those before.
    """

    path: Path
    num_points: int | None
    blocks: Callable[[int], Iterator[Block]]
    columns: Collection[str] = ()
    metadata: dict[str, Any] = field(default_factory=dict)
    finish: Callable[[Fields], Fields] = lambda fields: fields
    offset: NDArray[np.float64] | None = None
    tolerance: Tolerance = 0.0
    rows: Callable[[int, int, int], Iterator[Block]] | None = None


def read_whole(table: Table, options: ReadOptions) -> PointCloud:
    """All points of a table as one cloud."""
    with points_bar(table.path, "reading", table.num_points, options.progress) as bar:
        world, fields = _collect(table, options, bar)
    rows = _finite(world, table, options, first=0)
    if rows is not None:
        table = replace(table, metadata={**table.metadata, "non_finite": int((~rows).sum())})
        world, fields = world[rows], {name: values[rows] for name, values in fields.items()}
    return _cloud(table, world, fields, None)


def read_in_chunks(
    table: Table,
    chunk_size: int,
    options: ReadOptions,
    rows: range | None = None,
    offset: NDArray[np.float64] | None = None,  # [3]
) -> Iterator[PointCloud]:
    """Clouds of at most `chunk_size` points, all with the offset that suits the first of them, unless one is given.

    `rows`: which points; None stands for all.
    """
    if rows is None:
        blocks, first = table.blocks(chunk_size), 0
    elif table.rows is None:
        raise InputError("cannot be read from the middle, only from its beginning", path=table.path)
    else:
        blocks, first = table.rows(chunk_size, rows.start, len(rows)), rows.start
    for block in blocks:
        world, fields = block.world, _kept(block.fields, table, options)
        finite = _finite(world, table, options, first)
        first += len(world)
        part = table
        if finite is not None:
            part = replace(table, metadata={**table.metadata, "non_finite": int((~finite).sum())})
            world, fields = world[finite], {name: values[finite] for name, values in fields.items()}
        cloud = _cloud(part, world, fields, offset)
        if len(cloud):
            offset = cloud.offset
        yield cloud


def _collect(table: Table, options: ReadOptions, bar: Any) -> tuple[NDArray[Any], Fields]:
    if table.num_points is None:
        blocks = []
        for block in table.blocks(BLOCK_POINTS):
            blocks.append(Block(block.world, _kept(block.fields, table, options)))
            bar.update(len(block.world))
        world = np.concatenate([block.world for block in blocks])
        names = list(blocks[0].fields)
        # Each block gives up its part as it is joined, so that the fields never exist twice at once.
        return world, {name: np.concatenate([block.fields.pop(name) for block in blocks]) for name in names}
    whole: Block | None = None
    done = 0
    for block in table.blocks(BLOCK_POINTS):
        fields = _kept(block.fields, table, options)
        if len(block.world) == table.num_points:
            return block.world, fields
        if whole is None:
            whole = Block(
                _room(block.world, table.num_points),
                {name: _room(values, table.num_points) for name, values in fields.items()},
            )
        rows = slice(done, done + len(block.world))
        whole.world[rows] = block.world
        for name, values in fields.items():
            whole.fields[name][rows] = values
        done += len(block.world)
        bar.update(len(block.world))
    if whole is None or done != table.num_points:
        raise InputError(f"ends after {done} of {table.num_points} points; the file is cut short", path=table.path)
    return whole.world, whole.fields


def _room(part: NDArray[Any], length: int) -> NDArray[Any]:
    return np.empty((length, *part.shape[1:]), part.dtype)


def _kept(fields: Fields, table: Table, options: ReadOptions) -> Fields:
    if unknown := options.drop - fields.keys() - set(table.columns):
        names = ", ".join([*fields, *(name for name in table.columns if name not in fields)])
        raise InputError(f"has nothing called {sorted(unknown)[0]!r} to drop, only {names}", path=table.path)
    return {name: values for name, values in fields.items() if name not in options.drop}


def _finite(world: NDArray[Any], table: Table, options: ReadOptions, first: int) -> NDArray[np.bool_] | None:
    finite = None if options.non_finite == "keep" else finite_rows(world)
    if finite is not None and options.non_finite == "refuse":
        bad = np.flatnonzero(~finite)
        raise InputError(
            f"{len(bad)} of {len(finite)} points have a coordinate that is NaN or infinite, "
            f'the first is point {first + int(bad[0])}; pass non_finite="drop" (--non-finite drop) to leave them out',
            path=table.path,
        )
    return finite


def _cloud(table: Table, world: NDArray[Any], fields: Fields, offset: NDArray[np.float64] | None) -> PointCloud:
    if offset is None:
        finite = finite_rows(world)
        present = world if finite is None else world[finite]
        offset = choose_offset(present, table.tolerance) if table.offset is None else table.offset
    origin = offset if table.offset is None else np.zeros(3)
    positions = np.ascontiguousarray(split(world, origin, table.path))
    return PointCloud(
        positions=positions,
        fields=table.finish(fields),
        offset=offset,
        metadata=table.metadata,
        residual=residual_of(world, origin, positions, table.tolerance),
    )
