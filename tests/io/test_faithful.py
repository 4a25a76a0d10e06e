"""A file on its way through other formats and back: no point moves, and what stands in the header is still there."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from uuid import UUID

import laspy
import numpy as np
import pytest

from cloud_transformers import io
from cloud_transformers.cli import main

HOLDERS = (".las", ".laz", ".ply", ".pcd", ".npy", ".npz", ".h5", ".csv", ".xyz")
WGS84 = (
    'GEOGCS["WGS 84",DATUM["WGS_1984",SPHEROID["WGS 84",6378137,298.257223563]],PRIMEM["Greenwich",0],'
    'UNIT["degree",0.0174532925199433],AUTHORITY["EPSG","4326"]]'
)
# A tile in degrees; a region of 40 km in millimetres; degrees over half a continent.
PLACES: dict[str, tuple[list[float], list[float], list[float]]] = {
    "degrees": ([1e-7, 1e-7, 1e-3], [117.2, 36.6, 20.0], [0.01, 0.01, 30.0]),
    "fine degrees": ([1e-9, 1e-9, 1e-3], [11.57, 48.13, 520.0], [0.002, 0.002, 9.0]),
    "wide": ([1e-3, 1e-3, 1e-3], [512_000.0, 5_400_000.0, 300.0], [40_000.0, 40_000.0, 900.0]),
    "continent": ([1e-7, 1e-7, 1e-3], [-10.0, 40.0, 0.0], [40.0, 20.0, 4000.0]),
    "room": ([1e-4, 1e-4, 1e-4], [0.0, 0.0, 0.0], [8.0, 5.0, 3.0]),
}


def las_with(path: Path, place: str = "degrees", **header_values: Any) -> laspy.LasData:
    scales, low, size = PLACES[place]
    header = laspy.LasHeader(version="1.4", point_format=6)
    header.scales, header.offsets = scales, np.rint(low)
    for name, value in header_values.items():
        setattr(header, name, value)
    header.vlrs.append(laspy.VLR("LASF_Projection", 2112, "", WGS84.encode() + b"\0"))
    header.global_encoding.wkt = True
    las = laspy.LasData(header)
    world = np.array(low) + np.random.default_rng(0).random((500, 3)) * size
    las.x, las.y, las.z = world.T
    las.write(path)
    return las


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("suffix", HOLDERS)
def test_no_point_moves_by_more_than_half_a_step(suffix: str, place: str, tmp_path: Path) -> None:
    before = las_with(tmp_path / "a.las", place)
    assert main(["convert", str(tmp_path / "a.las"), str(tmp_path / f"b{suffix}")]) == 0
    half = np.array(PLACES[place][0]) / 2
    assert (np.abs(io.read(tmp_path / f"b{suffix}").world - before.xyz) <= half * 1.001).all()
    parts = np.concatenate([part.world for part in io.read_chunks(tmp_path / f"b{suffix}", 99)])
    assert (np.abs(parts - before.xyz) <= half * 1.001).all()
    assert main(["convert", str(tmp_path / f"b{suffix}"), str(tmp_path / "c.las")]) == 0
    assert (np.abs(laspy.read(tmp_path / "c.las").xyz - before.xyz) <= half * 1.001).all()


@pytest.mark.parametrize("suffix", [".ply", ".pcd", ".npz", ".h5"])
def test_coordinate_system_and_scale_come_back(suffix: str, tmp_path: Path) -> None:
    before = las_with(tmp_path / "a.laz")
    assert main(["convert", str(tmp_path / "a.laz"), str(tmp_path / f"b{suffix}")]) == 0
    assert io.read(tmp_path / f"b{suffix}").metadata["crs"] == WGS84
    assert main(["convert", str(tmp_path / f"b{suffix}"), str(tmp_path / "c.laz")]) == 0
    after = laspy.read(tmp_path / "c.laz")
    np.testing.assert_array_equal(after.header.scales, before.header.scales)
    (record,) = [record for record in after.header.vlrs if record.record_id == 2112]
    assert record.record_data_bytes().rstrip(b"\0").decode() == WGS84
    assert after.header.global_encoding.wkt
    assert (tmp_path / "c.laz").stat().st_size < 1.3 * (tmp_path / "a.laz").stat().st_size


def test_an_epsg_code_becomes_a_record_again(tmp_path: Path) -> None:
    from tests.io.test_other_programs import write_with_laspy

    write_with_laspy(tmp_path / "a.laz")
    assert main(["convert", str(tmp_path / "a.laz"), str(tmp_path / "b.ply")]) == 0
    assert main(["convert", str(tmp_path / "b.ply"), str(tmp_path / "c.laz")]) == 0
    assert io.read(tmp_path / "c.laz").metadata["crs"] == "EPSG:32632"


def test_what_a_format_has_no_place_for_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    las_with(tmp_path / "a.laz")
    assert main(["convert", str(tmp_path / "a.laz"), str(tmp_path / "b.csv")]) == 0
    lost = ".csv has no place for the coordinate system (WGS 84 (EPSG:4326)), which is lost"
    assert capsys.readouterr().err == f"cloudt: {tmp_path / 'b.csv'}: {lost}\n"
    assert main(["convert", str(tmp_path / "a.laz"), str(tmp_path / "b.ply")]) == 0
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("minor", [0, 1, 2, 3])
def test_old_versions_and_identifiers_stay(minor: int, tmp_path: Path) -> None:
    header = laspy.LasHeader(version=f"1.{max(minor, 1)}", point_format=1)
    header.uuid = UUID("12345678-1234-5678-1234-567812345678")
    las = laspy.LasData(header)
    las.x = las.y = las.z = np.arange(9.0)
    las.write(tmp_path / "a.las")
    data = bytearray((tmp_path / "a.las").read_bytes())
    data[25] = minor
    (tmp_path / "a.las").write_bytes(data)
    assert main(["convert", str(tmp_path / "a.las"), str(tmp_path / "b.las")]) == 0
    written = (tmp_path / "b.las").read_bytes()
    assert written[25] == minor
    assert written[8:24] == bytes(data[8:24])
    np.testing.assert_array_equal(laspy.read(tmp_path / "b.las").xyz, las.xyz)


@pytest.mark.parametrize("suffix", [".las", ".laz"])
def test_arrays_of_extra_bytes_stay_arrays(suffix: str, tmp_path: Path) -> None:
    header = laspy.LasHeader(version="1.4", point_format=6)
    header.add_extra_dims(
        [
            laspy.ExtraBytesParams("Colors", "3u2", "of the camera"),
            laspy.ExtraBytesParams("pair[0]", "f4"),
            laspy.ExtraBytesParams("pair[1]", "f4"),
        ]
    )
    las = laspy.LasData(header)
    las.x = las.y = las.z = np.arange(9.0)
    las["Colors"] = np.arange(27).reshape(9, 3)
    las["pair[0]"], las["pair[1]"] = np.arange(9), np.arange(9) + 0.5
    las.write(tmp_path / f"a{suffix}")
    assert main(["convert", str(tmp_path / f"a{suffix}"), str(tmp_path / f"b{suffix}")]) == 0
    after = laspy.read(tmp_path / f"b{suffix}")
    assert "Colors" in after.point_format.dimension_names
    np.testing.assert_array_equal(after["Colors"], las["Colors"])
    np.testing.assert_array_equal(io.read(tmp_path / f"b{suffix}").fields["pair"][:, 1], np.arange(9) + 0.5)


def test_a_tile_of_copc_is_read_and_becomes_a_plain_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    header = laspy.LasHeader(version="1.4", point_format=6)
    header.vlrs.append(laspy.VLR("copc", 1, "", bytes(160)))
    las = laspy.LasData(header)
    las.x = las.y = las.z = np.arange(9.0)
    las.write(tmp_path / "a.copc.laz")
    np.testing.assert_array_equal(io.read(tmp_path / "a.copc.laz").world, las.xyz)
    assert main(["convert", str(tmp_path / "a.copc.laz"), str(tmp_path / "b.laz")]) == 0
    assert "the octree of COPC" in capsys.readouterr().err
    assert not [record for record in laspy.read(tmp_path / "b.laz").header.vlrs if record.user_id == "copc"]
