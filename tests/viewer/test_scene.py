"""What is packed for the viewer is what the cloud holds."""

import hashlib
import json
import struct
from pathlib import Path

import numpy as np
import pytest

import cloud_transformers as ct
from cloud_transformers.predict import labelled
from cloud_transformers.viewer import Scene, ShownCloud, asset, page
from cloud_transformers.viewer.packing import golden_step


def unpacked(scene):
    """Header, and arrays of the first cloud, as the viewer reads them."""
    content = scene.to_bytes()
    assert content[:8] == b"CTVIEW01"
    (length,) = struct.unpack("<I", content[8:12])
    header, data = json.loads(content[12 : 12 + length]), content[12 + length :]
    assert (12 + length) % 8 == 0
    cloud = header["clouds"][0]

    def opened(place):
        values = np.frombuffer(data, place["type"], cloud["count"] * place["width"], place["at"])
        return values.reshape(cloud["count"], place["width"]).squeeze() if place["width"] > 1 else values

    arrays = {name: opened(place) for name, place in (cloud["arrays"] | cloud["scalars"]).items()}
    return header, arrays


def random_cloud(count=1000, **fields):
    rng = np.random.default_rng(0)
    positions = rng.normal(size=(count, 3)).astype(np.float32)
    return ct.PointCloud(positions=positions, fields=fields, offset=np.array([5e5, 5e6, 100.0]))


def rows_of(header):
    cloud = header["clouds"][0]
    return np.arange(cloud["count"]) * cloud["step"] % cloud["total"]


@pytest.mark.parametrize("exact", [False, True])
def test_positions_come_back_to_half_a_step(exact):
    cloud = random_cloud()
    header, arrays = unpacked(Scene.of({"a": cloud}, exact=exact))
    shown = header["clouds"][0]
    world = np.array(shown["origin"]) + np.array(shown["scale"]) * arrays["positions"]
    step = 1e-6 if exact else np.array(shown["scale"])
    assert (np.abs(world - cloud.world[rows_of(header)]) <= step * 0.51 + 1e-9).all()


@pytest.mark.parametrize("total", [0, 1, 2, 3, 63, 1000, 1024, 30030, 99991])
def test_the_order_visits_every_row_once_and_its_beginnings_are_even(total):
    rows = np.arange(total) * golden_step(total) % max(total, 1)
    assert sorted(rows) == list(range(total))
    for beginning in (total // 30, total // 10, total // 3):
        if beginning > 10:
            gaps = np.diff(np.sort(rows[:beginning]))
            assert gaps.max() <= 5 * total / beginning


def test_thinning_keeps_the_numbers_of_all_points():
    labels = np.arange(1000) % 3
    header, arrays = unpacked(Scene.of({"a": random_cloud(label=labels)}, points=100))
    cloud = header["clouds"][0]
    assert (cloud["count"], cloud["total"]) == (100, 1000)
    assert cloud["counts"]["label"] == [334, 333, 333]
    assert (arrays["label"] == labels[rows_of(header)]).all()


def test_labels_have_the_names_and_values_of_an_answer(tmp_path):
    cloud = random_cloud(label=np.full(1000, 7, np.uint8))
    answer = labelled(cloud, np.arange(1000) % 2, np.full(1000, 0.5), ("ground", "tree"), values=(2, 7), recolor=False)
    ct.write(tmp_path / "answer.ply", answer)
    for given in (answer, ct.read(tmp_path / "answer.ply")):
        header, arrays = unpacked(Scene.of({"answer": given}))
        assert [(each["name"], each["value"]) for each in header["classes"]] == [("ground", 2), ("tree", 7)]
        assert (arrays["label"] == rows_of(header) % 2).all()
        assert (arrays["truth"] == 1).all()
        assert set(arrays["confidence"]) == {128}


def test_unknown_labels_and_points_that_are_not_finite():
    cloud = random_cloud(4, label=np.array([-1, 5, 5, 5]))
    cloud.positions[3, 0] = np.nan
    header, arrays = unpacked(Scene.of({"a": cloud}, classes=("x",) * 0))
    assert [each["name"] for each in header["classes"]] == ["label 5"]
    assert header["clouds"][0]["left_out"] == 1
    assert sorted(arrays["label"]) == [0, 0, 255]
    assert header["clouds"][0]["counts"]["label"] == [2]


def test_colours_of_every_type_become_bytes():
    half = {np.uint8: 128, np.uint16: 128 * 256 + 7, np.float32: 128 / 255}
    for kind, value in half.items():
        _, arrays = unpacked(Scene.of({"a": random_cloud(color=np.full((1000, 3), value, kind))}))
        assert (arrays["color"] == 128).all()


def test_fields_of_numbers_can_be_shown_and_instances_are_not_classes():
    fields = {"intensity": np.linspace(-1, 3, 2000), "label": np.arange(2000)}
    header, arrays = unpacked(Scene.of({"a": random_cloud(2000, **fields)}))
    place = header["clouds"][0]["scalars"]["intensity"]
    assert (place["low"], place["high"]) == (-1, 3)
    assert np.allclose(-1 + 4 * (arrays["intensity"] / 65535), fields["intensity"][rows_of(header)], atol=1e-4)
    assert header["classes"] == []
    assert "label" in header["clouds"][0]["scalars"]


def test_a_cloud_without_points_is_a_scene():
    header, _ = unpacked(Scene.of({"empty": random_cloud(0)}))
    assert header["clouds"][0]["count"] == 0


def test_probabilities_are_those_of_the_classes():
    shares = np.array([[0.25, 0.75]] * 3)
    shown = ShownCloud(name="a", positions=np.eye(3), probabilities=shares)
    _, arrays = unpacked(Scene(clouds=(shown,), classes=("a", "b")))
    assert np.abs(arrays["probabilities"] / 255 - [0.25, 0.75]).max() < 1 / 255


def test_names_cannot_become_markup():
    name = "</script><script>alert(1)</script><img src=x>\x00\u202e"
    text = page(Scene.of({name: random_cloud(3)}))
    assert text.count("<script") == 3
    assert "<img" not in text
    assert "alert(1)" not in text.replace("&gt;alert(1)", "")


def test_a_notebook_shows_a_frame_that_can_run_scripts_and_nothing_else():
    shown = random_cloud(3).show("three", height=300)
    text = shown._repr_html_()
    assert text.startswith('<iframe srcdoc="')
    assert text.count('"') == 8  # nothing in the page ends the attribute
    assert 'sandbox="allow-scripts allow-downloads"' in text
    assert "height:300px" in text
    assert repr(shown).startswith("Page(three: 3 points)")


def test_the_bundle_is_built_from_the_sources_that_are_here():
    sources = Path(__file__).parents[2] / "viewer"
    files = [sources / "package-lock.json", *sorted((sources / "src").iterdir())]
    digest = hashlib.sha256(b"".join(path.read_bytes() for path in files)).hexdigest()
    assert asset("viewer.js").startswith(f"// sources {digest}\n"), "run `make viewer`"
    assert "three.js" in asset("LICENSES.txt")
