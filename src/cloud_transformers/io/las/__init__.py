"""LAS and LAZ files through laspy: every dimension, extra bytes included, and what a GIS needs to place them.

Names are laspy's, but for red, green, blue, which are the field `color` (uint16), and the classification, which is
`label`. What the header says (version, point format, scales, offsets, coordinate system, other records) travels in
`metadata["las"]` and is written back; `metadata["crs"]` is the coordinate system as text.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from cloud_transformers.errors import InputError
from cloud_transformers.io.extras import as_input_error, need
from cloud_transformers.io.las.blocks import as_block
from cloud_transformers.io.las.checks import check_las
from cloud_transformers.io.las.copc import octree_of, open_box
from cloud_transformers.io.las.header import header_metadata
from cloud_transformers.io.las.pieces import can_be_pieces, join, write_piece
from cloud_transformers.io.las.summary import read_summary
from cloud_transformers.io.las.writing import write, write_parts
from cloud_transformers.io.limits import check_expanded
from cloud_transformers.io.options import ReadOptions
from cloud_transformers.io.table import Block, Table
from cloud_transformers.remote import as_url

__all__ = [
    "can_be_pieces",
    "join",
    "octree_of",
    "open_box",
    "open_table",
    "read_summary",
    "write",
    "write_parts",
    "write_piece",
]

_READ_BYTES = 8 << 20  # fetched at once where the file is behind a URL
_HALF_A_STEP = 0.45  # and a little less: what is written again must round to the same step


def open_table(path: Path, options: ReadOptions) -> Table:
    laspy = need("laspy", path)
    facts = check_las(path)
    check_expanded(path, facts.num_bytes, options.max_expand, facts.num_points)
    with as_input_error(path, "reading the LAS header"), path.open("rb") as file, laspy.open(file) as reader:
        metadata = header_metadata(reader.header)
        names = list(reader.header.point_format.dimension_names)
        scales, offsets = np.array(reader.header.scales), np.array(reader.header.offsets)
    if not (np.isfinite(scales).all() and np.isfinite(offsets).all() and (scales != 0).all()):
        raise InputError(
            f"the header's scales {scales.tolist()} or offsets {offsets.tolist()} are not usable", path=path
        )

    one_by_one = facts.chunks is not None and not facts.chunks.parallel
    backend = laspy.LazBackend.Lazrs if one_by_one else laspy.LazBackend.LazrsParallel

    def rows(size: int, first: int, count: int) -> Iterator[Block]:
        end = first + count
        opened = path.open("rb", buffering=-1 if as_url(path) is None else _READ_BYTES)
        with (
            as_input_error(path, "reading the points"),
            opened as file,
            laspy.open(file, laz_backend=backend) as reader,
        ):
            done = first
            if first and count:
                if facts.chunks is not None:
                    facts.chunks.pass_by(first)
                    facts.chunks.check_layers(file, first + 1)  # to find a row, all before it in its chunk are decoded
                reader.seek(first)
            while done < end or done == first:
                if facts.chunks is not None:
                    facts.chunks.check_layers(file, min(done + size, end))
                # A compressed file does not tell how much is in it, so it is taken in steps that its end interrupts.
                points = reader.read_points(min(size, end - done))
                if len(points) < min(size, end - done):
                    raise InputError(f"ends after {done + len(points)} of {facts.num_points} points", path=path)
                yield as_block(points, scales, offsets, options)
                done += len(points)
                if count == 0:
                    return

    # Compressed points may be fewer than declared: only once they are read is memory taken for them.
    num_points = None if facts.compressed else facts.num_points
    return Table(
        path=path,
        num_points=num_points,
        blocks=lambda size: rows(size, 0, facts.num_points),
        rows=rows,
        columns=names,
        metadata=metadata,
        tolerance=_HALF_A_STEP * np.abs(scales),
    )
