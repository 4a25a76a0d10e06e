"""What is wrong with a file is said in one sentence that names the file and the place."""

from __future__ import annotations

import re
import tracemalloc
from pathlib import Path

import numpy as np
import pytest

from cloud_transformers import io
from cloud_transformers.cloud import PointCloud
from cloud_transformers.errors import InputError
from tests.io.samples import small_cloud

HUGE = 10**12
PLY = "ply\nformat {} 1.0\nelement vertex {}\nproperty float x\nproperty float y\nproperty float z\nend_header\n"
PCD = "VERSION .7\nFIELDS x y z\nSIZE 4 4 4\nTYPE F F F\nCOUNT 1 1 1\nWIDTH {0}\nHEIGHT 1\nPOINTS {0}\nDATA {1}\n"


def plain(num_points: int = 5) -> PointCloud:
    return PointCloud(positions=np.ones((num_points, 3), np.float32))


def npy_header(shape: str) -> bytes:
    text = f"{{'descr': '<f4', 'fortran_order': False, 'shape': {shape}, }}".ljust(117) + "\n"
    return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text.encode()


def lying_files(folder: Path) -> dict[str, Path]:
    """Small files whose headers claim 10^12 points."""
    contents = {
        "ascii.ply": PLY.format("ascii", HUGE).encode() + b"1 2 3\n",
        "binary.ply": PLY.format("binary_little_endian", HUGE).encode() + bytes(120),
        "ascii.pcd": PCD.format(HUGE, "ascii").encode() + b"1 2 3\n",
        "binary.pcd": PCD.format(HUGE, "binary").encode() + bytes(120),
        "compressed.pcd": PCD.format(HUGE, "binary_compressed").encode() + (100).to_bytes(4, "little") + b"\xff" * 104,
        "a.npy": npy_header(f"({HUGE}, 3)") + bytes(120),
        "a.pts": f"{HUGE}\n1 2 3\n".encode(),
    }
    for suffix in ("las", "laz"):
        io.write(folder / f"a.{suffix}", plain())
        data = bytearray((folder / f"a.{suffix}").read_bytes())
        data[247:255] = HUGE.to_bytes(8, "little")
        contents[f"lying.{suffix}"] = bytes(data)
    for name, data in contents.items():
        (folder / name).write_bytes(data)
    return {name: folder / name for name in contents}


def test_a_claim_of_a_million_million_points_allocates_nothing(tmp_path: Path) -> None:
    for name, path in lying_files(tmp_path).items():
        tracemalloc.start()
        try:
            with pytest.raises(InputError, match=re.escape(str(path))):
                io.read(path)
            peak = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
        assert peak < 12_000_000, name  # imports and one text block


def test_unfilled_hdf5_allocates_nothing(tmp_path: Path) -> None:
    import h5py

    with h5py.File(tmp_path / "a.h5", "w") as file:
        file.create_dataset("positions", (10**11, 3), "f4", chunks=(1000, 3), compression="gzip")
    with pytest.raises(InputError, match="never filled"):
        io.read(tmp_path / "a.h5")


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.ply", b"", "is empty"),
        ("a.ply", b"plyx\n", "line 1 is not"),
        ("a.ply", b"ply\nformat ascii 1.0\nelement vertex x\n", "line 3 of the header is not understood"),
        ("a.ply", PLY.format("ascii", 2).encode() + b"1 2 3\n1 2 oops\n", "line 9 has 'oops' where a number belongs"),
        ("a.ply", PLY.format("ascii", 2).encode() + b"1 2 3\n1 222222\n", "line 9 has 2 values where 3 belong"),
        ("a.ply", PLY.format("ascii", 2).encode() + b"1 2 333333333\n", "ends at line 9 after 1 of 2"),
        ("a.ply", PLY.format("binary_little_endian", 2).encode() + bytes(23), "at least 24 bytes, but only 23"),
        ("a.pcd", b"VERSION 0.7\nFIELDS x y\nSIZE 4\nTYPE F F\nDATA ascii\n", "2 FIELDS, 1 SIZE"),
        ("a.pcd", PCD.format(2, "ascii").encode() + b"1 2 3\n4 5 6 7\n", "line 11 has 4 values where 3 belong"),
        ("a.xyz", b"1 2 3\n4 5 6\n7 8 x\n", "line 3 has 'x'"),
        ("a.csv", b"x,y,z\n1,2,3\n\n1,2\n", "line 4 has 2 values where 3 belong"),
        ("a.csv", b"a,b,c\n1,2,3\n", "has no column x or y or z, only a, b, c"),
        ("a.xyz", b"1 2\n3 4\n", "line 1 has 2 values; a point needs at least x, y and z"),
        ("a.txt", b"\x00\x01\x02", "line 1 is not text"),
        ("a.npy", b"\x93NUMPY\x09\x00" + bytes(90), "version"),
        ("a.npz", b"PK\x03\x04garbage", "zip archive"),
        ("a.las", b"LASF" + bytes(400), "version 0.0"),
        ("a.las", b"no las", "does not begin with a LAS header"),
        ("a.h5", b"no hdf5 at all", "HDF5"),
        ("a.glb", b"glTF" + bytes(30), "JSON chunk"),
        ("a.off", b"OFF\n100000 1 0\n0 0 0\n", "more than fit"),
        ("a.foo", b"1 2 3", "the suffix '.foo' is not one of"),
    ],
)
def test_the_place_is_named(name: str, content: bytes, message: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(InputError, match=re.escape(message)) as caught:
        io.read(path)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("suffix", [".ply", ".npy", ".csv", ".npz", ".h5", ".pcd"])
def test_non_finite_points_are_counted_or_dropped(suffix: str, tmp_path: Path) -> None:
    positions = np.arange(30, dtype=np.float32).reshape(10, 3)
    positions[[3, 7], [0, 2]] = np.nan, np.inf
    io.write(tmp_path / f"a{suffix}", PointCloud(positions=positions, fields={"label": np.arange(10, dtype=np.int32)}))
    with pytest.raises(InputError, match=r"2 of 10 points .* the first is point 3"):
        io.read(tmp_path / f"a{suffix}")
    cloud = io.read(tmp_path / f"a{suffix}", non_finite="drop")
    np.testing.assert_array_equal(cloud.fields["label"], [0, 1, 2, 4, 5, 6, 8, 9])


def test_chunks_name_the_point_by_its_number_in_the_file(tmp_path: Path) -> None:
    positions = np.zeros((10, 3), np.float32)
    positions[7] = np.nan
    io.write(tmp_path / "a.ply", PointCloud(positions=positions))
    parts = io.read_chunks(tmp_path / "a.ply", 5)
    assert len(next(parts)) == 5
    with pytest.raises(InputError, match="the first is point 7"):
        next(parts)


@pytest.mark.parametrize(
    ("name", "field", "values", "message"),
    [
        ("a.ply", "label", np.arange(5), "PLY has no type for label, which is int64"),
        ("a.ply", "keep", np.ones(5, bool), "PLY has no type"),
        ("a.pcd", "half", np.ones(5, np.float16), "PCD has no type"),
        ("a.las", "color", np.ones((5, 3), np.float32), "LAS holds colours of 16 bits"),
        ("a.las", "intensity", np.full(5, 70_000), "0 to 65535"),
        ("a.las", "n" * 40, np.ones(5, np.float32), "at most 32 bytes"),
        ("a.csv", "id", np.full(5, 2**60), "beyond 2^53"),
        ("a.csv", "a,b", np.ones(5), "cannot be written as a column"),
        ("a.ply", "x", np.ones(5, np.float32), "cannot be written as a column"),
        ("a.ply", "two words", np.ones(5, np.float32), "cannot be written as a column"),
        ("a.ply", "s[0]", np.ones(5, np.float32), "would be read back as another field"),
        ("a.npz", "positions", np.ones(5), "cannot be an array"),
        ("a.h5", "a/b", np.ones(5), "cannot be a dataset"),
        ("a.obj", "label", np.ones(5), "can be read but not written"),
        ("a.npy", "name", np.array(list("abcde")), "only numbers"),
    ],
)
def test_what_a_format_cannot_hold_is_refused(
    name: str, field: str, values: np.ndarray, message: str, tmp_path: Path
) -> None:
    with pytest.raises(InputError, match=re.escape(message)):
        io.write(tmp_path / name, plain().with_fields(**{field: values}))
    assert not list(tmp_path.iterdir()), "nothing is left behind"
    if not name.endswith(".obj"):
        io.write(tmp_path / name, plain().with_fields(**{field: values}), drop=[field])
        assert len(io.read(tmp_path / name)) == 5


def test_whole_numbers_may_be_written_with_a_point(tmp_path: Path) -> None:
    header = PLY.format("ascii", 2).replace("end_header", "property uchar red\nend_header")
    (tmp_path / "a.ply").write_text(header + "1 2 3 255.0\n4 5 6 1e1\n")
    np.testing.assert_array_equal(io.read(tmp_path / "a.ply").fields["red"], [255, 10])
    for wrong in ("256", "1.5", "nan", "-1"):
        (tmp_path / "a.ply").write_text(header + f"1 2 3 255\n4 5 6 {wrong}\n")
        with pytest.raises(InputError, match="column red holds numbers that its type, uint8, cannot"):
            io.read(tmp_path / "a.ply")


def test_a_failed_write_leaves_the_old_file(tmp_path: Path) -> None:
    io.write(tmp_path / "a.ply", plain(3))
    with pytest.raises(InputError):
        io.write(tmp_path / "a.ply", plain(7).with_fields(label=np.arange(7)))
    assert len(io.read(tmp_path / "a.ply")) == 3
    assert [path.name for path in tmp_path.iterdir()] == ["a.ply"]


def test_cast_is_what_the_message_suggests(tmp_path: Path) -> None:
    cloud = plain().with_fields(label=np.arange(5), color=np.full((5, 3), 0.5, np.float32))
    io.write(tmp_path / "a.ply", cloud, cast={"label": "int32", "color": "uint8"})
    result = io.read(tmp_path / "a.ply")
    assert result.fields["label"].dtype == np.int32
    np.testing.assert_array_equal(result.fields["color"], np.full((5, 3), 128))
    with pytest.raises(InputError, match="holds 300"):
        io.write(tmp_path / "b.ply", plain().with_fields(label=np.full(5, 300)), cast={"label": "uint8"})


def test_arrays_without_known_names_must_be_named(tmp_path: Path) -> None:
    np.savez(tmp_path / "a.npz", cloud=np.ones((4, 6)), y=np.ones(4), classes=np.ones(9))
    with pytest.raises(InputError, match="positions=NAME"):
        io.read(tmp_path / "a.npz")
    with pytest.raises(InputError, match=r"array classes is \[9\]"):
        io.read(tmp_path / "a.npz", positions="cloud")
    cloud = io.read(tmp_path / "a.npz", positions="cloud", drop=["classes"], columns="xyzrgb")
    assert set(cloud.fields) == {"color", "y"}


def test_pickles_are_never_opened(tmp_path: Path) -> None:
    np.save(tmp_path / "a.npy", np.array([{"x": 1}], dtype=object), allow_pickle=True)
    with pytest.raises(InputError, match="never unpickled"):
        io.read(tmp_path / "a.npy")
    np.savez(tmp_path / "a.npz", positions=np.array([{"x": 1}], dtype=object))
    with pytest.raises(InputError, match="never unpickled"):
        io.read(tmp_path / "a.npz")


def test_benchmark_collections_are_recognised(tmp_path: Path) -> None:
    import h5py

    with h5py.File(tmp_path / "a.h5", "w") as file:
        file["data"] = np.zeros((3, 2048, 3), np.float32)
        file["label"] = np.zeros(3)
    with pytest.raises(InputError, match="collection of clouds"):
        io.read(tmp_path / "a.h5", positions="data")


@pytest.mark.parametrize("suffix", [".ply", ".pcd", ".npy", ".npz", ".h5", ".csv", ".las", ".laz"])
def test_fields_and_columns_can_be_left_out_and_misspelt_ones_are_noticed(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"a{suffix}"
    io.write(path, small_cloud())
    for name in ("color", "label", "intensity"):
        cloud = io.read(path, drop=[name])
        assert name not in cloud.fields
        assert "normal" in cloud.fields
        assert all(name not in part.fields for part in io.read_chunks(path, 15, drop=[name]))
    with pytest.raises(InputError, match="nothing called 'lable' to drop"):
        io.read(path, drop=["lable"])


def test_options_that_do_not_apply_are_refused(tmp_path: Path) -> None:
    io.write(tmp_path / "a.ply", small_cloud())
    io.write(tmp_path / "a.npz", small_cloud())
    for options in ({"columns": "xyz"}, {"sample": 5}, {"sample": 0}, {"non_finite": "maybe"}):
        with pytest.raises(InputError):
            io.read(tmp_path / "a.ply", **options)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="not faces"):
        io.read(tmp_path / "a.npz", sample=5)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"nowhere\.ply: there is no such file"):
        io.read(tmp_path / "nowhere.ply")
    (tmp_path / "folder.ply").mkdir()
    with pytest.raises(InputError, match="is a folder"):
        io.read(tmp_path / "folder.ply")
