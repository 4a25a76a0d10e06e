"""Scenes that cannot be in metres stop before the long work, with the likely unit."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from cloud_transformers.cli.files.description import unit_of
from cloud_transformers.cloud import PointCloud
from cloud_transformers.errors import InputError
from cloud_transformers.io import write
from cloud_transformers.predict.scene import SceneSettings, segment_cloud, segment_file
from tests.predict.scene.scenes import AMPLE, ByHeight, prepared, room

TRAINED = prepared(points=1024)


@pytest.mark.parametrize(
    ("factor", "message"),
    [
        (1000, r"1.\d points per 1 x 1 m, .* up to 1024; its coordinates are likely millimetres: give --scale 0.001"),
        (100, "likely centimetres: give --scale 0.01"),
        (0.0005, "measures 0.003 m, where the model looks at 1 m at once.* give --scale"),
    ],
)
def test_another_unit_is_refused_and_named(factor: float, message: str) -> None:
    cloud = room(30_000)
    cloud = replace(cloud, positions=cloud.positions * np.float32(factor))
    scorer = ByHeight()
    with pytest.raises(InputError, match=message):
        segment_cloud(cloud, scorer, TRAINED)
    assert not scorer.regions


def test_a_scale_that_is_told_is_believed_and_not_advised_again() -> None:
    cloud = room(2000)
    sparse = replace(cloud, positions=cloud.positions * np.float32(20))
    with pytest.raises(InputError, match="if they are metres, give --scale 1"):
        segment_cloud(sparse, ByHeight(), TRAINED)
    _, notes = segment_cloud(sparse, ByHeight(), TRAINED, SceneSettings(scale=1.0))
    assert len(notes) == 1
    assert "scale" not in notes[0]


def test_files_are_believed_as_clouds_are(tmp_path: Path) -> None:
    cloud = room(2000)
    write(tmp_path / "sparse.ply", replace(cloud, positions=cloud.positions * np.float32(20)))
    given = tmp_path / "sparse.ply", tmp_path / "out.ply", ByHeight(), TRAINED
    with pytest.raises(InputError, match="if they are metres, give --scale 1"):
        segment_file(*given, weights="by height", budget=AMPLE)
    report = segment_file(*given, weights="by height", budget=AMPLE, settings=SceneSettings(scale=1.0))
    assert len(report.notes) == 1
    assert "scale" not in report.notes[0]


@pytest.mark.parametrize(("count", "is_few"), [(29, True), (30, False)])
def test_a_handful_of_points_has_no_shape(count: int, is_few: bool) -> None:
    cloud = PointCloud(positions=np.random.default_rng(0).uniform(0, 1, (count, 3)).astype(np.float32))
    _, notes = segment_cloud(cloud, ByHeight(), TRAINED)
    assert any("too few to tell a shape by" in note for note in notes) == is_few


def test_a_room_in_metres_is_not_refused() -> None:
    segment_cloud(room(30_000), ByHeight(), TRAINED)


def test_the_unit_of_the_coordinate_system_counts() -> None:
    cloud = room(3000)
    feet = 'PROJCS["x",GEOGCS["y",UNIT["degree",0.0174532925199433]],UNIT["US survey foot",0.3048006096012192]]'
    in_feet = replace(cloud, positions=cloud.positions / np.float32(0.3048006), metadata={"crs": feet})
    said, notes = segment_cloud(in_feet, ByHeight(), prepared(), SceneSettings(cell=0))
    assert "is in US survey foot: 0.304801 m per unit" in notes[0]
    assert np.array_equal(said.labels, segment_cloud(cloud, ByHeight(), prepared(), SceneSettings(cell=0))[0].labels)
    _, notes = segment_cloud(in_feet, ByHeight(), prepared(), SceneSettings(scale=1.0))
    assert not any("US survey foot" in note for note in notes)


def test_heights_may_have_a_unit_of_their_own() -> None:
    cloud = room(3000)
    crs = (
        'COMPD_CS["c",PROJCS["x",GEOGCS["y",UNIT["degree",0.0174532925199433]],UNIT["metre",1]],'
        'VERT_CS["v",VERT_DATUM["d",2005],UNIT["US survey foot",0.304800609601219]]]'
    )
    assert unit_of(crs) == "metre, heights US survey foot"
    raised = replace(cloud, positions=cloud.positions / np.float32([1, 1, 0.3048006]), metadata={"crs": crs})
    said, notes = segment_cloud(raised, ByHeight(), prepared(), SceneSettings(cell=0))
    assert "is in metre: 1 m per unit (--scale), its heights in US survey foot: 0.304801 m" in notes[0]
    assert np.array_equal(said.labels, segment_cloud(cloud, ByHeight(), prepared(), SceneSettings(cell=0))[0].labels)
