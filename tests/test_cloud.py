"""PointCloud keeps fields and points together; CloudBatch pads and unpads without loss."""

from __future__ import annotations

import sys
from types import SimpleNamespace
from typing import Any

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
    assert list(frame.columns) == ["x", "y", "z", "red", "green", "blue", "label"]
    np.testing.assert_array_equal(frame[["x", "y", "z"]], cloud.world)
    again = PointCloud.from_pandas(frame)
    np.testing.assert_array_equal(again.world, cloud.world)
    np.testing.assert_array_equal(again["color"], cloud["color"])
    with pytest.raises(InputError, match="column 'name' holds"):
        PointCloud.from_pandas(frame.assign(name="a wall"))
    with pytest.raises(InputError, match="has no column z"):
        PointCloud.from_pandas(frame.drop(columns="z"))


def test_open3d_both_ways() -> None:
    open3d = pytest.importorskip("open3d")
    cloud = a_cloud().with_fields(normal=np.eye(5, 3, dtype=np.float32))
    theirs = cloud.to_open3d()
    np.testing.assert_array_equal(theirs.point.positions.numpy(), cloud.world)
    again = PointCloud.from_open3d(theirs)
    np.testing.assert_array_equal(again.world, cloud.world)
    assert again.cast(color=np.uint8).fields.keys() == cloud.fields.keys()
    np.testing.assert_array_equal(again.cast(color=np.uint8)["color"], cloud["color"])
    legacy = PointCloud.from_open3d(theirs.to_legacy())
    np.testing.assert_allclose(legacy.world, cloud.world, atol=0.1)
    assert isinstance(theirs, open3d.t.geometry.PointCloud)


class _Attributes(dict[str, Any]):
    """As Open3D's: a dictionary whose keys are attributes, too."""

    def __setattr__(self, name: str, value: Any) -> None:
        self[name] = value


def _stand_in() -> SimpleNamespace:
    """What is used of Open3D, for machines without it."""
    tensor = type("Tensor", (), {"__init__": lambda self, a: setattr(self, "a", a), "numpy": lambda self: self.a})
    tensor.cpu = lambda self: self  # type: ignore[attr-defined]
    clouds = SimpleNamespace(PointCloud=lambda: SimpleNamespace(point=_Attributes()))
    return SimpleNamespace(core=SimpleNamespace(Tensor=tensor), t=SimpleNamespace(geometry=clouds))


def test_what_open3d_is_given_comes_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "open3d", _stand_in())
    cloud = a_cloud()
    theirs = cloud.to_open3d()
    assert theirs.point["colors"].numpy().dtype == np.float32
    assert theirs.point["label"].numpy().shape == (5, 1)
    again = PointCloud.from_open3d(theirs)
    np.testing.assert_array_equal(again.world, cloud.world)
    np.testing.assert_array_equal(again.cast(color=np.uint8)["color"], cloud["color"])
    np.testing.assert_array_equal(again["label"], cloud["label"])


def test_lists_and_other_types_will_do() -> None:
    cloud = PointCloud(positions=[[0, 0, 0], [1, 2, 3]], fields={"label": [4, 5]}, offset=[1, 2, 3])
    assert (cloud.positions.dtype, cloud.offset.dtype, cloud["label"].tolist()) == (np.float32, np.float64, [4, 5])
    assert cloud.residual is None
    assert cloud.with_fields(more=[1.5, 2])["more"].tolist() == [1.5, 2]
    assert len(cloud[[True, False]]) == 1
    for wrong in ([[1, 2]], ["a", "b", "c"], [1, 2, 3]):
        with pytest.raises(ValueError, match="positions must be numbers"):
            PointCloud(positions=wrong)


def test_doubles_keep_their_digits() -> None:
    world = np.array([[512_345.678_901, 5_400_123.456_789, 250.1], [512_346.7, 5_400_124.5, np.nan]])
    cloud = PointCloud(positions=world)
    np.testing.assert_allclose(cloud.world, world, rtol=0, atol=1e-8)
    assert np.nanmax(np.abs(cloud.positions)) < 10


def test_notebooks_show_a_table() -> None:
    shown = a_cloud().with_fields(**{"<b>": np.arange(5)})._repr_html_()
    assert "5 points, EPSG:32632" in shown
    assert "<td>label</td><td>int64</td><td>0</td><td>4</td>" in shown
    assert "<td>&lt;b&gt;</td>" in shown
    assert "0 points" in PointCloud(positions=np.zeros((0, 3), np.float32), fields={"a": np.zeros(0)})._repr_html_()


def test_bounds_have_what_float32_has_not() -> None:
    positions = np.array([[8.5, 47.3, 400.0], [8.501, 47.301, 430.0]])
    rounded = positions.astype(np.float32)
    cloud = PointCloud(positions=rounded, residual=(positions - rounded).astype(np.float32))
    np.testing.assert_allclose(cloud.bounds, positions, atol=1e-12)
