"""`room_to_blocks` against the numbers the block protocol fixes."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cloud_transformers.datasets.s3dis import room_to_blocks
from cloud_transformers.errors import InputError
from tests.search import examples


def room(rng: np.random.Generator, num: int, size: tuple[float, float, float]) -> tuple[np.ndarray, np.ndarray]:
    xyz = rng.uniform(0, 1, (num, 3)) * size + (20.0, -7.0, 3.0)
    points = np.concatenate([xyz, rng.integers(0, 256, (num, 3))], axis=1)
    return points, rng.integers(0, 13, num)


@examples(20)
@given(st.integers(0, 2**32 - 1), st.integers(500, 4000), st.floats(0.3, 3.0), st.floats(0.3, 3.0))
def test_blocks_have_the_stored_format(seed: int, num: int, width: float, depth: float) -> None:
    rng = np.random.default_rng(seed)
    points, labels = room(rng, num, (width, depth, 2.5))
    data, label = room_to_blocks(points, labels, rng)
    n = len(data)
    if n == 0:  # a thin room: its fullest column has fewer than 100 points
        assert num / (width * depth) < 200
        return
    assert data.shape == (n, 4096, 9)
    assert data.dtype == np.float32
    assert label.shape == (n, 4096)
    assert label.dtype == np.uint8
    np.testing.assert_allclose(data[:, :, :2].min(axis=1), -0.5, atol=1e-6)
    assert (data[:, :, :2].max(axis=1) <= 0.5 + 1e-5).all()
    assert data[:, :, 2].min() >= 0
    assert ((data[:, :, 3:] >= 0) & (data[:, :, 3:] <= 1 + 1e-6)).all()


def test_labels_and_colours_follow_their_points() -> None:
    rng = np.random.default_rng(0)
    points, _ = room(rng, 5000, (2.0, 2.0, 2.0))
    labels = points[:, 3].astype(np.int64) % 13
    data, label = room_to_blocks(points, labels, rng)
    np.testing.assert_array_equal(np.rint(data[:, :, 3] * 255).astype(int) % 13, label)


def test_stride_and_thin_blocks() -> None:
    rng = np.random.default_rng(0)
    points, labels = room(rng, 20000, (2.0, 1.0, 2.0))
    assert len(room_to_blocks(points, labels, rng)[0]) in (3, 4)  # the last column exists if the room is a hair wider
    few = points[:99]
    assert len(room_to_blocks(few, labels[:99], rng)[0]) == 0
    assert len(room_to_blocks(points[:0], labels[:0], rng)[0]) == 0


def test_small_block_keeps_every_point_and_large_one_repeats_none() -> None:
    rng = np.random.default_rng(0)
    points, labels = room(rng, 300, (0.9, 0.9, 2.0))
    data, _ = room_to_blocks(points, labels, rng)
    assert len(np.unique(data[0], axis=0)) == 300
    points, labels = room(rng, 9000, (0.9, 0.9, 2.0))
    data, _ = room_to_blocks(points, labels, rng)
    assert len(np.unique(data[0], axis=0)) == 4096


def test_wrong_shapes_are_named() -> None:
    with pytest.raises(InputError, match=r"points \[N, 6\]"):
        room_to_blocks(np.zeros((5, 3)), np.zeros(5), np.random.default_rng(0))
