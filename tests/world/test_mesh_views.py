"""Views of a folder of meshes: they lie on the meshes, stay what they are, and mistakes name the file."""

import json
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.spatial import cKDTree
from tests.world.test_world_layouts import contents

from cloud_transformers.cli import main
from cloud_transformers.datasets.pcn import pcn
from cloud_transformers.datasets.what3d import what3d
from cloud_transformers.render.mesh import Mesh
from cloud_transformers.world import mesh_views, objects, views
from cloud_transformers.world.mesh_views import MeshFolder, split_of

Points = NDArray[np.float32]


def write_ply(path: Path, mesh: Mesh) -> None:
    corners = "".join(f"{x} {y} {z}\n" for x, y, z in mesh.vertices)
    faces = "".join(f"3 {a} {b} {c}\n" for a, b, c in mesh.faces)
    header = "ply\nformat ascii 1.0\nelement vertex {}\nproperty float x\nproperty float y\nproperty float z\n"
    header += "element face {}\nproperty list uchar int vertex_indices\nend_header\n"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(header.format(len(mesh.vertices), len(mesh.faces)) + corners + faces, encoding="utf-8")


def chair(number: int) -> Mesh:
    return objects.build(0, number, "chair")


@pytest.fixture(scope="module")
def chairs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three chairs, z up, whose names are in the three splits."""
    folder = tmp_path_factory.mktemp("meshes") / "chairs"
    names = {split_of(f"chair{k}"): f"chair{k}" for k in range(200)}
    for number, split in enumerate(("train", "val", "test")):
        write_ply(folder / f"{names[split]}.ply", chair(number))
    return folder


def distances(points: Points, surface: Points) -> NDArray[np.float64]:
    return cKDTree(surface).query(points)[0]


def test_views_lie_on_the_mesh_up_to_the_camera_s_faults_and_show_a_part_of_it(chairs: Path) -> None:
    folder = MeshFolder.parse(f"{chairs}:z")
    mesh = folder.read(folder.files()[0])
    whole = mesh_views.complete(mesh, 0, 7, 50_000)
    assert np.linalg.norm(np.ptp(whole, axis=0)) == pytest.approx(1, abs=0.01)
    for view in range(6):
        part = mesh_views.partial(mesh, 0, 7, view)
        assert 100 < len(part) <= 2048
        assert np.quantile(distances(part, whole), 0.9) < 0.03
        assert np.quantile(distances(whole, part), 0.9) > 0.03  # there is something to complete
    again, other = (mesh_views.partial(mesh, 0, 7, view) for view in (0, 1))
    assert np.array_equal(again, mesh_views.partial(mesh, 0, 7, 0))
    assert not np.array_equal(again, other)


def test_the_up_axis_is_said_behind_a_colon(tmp_path: Path) -> None:
    tall = chair(0).scaled([1, 1, 3])
    write_ply(tmp_path / "z" / "a.ply", tall)
    write_ply(tmp_path / "y" / "a.ply", Mesh(tall.vertices[:, [1, 2, 0]], tall.faces, tall.color))
    folders = MeshFolder.parse(str(tmp_path / "z")), MeshFolder.parse(f"{tmp_path / 'y'}:y")
    clouds = [mesh_views.complete(each.read(each.files()[0]), 0, 0) for each in folders]
    assert all(np.ptp(cloud, axis=0).argmax() == 1 for cloud in clouds)  # samples have y up


def test_a_folder_of_meshes_becomes_pairs_in_the_splits_of_their_names(chairs: Path, tmp_path: Path) -> None:
    words = ["data", "make", "completion", str(tmp_path / "made"), "--meshes", str(chairs), "--workers", "1"]
    assert main(words) == 0
    (entry,) = json.loads((tmp_path / "made" / "PCN.json").read_text(encoding="utf-8"))
    assert entry["taxonomy_id"] == "chairs"
    for split in ("train", "val", "test"):
        (sample,) = pcn(tmp_path / "made", split).checked()
        assert split_of(sample.id) == split
        assert entry[split] == [sample.id]
        assert len(sample.complete) == 16384
    before = contents(tmp_path / "made")
    (tmp_path / "made" / "train" / "complete" / "chairs" / f"{entry['train'][0]}.pcd").unlink()
    assert main(words) == 0  # an interrupted run goes on
    assert contents(tmp_path / "made") == before


def test_meshes_stand_beside_the_world(chairs: Path, tmp_path: Path) -> None:
    words = ["data", "make", "completion", str(tmp_path / "made"), "--size", "1", "--workers", "1"]
    assert main([*words, "--meshes", str(chairs)]) == 0
    names = {sample.taxonomy for sample in pcn(tmp_path / "made", "train")}
    assert names == {"chairs", "02691156"}


def test_a_folder_of_meshes_becomes_pictures_of_them(chairs: Path, tmp_path: Path) -> None:
    words = ["data", "make", "reconstruction", str(tmp_path / "made"), "--meshes", str(chairs), "--workers", "1"]
    assert main(words) == 0
    for split in ("train", "val", "test"):
        samples = list(what3d(tmp_path / "made", split).checked())
        assert {sample.category for sample in samples} == {"chairs"}
        assert {split_of(sample.id) for sample in samples} == {split}
    for sample in samples:  # a point is seen where there is no background
        column, row = views.project(sample.cloud.positions, 224).astype(int).clip(0, 223).T
        assert (sample.image[row, column].min(axis=1) < 255).mean() > 0.97
    before = contents(tmp_path / "made")
    (tmp_path / "made" / "renderings" / "chairs" / samples[0].id / "4.png").unlink()
    assert main(words) == 0  # an interrupted run goes on
    assert contents(tmp_path / "made") == before


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("completion", "out", "--meshes", "nowhere"), "nowhere: is no folder"),
        (("completion", "out", "--meshes", "empty"), "empty: holds no mesh"),
        (("completion", "out", "--meshes", "points"), "a.ply: has points but no faces"),
        (("completion", "out", "--meshes", "dot"), "a.ply: next to nothing can be seen of it"),
        (("completion", "out", "--meshes", "dot", "--meshes", "sub/dot"), "two folders of meshes have the same name"),
        (("reconstruction", "out", "--meshes", "chair"), "a folder of meshes is called 'chair'"),
        (("s3dis", "out", "--meshes", "dot"), "--meshes is for the layouts completion"),
    ],
)
def test_mistakes(
    words: tuple[str, ...],
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    needle = np.array([[0.0, 0, 0], [0, 0, 1], [1e-6, 0, 1]])
    for folder in ("dot", "sub/dot"):
        write_ply(tmp_path / folder / "a.ply", Mesh(needle, np.array([[0, 1, 2]]), np.zeros((1, 3))))
    write_ply(tmp_path / "points" / "a.ply", Mesh(needle, np.empty((0, 3), int), np.zeros((0, 3))))
    (tmp_path / "empty").mkdir()
    (tmp_path / "chair").mkdir()
    assert main(["data", "make", *words, "--workers", "1"]) == 2
    assert message in capsys.readouterr().err


def test_a_tenth_of_the_names_is_held_out() -> None:
    found = [split_of(f"object {k}") for k in range(4000)]
    assert found.count("val") == pytest.approx(200, abs=40)
    assert found.count("test") == pytest.approx(200, abs=40)
