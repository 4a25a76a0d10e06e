"""Cells, and the spheres and columns found with them, against comparing everything with everything."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cloud_transformers.errors import InputError
from cloud_transformers.space.blocks import BlockGrid, column_rows
from cloud_transformers.space.cells import Cells, cell_indices, cell_numbers, pack, unpack
from cloud_transformers.space.spheres import in_sphere, rows_within
from tests.search import examples

SEEDS = st.integers(0, 2**32 - 1)


@examples(40)
@given(SEEDS, st.integers(0, 300), st.floats(0.05, 3.0), st.integers(0, 50))
def test_spheres_by_cells(seed: int, num: int, radius: float, limit: int) -> None:
    rng = np.random.default_rng(seed)
    points = rng.normal(size=(num, 3)).astype(np.float32)
    center = rng.normal(size=3).astype(np.float32) * 2
    cells = Cells(points, radius)
    squared, rows = rows_within(cells, center)
    truth = np.square(points - center).sum(axis=1)
    assert set(cells.order[rows]) == set(np.flatnonzero(truth <= np.float32(radius**2)))
    assert (np.diff(squared) >= 0).all()
    few, few_rows = rows_within(cells, center, limit)
    np.testing.assert_array_equal(few, squared[:limit])
    np.testing.assert_array_equal(few_rows, rows[:limit])


@examples(30)
@given(SEEDS, st.integers(1, 200), st.floats(0.1, 3.0), st.integers(0, 1))
def test_points_of_cells(seed: int, num: int, side: float, around: int) -> None:
    points = np.random.default_rng(seed).normal(size=(num, 2))
    cells = Cells(points, side, np.zeros(2))
    index = cell_indices(points, side)
    for wanted, rows in zip(cells.indices(), cells, strict=True):
        np.testing.assert_array_equal(rows, np.flatnonzero((index == wanted).all(axis=1)))
        near = np.flatnonzero((np.abs(index - wanted) <= around).all(axis=1))
        np.testing.assert_array_equal(np.sort(cells.rows(wanted, around)), near)
    assert len(cells.rows(index.max(axis=0) + 2, around)) == 0


@examples(20)
@given(SEEDS, st.floats(0, 1))
def test_a_column_is_its_cell_and_a_margin(seed: int, margin: float) -> None:
    ground = np.random.default_rng(seed).uniform(0, 4, (300, 2))
    cells = Cells(ground, 1.0, np.zeros(2))
    for index in cells.indices():
        inside = ((ground >= index - margin) & (ground <= index + 1 + margin)).all(axis=1)
        np.testing.assert_array_equal(np.sort(column_rows(cells, index, margin)), np.flatnonzero(inside))


def test_cells_are_stored_and_read_back(tmp_path: Path) -> None:
    points = np.random.default_rng(0).normal(size=(500, 3)).astype(np.float32)
    made = Cells(points, 0.3)
    made.save(tmp_path)
    loaded = Cells.load(tmp_path, 0.3)
    for here, there in zip(rows_within(made, points[7]), rows_within(loaded, points[7]), strict=True):
        np.testing.assert_array_equal(here, there)


def test_only_occupied_cells_take_memory_however_far_apart() -> None:
    points = np.array([[0, 0, 0], [1e9, -1e9, 1e9], [1e9, -1e9, 1e9 + 0.5]])
    cells = Cells(points, 1.0, np.zeros(3))
    np.testing.assert_array_equal(cells.rows(cells.index_at(points[1]), around=1), [1, 2])
    with pytest.raises(InputError, match="too far"):
        Cells(points * 1e12, 1.0)


def test_numbers_of_cells_far_apart_are_as_good_as_those_of_near_ones() -> None:
    index = np.random.default_rng(0).integers(-3, 3, (200, 3))
    near, far = (cell_numbers(list((index * step).T), 2**20) for step in (1, 10**12))
    np.testing.assert_array_equal(np.unique(near, return_inverse=True)[1], np.unique(far, return_inverse=True)[1])
    assert far.max() < 2**20


def test_packed_squares_keep_their_order() -> None:
    index = np.random.default_rng(0).integers(-(2**30), 2**30, (100, 2))
    np.testing.assert_array_equal(unpack(pack(index)), index)
    np.testing.assert_array_equal(np.argsort(pack(index)), np.lexsort(index.T[::-1]))


def test_ties_of_a_sphere() -> None:
    points = np.zeros((4, 3))
    assert in_sphere(points, np.zeros(3), 1.0, 3)[1].tolist() == [0, 1, 2]
    assert in_sphere(points, np.zeros(3), 1.0, 3, tie=np.array([1, 0, 1, 0]))[1].tolist() == [1, 3, 0]


@examples(20)
@given(SEEDS, st.sampled_from([0.25, 0.37, 0.5, 1.0]))
def test_blocks_hold_the_points_between_their_borders(seed: int, stride: float) -> None:
    ground = np.random.default_rng(seed).uniform(0, 3.3, (200, 2)).astype(np.float32) + np.float32(7)
    low, high = ground.min(axis=0).astype(float), ground.max(axis=0).astype(float)
    index, count, row = BlockGrid(1.0, stride, low, high).pairs(ground)
    found = {
        tuple(block): set(rows) for block, rows in zip(index.tolist(), np.split(row, np.cumsum(count)), strict=False)
    }
    wanted = {}
    for i in range(int(np.ceil((high[0] - low[0] - 1) / stride)) + 1):
        for j in range(int(np.ceil((high[1] - low[1] - 1) / stride)) + 1):
            begin = np.array([i, j]) * stride
            rows = np.flatnonzero(((ground - low >= begin) & (ground - low <= begin + 1 + 1e-12)).all(axis=1))
            wanted |= {(i, j): set(rows)} if len(rows) else {}
    assert found == wanted
