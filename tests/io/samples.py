"""Small valid files of every format, as the starting points for mutation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np

from cloud_transformers import io
from cloud_transformers.cloud import PointCloud

MESH_FORMATS = ("plymesh", "obj", "off", "stl", "glb")
POINT_FORMATS = ("ply", "pcd", "las", "laz", "npy", "npz", "text", "h5")


def small_cloud(num_points: int = 40, seed: int = 0, far: bool = False) -> PointCloud:
    generator = np.random.default_rng(seed)
    return PointCloud(
        positions=generator.normal(size=(num_points, 3)).astype(np.float32),
        offset=np.array([512_000.0, 5_400_000.0, 300.0]) if far else np.zeros(3),
        fields={
            "color": generator.integers(0, 256, (num_points, 3)).astype(np.uint8),
            "normal": generator.normal(size=(num_points, 3)).astype(np.float32),
            "intensity": generator.integers(0, 2000, num_points).astype(np.uint16),
            "label": generator.integers(0, 13, num_points).astype(np.uint8),
        },
    )


def write_samples(kind: str, folder: Path) -> list[Path]:
    """Writes valid files of one format into a folder, and gives their paths."""
    near, far = small_cloud(), small_cloud(25, seed=1, far=True)
    paths: list[Path] = []

    def add(suffix: str, cloud: PointCloud, **options: object) -> None:
        paths.append(folder / f"{len(paths)}{suffix}")
        io.write(paths[-1], cloud, **options)  # type: ignore[arg-type]

    match kind:
        case "ply":
            for encoding in ("ascii", "binary_little_endian", "binary_big_endian"):
                add(".ply", near, encoding=encoding)
                add(".ply", far, encoding=encoding)
        case "pcd":
            for encoding in ("ascii", "binary", "binary_compressed"):
                add(".pcd", near, encoding=encoding)
                add(".pcd", far, encoding=encoding)
        case "las" | "laz":
            add(f".{kind}", near)
            add(f".{kind}", far.with_fields(wide=np.ones((25, 2), np.float32)))
            add(f".{kind}", far.without_fields("color"))
            # Old point formats are compressed point by point, new ones in layers.
            add(f".{kind}", replace(far, metadata={"las": {"version": "1.2", "point_format": 3}}))
        case "npy":
            add(".npy", near)
            add(".npy", near.without_fields(*near.fields))
            add(".npy", far)
        case "npz":
            add(".npz", near)
            add(".npz", far, compress=True)
        case "text":
            add(".csv", near)
            add(".txt", far, separator="tab")
            add(".xyz", near.without_fields(*near.fields))
        case "h5":
            add(".h5", near)
            add(".h5", far, compress=True)
        case _:
            paths += write_meshes(kind, folder)
    return paths


def write_meshes(kind: str, folder: Path) -> list[Path]:
    import trimesh

    box, ball = trimesh.creation.box(), trimesh.creation.icosphere(subdivisions=1)
    suffix = "ply" if kind == "plymesh" else kind
    encodings: dict[str, list[dict[str, object]]] = {
        "ply": [{"encoding": "ascii"}, {"encoding": "binary"}],
        "stl": [{"file_type": "stl"}, {"file_type": "stl_ascii"}],
    }
    paths = []
    for mesh in (box, ball):
        for options in encodings.get(suffix, [{}]):
            paths.append(folder / f"{len(paths)}.{suffix}")
            data = mesh.export(**{"file_type": suffix, **options})
            paths[-1].write_bytes(data.encode() if isinstance(data, str) else data)
    return paths


def reader(kind: str) -> Callable[[Path], object]:
    """How files of one format are read: meshes are sampled, clouds read whole and in chunks."""
    if kind in MESH_FORMATS:
        return lambda path: io.read(path, sample=16)

    def read_both_ways(path: Path) -> object:
        whole = io.read(path, non_finite="drop")
        parts = list(io.read_chunks(path, 7, non_finite="drop"))
        assert sum(len(part) for part in parts) == len(whole)
        return whole

    return read_both_ways
