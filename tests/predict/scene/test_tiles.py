"""Tiles of a scene: which points lie in which, and which are neighbours."""

import shutil
from pathlib import Path

import numpy as np

from cloud_transformers.predict.scene.points import ScenePoints
from cloud_transformers.predict.scene.scoring import Answers
from cloud_transformers.predict.scene.tiling import Census
from cloud_transformers.predict.scene.work import WorkFolder


def scene_points(places: list[list[float]]) -> ScenePoints:
    positions = np.array(places, np.float32)
    return ScenePoints(positions, np.zeros((len(places), 0), np.float32), np.arange(len(places)))


def test_a_tile_is_as_large_as_its_number_of_points_allows() -> None:
    """Four squares in a row with two points each."""
    census = Census(1.0)
    census.add(np.array([[x + 0.5, 0.5, z] for x in range(4) for z in range(2)], np.float32))
    assert census.tiles(most=8).tolist() == [0, 0, 0, 0]
    assert census.tiles(most=7).tolist() == [0, 0, 1, 1]
    assert census.tiles(most=4).tolist() == [0, 0, 1, 1]
    assert census.tiles(most=3).tolist() == [0, 1, 2, 3]
    assert census.tiles(most=1).tolist() == [0, 1, 2, 3]


def test_a_scene_without_points_has_no_tiles(tmp_path: Path) -> None:
    assert Census(1.0).tiles(10).tolist() == []


def test_tiles_that_touch_a_rectangle_are_within(tmp_path: Path) -> None:
    work = WorkFolder(tmp_path / "work", 0)
    work.begin(2)
    work.append(scene_points([[0, 0, 0], [1, 1, 0], [2, 0, 0], [3, 1, 0]]), np.array([0, 0, 1, 1]))
    for low, high, expected in (
        ([1, 1], [1.5, 1.5], [0]),
        ([1.5, 0], [2, 0], [1]),
        ([1, 1], [2, 1], [0, 1]),
        ([1.1, 0], [1.9, 1], []),
        ([0, 1.1], [3, 2], []),
    ):
        assert work.tiles_within(np.array(low, float), np.array(high, float)) == expected


def test_for_a_part_of_the_file_only_the_tiles_with_its_points_are_opened(tmp_path: Path) -> None:
    """Points 0, 1 and 4 are in the first tile, 2 and 3 in the second, 5 in the third."""
    work = WorkFolder(tmp_path / "work", 0)
    work.begin(3)
    tile = np.array([0, 0, 1, 1, 0, 2])
    points = scene_points([[0, 0, 0]] * 6)
    for some in (slice(0, 3), slice(3, 6)):
        work.append(points.select(np.arange(6)[some]), tile[some])
    work.finish_spooling()
    for each in range(3):
        count = int((tile == each).sum())
        work.keep_answers(each, Answers(np.full(count, 7 + each), np.full(count, 0.5, np.float32), None))
    again = WorkFolder(tmp_path / "work", 0)
    assert again.resume()
    shutil.rmtree(tmp_path / "work/tiles/00002")
    assert work.answers(0, 5).labels.tolist() == [7, 7, 8, 8, 7]
    shutil.rmtree(tmp_path / "work/tiles/00001")
    for folder in (work, again):
        assert folder.answers(4, 1).labels.tolist() == [7]
        assert folder.answers(0, 2).labels.tolist() == [7, 7]
