"""Splats, packed scenes and structured arrays: what is in them comes out, or a sentence says why not."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import numpy as np
import plyfile
import pytest
import trimesh

from cloud_transformers import io
from cloud_transformers.errors import InputError

SPLAT = ("x", "y", "z", "nx", "ny", "nz", "f_dc_0", "f_dc_1", "f_dc_2", "f_rest_0", "opacity", "scale_0", "rot_0")


def test_a_splat_has_its_colour_and_stays_a_splat(tmp_path: Path) -> None:
    rows = np.zeros(3, [(name, "f4") for name in SPLAT])
    color = np.array([[255, 128, 0], [0, 0, 255], [51, 102, 153]])
    for index in range(3):
        rows[f"f_dc_{index}"] = (color[:, index] / 255 - 0.5) * 2 * np.sqrt(np.pi)
    rows["opacity"] = [-1, 0, 5]
    plyfile.PlyData([plyfile.PlyElement.describe(rows, "vertex")]).write(tmp_path / "a.ply")
    cloud = io.read(tmp_path / "a.ply")
    np.testing.assert_array_equal(cloud["color"], color)
    np.testing.assert_array_equal(cloud["opacity"], [-1, 0, 5])
    io.write(tmp_path / "b.ply", cloud)
    again = plyfile.PlyData.read(tmp_path / "b.ply")["vertex"]
    for name in SPLAT:
        np.testing.assert_array_equal(again[name], rows[name], err_msg=name)


def test_transparent_splats_can_be_left_out(tmp_path: Path) -> None:
    rows = np.zeros(4, [(name, "f4") for name in SPLAT])
    rows["x"], rows["opacity"] = np.arange(4), [-200, -1, 0, 5]  # shares of 0, 0.27, 0.5 and 0.99
    plyfile.PlyData([plyfile.PlyElement.describe(rows, "vertex")]).write(tmp_path / "a.ply")
    np.testing.assert_array_equal(io.read(tmp_path / "a.ply", min_opacity=0.4).positions[:, 0], [2, 3])
    assert "opacity" not in io.read(tmp_path / "a.ply", min_opacity=0.4, drop=["opacity"]).fields
    assert [len(part) for part in io.read_chunks(tmp_path / "a.ply", 2, min_opacity=0.2)] == [1, 2]
    io.write(tmp_path / "b.ply", io.read(tmp_path / "a.ply", drop=["f_dc_0"]))
    io.write(tmp_path / "b.csv", io.read(tmp_path / "a.ply"))
    for name in ("b.ply", "b.csv"):
        with pytest.raises(InputError, match="is no Gaussian splat"):
            io.read(tmp_path / name, min_opacity=0.5)
    with pytest.raises(InputError, match="between 0 and 1"):
        io.read(tmp_path / "a.ply", min_opacity=5)


def test_a_compressed_splat_is_named(tmp_path: Path) -> None:
    chunk = np.zeros(1, [("min_x", "f4")])
    vertex = np.zeros(4, [("packed_position", "u4"), ("packed_color", "u4")])
    elements = [plyfile.PlyElement.describe(chunk, "chunk"), plyfile.PlyElement.describe(vertex, "vertex")]
    plyfile.PlyData(elements).write(tmp_path / "a.ply")
    with pytest.raises(InputError, match="compressed splat"):
        io.read(tmp_path / "a.ply")


def scene() -> dict[str, Any]:
    """The tree of a glTF file with its buffers inside."""
    parts = trimesh.exchange.gltf.export_gltf(trimesh.Scene(trimesh.creation.box()))
    tree: dict[str, Any] = json.loads(parts["model.gltf"])
    for buffer in tree["buffers"]:
        buffer["uri"] = "data:application/octet-stream;base64," + base64.b64encode(parts[buffer["uri"]]).decode()
    return tree


def test_gltf_with_everything_inside(tmp_path: Path) -> None:
    tree = scene()
    (tmp_path / "a.gltf").write_text(json.dumps(tree))
    tree["buffers"][0]["uri"] = "elsewhere.bin"
    tree["accessors"][0]["count"] = 1 << 20  # more than fit into this file, which is not where they are
    (tmp_path / "b.gltf").write_text(json.dumps(tree))
    with pytest.raises(InputError, match="in another file, which is not followed"):
        io.read(tmp_path / "b.gltf", sample=10)
    cloud = io.read(tmp_path / "a.gltf", sample=500)
    np.testing.assert_allclose(np.abs(cloud.positions).max(axis=1), 0.5, atol=1e-6)


def test_one_of_several_scenes(tmp_path: Path) -> None:
    tree = scene()
    tree["scenes"] = [*tree["scenes"], {"name": "another", "nodes": []}]
    (tmp_path / "a.gltf").write_text(json.dumps(tree))
    cloud = io.read(tmp_path / "a.gltf", sample=500)
    np.testing.assert_allclose(np.abs(cloud.positions).max(axis=1), 0.5, atol=1e-6)


@pytest.mark.parametrize(("suffix", "words"), [(".fbx", "as .glb"), (".spz", "uncompressed .ply"), (".rcp", ".e57")])
def test_formats_that_are_not_read_say_what_to_do(suffix: str, words: str, tmp_path: Path) -> None:
    (tmp_path / f"a{suffix}").write_bytes(b"PK")
    with pytest.raises(InputError, match=rf"\{suffix} is not read; save .*{words}"):
        io.read(tmp_path / f"a{suffix}")


@pytest.mark.parametrize(
    ("extension", "name"), [("KHR_draco_mesh_compression", "Draco"), ("EXT_meshopt_compression", "meshopt")]
)
def test_compression_of_meshes_is_named(extension: str, name: str, tmp_path: Path) -> None:
    tree = {**scene(), "extensionsUsed": [extension]}
    (tmp_path / "a.gltf").write_text(json.dumps(tree))
    with pytest.raises(InputError, match=f"compressed with {name}, which is not read"):
        io.read(tmp_path / "a.gltf", sample=10)


def test_structured_arrays_in_an_archive(tmp_path: Path) -> None:
    kinds = {"x": "f4", "y": "f4", "z": "f4", "intensity": "u2", "red": "u1", "green": "u1", "blue": "u1"}
    rows = np.zeros(7, list(kinds.items()))
    rows["x"], rows["intensity"], rows["green"] = np.arange(7), np.arange(7) * 9, 200
    np.savez(tmp_path / "a.npz", cloud=rows)
    cloud = io.read(tmp_path / "a.npz")
    np.testing.assert_array_equal(cloud.positions[:, 0], np.arange(7))
    np.testing.assert_array_equal(cloud["intensity"], np.arange(7) * 9)
    np.testing.assert_array_equal(cloud["color"], [[0, 200, 0]] * 7)
