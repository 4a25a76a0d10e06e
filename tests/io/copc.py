"""COPC files for tests: chunks that are nodes of an octree, described in pages."""

import struct
from pathlib import Path
from typing import Any

import laspy
import lazrs
import numpy as np

LEVELS = 3
_CHILDREN = [(x, y, z) for x in (0, 1) for y in (0, 1) for z in (0, 1)]


def write_copc(path: Path, world: Any, side: float) -> None:
    """Points in a cube that begins at 0; on each level but the last, every node keeps some and gives the others on.

    Each of the root's children is described on a page of its own.
    """
    header = laspy.LasHeader(version="1.4", point_format=7)
    header.scales = np.full(3, 0.001)
    header.vlrs.append(laspy.VLR("copc", 1, "", bytes(160)))
    vlr = lazrs.LazVlr.new_for_compression(7, 0, True)
    header.vlrs.append(laspy.VLR("laszip encoded", 22204, "", bytes(vlr.record_data())))
    las = laspy.LasData(header)
    las.x, las.y, las.z = world.T
    las.red = np.arange(len(world)) % 60_000
    las.header.point_count, las.header.are_points_compressed = len(world), True
    las.header.maxs, las.header.mins = world.max(axis=0), world.min(axis=0)
    with path.open("w+b") as file:
        las.header.write_to(file)
        start = las.header.offset_to_point_data
        compressor = lazrs.LasZipCompressor(file, vlr)
        nodes = _nodes(np.array(las.xyz), side)
        for rows in nodes.values():
            compressor.compress_many(np.frombuffer(las.points.array[rows], np.uint8))
            compressor.finish_current_chunk()
        compressor.done()
        file.seek(start)
        table = lazrs.read_chunk_table(file, vlr)
        end, at, entries = file.seek(0, 2), start + 8, {}
        for (key, rows), (count, size) in zip(nodes.items(), table, strict=False):
            assert count == len(rows)
            entries[key] = (*key, at, size, count)
            at += size
        pages = [[each for each in entries if each[0] and _child(each) == child] for child in _CHILDREN]
        pages = [page for page in pages if page]
        first = 32 * (1 + len(pages))
        at, listed = end + 60 + first, [entries[0, 0, 0, 0]]
        for page in pages:
            listed.append((1, *_child(page[0]), at, 32 * len(page), -1))
            at += 32 * len(page)
        listed += [entries[each] for page in pages for each in page]
        described = b"".join(struct.pack("<4iQ2i", *each) for each in listed)
        file.write(struct.pack("<H16sHQ32s", 0, b"copc", 1000, len(described), b"") + described)
        file.seek(235)
        file.write(struct.pack("<QI", end, 1))
        file.seek(429)
        file.write(struct.pack("<5d2Q", *[side / 2] * 4, side / 10, end + 60, first))


def _child(key: tuple[int, ...]) -> tuple[int, ...]:
    """The root's child that a node is or lies in."""
    level, *place = key
    return tuple(each >> (level - 1) for each in place)


def _nodes(world: Any, side: float) -> dict[tuple[int, int, int, int], Any]:
    nodes: dict[tuple[int, int, int, int], Any] = {}
    left = np.arange(len(world))
    for level in range(LEVELS):
        keys = np.minimum((world[left] / side * 2**level).astype(int), 2**level - 1)
        cells, group = np.unique(keys, axis=0, return_inverse=True)
        kept = np.arange(len(left)) % 16 == 0 if level < LEVELS - 1 else np.ones(len(left), bool)
        for number, cell in enumerate(cells.tolist()):
            nodes[(level, *cell)] = left[(group.reshape(-1) == number) & kept]
        left = left[~kept]
    return {key: rows for key, rows in nodes.items() if len(rows)}
