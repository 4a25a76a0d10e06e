"""The head inspector in a browser: what it shows is what Python measures."""

import numpy as np
import pytest

import cloud_transformers as ct
from cloud_transformers.inspect import folding, interaction
from cloud_transformers.inspect.folding_figure import scene as folding_scene
from cloud_transformers.inspect.heads_page import inspector
from cloud_transformers.viewer import save
from tests.browser import faults, needs_browser
from tests.viewer.conftest import VIEWER

pytestmark = needs_browser

INSPECTOR = f"{VIEWER}.inspector"


@pytest.fixture(scope="module")
def seen():
    """All blocks of a new segmenter at work on a room's block of 300 points."""
    subject = ct.inspect.open_subject("segmenter:tiny")
    positions = np.random.default_rng(0).random((300, 3)).astype(np.float32)
    cloud = ct.PointCloud(positions=positions, fields={"color": np.full((300, 3), 128, np.uint8)})
    (given,) = subject.inputs(cloud)
    return subject.blocks(given)


@pytest.fixture(scope="module")
def page(seen, tmp_path_factory):
    path = tmp_path_factory.mktemp("heads") / "heads.html"
    save(path, inspector("tiny <b>", seen, "z"))
    return path


def test_a_click_lights_up_the_points_that_can_influence_the_chosen_one(opened, page, seen):
    tab = opened(page)
    expected = interaction(seen)
    for number in range(len(seen)):
        tab.page.get_by_label("block", exact=True).select_option(str(number))
        tab.page.evaluate(f"{INSPECTOR}.choose(0, {expected.center})")
        name = "can influence the chosen point"
        found = tab.page.evaluate(
            f"""(() => {{
                const cloud = {VIEWER}.scene.clouds[0], {{values, high}} = cloud.scalars["{name}"], out = [];
                for (let i = 0; i < cloud.count; i++) out[cloud.row(i)] = high - Math.round(values[i] / 65535 * high);
                return out;
            }})()"""
        )
        after = np.where((expected.arrival >= 0) & (expected.arrival <= number + 1), expected.arrival, number + 2)
        assert found == after.tolist()
    share = 100 * np.mean(np.delete(expected.arrival >= 0, expected.center))
    assert f"({share:.1f} %)" in tab.page.locator(".cv-inspector").inner_text()


def test_heads_are_stepped_through_with_their_plane_grids_and_numbers(opened, page, seen):
    tab = opened(page)
    assert tab.page.locator("polygon.cv-head").count() == 1
    assert tab.page.locator(".cv-grids canvas").count() == 3
    (head, *_) = ct.inspect.heads(seen[0])
    assert f"{100 * head.occupied:.1f} %" in tab.page.locator(".cv-inspector dl").inner_text()
    volumetric = next(k for k, head in enumerate(ct.inspect.heads(seen[0])) if head.kind == "volumetric")
    tab.page.get_by_label("head", exact=True).select_option(str(volumetric))
    assert tab.page.locator("polyline.cv-head").count() == 12
    tab.page.get_by_label("all slices").fill("1")
    assert tab.page.locator(".cv-slice label").inner_text() == "slice 2"
    tab.page.get_by_role("button", name="block →").click()
    assert tab.page.get_by_label("block", exact=True).input_value() == "1"
    assert faults(tab.page) == []


def test_a_grid_is_drawn_as_it_is(opened, page, seen):
    """The first key axis to the right, the second up; brightness grows with the norm."""
    tab = opened(page)
    (head, *_) = ct.inspect.heads(seen[0])
    shown = tab.page.evaluate(
        """(() => {
            const canvas = document.querySelectorAll('.cv-grids canvas')[1];
            return [canvas.width, canvas.height, [...canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data]];
        })()"""  # noqa: E501
    )
    width, height, pixels = shown
    assert (width, height) == head.size
    opaque = np.array(pixels).reshape(height, width, 4)[::-1, :, 3].T == 255
    assert (opaque == (head.before > 0)).all()


def test_the_folding_is_a_slider(opened, tmp_path):
    subject = ct.inspect.open_subject("completer:tiny")
    (given,) = subject.inputs(np.random.default_rng(0).random((200, 3)), up="y")
    result = folding(subject, given)
    save(tmp_path / "folding.html", folding_scene("tiny", result, "y"))
    tab = opened(tmp_path / "folding.html")
    tab.page.get_by_role("button", name="Play the folding").click()
    tab.until(f"{VIEWER}.fold > 0.05 && {VIEWER}.fold < 1 || {VIEWER}.fold === 1")
    assert "observed points" in tab.page.locator(".cv-notes").inner_text()
