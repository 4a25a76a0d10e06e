"""The side from which a picture was taken is found, whatever axes the cloud's author liked."""

from pathlib import Path

import numpy as np
import pytest

from benchmarks import real_pictures
from cloud_transformers.cloud import PointCloud
from cloud_transformers.io import write
from cloud_transformers.render.meshes import shaded
from cloud_transformers.render.png import png
from cloud_transformers.render.raster import Camera
from cloud_transformers.space.neighbours import nearest_points
from cloud_transformers.world import objects, views

UP, FRONT = "-x", "z"
AXES = np.array([[0.0, 0, -1], [1, 0, 0], [0, -1, 0]])  # from z up, front -y, to x down, front z


@pytest.fixture
def what3d(tmp_path: Path) -> tuple[Path, list[np.ndarray]]:
    """Two pictures of the world's chairs, from 30 degrees to the right and 45 to the left, 20 and 5 degrees above; and
    what their viewers see."""
    (tmp_path / "classes.txt").write_text("chair chair\n")
    seen = []
    for index, (yaw, rise) in enumerate(((30, 20), (-45, 5))):
        mesh = views.normalized(objects.build(0, index, "chair"))
        a, b = np.radians(yaw), np.radians(rise)
        eye = 2.0 * np.array([np.sin(a) * np.cos(b), -np.cos(a) * np.cos(b), np.sin(b)])
        camera = Camera.looking(eye, np.zeros(3), 40.0, 128)
        points, _ = mesh.sample(4096, np.random.default_rng(0))
        seen.append(points @ camera.axes.T * [1, -1, -1])
        for kind, name in (("points", "0.ply"), ("renderings", "0.png")):
            folder = tmp_path / kind / "chair" / str(index)
            folder.mkdir(parents=True)
            if kind == "points":
                write(folder / name, PointCloud(positions=(points @ AXES.T).astype(np.float32)))
            else:
                (folder / name).write_bytes(png(shaded(mesh, camera)))
    lists = tmp_path / "lists" / "chair"
    lists.mkdir(parents=True)
    for split in ("train", "val", "test"):
        (lists / f"{split}.txt").write_text("0\n1\n" if split != "test" else "")
    return tmp_path, seen


def test_sides_are_found(what3d: tuple[Path, list[np.ndarray]]) -> None:
    folder, seen = what3d
    for shown, expected in zip(real_pictures._shown(folder, "val", UP, FRONT), seen, strict=True):
        assert shown.overlap > real_pictures.AGREE
        expected = expected - (expected.min(axis=0) + expected.max(axis=0)) / 2
        wanted = expected / np.linalg.norm(np.ptp(expected, axis=0))
        far, _ = nearest_points(wanted, shown.points)
        mirrored, _ = nearest_points(wanted * [-1, 1, 1], shown.points)
        assert far.mean() < 0.02
        assert mirrored.mean() > 2 * far.mean()


def test_scores_of_the_weights_in_the_box(what3d: tuple[Path, list[np.ndarray]]) -> None:
    scores = dict(real_pictures.reconstruction(what3d[0], up=UP, front=FRONT))
    assert scores["pictures whose side is known, of 2"] == 2
    assert scores["F@5 % of the best constant answer"] > 0.5  # one of the two is itself
    assert scores["F@5 % of ours"] > 0.7
    assert scores["CD-L2 of ours, in 1e-4 of the box's diagonal squared"] < 100
