"""Pictures of clouds: what is nearest is seen, and nothing is invented."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cloud_transformers.cloud import PointCloud
from cloud_transformers.render.clouds import foremost, painted, portrait
from cloud_transformers.render.colors import BLUE
from cloud_transformers.render.raster import Camera
from cloud_transformers.render.sheets import stacked, trimmed

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
        drawn = painted(points[order], colors[order], CAMERA, wide=3)
        assert drawn[12, 12, 0] > 200 > drawn[12, 12, 2]


def test_a_cloud_without_points_is_white() -> None:
    nothing = np.zeros((0, 3))
    assert (painted(nothing, BLUE, CAMERA) == 255).all()


@pytest.mark.parametrize("num", [0, 1, 100])
def test_a_portrait_of_any_cloud(num: int) -> None:
    positions = np.random.default_rng(0).normal(size=(num, 3)).astype(np.float32)
    positions[1:2] = np.nan
    picture = portrait(PointCloud(positions=positions), side=64)
    assert picture.shape == (64, 64, 3)
    assert (picture < 255).any() == (num > 0)


@pytest.mark.parametrize("up", ["x", "y", "z"])
def test_up_is_up_in_a_portrait(up: str) -> None:
    positions = np.outer([1, -1, 0], np.eye(3)["xyz".index(up)]).astype(np.float32)
    cloud = PointCloud(positions=positions, fields={"color": np.eye(3, dtype=np.float32)})
    picture = portrait(cloud, "color", up=up, side=50)
    red, green = (np.argwhere((picture == color).all(-1)) for color in ([255, 0, 0], [0, 255, 0]))
    assert red[:, 0].mean() < green[:, 0].mean()


def test_trimming_cuts_all_pictures_alike_and_no_drawing() -> None:
    first, second = (np.full((30, 40, 3), 255, np.uint8) for _ in range(2))
    first[10, 20], second[14, 5] = 0, 0
    cut = trimmed([first, second], margin=2)
    assert cut[0].shape == cut[1].shape == (9, 20, 3)
    assert [(each == 0).all(axis=2).sum() for each in cut] == [1, 1]


def test_stacked_rows_of_different_widths() -> None:
    rows = [np.zeros((4, 10, 3), np.uint8), np.zeros((3, 6, 3), np.uint8)]
    assert stacked(rows, gap=2).shape == (9, 10, 3)
    assert (stacked(rows, gap=2) == 0).all(axis=2).sum() == 4 * 10 + 3 * 6
