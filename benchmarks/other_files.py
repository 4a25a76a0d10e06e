"""Clouds through the libraries that `benchmarks.files` compares with: from file to arrays, and back."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cloud_transformers.cloud import PointCloud

CHANNELS = ("red", "green", "blue")


def structured(cloud: PointCloud) -> NDArray[Any]:
    kinds = [(axis, "f4") for axis in "xyz"] + [(name, "u1") for name in (*CHANNELS, "label")]
    rows = np.zeros(len(cloud), kinds)
    for index, axis in enumerate("xyz"):
        rows[axis] = cloud.positions[:, index]
    for index, name in enumerate(CHANNELS):
        rows[name] = cloud.fields["color"][:, index]
    rows["label"] = cloud.fields["label"]
    return rows


def arrays(rows: Any) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Positions, colours and labels as arrays of their own, which is what our reader gives."""
    positions = np.stack([np.asarray(rows[axis], np.float32) for axis in "xyz"], axis=1)
    colors = np.stack([np.asarray(rows[name]) for name in CHANNELS], axis=1)
    return positions, colors, np.array(rows["label"])


def read_ply(path: Path) -> Any:
    from plyfile import PlyData

    return arrays(PlyData.read(str(path))["vertex"].data)


def write_ply(path: Path, cloud: PointCloud, *, text: bool = False) -> None:
    from plyfile import PlyData, PlyElement

    PlyData([PlyElement.describe(structured(cloud), "vertex")], text=text).write(str(path))


def read_pcd(path: Path) -> Any:
    import pypcd4

    found = pypcd4.PointCloud.from_path(path)
    colors = pypcd4.PointCloud.decode_rgb(found.pc_data["rgb"].view(np.float32))
    return found.numpy(("x", "y", "z")), colors, np.array(found.pc_data["label"])


def write_pcd(path: Path, cloud: PointCloud) -> None:
    import pypcd4

    rgb = pypcd4.PointCloud.encode_rgb(cloud.fields["color"]).reshape(-1)
    columns = [*cloud.positions.T, rgb, cloud.fields["label"]]
    types = tuple(values.dtype.type for values in columns)
    pypcd4.PointCloud.from_points(columns, ("x", "y", "z", "rgb", "label"), types).save(path)


def read_las(path: Path) -> Any:
    import laspy

    las = laspy.read(path)
    colors = np.stack([np.asarray(las[name]) for name in CHANNELS], axis=1)
    return las.xyz, colors, np.array(las.classification)


def write_las(path: Path, cloud: PointCloud) -> None:
    import laspy

    header = laspy.LasHeader(version="1.4", point_format=7)
    header.scales = [1e-5] * 3
    las = laspy.LasData(header)
    las.x, las.y, las.z = cloud.positions.T
    las.red, las.green, las.blue = cloud.fields["color"].T.astype(np.uint16) * 257
    las.classification = cloud.fields["label"]
    las.write(path)


def read_npy(path: Path) -> Any:
    rows = np.load(path)
    return {name: np.ascontiguousarray(rows[name]) for name in rows.dtype.names}


def write_npy(path: Path, cloud: PointCloud) -> None:
    np.save(path, structured(cloud))


def read_npz(path: Path) -> Any:
    with np.load(path) as found:
        return {name: found[name] for name in found.files}


def write_npz(path: Path, cloud: PointCloud) -> None:
    np.savez(path, positions=cloud.positions, **cloud.fields)


def read_h5(path: Path) -> Any:
    import h5py

    with h5py.File(path) as file:
        return {name: file[name][:] for name in file}


def write_h5(path: Path, cloud: PointCloud) -> None:
    import h5py

    with h5py.File(path, "w") as file:
        for name, values in {"positions": cloud.positions, **cloud.fields}.items():
            file[name] = values


def read_text(path: Path) -> Any:
    return np.loadtxt(path, delimiter=",", skiprows=1)


def write_text(path: Path, cloud: PointCloud) -> None:
    rows = structured(cloud)
    np.savetxt(path, rows, ["%.9g"] * 3 + ["%d"] * 4, ",", header=",".join(rows.dtype.names or ()), comments="")


def make_e57(path: Path, cloud: PointCloud) -> None:
    import pye57

    file = pye57.E57(str(path), mode="w")
    data = {f"cartesian{axis}": values for axis, values in zip("XYZ", cloud.positions.T, strict=True)}
    data |= {
        f"color{name}": values for name, values in zip(("Red", "Green", "Blue"), cloud.fields["color"].T, strict=True)
    }
    file.write_scan_raw(data)
    file.close()


def read_e57(path: Path) -> Any:
    import pye57

    return pye57.E57(str(path)).read_scan(0, colors=True, ignore_missing_fields=True)


def make_meshes(path: Path, cloud: PointCloud) -> None:
    """Every three points are a triangle of their own."""
    import trimesh

    corners = cloud.positions[: len(cloud) // 3 * 3]
    mesh = trimesh.Trimesh(corners, np.arange(len(corners)).reshape(-1, 3), process=False)
    path.write_bytes(_as_bytes(mesh.export(file_type=path.suffix[1:])))


def read_mesh(path: Path) -> Any:
    import trimesh

    loaded = trimesh.load(path, process=False, force="mesh")
    return trimesh.sample.sample_surface(loaded, 100_000, seed=0)


def _as_bytes(content: str | bytes) -> bytes:
    return content.encode() if isinstance(content, str) else content
