import base64
import json
import sys
from pathlib import Path

import numpy as np
import pytest
from tests.safety.harmful import EPS, ghostscript

from cloud_transformers.errors import InputError
from cloud_transformers.render.mesh import Mesh
from cloud_transformers.world import scans
from cloud_transformers.world.catalogue import Catalogue, read_mesh
from cloud_transformers.world.layouts import LAYOUTS, LayoutJob
from cloud_transformers.world.parts import box

CHAIR = '[names]\n"*chair*" = "chair"\n'


def write_ply(path: Path, mesh: Mesh) -> None:
    """With a colour per face, as text."""
    header = (
        f"ply\nformat ascii 1.0\nelement vertex {len(mesh.vertices)}\nproperty float x\nproperty float y\n"
        f"property float z\nelement face {len(mesh.faces)}\nproperty list uchar int vertex_indices\n"
        "property uchar red\nproperty uchar green\nproperty uchar blue\nend_header\n"
    )
    rows = [" ".join(f"{value:.6f}" for value in vertex) for vertex in mesh.vertices]
    colors = np.round(mesh.color * 255).astype(int)
    for face, color in zip(mesh.faces, colors, strict=True):
        rows.append(" ".join(map(str, [3, *face, *color])))
    path.write_text(header + "\n".join(rows) + "\n")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A tall blue chair, which stands along y, and something nobody asked for."""
    root = tmp_path / "meshes"
    root.mkdir()
    lying = box(0.4, 0.5, 1.8, np.array([0.0, 0.0, 1.0])).mapped(lambda v: v[:, [0, 2, 1]] * [1, 1, -1])
    write_ply(root / "my_chair_1.ply", lying)
    write_ply(root / "spaceship.ply", box(1, 1, 1, np.ones(3)))
    (root / "names.toml").write_text(CHAIR)
    return root


def test_meshes_are_turned_upright_and_keep_their_colors(folder: Path) -> None:
    mesh = read_mesh(folder / "my_chair_1.ply", "y")
    low, high = mesh.bounds()
    np.testing.assert_allclose(high - low, [0.4, 0.5, 1.8], atol=1e-6)
    assert low[2] == 0
    np.testing.assert_allclose(mesh.color, np.tile([0.0, 0.0, 1.0], (len(mesh.faces), 1)))


def test_the_front_of_a_y_up_mesh_faces_minus_y(folder: Path) -> None:
    at_front = Mesh(np.array([[0, 0, 0.9], [0.1, 0, 1.0], [0, 0.1, 1.0], [0, 0, 0]]), np.array([[0, 1, 2], [0, 1, 3]]),
                    np.ones((2, 3)))  # fmt: skip
    write_ply(folder / "chair_front.ply", at_front)
    found = read_mesh(folder / "chair_front.ply", "y").vertices
    assert found[3, 1] == found[:, 1].max()


def test_rooms_are_furnished_from_the_catalogue(folder: Path) -> None:
    chairs = []
    for index in range(12):
        plan = scans.build(0, index, Catalogue((f"{folder}:y",), share=1.0)).plan
        chairs += [thing.mesh for thing in plan.things if thing.name == "chair"]
    tall = [chair for chair in chairs if chair.bounds()[1][2] > 1.5]
    assert len(tall) > 5
    assert all(len(chair.faces) == 12 for chair in tall)


def test_without_its_share_nothing_comes_from_the_catalogue(folder: Path) -> None:
    asked = []

    def builder(rng: np.random.Generator) -> Mesh:
        asked.append(rng)
        return box(1, 1, 1, np.ones(3))

    catalogue = Catalogue((f"{folder}:y",), share=0.0)
    assert catalogue("chair", builder, np.random.default_rng(0)).bounds()[1][2] == 1
    assert Catalogue((f"{folder}:y",))("bed", builder, np.random.default_rng(0)).bounds()[1][2] == 1
    assert len(asked) == 2


@pytest.mark.parametrize(
    ("table", "complaint"),
    [
        (None, "no such file"),
        ("names", "not TOML"),
        ("x = 1", "no table"),
        ('[names]\n"*" = "throne"', "'throne'"),
        ('[names]\n"x*" = "chair"', "holds no mesh"),
    ],
)
def test_mistakes_in_the_table_are_told(folder: Path, table: str | None, complaint: str) -> None:
    (folder / "names.toml").unlink() if table is None else (folder / "names.toml").write_text(table)
    with pytest.raises(InputError, match=complaint):
        Catalogue((str(folder),))


def test_meshes_in_millimetres_are_refused(folder: Path) -> None:
    write_ply(folder / "chair_mm.ply", box(400, 500, 900, np.ones(3)))
    with pytest.raises(InputError, match="metres"):
        read_mesh(folder / "chair_mm.ply", "z")


def test_a_layout_with_meshes_is_another_one(folder: Path, tmp_path: Path) -> None:
    job = LayoutJob(layout="scans", root=tmp_path / "out", size=1, meshes=(f"{folder}:y",))
    LAYOUTS["scans"].write(job)
    with pytest.raises(InputError, match="not begun with these settings"):
        LAYOUTS["scans"].write(LayoutJob(layout="scans", root=tmp_path / "out", size=1))


@pytest.mark.skipif(sys.platform == "win32", reason="the program that must not run is a script of a shell")
def test_pictures_inside_of_meshes_start_no_programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """trimesh would join the textures of two meshes, and Pillow run Ghostscript for one that is EPS."""
    mark, picture = ghostscript(tmp_path, monkeypatch), EPS
    points, places = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0]], np.float32), np.zeros((3, 2), np.float32)
    pieces = [points.tobytes(), places.tobytes(), picture]
    starts = np.cumsum([0, *map(len, pieces)]).tolist()
    textured = [{"attributes": {"POSITION": 0, "TEXCOORD_0": 1}, "material": number} for number in range(2)]
    scene = {
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": [0, 1]}],
        "nodes": [{"mesh": 0}, {"mesh": 1}],
        "meshes": [{"primitives": [part]} for part in textured],
        "materials": [{"pbrMetallicRoughness": {"baseColorTexture": {"index": number}}} for number in range(2)],
        "textures": [{"source": 0}, {"source": 1}],
        "images": [{"bufferView": 2, "mimeType": "image/png"}] * 2,
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"},
            {"bufferView": 1, "componentType": 5126, "count": 3, "type": "VEC2"},
        ],
        "bufferViews": [
            {"buffer": 0, "byteOffset": start, "byteLength": len(piece)}
            for start, piece in zip(starts, pieces, strict=False)
        ],
        "buffers": [
            {
                "byteLength": starts[-1],
                "uri": "data:application/octet-stream;base64," + base64.b64encode(b"".join(pieces)).decode(),
            }
        ],
    }
    (tmp_path / "chair.gltf").write_text(json.dumps(scene))
    assert len(read_mesh(tmp_path / "chair.gltf", "y").faces) == 2
    assert not mark.exists()
