"""Points drawn on meshes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from cloud_transformers import io
from cloud_transformers.errors import InputError
from tests.io.samples import MESH_FORMATS, write_meshes

# A thin and a large triangle: 1 and 99 hundredths of the area, in parallel planes.
OBJ = "v 0 0 0\nv 2 0 0\nv 0 1 0\nv 0 0 1\nv 18 0 1\nv 0 11 1\nf 1 2 3\nf 4 5 6\n"


def test_area_decides(tmp_path: Path) -> None:
    (tmp_path / "a.obj").write_text(OBJ)
    cloud = io.read(tmp_path / "a.obj", sample=20_000, seed=1)
    assert cloud.positions[:, 2].mean() == pytest.approx(0.99, abs=0.005)
    np.testing.assert_allclose(cloud.fields["normal"], np.tile([0, 0, 1], (20_000, 1)), atol=1e-6)
    large = cloud.positions[cloud.positions[:, 2] > 0.5]
    np.testing.assert_allclose(large.mean(axis=0), [6, 11 / 3, 1], atol=0.15)  # the centroid


def test_the_seed_decides_the_points(tmp_path: Path) -> None:
    (tmp_path / "a.obj").write_text(OBJ)
    first, again, other = (io.read(tmp_path / "a.obj", sample=50, seed=seed).positions for seed in (0, 0, 1))
    np.testing.assert_array_equal(first, again)
    assert not np.array_equal(first, other)


@pytest.mark.parametrize("kind", MESH_FORMATS)
def test_every_format_gives_the_same_box(kind: str, tmp_path: Path) -> None:
    path = write_meshes(kind, tmp_path)[0]
    cloud = io.read(path, sample=2000)
    np.testing.assert_allclose(np.abs(cloud.positions).max(axis=1), 0.5, atol=1e-6)
    np.testing.assert_allclose(np.abs(cloud.fields["normal"]).max(axis=1), 1, atol=1e-6)
    with pytest.raises(InputError, match="is a mesh of 12 faces"):
        io.read(path)
    corners = io.read(path, vertices=True).positions
    assert len(np.unique(corners.round(6), axis=0)) == 8


def test_an_obj_of_points_is_a_cloud(tmp_path: Path) -> None:
    (tmp_path / "a.obj").write_text("v 0 0 0\nv 1 2 3\n")
    np.testing.assert_array_equal(io.read(tmp_path / "a.obj").positions, [[0, 0, 0], [1, 2, 3]])
    with pytest.raises(InputError, match="no faces"):
        io.read(tmp_path / "a.obj", sample=5)


def test_faces_that_cannot_be_sampled(tmp_path: Path) -> None:
    (tmp_path / "flat.off").write_text("OFF\n3 1 0\n0 0 0\n1 0 0\n2 0 0\n3 0 1 2\n")
    with pytest.raises(InputError, match="total area 0"):
        io.read(tmp_path / "flat.off", sample=5)
    (tmp_path / "wild.off").write_text("OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 9\n")
    with pytest.raises(InputError):
        io.read(tmp_path / "wild.off", sample=5)


def test_large_meshes_get_an_offset(tmp_path: Path) -> None:
    lines = [f"v {500_000 + x} {5_400_000 + y} 100" for x, y in ((0, 0), (1, 0), (0, 1))]
    (tmp_path / "a.obj").write_text("\n".join([*lines, "f 1 2 3\n"]))
    cloud = io.read(tmp_path / "a.obj", sample=100)
    np.testing.assert_array_equal(cloud.offset, [500_000, 5_400_000, 100])
    assert cloud.positions.min() >= -1
    assert cloud.positions.max() <= 1
