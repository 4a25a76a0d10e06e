"""Files that other programs and libraries wrote, and files of ours that they read."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import numpy as np
import pytest

from cloud_transformers import io
from cloud_transformers.cloud import PointCloud
from tests.io.samples import small_cloud

FILES = Path(__file__).parent / "files"
TRUTH = np.load(FILES / "truth.npz")
WITH_COLOR = ["open3d_ascii.ply", "open3d_binary.ply", "open3d_ascii.pcd", "open3d_binary.pcd", "open3d_compressed.pcd"]
CLOUDCOMPARE = ["cloudcompare_ascii.ply", "cloudcompare_little.ply", "cloudcompare_big.ply", "cloudcompare_space.asc"]


@pytest.mark.parametrize("name", [*WITH_COLOR, *CLOUDCOMPARE, "cloudcompare_comma.txt", "open3d.pts"])
def test_points_and_colors(name: str) -> None:
    cloud = io.read(FILES / name)
    np.testing.assert_allclose(cloud.positions, TRUTH["positions"], atol=1e-6)
    assert cloud.fields["color"].dtype == np.uint8
    np.testing.assert_array_equal(cloud.fields["color"], TRUTH["color"])


@pytest.mark.parametrize("name", [*WITH_COLOR, "open3d.xyzn"])
def test_normals(name: str) -> None:
    np.testing.assert_allclose(io.read(FILES / name).fields["normal"], TRUTH["normal"], atol=1e-5)


@pytest.mark.parametrize("name", [*CLOUDCOMPARE, "cloudcompare_comma.txt"])
def test_scalar_fields_keep_the_name_their_program_gave_them(name: str) -> None:
    cloud = io.read(FILES / name)
    (scalar,) = (field for field in cloud.fields if "Coord." in field)
    np.testing.assert_allclose(cloud.fields[scalar], TRUTH["positions"][:, 2], atol=1e-6)
    np.testing.assert_allclose(cloud.fields["normal"], TRUTH["normal"], atol=0.01)


@pytest.mark.parametrize("name", ["open3d_tensor.ply", "open3d_tensor.pcd", "open3d_tensor.npz"])
def test_labels_and_intensities(name: str) -> None:
    cloud = io.read(FILES / name)
    np.testing.assert_array_equal(cloud.fields["label"].reshape(-1), np.arange(60))
    assert cloud.fields["label"].dtype == np.int32
    assert cloud.fields["intensity"].dtype == np.float32


def test_float_colors_of_a_suffix_that_means_them() -> None:
    color = io.read(FILES / "open3d.xyzrgb").fields["color"]
    np.testing.assert_allclose(color, TRUTH["color"] / 255, atol=1e-6)
    assert color.dtype == np.float32


def test_bare_text_has_bare_points() -> None:
    cloud = io.read(FILES / "open3d.xyz")
    np.testing.assert_allclose(cloud.positions, TRUTH["positions"], atol=1e-6)
    assert not cloud.fields


@pytest.mark.parametrize("suffix", ["ply", "obj", "off", "stl", "glb"])
def test_the_cube_of_open3d(suffix: str) -> None:
    cloud = io.read(FILES / f"open3d_box.{suffix}", sample=500, seed=3)
    on_face = np.isclose(cloud.positions, 0, atol=1e-6) | np.isclose(cloud.positions, 1, atol=1e-6)
    assert on_face.any(axis=1).all()
    assert cloud.positions.min() >= 0
    assert cloud.positions.max() <= 1


@pytest.mark.parametrize("text", [False, True])
@pytest.mark.parametrize("order", ["<", ">"])
def test_plyfile_reads_ours_and_we_read_its(text: bool, order: str, tmp_path: Path) -> None:
    plyfile = pytest.importorskip("plyfile")
    cloud = small_cloud()
    rows = np.zeros(len(cloud), [("x", "f8"), ("y", "f4"), ("z", "f4"), ("label", "i2"), ("red", "u1")])
    for axis, name in enumerate("xyz"):
        rows[name] = cloud.positions[:, axis]
    rows["label"] = -5
    other = plyfile.PlyElement.describe(np.zeros(3, [("focal", "f4")]), "camera")
    data = plyfile.PlyData([other, plyfile.PlyElement.describe(rows, "vertex")], text=text, byte_order=order)
    data.write(str(tmp_path / "theirs.ply"))
    theirs = io.read(tmp_path / "theirs.ply")
    np.testing.assert_array_equal(theirs.positions, cloud.positions)
    assert set(theirs.fields) == {"label", "red"}
    assert theirs.metadata["ply"]["other_elements"] == {"camera": 3}

    encoding = "ascii" if text else "binary_little_endian" if order == "<" else "binary_big_endian"
    io.write(tmp_path / "ours.ply", cloud, encoding=encoding)
    vertex = plyfile.PlyData.read(str(tmp_path / "ours.ply"))["vertex"]
    np.testing.assert_array_equal(
        np.stack([vertex[name] for name in ("red", "green", "blue")], 1), cloud.fields["color"]
    )
    np.testing.assert_array_equal(vertex["x"], cloud.positions[:, 0])


def test_polygons_and_lists_of_plyfile(tmp_path: Path) -> None:
    """A square as one polygon, a triangle, and a list property on the points."""
    plyfile = pytest.importorskip("plyfile")
    vertices = np.zeros(5, [("x", "f4"), ("y", "f4"), ("z", "f4"), ("near", object)])
    vertices["x"], vertices["y"] = [0, 1, 1, 0, 2], [0, 0, 1, 1, 0]
    vertices["near"] = [np.array([1, 2], "i4")] * 5
    faces = np.zeros(2, [("vertex_indices", object)])
    faces["vertex_indices"] = [np.array([0, 1, 2, 3], "i4"), np.array([1, 4, 2], "i4")]
    for text in (False, True):
        elements = [
            plyfile.PlyElement.describe(vertices, "vertex", val_types={"near": "i4"}),
            plyfile.PlyElement.describe(faces, "face", val_types={"vertex_indices": "i4"}),
        ]
        plyfile.PlyData(elements, text=text).write(str(tmp_path / "a.ply"))
        corners = io.read(tmp_path / "a.ply", vertices=True)
        assert len(corners) == 5
        np.testing.assert_array_equal(corners.fields["near"], [[1, 2]] * 5)
        drawn = io.read(tmp_path / "a.ply", sample=3000)
        share = (drawn.positions[:, 0] <= 1).mean()  # two thirds of the area
        assert abs(share - 2 / 3) < 0.05


@pytest.mark.parametrize("encoding", ["ascii", "binary", "binary_compressed"])
def test_pypcd4_reads_ours_and_we_read_its(encoding: str, tmp_path: Path) -> None:
    pypcd4 = pytest.importorskip("pypcd4")
    cloud = small_cloud()
    io.write(tmp_path / "ours.pcd", cloud, encoding=encoding)
    theirs = pypcd4.PointCloud.from_path(tmp_path / "ours.pcd")
    np.testing.assert_array_equal(theirs.numpy(("x", "y", "z")), cloud.positions)
    assert theirs.fields == ("x", "y", "z", "rgb", "normal_x", "normal_y", "normal_z", "intensity", "label")

    rgb = pypcd4.PointCloud.encode_rgb(cloud.fields["color"])
    made = pypcd4.PointCloud.from_xyzrgb_points(np.column_stack([cloud.positions, rgb]))
    made.save(tmp_path / "theirs.pcd", pypcd4.Encoding(encoding))
    result = io.read(tmp_path / "theirs.pcd")
    np.testing.assert_allclose(result.positions, cloud.positions, rtol=1e-6)
    if encoding != "ascii":  # pypcd4 writes ten decimals, which is nothing for a packed colour
        np.testing.assert_array_equal(result.fields["color"], cloud.fields["color"])


def test_padding_and_wide_fields_of_pcl(tmp_path: Path) -> None:
    """As PCL writes its padded point types: `_` between the fields, and a field of several numbers."""
    row = np.dtype([("x", "<f4"), ("y", "<f4"), ("z", "<f4"), ("_", "u1", 4), ("fpfh", "<f4", 3), ("_1", "<i2")])
    rows = np.zeros(6, row)
    rows["x"], rows["fpfh"], rows["_1"] = np.arange(6), np.arange(18).reshape(6, 3), 9
    header = "VERSION 0.7\nFIELDS x y z _ fpfh _1\nSIZE 4 4 4 1 4 2\nTYPE F F F U F I\nCOUNT 1 1 1 4 3 1\n"
    header += "WIDTH 3\nHEIGHT 2\nPOINTS 6\nDATA binary\n"
    (tmp_path / "a.pcd").write_bytes(header.encode() + rows.tobytes())
    cloud = io.read(tmp_path / "a.pcd")
    assert set(cloud.fields) == {"fpfh", "_1"}
    np.testing.assert_array_equal(cloud.fields["fpfh"], rows["fpfh"])
    io.write(tmp_path / "b.pcd", cloud)
    assert b"WIDTH 3\nHEIGHT 2" in (tmp_path / "b.pcd").read_bytes()


def write_with_laspy(path: Path) -> None:
    import laspy

    header = laspy.LasHeader(version="1.2", point_format=3)
    header.scales, header.offsets = [0.01, 0.01, 0.001], [500_000, 5_400_000, 0]
    header.system_identifier, header.creation_date = "a scanner", date(2020, 2, 3)
    keys = np.array([1, 1, 0, 1, 3072, 0, 1, 32632], "<u2").tobytes()
    header.vlrs.append(laspy.VLR("LASF_Projection", 34735, "keys", keys))
    header.add_extra_dim(laspy.ExtraBytesParams(name="height", type=np.float32))
    las = laspy.LasData(header)
    generator = np.random.default_rng(0)
    world = generator.uniform(0, 800, (300, 3)) + np.array([500_000, 5_400_000, 100])
    las.x, las.y, las.z = world.T
    las.intensity = generator.integers(0, 60_000, 300)
    las.classification = generator.integers(0, 20, 300)
    las.return_number = generator.integers(1, 4, 300)
    las.red = generator.integers(0, 65_536, 300)
    las.gps_time = generator.random(300)
    las.height = generator.random(300)
    las.write(path)


@pytest.mark.parametrize("suffix", [".las", ".laz"])
def test_las_is_written_back_as_it_was_read(suffix: str, tmp_path: Path) -> None:
    """Points, classes, extra bytes, scales, version, coordinate system: all that laspy put in."""
    import laspy

    write_with_laspy(tmp_path / f"a{suffix}")
    cloud = io.read(tmp_path / f"a{suffix}")
    assert cloud.metadata["crs"] == "EPSG:32632"
    io.write(tmp_path / f"b{suffix}", cloud)
    before, after = laspy.read(tmp_path / f"a{suffix}"), laspy.read(tmp_path / f"b{suffix}")
    assert list(before.point_format.dimension_names) == list(after.point_format.dimension_names)
    for name in before.point_format.dimension_names:
        np.testing.assert_array_equal(before[name], after[name], err_msg=name)
    for name in ("version", "system_identifier", "creation_date", "generating_software", "file_source_id"):
        assert getattr(before.header, name) == getattr(after.header, name)
    np.testing.assert_array_equal(before.header.scales, after.header.scales)
    np.testing.assert_array_equal(before.header.offsets, after.header.offsets)
    kept = [(v.user_id, v.record_id, v.record_data_bytes()) for v in before.header.vlrs if v.user_id != "LASF_Spec"]
    assert kept == [
        (v.user_id, v.record_id, v.record_data_bytes()) for v in after.header.vlrs if v.user_id != "LASF_Spec"
    ]


def test_labels_reach_the_classification(tmp_path: Path) -> None:
    import laspy

    cloud = PointCloud(positions=np.zeros((4, 3), np.float32), fields={"label": np.array([1, 2, 3, 200])})
    io.write(tmp_path / "a.las", cloud)
    np.testing.assert_array_equal(laspy.read(tmp_path / "a.las").classification, [1, 2, 3, 200])
    label = io.read(tmp_path / "a.las").fields["label"]
    assert label.dtype == np.int64
    assert "classification" not in io.read(tmp_path / "a.las").fields


def test_wkt_travels_and_is_named_shortly(tmp_path: Path) -> None:
    import laspy

    from cloud_transformers.io.facts import short_crs

    wkt = 'PROJCS["ETRS89 / UTM zone 32N",GEOGCS["ETRS89",AUTHORITY["EPSG","4258"]],AUTHORITY["EPSG","25832"]]'
    header = laspy.LasHeader(version="1.4", point_format=6)
    header.vlrs.append(laspy.VLR("LASF_Projection", 2112, "", wkt.encode() + b"\0"))
    header.global_encoding.wkt = True
    las = laspy.LasData(header)
    las.x = las.y = las.z = np.arange(5.0)
    las.write(tmp_path / "a.laz")
    io.write(tmp_path / "b.laz", io.read(tmp_path / "a.laz"))
    cloud = io.read(tmp_path / "b.laz")
    assert cloud.metadata["crs"] == wkt
    assert short_crs(wkt) == "ETRS89 / UTM zone 32N (EPSG:25832)"
    assert laspy.read(tmp_path / "b.laz").header.global_encoding.wkt


def test_trimesh_scene_of_two_moved_boxes(tmp_path: Path) -> None:
    trimesh = pytest.importorskip("trimesh")
    scene = trimesh.Scene()
    scene.add_geometry(trimesh.creation.box())
    scene.add_geometry(trimesh.creation.box(), transform=trimesh.transformations.translation_matrix([10, 0, 0]))
    (tmp_path / "a.glb").write_bytes(scene.export(file_type="glb"))
    cloud = io.read(tmp_path / "a.glb", sample=1000)
    far = cloud.positions[:, 0] > 5
    assert 0.4 < far.mean() < 0.6
    assert cloud.positions[:, 0].max() == pytest.approx(10.5)


@pytest.mark.parametrize("version", ["1.0", "1.1", "1.2", "1.3", "1.4", "1.5"])
@pytest.mark.parametrize("point_format", range(11))
def test_every_point_format_is_written_in_a_version_that_has_it(
    version: str, point_format: int, tmp_path: Path
) -> None:
    as_read = {"las": {"version": version, "point_format": point_format}}
    cloud = PointCloud(positions=np.ones((3, 3), np.float32), metadata=as_read)
    io.write(tmp_path / "a.laz", cloud)
    result = io.read(tmp_path / "a.laz")
    assert result.metadata["las"]["point_format"] == point_format
    io.write(tmp_path / "b.laz", result)
    assert io.read(tmp_path / "b.laz").metadata["las"]["version"] == result.metadata["las"]["version"]
