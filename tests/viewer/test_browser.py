"""The viewer in a real browser: what people do with it, by mouse, finger and keyboard."""

import json

import numpy as np
import pytest

import cloud_transformers as ct
from cloud_transformers.cli import main
from cloud_transformers.viewer import Scene, ShownCloud, save
from tests.browser import faults, needs_browser
from tests.viewer.conftest import VIEWER

pytestmark = needs_browser


def walls(count=6000):
    """Floor, back and left wall of a box of 4 x 4 x 4, a class and a colour each; one point stands in the middle."""
    rng = np.random.default_rng(0)
    face = np.arange(count) % 3
    positions = rng.random((count, 3)) * 4
    positions[np.arange(count), face] = np.array([0, 4, 0])[face]
    positions[0] = [2.0, 2.0, 2.0]
    color = np.array([[200, 30, 30], [30, 200, 30], [30, 30, 200]], np.uint8)[face]
    fields = {"color": color, "label": face.astype(np.uint8), "original_label": np.zeros(count, np.uint8)}
    fields["confidence"] = rng.random(count).astype(np.float32)
    return ct.PointCloud(positions=positions.astype(np.float32), fields=fields, offset=np.array([5e5, 5e6, 0.0]))


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    path = tmp_path_factory.mktemp("page") / "view.html"
    save(path, Scene.of({"walls.ply": walls()}, classes=("wall <b>", "floor", "door"), points=5000))
    return path


def shares(tab):
    """The share of pixels that are mostly red, green and blue."""
    return tab.page.evaluate(
        """async viewer => {
            const picture = await createImageBitmap(await document.querySelector('.cv').cloudViewer.stage.picture());
            const sheet = new OffscreenCanvas(picture.width, picture.height).getContext('2d');
            sheet.drawImage(picture, 0, 0);
            const {data} = sheet.getImageData(0, 0, picture.width, picture.height), found = [0, 0, 0];
            for (let i = 0; i < data.length; i += 4)
                for (let k = 0; k < 3; k++) {
                    const others = Math.max(data[i + (k + 1) % 3], data[i + (k + 2) % 3]);
                    if (data[i + 3] > 0 && data[i + k] > 60 + others) found[k]++;
                }
            return found.map(each => each / (data.length / 4));
        }"""
    )


def settle(tab):
    tab.until(f"{VIEWER}.stage.drawn === 1")


def choose(tab, label, value):
    tab.page.get_by_label(label, exact=True).select_option(value)
    settle(tab)


def pixel_of(tab, place):
    """Where a point of the world is in the window."""
    x, y, _ = tab.page.evaluate(f"{VIEWER}.stage.project(0, {json.dumps(list(place))})")
    box = tab.page.locator("canvas").bounding_box()
    return box["x"] + x, box["y"] + y


def test_points_are_drawn_in_their_colours_and_classes_can_be_hidden(opened, page):
    tab = opened(page)
    assert "5,000 of 6,000 points, thinned for display" in tab.page.locator(".cv-status").inner_text()
    choose(tab, "colour by", "color")
    before = shares(tab)
    assert min(before) > 0.01
    tab.page.get_by_role("checkbox", name="floor 2,000").uncheck()
    settle(tab)
    after = shares(tab)
    assert after[1] == 0
    assert min(after[0], after[2]) > 0.01
    tab.page.get_by_role("button", name="none").click()
    settle(tab)
    assert shares(tab) == [0, 0, 0]
    tab.page.get_by_role("button", name="all").click()
    settle(tab)
    assert shares(tab) == before


@pytest.mark.parametrize("by", ["truth", "error", "confidence", "height", "color", "label"])
def test_every_colouring_has_a_legend(opened, page, by):
    tab = opened(page)
    choose(tab, "colour by", by)
    words = tab.page.locator(".cv-legend").inner_text()
    wanted = {"error": "wrong", "confidence": "confidence", "height": "height"}.get(by, "wall <b>")
    assert wanted in words
    assert sum(shares(tab)) > 0 or by in ("height", "confidence", "truth", "error")


def test_a_click_reads_the_point(opened, page):
    tab = opened(page)
    tab.page.mouse.click(*pixel_of(tab, (500002, 5000002, 2)))
    words = tab.page.locator(".cv-readout").inner_text()
    assert "0 of walls.ply" in words
    assert "wall <b>" in words
    place = [float(word) for word in words.split("x y z")[1].split()[:3]]
    assert np.allclose(place, [500002, 5000002, 2], atol=1e-3)
    assert "confidence" in words
    tab.page.keyboard.press("Escape")
    assert "Click a point" in tab.page.locator(".cv-readout").inner_text()


def test_two_points_are_measured(opened, page):
    tab = opened(page)
    tab.page.get_by_role("button", name="Measure").click()
    for place in ((500002, 5000002, 2), (500002, 5000002, 2)):
        tab.page.mouse.click(*pixel_of(tab, place))
    assert "distance 0.00" in tab.page.locator(".cv-live").inner_text()
    tab.page.evaluate(f"{VIEWER}.choose(0, {VIEWER}.scene.clouds[0], 1)")
    tab.page.evaluate(f"{VIEWER}.choose(0, {VIEWER}.scene.clouds[0], 2)")
    a, b = (tab.page.evaluate(f"{VIEWER}.scene.clouds[0].position({index})") for index in (1, 2))
    said = tab.page.locator(".cv-live").inner_text()
    assert abs(float(said.split()[1]) - np.linalg.norm(np.subtract(a, b))) < 1e-3


def test_a_box_cuts(opened, page):
    tab = opened(page)
    choose(tab, "colour by", "color")
    tab.page.get_by_text("Cut with a box").click()
    tab.page.get_by_label("x, from").fill("300")
    settle(tab)
    red, green, blue = shares(tab)
    assert red < 0.001  # the point in the middle
    assert min(green, blue) > 0.01
    assert tab.page.locator("svg .cv-box").count() == 12
    tab.page.get_by_role("button", name="No cut").click()
    settle(tab)
    assert shares(tab)[0] > 0.01


def test_the_keyboard_turns_zooms_and_reads(opened, page):
    tab = opened(page)
    camera = f"{VIEWER}.stage.camera.position.toArray()"
    before = tab.page.evaluate(camera)
    tab.page.locator("canvas").focus()
    tab.page.keyboard.press("ArrowLeft")
    turned = tab.page.evaluate(camera)
    assert turned != before
    assert np.isclose(np.linalg.norm(turned), np.linalg.norm(before))
    tab.page.keyboard.press("+")
    assert np.linalg.norm(tab.page.evaluate(camera)) < 0.95 * np.linalg.norm(before)
    tab.page.keyboard.press("t")
    assert tab.page.evaluate(camera)[2] > 1
    settle(tab)
    tab.page.keyboard.press("Enter")
    assert "of walls.ply" in tab.page.locator(".cv-readout").inner_text()
    tab.page.keyboard.press("c")
    assert "coloured by" in tab.page.locator(".cv-live").inner_text()


def test_input_and_answer_side_by_side_and_blended(opened, tmp_path):
    given = walls().without_fields("label", "original_label", "confidence")
    pages = {"input": given, "answer": walls()}
    save(tmp_path / "two.html", Scene.of(pages, classes=("a", "b", "c")))
    tab = opened(tmp_path / "two.html")
    assert tab.page.locator(".cv-captions span").all_inner_texts() == [
        "input · original colour",
        "answer · label (answer)",
    ]
    assert tab.page.evaluate(f"{VIEWER}.stage.panes.length") == 2
    tab.page.get_by_label("blended").check()
    settle(tab)
    slider = tab.page.get_by_label("blend", exact=True)
    slider.fill("0")
    settle(tab)
    assert tab.page.evaluate(f"{VIEWER}.stage.panes[0].map(each => each.count)") == [6000, 0]
    reds = shares(tab)
    assert min(reds) > 0.005
    slider.fill("1")
    settle(tab)
    assert tab.page.evaluate(f"{VIEWER}.stage.panes[0].map(each => each.count)") == [0, 6000]


def test_a_folding_moves(opened, tmp_path):
    start = np.random.default_rng(0).normal(size=(500, 3))
    shown = ShownCloud(name="fold", positions=start, moved=start + np.array([0, 0, 9]))
    save(tmp_path / "fold.html", Scene(clouds=(shown,)))
    tab = opened(tmp_path / "fold.html")
    tab.page.get_by_label("fold", exact=True).fill("0.5")
    place = tab.page.evaluate(f"{VIEWER}.scene.clouds[0].position(0, {VIEWER}.fold)")
    assert np.allclose(place, start[0] + np.array([0, 0, 4.5]), atol=1e-3)


def test_nothing_to_show_is_no_error(opened, tmp_path):
    empty = ct.PointCloud(positions=np.zeros((0, 3), np.float32))
    save(tmp_path / "empty.html", Scene.of({"empty.ply": empty}))
    assert "0 points" in opened(tmp_path / "empty.html").page.locator(".cv-status").inner_text()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_serious_accessibility_fault(opened, page, scheme):
    tab = opened(page, color_scheme=scheme)
    for summary in tab.page.locator("summary").all():
        summary.click()
    assert faults(tab.page) == []


def test_a_phone_shows_picture_and_controls_below_each_other(opened, page):
    tab = opened(page, has_touch=True)
    tab.page.set_viewport_size({"width": 390, "height": 780})
    settle(tab)
    stage, panel = (tab.page.locator(name).bounding_box() for name in (".cv-stage", ".cv-panel"))
    assert stage["y"] + stage["height"] <= panel["y"] + 1
    assert stage["width"] == panel["width"] == 390
    assert stage["height"] > 300
    tab.page.touchscreen.tap(*pixel_of(tab, (500002, 5000002, 2)))
    assert "0 of walls.ply" in tab.page.locator(".cv-readout").inner_text()


def test_the_verb_writes_a_page_of_files_and_folders(opened, tmp_path):
    (tmp_path / "in").mkdir()
    ct.write(tmp_path / "in" / "a.ply", walls().cast(original_label="int32"))
    (tmp_path / "in" / "<i>.off").write_text("OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n")
    assert main(["view", str(tmp_path / "in"), "-o", str(tmp_path / "page.html"), "--points", "3000"]) == 0
    tab = opened(tmp_path / "page.html")
    notes = tab.page.locator(".cv-notes").inner_text()
    assert "<i>.off is a mesh of 1 faces" in notes
    assert tab.page.locator("i:not([style])").count() == 0
    assert "3,000 of 6,000" in tab.page.locator(".cv-status").inner_text()
