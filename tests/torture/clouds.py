"""Targets: clouds as scanners, cars and other programs write them, and what they are packed in."""

from __future__ import annotations

import base64
import gzip
import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from cloud_transformers import io
from tests.io.samples import reader, small_cloud
from tests.io.test_threemf import MOVED, TRIANGLE, archive
from tests.torture.shells import mutate_in_e57, mutate_in_gzip, mutate_in_octree, mutate_in_zip
from tests.torture.target import Target, of_files, of_json

_FRAME = "0 0 0\n1 0 0\n0 1 0\n0 0 1\n1 0 0 0\n0 1 0 0\n0 0 1 0\n0 0 0 1"  # a scanner at the origin
_INTENSITY = np.linspace(0, 1, 40)


def _points() -> np.ndarray:
    return small_cloud(len(_INTENSITY)).positions


def _e57(folder: Path) -> Target:
    """One scan, and two with poses, intensities and colours."""
    import pye57

    paths = [folder / "0.e57", folder / "1.e57"]
    place = {f"cartesian{axis}": _points()[:, index].astype(float) for index, axis in enumerate("XYZ")}
    rich = place | {"intensity": _INTENSITY} | {f"color{name}": np.full(40, 7) for name in ("Red", "Green", "Blue")}
    for path, scans in zip(paths, ([place], [rich, rich]), strict=True):
        file = pye57.E57(str(path), mode="w")
        for scan in scans:
            file.write_scan_raw(scan, rotation=np.array([1.0, 0, 0, 0]), translation=np.array([1.0, 2, 3]))
        file.close()
    return of_files(paths, reader("ply"), mutate_in_e57)


def _ptx(folder: Path) -> Target:
    rows = "\n".join(f"{x} {y} {z} 0.5" for x, y, z in _points())
    scan = f"8\n5\n{_FRAME}\n{rows}\n"
    colored = f"2\n1\n{_FRAME}\n1 2 3 0.5 9 9 9\n0 0 0 0.5 0 0 0\n"
    return Target([text.encode() for text in (scan, scan + scan, colored)], [".ptx"], reader("ply"))


def _text(folder: Path) -> Target:
    """Rows without names in their many dialects."""
    x_y_z = [f"{x:.3f} {y:.3f} {z:.3f}" for x, y, z in _points()]
    dialects = [
        "40\n" + "\n".join(f"{row} -1613 52 70 64" for row in x_y_z),
        "\n".join(f"{row} 0.25" for row in x_y_z),
        "\n".join(row.replace(".", ",").replace(" ", ";") for row in x_y_z),
        "// X Y Z R G B\n" + "\n".join(f"{row} 1 2 3" for row in x_y_z),
        "\n".join(f"{row} 0 0 1" for row in x_y_z),
    ]
    suffixes = [".pts", ".asc", ".txt", ".tsv", ".xyzn", ".xyzrgb"]
    return Target([text.encode() for text in dialects], suffixes, reader("ply"))


def _bin(folder: Path) -> Target:
    kitti = np.column_stack([_points() * 20, _INTENSITY]).astype("<f4")
    nuscenes = np.column_stack([kitti, np.arange(40) % 32]).astype("<f4")
    return Target([kitti.tobytes(), nuscenes.tobytes()], [".bin", ".pcd.bin"], reader("ply"))


def _splat(folder: Path) -> Target:
    """Gaussian splats; the transparent ones are left out."""
    import plyfile

    names = ("x", "y", "z", "nx", "ny", "nz", "f_dc_0", "f_dc_1", "f_dc_2", "f_rest_0", "opacity", "scale_0", "rot_0")
    rows = np.random.default_rng(0).normal(size=(20, len(names))).astype("<f4").view([(name, "<f4") for name in names])
    paths = [folder / "0.ply", folder / "1.ply"]
    for path in paths:
        plyfile.PlyData([plyfile.PlyElement.describe(rows[:, 0], "vertex")], text=path == paths[0]).write(path)
    whole = reader("ply")

    def read(path: Path) -> object:
        return whole(path), io.read(path, non_finite="drop", min_opacity=0.4)

    return of_files(paths, read)


def _copc(folder: Path) -> Target:
    """A LAZ file whose chunks are the nodes of an octree; all of it is read, some rows, and some of its space."""
    from tests.io.copc import write_copc

    path, whole = folder / "0.copc.laz", reader("ply")
    write_copc(path, np.random.default_rng(0).uniform(0, 8, (300, 3)), 8.0)

    def read(path: Path) -> object:
        rows = list(io.read_rows(path, range(20, 60), 16, non_finite="drop"))
        boxes = [io.read_box(path, [1, 2], [5, 4], spacing=each, non_finite="drop") for each in (None, 0.5)]
        return whole(path), rows, boxes

    return of_files([path], read, mutate_in_octree)


def _structured(folder: Path) -> Target:
    """Arrays of rows with names, plain and in archives."""
    kinds = {"x": "f4", "y": "f4", "z": "f4", "intensity": "u2", "red": "u1", "green": "u1", "blue": "u1"}
    rows = np.ones(7, list(kinds.items()))
    np.savez(folder / "0.npz", cloud=rows)
    np.savez_compressed(folder / "1.npz", cloud=rows.reshape(7, 1), other=np.arange(3))
    return of_files([folder / "0.npz", folder / "1.npz"], reader("npz"), mutate_in_zip)


def _hdf5(folder: Path) -> Target:
    """As other programs write them: new kinds of headers, filters, chunks, and a link."""
    import h5py

    paths = [folder / "0.h5", folder / "1.h5", folder / "2.h5"]
    with h5py.File(paths[0], "w", libver="latest") as file:
        chunked = {"chunks": (16, 3), "compression": "gzip", "shuffle": True}
        file.create_dataset("points", data=_points(), **chunked)
        file["label"] = np.arange(40, dtype=np.uint8)
    with h5py.File(paths[1], "w") as file:
        file.create_dataset("xyz", data=_points(), chunks=(7, 3), fletcher32=True, maxshape=(None, 3))
        file["color"] = np.ones((40, 3), np.uint8)
        file["again"] = h5py.SoftLink("/color")
        file["xyz"].attrs["crs"] = "EPSG:4326"
    with h5py.File(paths[2], "w") as file:
        file.create_dataset("pos", data=_points().round(), compression="lzf", shuffle=True, chunks=(40, 3))
    return of_files(paths, lambda path: (io.read(path, non_finite="drop"), list(io.read_chunks(path, 7))))


def _gltf(folder: Path) -> Target:
    points = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0]], np.float32).tobytes()
    uri = "data:application/octet-stream;base64," + base64.b64encode(points).decode()
    scene: dict[str, Any] = {
        "asset": {"version": "2.0"},
        "scenes": [{"nodes": [0, 1]}],
        "nodes": [{"mesh": 0, "children": [2]}, {"mesh": 0, "translation": [1, 2, 3]}, {"mesh": 0}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
        "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"}],
        "bufferViews": [{"buffer": 0, "byteOffset": 0, "byteLength": len(points)}],
        "buffers": [{"byteLength": len(points), "uri": uri}],
    }
    packed = {"extensions": {"KHR_draco_mesh_compression": {"bufferView": 0, "attributes": {"POSITION": 0}}}}
    meshes = [{"primitives": [{"attributes": {"POSITION": 0}, **packed}]}]
    draco = {**scene, "meshes": meshes, "extensionsUsed": ["KHR_draco_mesh_compression"]}
    return of_json([json.dumps(scene), json.dumps(draco)], ".gltf", lambda path: io.read(path, sample=16))


def _3mf(folder: Path) -> Target:
    """Meshes, components, a second part and a support."""
    triangle = f'<object id="1">{TRIANGLE}</object>'
    placed = f'<object id="2"><components><component objectid="1" transform="{MOVED}"/></components></object>'
    other = '<object id="3"><components><component objectid="7" p:path="/3D/other.model"/></components></object>'
    items = '<item objectid="1"/><item objectid="2"/>'
    plain = archive(folder / "0.3mf", triangle, items[:20], unit="inch")
    rich = archive(
        folder / "1.3mf",
        triangle + placed + other,
        items + '<item objectid="3"/>',
        other=f'<object id="7">{TRIANGLE}</object>',
    )
    return of_files([plain, rich], lambda path: io.read(path, sample=16), mutate_in_zip)


def _packed(suffix: str) -> Callable[[Path], Target]:
    """A text, a compressed and a binary format inside of another file."""

    def make(folder: Path) -> Target:
        samples = []
        for inner in (".ply", ".laz", ".csv"):
            io.write(folder / f"inner{inner}", small_cloud(), **({"encoding": "ascii"} if inner == ".ply" else {}))
            data, path = (folder / f"inner{inner}").read_bytes(), folder / f"0{inner}{suffix}"
            if suffix == ".gz":
                path.write_bytes(gzip.compress(data, mtime=0))
            else:
                with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
                    archive.writestr(zipfile.ZipInfo(f"inner{inner}"), data)
            samples.append(path.read_bytes())
        suffixes = [".ply.gz", ".laz.gz", ".csv.gz"] if suffix == ".gz" else [".zip"]
        shell = mutate_in_gzip if suffix == ".gz" else mutate_in_zip
        return Target(samples, suffixes, lambda path: io.read(path, non_finite="drop"), shell)

    return make


CLOUDS: dict[str, Callable[[Path], Target]] = {
    "gz": _packed(".gz"),
    "zip": _packed(".zip"),
    "e57": _e57,
    "ptx": _ptx,
    "pts": _text,
    "bin": _bin,
    "splat": _splat,
    "copc": _copc,
    "structured": _structured,
    "hdf5": _hdf5,
    "gltf": _gltf,
    "3mf": _3mf,
}
