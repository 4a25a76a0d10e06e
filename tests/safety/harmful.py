"""Small files that are made to take much time or memory, or to lead elsewhere."""

from __future__ import annotations

import gzip
import json
import struct
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

MEGABYTE = 1 << 20


def element_lines(path: Path) -> None:
    lines = [f"element e{number} 0" for number in range(40_000)]
    head = ["ply", "format ascii 1.0", *lines, "element vertex 1", *(f"property float {axis}" for axis in "xyz")]
    path.write_text("\n".join([*head, "end_header", "0 0 0"]) + "\n")


def chain_of_nodes(path: Path) -> None:
    points = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0]], np.float32).tobytes()
    nodes: list[dict[str, Any]] = [{"children": [number + 1]} for number in range(20_000)]
    scene = {
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": [*nodes, {"mesh": 0}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
        "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"}],
        "bufferViews": [{"buffer": 0, "byteOffset": 0, "byteLength": len(points)}],
        "buffers": [{"byteLength": len(points)}],
    }
    text = json.dumps(scene).encode()
    text += b" " * (-len(text) % 4)
    body = struct.pack("<I4s", len(text), b"JSON") + text + struct.pack("<I4s", len(points), b"BIN\0") + points
    path.write_bytes(struct.pack("<4sII", b"glTF", 2, 12 + len(body)) + body)


def swelling_archive(path: Path) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive, archive.open("positions.npy", "w") as member:
        _write_zeros(member, 3)


def overlapping_archive(path: Path) -> None:
    """Many entries of the directory, one and the same data."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        with archive.open("x.npy", "w") as member:
            _write_zeros(member, 1)
        info = archive.filelist[0]
        for number in range(3000):
            twin = zipfile.ZipInfo(f"a{number}.npy")
            for name in ("header_offset", "compress_size", "file_size", "CRC", "compress_type"):
                setattr(twin, name, getattr(info, name))
            archive.filelist.append(twin)


def gzip_of_zeros(path: Path) -> None:
    with gzip.open(path, "wb") as file:
        file.write(b"0 0 0\n" * 100_000)


def zip_of_zeros(path: Path) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive, archive.open("cloud.xyz", "w") as member:
        member.write(b"0 0 0\n" * 100_000)


def huge_chunk(path: Path) -> None:
    import h5py

    with h5py.File(path, "w") as file:
        dataset = file.create_dataset(
            "positions", (10, 3), "f4", chunks=(40_000_000, 3), maxshape=(None, 3), compression="gzip"
        )
        del dataset  # never written: a chunk of this size would have to be made


def compressed_zeros(path: Path) -> None:
    import h5py

    with h5py.File(path, "w") as file:
        file.create_dataset("positions", data=np.zeros((200_000, 3), "f4"), chunks=(50_000, 3), compression="gzip")


# What unpacks to too much, and could be allowed.
SWELLING: dict[str, Callable[[Path], None]] = {
    "swelling.npz": swelling_archive,
    "zeros.xyz.gz": gzip_of_zeros,
    "zeros.zip": zip_of_zeros,
    "zeros.h5": compressed_zeros,
    "chunk.h5": huge_chunk,
}
# What is refused, whatever is allowed.
REFUSED: dict[str, Callable[[Path], None]] = {
    "elements.ply": element_lines,
    "chain.glb": chain_of_nodes,
    "overlapping.npz": overlapping_archive,
}


def _write_zeros(member: Any, megabytes: int) -> None:
    """An array [n, 4] of zeros."""
    shape = (megabytes * MEGABYTE // 16, 4)
    np.lib.format.write_array_header_2_0(member, {"descr": "<f4", "fortran_order": False, "shape": shape})
    for _ in range(megabytes):
        member.write(bytes(MEGABYTE))
