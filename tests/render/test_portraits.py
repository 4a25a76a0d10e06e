"""Pictures of clouds: what is nearest is seen, and nothing is invented."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cloud_transformers.render import portraits
from cloud_transformers.render.pictures import foremost
from cloud_transformers.render.raster import Camera
from cloud_transformers.report.showcase.shapes import best_constant, distances
from cloud_transformers.world.contact_sheets import splat

CAMERA = Camera.looking([0.0, -4.0, 0.0], [0.0, 0.0, 0.0], 40.0, 24)


@given(st.integers(0, 40), st.integers(1, 4), st.integers(0, 1000))
def test_foremost_is_the_nearest_point_over_each_pixel(count: int, wide: int, seed: int) -> None:
    points = np.random.default_rng(seed).uniform(-2, 2, (count, 3))
    pixel, depth = CAMERA.project(points)
    wanted = np.full((CAMERA.height, CAMERA.width), -1)
    best = np.full(wanted.shape, np.inf)
    for number, ((x, y), far) in enumerate(zip(pixel - (wide - 1) / 2, depth, strict=True)):
        for row in range(int(np.floor(y)), int(np.floor(y)) + wide):
            for column in range(int(np.floor(x)), int(np.floor(x)) + wide):
                inside = 0 <= row < CAMERA.height and 0 <= column < CAMERA.width
                if inside and 0 < far < best[row, column]:
                    best[row, column], wanted[row, column] = far, number
    assert (foremost(points, CAMERA, wide) == wanted).all()


def test_points_behind_the_camera_are_not_seen() -> None:
    assert (foremost(np.array([[0.0, -5.0, 0.0]]), CAMERA) == -1).all()


def test_near_points_cover_far_ones() -> None:
    points = np.array([[0.0, -1.0, 0.0], [0.0, 1.0, 0.0]])
    colors = np.array([[250, 0, 0], [0, 0, 250]], np.uint8)
    for order in ([0, 1], [1, 0]):
        drawn = portraits.picture(points[order], colors[order], CAMERA, wide=3)
        assert drawn[12, 12, 0] > 200 > drawn[12, 12, 2]


def test_a_cloud_without_points_is_white() -> None:
    nothing = np.zeros((0, 3))
    assert (portraits.picture(nothing, portraits.BLUE, CAMERA) == 255).all()
    assert (splat(nothing, np.zeros((0, 3), np.uint8), CAMERA) == 255).all()


def test_trimming_cuts_all_pictures_alike_and_no_drawing() -> None:
    first, second = (np.full((30, 40, 3), 255, np.uint8) for _ in range(2))
    first[10, 20], second[14, 5] = 0, 0
    cut = portraits.trimmed([first, second], margin=2)
    assert cut[0].shape == cut[1].shape == (9, 20, 3)
    assert [(each == 0).all(axis=2).sum() for each in cut] == [1, 1]


def test_stacked_rows_of_different_widths() -> None:
    rows = [np.zeros((4, 10, 3), np.uint8), np.zeros((3, 6, 3), np.uint8)]
    assert portraits.stacked(rows, gap=2).shape == (9, 10, 3)
    assert (portraits.stacked(rows, gap=2) == 0).all(axis=2).sum() == 4 * 10 + 3 * 6


def test_the_best_constant_answer() -> None:
    rng = np.random.default_rng(0)
    shape, far = rng.uniform(size=(50, 3)).astype(np.float32), np.full((50, 3), 9, np.float32)
    assert best_constant([shape, shape.copy()]) == pytest.approx(100)
    assert best_constant([shape, far, shape.copy()]) == pytest.approx(50)
    assert best_constant([shape]) == 0


def test_distances_by_tree_are_those_of_the_metric() -> None:
    import torch

    from cloud_transformers.metrics import ShapeDistances

    rng = np.random.default_rng(1)
    answer, truth = rng.uniform(size=(70, 3)).astype(np.float32), rng.uniform(size=(50, 3)).astype(np.float32)
    slow = ShapeDistances.between(torch.from_numpy(answer)[None], torch.from_numpy(truth)[None])
    fast = distances(answer, truth)
    torch.testing.assert_close(fast.to_truth, slow.to_truth)
    torch.testing.assert_close(fast.chamfer_l2(), slow.chamfer_l2())
    torch.testing.assert_close(fast.f_score(0.2), slow.f_score(0.2))
