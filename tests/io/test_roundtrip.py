"""Writing and reading again is the identity: for every format, encoding, field type and number of points."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cloud_transformers import io
from cloud_transformers.cloud import PointCloud
from tests.io.strategies import FLOATS, INTEGERS, LONG_INTEGERS, clouds
from tests.search import examples

PLY, PCD, ARRAYS = (
    INTEGERS + FLOATS,
    INTEGERS + LONG_INTEGERS + FLOATS,
    [*INTEGERS, *LONG_INTEGERS, *FLOATS, np.float16, bool],
)
KINDS: dict[str, tuple[str, list[Any], dict[str, Any]]] = {
    "ply": (".ply", PLY, {}),
    "ply big endian": (".ply", PLY, {"encoding": "binary_big_endian"}),
    "ply ascii": (".ply", PLY, {"encoding": "ascii"}),
    "pcd": (".pcd", PCD, {}),
    "pcd ascii": (".pcd", PCD, {"encoding": "ascii"}),
    "pcd compressed": (".pcd", PCD, {"encoding": "binary_compressed"}),
    "npy": (".npy", ARRAYS, {}),
    "npz": (".npz", ARRAYS, {}),
    "npz compressed": (".npz", ARRAYS, {"compress": True}),
    "h5": (".h5", ARRAYS, {}),
    "h5 compressed": (".h5", ARRAYS, {"compress": True}),
}
EXAMPLES = examples(40)


def assert_same_fields(result: PointCloud, cloud: PointCloud) -> None:
    assert set(result.fields) == set(cloud.fields)
    for name, values in cloud.fields.items():
        assert result.fields[name].shape == values.shape, name
        assert result.fields[name].dtype == values.dtype, name
        np.testing.assert_array_equal(result.fields[name], values, err_msg=name)


@pytest.mark.parametrize("kind", KINDS)
@EXAMPLES
@given(data=st.data())
def test_every_bit_survives(kind: str, data: st.DataObject, tmp_path: Path) -> None:
    suffix, dtypes, options = KINDS[kind]
    cloud = data.draw(clouds(dtypes))
    io.write(tmp_path / f"a{suffix}", cloud, **options)
    result = io.read(tmp_path / f"a{suffix}")
    np.testing.assert_array_equal(result.positions.view(np.int32) << 1, cloud.positions.view(np.int32) << 1)
    assert not result.offset.any()
    assert_same_fields(result, cloud)
    assert all(values.flags.writeable and values.flags.c_contiguous for values in result.fields.values())
    assert result.positions.flags.writeable


@pytest.mark.parametrize("kind", KINDS)
@EXAMPLES
@given(data=st.data())
def test_large_coordinates_survive(kind: str, data: st.DataObject, tmp_path: Path) -> None:
    suffix, dtypes, options = KINDS[kind]
    cloud = data.draw(clouds(dtypes, far=True))
    io.write(tmp_path / f"a{suffix}", cloud, **options)
    result = io.read(tmp_path / f"a{suffix}")
    np.testing.assert_allclose(result.world, cloud.world, rtol=0, atol=1e-4)
    if suffix in (".npz", ".h5"):
        np.testing.assert_array_equal(result.positions, cloud.positions)
        np.testing.assert_array_equal(result.offset, cloud.offset)
    assert_same_fields(result, cloud)


@pytest.mark.parametrize("suffix", [".csv", ".txt", ".xyz"])
@pytest.mark.parametrize("far", [False, True])
@EXAMPLES
@given(data=st.data())
def test_text_keeps_values(suffix: str, far: bool, data: st.DataObject, tmp_path: Path) -> None:
    """Text has no types, so values are compared in the type they had."""
    cloud = data.draw(clouds(PLY, far=True))
    if not far:
        cloud = PointCloud(positions=cloud.positions, fields=cloud.fields)
    separator = data.draw(st.sampled_from([None, ",", ";", "tab", "space"]))
    io.write(tmp_path / f"a{suffix}", cloud, separator=separator)
    result = io.read(tmp_path / f"a{suffix}")
    np.testing.assert_allclose(result.world, cloud.world, rtol=0, atol=1e-4 if far else 0)
    restored = {name: result.fields[name].astype(values.dtype) for name, values in cloud.fields.items()}
    assert_same_fields(PointCloud(positions=result.positions, fields=restored), cloud)
    assert set(result.fields) == set(cloud.fields)


@pytest.mark.parametrize("suffix", [".las", ".laz"])
@pytest.mark.parametrize("far", [False, True])
@EXAMPLES
@given(data=st.data())
def test_las_keeps_fields_as_extra_bytes(suffix: str, far: bool, data: st.DataObject, tmp_path: Path) -> None:
    cloud = data.draw(clouds(PCD, far=True))
    if not far:
        cloud = PointCloud(positions=cloud.positions, fields=cloud.fields)
    io.write(tmp_path / f"a{suffix}", cloud)
    result = io.read(tmp_path / f"a{suffix}")
    np.testing.assert_allclose(result.world, cloud.world, rtol=0, atol=1e-4)
    for name, values in cloud.fields.items():
        expected = values.astype(np.uint16) * 257 if name == "color" else values
        np.testing.assert_array_equal(result.fields[name], expected, err_msg=name)
        assert result.fields[name].dtype == expected.dtype


@pytest.mark.parametrize("kind", KINDS)
@examples(15)
@given(data=st.data())
def test_chunks_are_the_whole(kind: str, data: st.DataObject, tmp_path: Path) -> None:
    suffix, dtypes, options = KINDS[kind]
    cloud = data.draw(clouds(dtypes))
    size = data.draw(st.integers(1, 15))
    io.write(tmp_path / f"a{suffix}", cloud, **options)
    parts = list(io.read_chunks(tmp_path / f"a{suffix}", size))
    assert all(len(part) <= size for part in parts)
    np.testing.assert_array_equal(np.concatenate([part.positions for part in parts]), cloud.positions)
    for name, values in cloud.fields.items():
        np.testing.assert_array_equal(np.concatenate([part.fields[name] for part in parts]), values)


@pytest.mark.parametrize("suffix", [".las", ".laz", ".ply", ".csv", ".h5"])
def test_chunks_share_an_offset(suffix: str, tmp_path: Path) -> None:
    generator = np.random.default_rng(0)
    local = generator.uniform(0, 900, (1000, 3)).astype(np.float32)
    cloud = PointCloud(positions=local, offset=np.array([400_000.0, 5_600_000.0, 100.0]))
    io.write(tmp_path / f"a{suffix}", cloud)
    parts = list(io.read_chunks(tmp_path / f"a{suffix}", 300))
    assert [len(part) for part in parts] == [300, 300, 300, 100]
    assert all(np.array_equal(part.offset, parts[0].offset) for part in parts)
    np.testing.assert_allclose(np.concatenate([part.world for part in parts]), cloud.world, rtol=0, atol=1e-3)


@EXAMPLES
@given(data=st.data())
def test_the_promise_about_precision(data: st.DataObject, tmp_path: Path) -> None:
    """Doubles of any size come back within 2^-24 of half the longest side, and 3.1e-5 near the origin."""
    centre = data.draw(st.floats(-1e7, 1e7))
    width = data.draw(st.floats(1e-3, 60_000))
    world = centre + width * np.random.default_rng(data.draw(st.integers(0, 99))).random((50, 3))
    np.save(tmp_path / "a.npy", world)
    result = io.read(tmp_path / "a.npy")
    reach = max(float((world.max(axis=0) - world.min(axis=0)).max()) / 2 + 1, 512.0)
    assert np.abs(result.world - world).max() <= max(reach, 512) * 2.0**-24 + 1e-9
    assert np.abs(result.world - world).max() < 1e-3


@pytest.mark.parametrize("value", [0.0, 9.6e-27, 1e-3, 5e8])
def test_las_finds_a_scale_for_clouds_of_any_size(value: float, tmp_path: Path) -> None:
    for offset in (0.0, 2000.0):
        cloud = PointCloud(positions=np.full((2, 3), value, np.float32), offset=np.full(3, offset))
        io.write(tmp_path / "a.las", cloud)
        np.testing.assert_allclose(io.read(tmp_path / "a.las").world, cloud.world, rtol=1e-6)
