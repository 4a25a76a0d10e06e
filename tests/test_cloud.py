"""PointCloud keeps fields and points together; CloudBatch pads and unpads without loss."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from cloud_transformers.cloud import CloudBatch, PointCloud
from cloud_transformers.errors import InputError
from tests.io.strategies import FLOATS, INTEGERS, clouds
from tests.search import examples


def numbered(num_points: int) -> PointCloud:
    """A cloud whose fields tell which point they belong to."""
    index = np.arange(num_points)
    positions = np.stack([index, index, index], axis=1).astype(np.float32)
    return PointCloud(positions=positions, fields={"index": index, "pair": np.stack([index, -index], axis=1)})


@given(num_points=st.integers(0, 40), data=st.data())
def test_select_keeps_fields_aligned(num_points: int, data: st.DataObject) -> None:
    cloud = numbered(num_points)
    mask = np.array(data.draw(st.lists(st.booleans(), min_size=num_points, max_size=num_points)), bool)
    order = np.array(data.draw(st.permutations(range(num_points))), int)
    for rows in (mask, order, slice(1, None, 2), order[: num_points // 2]):
        part = cloud.select(rows)
        np.testing.assert_array_equal(part.fields["index"], part.positions[:, 0])
        np.testing.assert_array_equal(part.fields["pair"][:, 1], -part.positions[:, 0])
        np.testing.assert_array_equal(part.fields["index"], np.arange(num_points)[rows])


@examples(60)
@given(data=st.data())
def test_batches_pad_and_unpad(data: st.DataObject) -> None:
    first = data.draw(clouds(INTEGERS + FLOATS))
    lengths = data.draw(st.lists(st.integers(0, len(first)), min_size=1, max_size=4))
    originals = [first, *(first.select(slice(length)) for length in lengths)]
    batch = CloudBatch.from_clouds(originals)
    B, N = len(originals), len(first)
    assert batch.positions.shape == (B, N, 3)
    assert batch.mask.tolist() == [[column < len(cloud) for column in range(N)] for cloud in originals]
    assert batch.lengths.tolist() == [len(cloud) for cloud in originals]
    assert not batch.positions[~batch.mask].any()
    for result, cloud in zip(batch.clouds(), originals, strict=True):
        np.testing.assert_array_equal(result.positions, cloud.positions)
        np.testing.assert_array_equal(result.offset, cloud.offset)
        for name, values in cloud.fields.items():
            np.testing.assert_array_equal(result.fields[name], values)
            if values.dtype not in (np.uint16, np.uint32):
                assert result.fields[name].dtype == values.dtype


def test_padding_can_be_chosen() -> None:
    batch = CloudBatch.from_clouds([numbered(3), numbered(1)], padding={"index": -1})
    assert batch.fields["index"].tolist() == [[0, 1, 2], [0, -1, -1]]
    assert batch.fields["pair"][1].tolist() == [[0, 0], [0, 0], [0, 0]]
    with pytest.raises(ValueError, match="label"):
        CloudBatch.from_clouds([numbered(3)], padding={"label": -1})


def test_arrays_will_do() -> None:
    batch = CloudBatch.from_clouds([np.zeros((2, 3)), [[1.0, 2.0, 3.0]]])
    assert batch.positions.dtype == torch.float32
    assert batch.lengths.tolist() == [2, 1]
    assert len(batch.to("cpu")) == 2


def test_batches_refuse_what_does_not_fit_together() -> None:
    for clouds_, words in (
        ([], "at least one"),
        ([numbered(2), numbered(2).without_fields("pair")], "cloud 1 has"),
        ([numbered(2), numbered(2).with_fields(index=np.zeros(2, np.float32))], "'index' of cloud 1 is float32"),
        ([np.zeros((4, 2))], "cloud 0"),
    ):
        with pytest.raises(ValueError, match=words):
            CloudBatch.from_clouds(clouds_)


def test_colors_are_rescaled_and_other_fields_are_not() -> None:
    color = np.array([[0, 128, 255]], np.uint8)
    cloud = PointCloud(positions=np.zeros((1, 3), np.float32), fields={"color": color, "label": np.array([3])})
    assert cloud.cast(color=np.uint16).fields["color"].tolist() == [[0, 128 * 257, 65535]]
    np.testing.assert_allclose(cloud.cast(color="float32").fields["color"], color / 255, rtol=1e-6)
    np.testing.assert_array_equal(cloud.cast(color="float32").cast(color="uint8").fields["color"], color)
    assert cloud.cast(label="uint8").fields["label"].tolist() == [3]
    with pytest.raises(InputError, match="uint8, uint16 or floats"):
        cloud.cast(color=np.int32)
    with pytest.raises(InputError, match="no field 'colour'"):
        cloud.cast(colour=np.uint8)
    with pytest.raises(InputError, match="must lie in"):
        cloud.with_fields(color=np.array([[2.0, 0, 0]])).cast(color=np.uint8)
    with pytest.raises(InputError, match="no field 'lable'"):
        cloud.without_fields("lable")


def a_cloud() -> PointCloud:
    generator = np.random.default_rng(0)
    fields = {"color": generator.integers(0, 256, (5, 3)).astype(np.uint8), "label": np.arange(5)}
    positions = generator.normal(size=(5, 3)).astype(np.float32)
    return PointCloud(positions=positions, fields=fields, offset=np.array([1e6, 0, 0]), metadata={"crs": "EPSG:32632"})


def test_a_cloud_shows_itself_shortly() -> None:
    assert repr(a_cloud()) == "PointCloud(5 points, offset [1000000.0, 0.0, 0.0]; color uint8[3], label int64)"
    assert repr(PointCloud(positions=np.zeros((0, 3), np.float32))) == "PointCloud(0 points; no fields)"


def test_fields_and_points_by_index() -> None:
    cloud = a_cloud()
    np.testing.assert_array_equal(cloud["label"], np.arange(5))
    np.testing.assert_array_equal(cloud[cloud["label"] > 2]["label"], [3, 4])
    assert len(cloud[1:3]) == 2
    with pytest.raises(KeyError, match="no field 'lable'; the cloud has color, label"):
        cloud["lable"]


def test_clouds_are_equal_by_their_points() -> None:
    assert a_cloud() == a_cloud()
    assert a_cloud() != a_cloud()[:4]
    assert a_cloud() != a_cloud().cast(label=np.int32)
    assert a_cloud() != a_cloud().without_fields("label")
    assert a_cloud() != "a cloud"


def test_a_cloud_in_other_libraries() -> None:
    cloud = a_cloud()
    np.testing.assert_array_equal(np.asarray(cloud), cloud.world)
    assert np.asarray(PointCloud(positions=cloud.positions)).dtype == np.float32
    np.testing.assert_allclose(cloud.bounds, [cloud.world.min(axis=0), cloud.world.max(axis=0)])
    assert cloud.crs == "EPSG:32632"
    pytest.importorskip("pandas")
    frame = cloud.to_pandas()
    assert list(frame.columns) == ["x", "y", "z", "color[0]", "color[1]", "color[2]", "label"]
    np.testing.assert_array_equal(frame[["x", "y", "z"]], cloud.world)


def test_bounds_have_what_float32_has_not() -> None:
    positions = np.array([[8.5, 47.3, 400.0], [8.501, 47.301, 430.0]])
    rounded = positions.astype(np.float32)
    cloud = PointCloud(positions=rounded, residual=(positions - rounded).astype(np.float32))
    np.testing.assert_allclose(cloud.bounds, positions, atol=1e-12)
