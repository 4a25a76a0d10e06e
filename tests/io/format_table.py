"""The table of formats in docs/files.md: `python -m tests.io.format_table` prints it.

Nothing in it is written by hand. A cloud of surveyed points goes two ways in every format: another program writes it
and we read it; we write it and that program reads it. What came through as it was is kept; what did not is lost.
"""

from __future__ import annotations

import csv
import gzip
import tempfile
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cloud_transformers import io
from cloud_transformers.cloud import PointCloud

Seen = dict[str, NDArray[Any]]  # world coordinates as "xyz", fields under our names, text as an array without dimension

STEP = 0.001
CRS = "EPSG:32632"
FILES = Path(__file__).parent / "files"
OTHER_SPELLING = {"normal_x": "nx", "normal_y": "ny", "normal_z": "nz", "classification": "label"}


def truth() -> Seen:
    draw = np.random.default_rng(0)
    steps = draw.integers(0, 90_000, (40, 3))
    return {
        "xyz": np.array([691_000.0, 5_334_000.0, 500.0]) + steps * STEP,
        "color": draw.integers(0, 256, (40, 3)).astype(np.uint8),
        "normal": draw.normal(size=(40, 3)).astype(np.float32),
        "intensity": draw.integers(0, 4096, 40).astype(np.uint16),
        "label": draw.integers(0, 20, 40).astype(np.uint8),
        "height": draw.random(40).astype(np.float32),
        "coordinate system": np.array(CRS),
    }


def flat(seen: Mapping[str, NDArray[Any]]) -> Seen:
    """One column for each channel, as tables have them."""
    names = {"xyz": "x y z", "color": "red green blue", "normal": "nx ny nz"}
    columns: Seen = {}
    for name, values in seen.items():
        for index, column in enumerate(names.get(name, name).split() if values.ndim else ()):
            columns[column] = values if values.ndim == 1 else values[:, index]
    return columns


def joined(columns: Mapping[str, NDArray[Any]]) -> Seen:
    """The other way round, from columns in any usual spelling."""
    known = {OTHER_SPELLING.get(name.lower(), name.lower()): np.asarray(values) for name, values in columns.items()}
    seen: Seen = {}
    for name, parts in (("xyz", "xyz"), ("color", ("red", "green", "blue")), ("normal", ("nx", "ny", "nz"))):
        if all(part in known for part in parts):
            seen[name] = np.stack([known.pop(part) for part in parts], axis=1)
    return seen | known


def structured(columns: Mapping[str, NDArray[Any]]) -> NDArray[Any]:
    rows = np.zeros(len(columns["x"]), [(name, values.dtype) for name, values in columns.items()])
    for name, values in columns.items():
        rows[name] = values
    return rows


def write_plyfile(path: Path, seen: Seen) -> None:
    from plyfile import PlyData, PlyElement

    vertex = PlyElement.describe(structured(flat(seen)), "vertex")
    PlyData([vertex], comments=[f"crs {CRS}"]).write(str(path))


def read_plyfile(path: Path) -> Seen:
    from plyfile import PlyData

    data = PlyData.read(str(path))
    seen = joined({part.name: data["vertex"][part.name] for part in data["vertex"].properties})
    return seen | {"coordinate system": np.array(" ".join(data.comments))}


def write_pypcd4(path: Path, seen: Seen) -> None:
    import pypcd4

    fields = {**flat({name: seen[name] for name in ("xyz", "intensity", "label", "height")})}
    normals = dict(zip(("normal_x", "normal_y", "normal_z"), seen["normal"].T, strict=True))
    rgb = pypcd4.PointCloud.encode_rgb(seen["color"]).reshape(-1)
    columns = {**fields, **normals, "rgb": rgb}
    types = tuple(values.dtype.type for values in columns.values())
    pypcd4.PointCloud.from_points(list(columns.values()), list(columns), types).save(path)


def read_pypcd4(path: Path) -> Seen:
    import pypcd4

    cloud = pypcd4.PointCloud.from_path(path)
    columns = {name: cloud.pc_data[name] for name in cloud.fields}
    color = pypcd4.PointCloud.decode_rgb(columns.pop("rgb").view(np.float32))
    header = path.read_bytes().partition(b"DATA")[0].decode()
    return joined(columns) | {"color": color, "coordinate system": np.array(header)}


def write_laspy(path: Path, seen: Seen) -> None:
    import laspy

    header = laspy.LasHeader(version="1.4", point_format=7)
    header.scales, header.offsets = [STEP] * 3, np.floor(seen["xyz"].min(axis=0))
    header.add_extra_dims([laspy.ExtraBytesParams(name, "f4") for name in ("nx", "ny", "nz", "height")])
    keys = np.array([1, 1, 0, 1, 3072, 0, 1, int(CRS[5:])], "<u2").tobytes()
    header.vlrs.append(laspy.VLR("LASF_Projection", 34735, "", keys))
    las = laspy.LasData(header)
    las.x, las.y, las.z = seen["xyz"].T
    las.red, las.green, las.blue = seen["color"].T.astype(np.uint16) * 257
    las.nx, las.ny, las.nz = seen["normal"].T
    las.intensity, las.classification, las.height = seen["intensity"], seen["label"], seen["height"]
    las.write(path)


def read_laspy(path: Path) -> Seen:
    import laspy

    las = laspy.read(path)
    columns = {name: np.array(las[name]) for name in las.point_format.dimension_names}
    columns |= {axis: np.array(las[axis]) for axis in "xyz"}
    columns = {name: values for name, values in columns.items() if name not in ("X", "Y", "Z")}
    for field, channels in (("normal", ("nx", "ny", "nz")),):  # ours are channels of a field
        for index, name in enumerate(channels):
            columns[name] = columns.pop(f"{field}[{index}]", columns.get(name))  # type: ignore[assignment]
    seen = joined(columns)
    seen["color"] = (seen["color"] // 257).astype(np.uint8)
    records = [record.record_data_bytes() for record in las.header.vlrs if record.record_id == 34735]
    codes = np.frombuffer(records[0], "<u2") if records else []
    return seen | {"coordinate system": np.array(" ".join(f"EPSG:{code}" for code in codes))}


def write_npy(path: Path, seen: Seen) -> None:
    np.save(path, structured(flat(seen)))


def read_npy(path: Path) -> Seen:
    rows = np.load(path)
    return joined({name: rows[name] for name in rows.dtype.names})


def _arrays(seen: Mapping[str, NDArray[Any]]) -> Seen:
    return {"positions" if name == "xyz" else name: values for name, values in seen.items() if values.ndim}


def write_npz(path: Path, seen: Seen) -> None:
    np.savez(path, **_arrays(seen))


def read_npz(path: Path) -> Seen:
    with np.load(path) as arrays:
        found = {name: arrays[name] for name in arrays.files}
    world = found.pop("positions") + found.pop("offset", 0.0)
    return found | {"xyz": world, "coordinate system": found.get("metadata.crs", np.array(""))}


def write_h5py(path: Path, seen: Seen) -> None:
    import h5py

    with h5py.File(path, "w") as file:
        for name, values in _arrays(seen).items():
            file[name] = values


def read_h5py(path: Path) -> Seen:
    import h5py

    with h5py.File(path) as file:
        found = {name: file[name][:] for name in file}
        notes = dict(file["positions"].attrs)
    return found | {
        "xyz": found["positions"] + notes.get("offset", 0.0),
        "coordinate system": np.array(notes.get("crs", "")),
    }


def write_text(path: Path, seen: Seen) -> None:
    columns = flat(seen)
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(columns)
        writer.writerows(zip(*(values.tolist() for values in columns.values()), strict=True))


def read_text(path: Path) -> Seen:
    with path.open(newline="") as file:
        names, *rows = csv.reader(file)
    return joined({name: np.array([float(row[index]) for row in rows]) for index, name in enumerate(names)})


def write_e57(path: Path, seen: Seen) -> None:
    import pye57

    file = pye57.E57(str(path), mode="w")
    place = np.floor(seen["xyz"].min(axis=0))  # of the scanner: pye57 stores coordinates in single precision
    data = {f"cartesian{axis}": values for axis, values in zip("XYZ", (seen["xyz"] - place).T, strict=True)}
    data |= {f"color{name}": values for name, values in zip(("Red", "Green", "Blue"), seen["color"].T, strict=True)}
    data |= {"intensity": seen["intensity"].astype(np.float32)}
    file.write_scan_raw(data, rotation=np.array([1.0, 0, 0, 0]), translation=place)
    file.close()


def write_kitti(path: Path, seen: Seen) -> None:
    near = seen["xyz"] - seen["xyz"].mean(axis=0)
    np.column_stack([near, seen["intensity"] / 4096]).astype("<f4").tofile(path)


def write_gzip(path: Path, seen: Seen) -> None:
    write_text(path.with_suffix(""), seen)
    path.write_bytes(gzip.compress(path.with_suffix("").read_bytes()))


def write_zip(path: Path, seen: Seen) -> None:
    write_text(path.with_suffix(""), seen)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.write(path.with_suffix(""), path.stem)


def write_ptx(path: Path, seen: Seen) -> None:
    """One raster of points around the scanner, whose place is in the matrix."""
    place = np.floor(seen["xyz"].min(axis=0))
    sizes, axes = f"{len(seen['xyz'])}\n1\n", "0 0 0\n1 0 0\n0 1 0\n0 0 1\n"
    matrix = "1 0 0 0\n0 1 0 0\n0 0 1 0\n{:.0f} {:.0f} {:.0f} 1".format(*place)
    rows = np.column_stack([seen["xyz"] - place, seen["intensity"] / 4096, seen["color"]])
    np.savetxt(path, rows, ["%.3f"] * 3 + ["%.9f"] + ["%d"] * 3, header=sizes + axes + matrix, comments="")


def write_gltf(path: Path, seen: Seen) -> None:
    """The unit cube with its geometry as text in the file itself."""
    import trimesh

    box = trimesh.creation.box(extents=(1, 1, 1))
    box.apply_translation((0.5, 0.5, 0.5))
    files = trimesh.exchange.gltf.export_gltf(trimesh.Scene(box), embed_buffers=True)
    path.write_bytes(files["model.gltf"])


def copy_box(path: Path, seen: Seen) -> None:
    path.write_bytes(next(FILES.glob(f"*_box{path.suffix}")).read_bytes())


@dataclass(frozen=True)
class Row:
    suffix: str
    program: str
    write: Callable[[Path, Seen], None]
    read: Callable[[Path], Seen] | None = None  # none: we only read the format


ROWS = (
    Row(".ply", "plyfile", write_plyfile, read_plyfile),
    Row(".pcd", "pypcd4", write_pypcd4, read_pypcd4),
    Row(".las", "laspy", write_laspy, read_laspy),
    Row(".laz", "laspy", write_laspy, read_laspy),
    Row(".npy", "numpy", write_npy, read_npy),
    Row(".npz", "numpy", write_npz, read_npz),
    Row(".h5", "h5py", write_h5py, read_h5py),
    Row(".csv", "Python's csv", write_text, read_text),
    Row(".e57", "pye57", write_e57),
    Row(".bin", "numpy, as KITTI", write_kitti),
    Row(".ptx", "numpy, as Leica", write_ptx),
    Row(".csv.gz", "Python's gzip", write_gzip),
    Row(".csv.zip", "Python's zipfile", write_zip),
    *(Row(suffix, "Open3D", copy_box) for suffix in (".obj", ".off", ".stl", ".glb")),
    Row(".gltf", "trimesh", write_gltf),
    Row(".3mf", "trimesh", copy_box),
)


def read_by_us(row: Row, folder: Path) -> str:
    """What we find in the other program's file."""
    path = folder / f"theirs{row.suffix}"
    row.write(path, truth())
    if io.is_mesh(path):
        cloud = io.read(path, sample=500)
        on_face = np.isclose(np.abs(cloud.positions - 0.5).max(axis=1), 0.5, atol=1e-6)
        assert on_face.all(), f"{path}: a point lies beside the faces"
        return "points on its faces"
    cloud = io.read(path)
    wanted = truth()
    if row.write is write_kitti:
        wanted = {"xyz": wanted["xyz"] - wanted["xyz"].mean(axis=0), "intensity": wanted["intensity"] / 4096}
    elif row.write is write_ptx:
        wanted = {name: wanted[name] for name in ("xyz", "color", "intensity")}
        wanted["intensity"] = wanted["intensity"] / 4096
    found: Seen = {**cloud.fields, "xyz": cloud.world, "coordinate system": np.array(cloud.crs or "")}
    return _listed([name for name in wanted if _same(name, wanted[name], found.get(name), cloud)])


def read_by_them(row: Row, folder: Path) -> tuple[str, str]:
    """What the other program finds in our file, and what it does not."""
    wanted = truth()
    cloud = PointCloud(
        positions=wanted["xyz"],
        fields={name: values for name, values in wanted.items() if values.ndim and name != "xyz"},
        metadata={"crs": CRS, "scale": [STEP] * 3},
    )
    path = folder / f"ours{row.suffix}"
    io.write(path, cloud)
    assert row.read is not None
    found = row.read(path)
    kept = [name for name in wanted if _same(name, wanted[name], found.get(name), None)]
    same_types = all(found[name].dtype == wanted[name].dtype for name in kept if wanted[name].ndim and name != "xyz")
    lost = [name for name in wanted if name not in kept]
    return _listed(kept), _listed([*lost, *([] if same_types else ["types of fields"])])


def _same(name: str, wanted: NDArray[Any], found: NDArray[Any] | None, cloud: PointCloud | None) -> bool:
    if found is None:
        return False
    if name == "coordinate system":
        return CRS in str(found)
    if name == "color" and cloud is not None and found.dtype == np.uint16:
        found = cloud.cast(color=np.uint8).fields["color"]
    if found.shape != wanted.shape:
        return False
    return bool(np.allclose(found, wanted, rtol=0, atol=STEP / 2 if name == "xyz" else 1e-6))


def _listed(names: list[str]) -> str:
    return ", ".join("coordinates" if name == "xyz" else name for name in names) or "nothing"


def table() -> str:
    lines = [
        "| format | written by | found by us | ours, found by them | lost on the way |",
        "|---|---|---|---|---|",
    ]
    with tempfile.TemporaryDirectory() as folder:
        for row in ROWS:
            found = read_by_us(row, Path(folder))
            kept, lost = read_by_them(row, Path(folder)) if row.read else ("not written", "")
            lines.append(f"| `{row.suffix}` | {row.program} | {found} | {kept} | {lost} |")
    return "\n".join(lines)


if __name__ == "__main__":
    print(table())
