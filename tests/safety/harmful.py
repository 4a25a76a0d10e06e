"""Small files that are made to take much time or memory, or to lead elsewhere."""

from __future__ import annotations

import gzip
import json
import os
import struct
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cloud_transformers.io.limits import MOST_COLUMNS

MEGABYTE = 1 << 20


def element_lines(path: Path) -> None:
    lines = [f"element e{number} 0" for number in range(40_000)]
    head = ["ply", "format ascii 1.0", *lines, "element vertex 1", *(f"property float {axis}" for axis in "xyz")]
    path.write_text("\n".join([*head, "end_header", "0 0 0"]) + "\n")


def chain_of_nodes(path: Path) -> None:
    points = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0]], np.float32).tobytes()
    write_glb(path, [*({"children": [number + 1]} for number in range(20_000)), {"mesh": 0}], [0], points)


def write_glb(path: Path, nodes: list[dict[str, Any]], roots: list[int], points: bytes) -> None:
    """One mesh of triangles, and nodes that show it."""
    accessor = {"bufferView": 0, "componentType": 5126, "count": len(points) // 12, "type": "VEC3"}
    scene = {
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": roots}],
        "nodes": nodes,
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
        "accessors": [accessor],
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


def repeated_mesh(path: Path) -> None:
    """Many nodes, one and the same mesh."""
    points = np.zeros((999, 3), np.float32).tobytes()
    write_glb(path, [{"mesh": 0}] * 50, list(range(50)), points)


def polygons(path: Path) -> None:
    """Every byte is the corner of a triangle."""
    head = ["ply", "format binary_little_endian 1.0", "element vertex 3", *(f"property float {axis}" for axis in "xyz")]
    head += ["element face 1", "property list uint uchar vertex_indices", "end_header", ""]
    corners = b"\0\1\2\0" * 500_000
    points = np.eye(3, dtype="<f4").tobytes()
    path.write_bytes("\n".join(head).encode() + points + struct.pack("<I", len(corners)) + corners)


def many_scans(path: Path) -> None:
    pose = "0 0 0\n1 0 0\n0 1 0\n0 0 1\n1 0 0 0\n0 1 0 0\n0 0 1 0\n0 0 0 1\n"
    path.write_text(f"1\n1\n{pose}1 2 3 0.5\n" * (MOST_COLUMNS + 1))


def many_solids(path: Path) -> None:
    """In one line, so that they cannot be joined."""
    corners = "vertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\n"
    path.write_text(f"solid a facet normal 0 0 1 outer loop {corners} endloop endfacet endsolid a " * 5000)


def other_compression(path: Path) -> None:
    """Python unpacks it whole, however little of it is asked for."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_BZIP2) as archive:
        archive.writestr("cloud.bin", bytes(20 * MEGABYTE))


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
    "scans.ptx": many_scans,
    "solids.stl": many_solids,
    "bzip.zip": other_compression,
}
# Meshes that swell as they are read.
SWELLING_MESHES: dict[str, Callable[[Path], None]] = {"repeated.glb": repeated_mesh, "polygons.ply": polygons}


def _write_zeros(member: Any, megabytes: int) -> None:
    """An array [n, 4] of zeros."""
    shape = (megabytes * MEGABYTE // 16, 4)
    np.lib.format.write_array_header_2_0(member, {"descr": "<f4", "fortran_order": False, "shape": shape})
    for _ in range(megabytes):
        member.write(bytes(MEGABYTE))


EPS = b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n%%EndComments\nshowpage\n%%EOF\n"


def ghostscript(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The mark that a program which is found in the place of Ghostscript leaves when it is started."""
    program, mark = folder / "gs", folder / "it-ran"
    program.write_text(f"#!/bin/sh\ntouch {mark}\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setattr("PIL.EpsImagePlugin.gs_binary", None)  # it looks for it once
    return mark
