"""With and without a graphics card the viewer draws the same picture; meshes are drawn as triangles."""

import numpy as np
import pytest

from cloud_transformers.cli import main
from cloud_transformers.viewer import Scene, ShownCloud, save
from tests.browser import needs_browser
from tests.viewer.conftest import VIEWER

pytestmark = needs_browser

DRAWN = f"{VIEWER}?.stage.drawn === 1"
ON_A_CARD = f"""() => {{
    const {{ root, scene }} = {VIEWER};
    {VIEWER}.dispose();
    CloudViewer.mount(root, scene, {{ byCard: true }});
}}"""
HOUSE = """OFF
9 11 0
0 0 0\n4 0 0\n4 6 0\n0 6 0\n0 0 3\n4 0 3\n4 6 3\n0 6 3\n2 3 5
4 0 1 2 3\n4 0 1 5 4\n4 1 2 6 5\n4 2 3 7 6\n4 3 0 4 7\n3 4 5 8\n3 5 6 8\n3 6 7 8\n3 7 4 8\n3 0 1 8\n3 2 3 8
"""


@pytest.fixture
def both(opened):
    """(path, what is done in the page) -> the picture without a card, and with the one that Chromium computes."""

    def drawn(path, act=""):
        tab = opened(path)
        pictures = []
        for mount in ("() => 0", ON_A_CARD):
            tab.page.evaluate(mount)
            tab.until(DRAWN)
            if act:
                tab.page.evaluate(f"() => {{ const viewer = {VIEWER}; {act} }}")
            pictures.append(tab.picture())
            # Minified names say nothing: one of the two has a renderer of three.js.
            assert tab.page.evaluate(f"Boolean({VIEWER}.stage.painter.renderer)") == (len(pictures) == 2)
        return pictures

    return drawn


def alike(pictures):
    """The share of the drawn pixels that are nearly the same: rounding may move the edge of a point by a pixel."""
    first, second = pictures
    assert first.shape == second.shape
    inked = (first[..., 3] > 0) | (second[..., 3] > 0)
    assert inked.mean() > 0.02
    return (np.abs(first - second).max(axis=-1) < 32)[inked].mean()


@pytest.fixture(scope="module")
def clouds(tmp_path_factory):
    """Three walls with colours and labels; the second cloud moves when it is folded."""
    rng = np.random.default_rng(0)
    face = np.arange(8000) % 3
    positions = rng.random((8000, 3)) * 4
    positions[np.arange(8000), face] = np.array([0, 4, 0])[face]
    color = np.array([[200, 30, 30], [30, 200, 30], [30, 30, 200]], np.uint8)[face]
    first = ShownCloud(name="walls", positions=positions, color=color, label=face)
    second = ShownCloud(name="fold", positions=positions, moved=positions[::-1] * 0.5)
    path = tmp_path_factory.mktemp("painters") / "clouds.html"
    save(path, Scene(clouds=(first, second), classes=("a", "b", "c"), start={"layout": "single"}))
    return path


@pytest.mark.parametrize(
    "act",
    [
        "",
        "viewer.hide(1, true)",
        "viewer.cut({low: [1, 1, 0], high: [4, 4, 3]})",
        "viewer.setLayout('side'); viewer.fold = 0.5; viewer.adjust()",
        "viewer.sides[1] = {cloud: 0, by: 'height'}; viewer.mixing = 0.3; viewer.setLayout('blend')",
        "viewer.size = 5; viewer.stage.move({nearer: 3})",
    ],
    ids=["as it is", "hidden", "cut", "folded beside", "blended", "large and near"],
)
def test_points_look_the_same_with_and_without_a_card(both, clouds, act):
    assert alike(both(clouds, act)) > 0.97


@pytest.mark.parametrize(
    "act",
    ["", "viewer.sides[0].by = 'height'; viewer.refresh()", "viewer.cut({low: [-1, -1, -1], high: [3, 5, 4]})"],
    ids=["as it is", "by height", "cut"],
)
def test_a_surface_looks_the_same_with_and_without_a_card(both, tmp_path, act):
    (tmp_path / "house.off").write_text(HOUSE)
    assert main(["view", str(tmp_path / "house.off"), "-o", str(tmp_path / "house.html")]) == 0
    assert alike(both(tmp_path / "house.html", act)) > 0.97


def test_a_mesh_is_shown_as_triangles_and_as_points(opened, tmp_path):
    (tmp_path / "house.off").write_text(HOUSE)
    assert main(["view", str(tmp_path / "house.off"), "-o", str(tmp_path / "house.html")]) == 0
    tab = opened(tmp_path / "house.html")
    surface = tab.picture()
    assert tab.page.locator(".cv-status").inner_text() == "16 triangles"
    box = tab.page.locator("canvas").bounding_box()
    tab.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    assert "of house.off" in tab.page.locator(".cv-readout").inner_text()
    tab.page.get_by_label("draw as").select_option("points")
    points = tab.picture()
    assert tab.page.locator(".cv-status").inner_text() == "200,000 points"
    inked = [each[..., 3] > 0 for each in (surface, points)]
    assert (inked[0] & inked[1]).sum() > 0.95 * (inked[0] | inked[1]).sum()


def test_too_many_triangles_are_shown_as_points_only(opened, tmp_path):
    (tmp_path / "house.off").write_text(HOUSE)
    assert main(["view", str(tmp_path / "house.off"), "--points", "15", "-o", str(tmp_path / "house.html")]) == 0
    tab = opened(tmp_path / "house.html")
    assert tab.page.locator(".cv-status").inner_text() == "15 of 200,000 points, thinned for display"
    assert tab.page.get_by_label("draw as").count() == 0
