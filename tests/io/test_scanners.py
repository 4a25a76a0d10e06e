"""Files of scanners and driving data sets, as other programs write them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from cloud_transformers import io
from cloud_transformers.errors import InputError

ROWS = np.random.default_rng(0).normal(size=(60, 4)).astype("<f4") * 20
ROWS[:, 3] = np.linspace(0, 1, 60)  # as KITTI has intensities
COLOR = {"Red": 1, "Green": 2, "Blue": 255}


def test_a_sweep_of_kitti(tmp_path: Path) -> None:
    ROWS.tofile(tmp_path / "000000.bin")
    cloud = io.read(tmp_path / "000000.bin")
    np.testing.assert_array_equal(cloud.positions, ROWS[:, :3])
    np.testing.assert_array_equal(cloud["intensity"], ROWS[:, 3])
    assert [len(part) for part in io.read_chunks(tmp_path / "000000.bin", 40)] == [40, 20]


def test_a_sweep_of_nuscenes(tmp_path: Path) -> None:
    rows = np.column_stack([ROWS, np.arange(60) % 32]).astype("<f4")
    rows.tofile(tmp_path / "a.pcd.bin")
    cloud = io.read(tmp_path / "a.pcd.bin")
    np.testing.assert_array_equal(cloud.positions, ROWS[:, :3])
    np.testing.assert_array_equal(cloud["ring"], np.arange(60) % 32)


def test_rows_of_another_kind_are_named_or_refused(tmp_path: Path) -> None:
    rows = np.column_stack([ROWS, np.full((60, 2), 1e9)]).astype("<f4")
    rows.tofile(tmp_path / "a.bin")
    with pytest.raises(InputError, match="neither a sweep of KITTI"):
        io.read(tmp_path / "a.bin")
    cloud = io.read(tmp_path / "a.bin", columns="x,y,z,intensity,time,_")
    np.testing.assert_array_equal(cloud.positions, ROWS[:, :3])
    assert set(cloud.fields) == {"intensity", "time"}
    with pytest.raises(InputError, match="no whole rows of 7 float32"):
        io.read(tmp_path / "a.bin", columns="a,b,c,x,y,z,d")


@pytest.mark.parametrize(
    "rows",
    [
        np.column_stack([ROWS[:, :3], np.random.default_rng(1).integers(0, 256, (60, 3))]).astype("<f4"),
        np.column_stack([ROWS[:, :3], np.random.default_rng(1).random((60, 3))]).astype("<f4"),
        np.arange(120, dtype="<i8"),
        np.random.default_rng(1).normal(size=(60, 4)).astype("<f4"),
    ],
    ids=["colours of ScanNet", "colours of SUN RGB-D", "labels", "a buffer of glTF"],
)
def test_other_files_of_the_same_suffix_are_no_sweep(rows: np.ndarray, tmp_path: Path) -> None:
    """All of them are whole rows of four float32."""
    rows.tofile(tmp_path / "a.bin")
    assert rows.nbytes % 16 == 0
    with pytest.raises(InputError, match="neither a sweep of KITTI"):
        io.read(tmp_path / "a.bin")


def scan_text(turned: bool, color: bool) -> str:
    """Two columns of three rays, of which the second hit nothing; as Cyclone writes them."""
    matrix = "0 1 0 0\n-1 0 0 0\n0 0 1 0\n100 200 5 1\n" if turned else "1 0 0 0\n0 1 0 0\n0 0 1 0\n0 0 0 1\n"
    rays = [(1, 2, 3), (0, 0, 0), (4, 5, 6), (7, 8, 9), (1, 0, 0), (0, 1, 0)]
    lines = "".join(f"{x} {y} {z} 0.5{' 10 20 30' if color else ''}\n" for x, y, z in rays)
    return "2\n3\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n" + matrix + lines


@pytest.mark.parametrize("color", [True, False])
def test_scans_of_leica(color: bool, tmp_path: Path) -> None:
    (tmp_path / "a.ptx").write_text(scan_text(False, color) + scan_text(True, color))
    cloud = io.read(tmp_path / "a.ptx")
    assert len(cloud) == 10
    np.testing.assert_array_equal(cloud["scan"], [0] * 5 + [1] * 5)
    np.testing.assert_array_equal(cloud.world[:2], [[1, 2, 3], [4, 5, 6]])
    np.testing.assert_array_equal(cloud.world[5:7], [[98, 201, 8], [95, 204, 11]])  # x' = x R + t, vectors being rows
    assert cloud["intensity"].dtype == np.float32
    if color:
        np.testing.assert_array_equal(cloud["color"], [[10, 20, 30]] * 10)
    (tmp_path / "b.ptx").write_text(scan_text(False, color)[:-9])
    with pytest.raises(InputError, match=r"line 1[56]"):
        io.read(tmp_path / "b.ptx")


def test_scans_of_e57_stand_where_their_poses_say(tmp_path: Path) -> None:
    pye57 = pytest.importorskip("pye57")
    generator = np.random.default_rng(0)
    scans = [generator.uniform(-5, 5, (count, 3)) for count in (40, 25)]
    file = pye57.E57(str(tmp_path / "a.e57"), mode="w")
    for points, place in zip(scans, ([0, 0, 0], [100.0, 200.0, 3.0]), strict=True):
        data = {f"cartesian{axis}": points[:, index] for index, axis in enumerate("XYZ")}
        data |= {"intensity": np.linspace(0, 1, len(points))}
        data |= {f"color{name}": np.full(len(points), value) for name, value in COLOR.items()}
        file.write_scan_raw(data, rotation=np.array([1.0, 0, 0, 0]), translation=np.array(place, float))
    file.close()
    cloud = io.read(tmp_path / "a.e57")
    np.testing.assert_allclose(cloud.world, np.concatenate([scans[0], scans[1] + [100, 200, 3]]), atol=1e-5)
    np.testing.assert_array_equal(cloud["scan"], [0] * 40 + [1] * 25)
    np.testing.assert_array_equal(cloud["color"][0], [1, 2, 255])
    np.testing.assert_allclose(cloud["intensity"][:40], np.linspace(0, 1, 40), atol=1e-6)
    (tmp_path / "b.e57").write_bytes((tmp_path / "a.e57").read_bytes()[:3000])
    with pytest.raises(InputError, match=r"b\.e57"):
        io.read(tmp_path / "b.e57")


def test_scans_of_e57_with_different_fields_lose_none_in_silence(tmp_path: Path) -> None:
    pye57 = pytest.importorskip("pye57")
    file = pye57.E57(str(tmp_path / "a.e57"), mode="w")
    for has_color in (True, False):
        data = {f"cartesian{axis}": np.arange(9.0) for axis in "XYZ"}
        data |= {f"color{name}": np.full(9, value) for name, value in COLOR.items() if has_color}
        file.write_scan_raw(data, rotation=np.array([1.0, 0, 0, 0]), translation=np.zeros(3))
    file.close()
    with pytest.raises(InputError, match="not all scans have the field color; leave it out"):
        io.read(tmp_path / "a.e57")
    assert list(io.read(tmp_path / "a.e57", drop=["color"]).fields) == ["scan"]


# As Leica's programs and others write them: how many rows, or not; intensities of any kind; colours, or not.
PTS = {
    "positions": ("0.5 1 2\n3 4 5\n", []),
    "raw intensity": ("0.5 1 2 -1613\n3 4 5 2047\n", [("intensity", "int64")]),
    "bytes": ("0.5 1 2 17\n3 4 5 255\n", [("intensity", "int64")]),
    "share": ("0.5 1 2 0.25\n3 4 5 1\n", [("intensity", "float32")]),
    "color": ("0.5 1 2 52 70 64\n3 4 5 0 0 255\n", [("color", "uint8")]),
    "all": ("0.5 1 2 -1613 52 70 64\n3 4 5 602 0 0 255\n", [("color", "uint8"), ("intensity", "int64")]),
}


@pytest.mark.parametrize("counted", [True, False])
@pytest.mark.parametrize("name", PTS)
def test_variants_of_pts(name: str, counted: bool, tmp_path: Path) -> None:
    text, fields = PTS[name]
    (tmp_path / "a.pts").write_text("2\n" * counted + text)
    cloud = io.read(tmp_path / "a.pts")
    np.testing.assert_array_equal(cloud.positions, [[0.5, 1, 2], [3, 4, 5]])
    assert sorted((field, str(values.dtype)) for field, values in cloud.fields.items()) == fields
