"""The page in a real browser: every task, queue, cancel, reload, download, keyboard, token, phone."""

import io
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

import cloud_transformers as ct
from tests.browser import Tab, faults, needs_browser
from tests.serve.pages import dropped, news, opened
from tests.serve.servers import LIGHT, Server, running

__all__ = ["opened"]

pytestmark = needs_browser


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Callable[..., Server]]:
    """options -> a server without models. Pages close before it does: ask for it before `opened`."""
    with ExitStack() as stack:
        yield lambda *options: stack.enter_context(running(LIGHT, tmp_path / "jobs", *options))


def picture() -> bytes:
    content = io.BytesIO()
    Image.new("RGB", (20, 20), "blue").save(content, "PNG")
    return content.getvalue()


@pytest.fixture
def cloud(tmp_path: Path, points: NDArray[np.float32]) -> bytes:
    ct.write(tmp_path / "cloud.ply", ct.PointCloud(positions=points))
    return (tmp_path / "cloud.ply").read_bytes()


def test_the_four_tasks(opened: Callable[..., Tab], real: Server, cloud: bytes, tmp_path: Path) -> None:
    tab = opened(real.address)
    page = tab.page
    for task, content in (
        ("segmentation", cloud),
        ("classification", cloud),
        ("completion", cloud),
        ("reconstruction", picture()),
    ):
        name = f"{task}.png" if task == "reconstruction" else f"{task}.ply"
        dropped(tab, name, content)
        if task != "reconstruction":  # a picture says itself what it is for
            page.get_by_label("Task").select_option(task)
        page.get_by_label("Weights").select_option(task)
        page.get_by_role("button", name="Run").click()
        news(tab, f"{name}: ")
        news(tab, f"by {task}")
        tab.until("document.querySelector('.cv')?.cloudViewer.stage.drawn === 1")
        views = ["The heads at work"] + ["The folding"] * (task in ("completion", "reconstruction"))
        assert page.get_by_role("button", name="The folding").is_visible() == (len(views) == 2)
        for view in views:
            page.get_by_role("button", name=view).click()
            page.locator(f"button[aria-pressed=true]:text-is('{view}')").wait_for()
            tab.until("document.querySelector('.cv')?.cloudViewer.stage.drawn === 1")
        with page.expect_download() as download:
            page.get_by_label("Download the answer as").select_option("npz")
            page.get_by_role("button", name="Download").click()
        download.value.save_as(tmp_path / f"{task}.npz")
        assert len(ct.read(tmp_path / f"{task}.npz")) > 10
    assert page.get_by_alt_text("The picture that was given").is_visible()
    assert page.get_by_role("listitem").filter(has_text="done").count() == 4
    link = page.url
    again = opened(link)  # elsewhere, where nothing is remembered
    news(again, "reconstruction.png: 80 points")


def test_a_file_that_falls_before_the_page_is_ready_is_taken(
    served: Callable[..., Server], opened: Callable[..., Tab]
) -> None:
    tab = opened(served().address)
    asked: list[Any] = []
    tab.page.route("**/api/offer", lambda route: asked.append(route))  # unanswered for now
    tab.page.reload()
    while not asked:
        tab.page.wait_for_timeout(30)
    dropped(tab, "early.xyz", b"slow")
    assert tab.page.get_by_role("button", name="Run").is_disabled()
    asked[0].continue_()
    tab.until("!document.getElementById('run').disabled")
    assert "early.xyz" in tab.page.locator("#chosen").inner_text()


def test_a_job_survives_a_reload_and_is_cancelled(served: Callable[..., Server], opened: Callable[..., Tab]) -> None:
    server = served()
    tab = opened(server.address)
    for name in ("first.xyz", "second.xyz"):
        dropped(tab, name, b"slow")
        tab.page.get_by_role("button", name="Run").click()
        tab.page.get_by_role("listitem").filter(has_text=name).wait_for()
    tab.page.get_by_role("listitem").filter(has_text="first.xyz: working, 50 %").wait_for()
    news(tab, "second.xyz: waits, 1 before it")
    tab.page.reload()
    tab.page.get_by_role("listitem").filter(has_text="first.xyz: working, 50 %").wait_for()
    tab.page.get_by_role("listitem").filter(has_text="second.xyz: waits, 1 before it").wait_for()
    for name in ("first.xyz", "second.xyz"):
        tab.page.get_by_role("button", name=f"Cancel {name}").click()
        tab.page.get_by_role("listitem").filter(has_text=f"{name}: cancelled").wait_for()
        tab.page.get_by_role("button", name=f"Delete {name}").click()
        tab.page.get_by_role("listitem").filter(has_text=name).wait_for(state="detached")
    assert tab.page.get_by_text("None yet").is_visible()


def test_mistakes_are_said_and_names_are_only_text(served: Callable[..., Server], opened: Callable[..., Tab]) -> None:
    server = served("--max-upload", "100")
    tab = opened(server.address)
    dropped(tab, "<img src=x onerror=alert(1)>.xyz", b"bad")
    tab.page.get_by_role("button", name="Run").click()
    news(tab, "<img src=x onerror=alert(1)>.xyz: failed")
    assert "holds no points" in tab.page.get_by_role("listitem").inner_text()
    dropped(tab, "large.xyz", bytes(101))
    tab.page.get_by_role("button", name="Run").click()
    tab.page.get_by_role("alert").filter(has_text="larger than").wait_for()


def test_by_keyboard_alone(served: Callable[..., Server], opened: Callable[..., Tab]) -> None:
    server = served()
    tab = opened(server.address)
    sample = tab.page.get_by_role("button", name="room")
    sample.wait_for()
    for _ in range(20):
        tab.page.keyboard.press("Tab")
        if sample.evaluate("each => each === document.activeElement"):
            break
    tab.page.keyboard.press("Enter")
    assert sample.get_attribute("aria-pressed") == "true"
    for _ in range(20):
        tab.page.keyboard.press("Tab")
        if tab.page.get_by_role("button", name="Run").evaluate("each => each === document.activeElement"):
            break
    tab.page.keyboard.press("Enter")
    tab.page.get_by_role("listitem").filter(has_text="room-1.xyz: done").wait_for()


def test_a_token_is_asked_for(served: Callable[..., Server], opened: Callable[..., Tab]) -> None:
    server = served("--token", "a-long-enough-token")
    tab = opened(server.address)
    tab.page.get_by_label("This server wants a token").fill("a-long-enough-token")
    tab.page.get_by_role("button", name="Enter").click()
    tab.page.get_by_role("button", name="room").wait_for()
    assert tab.page.get_by_label("This server wants a token").is_hidden()
    assert all("token" not in url for url in tab.requests)
    tab.errors.clear()  # Chromium reports the 401 itself


@pytest.mark.parametrize("settings", [{"color_scheme": "dark"}, {"color_scheme": "light"}], ids=str)
def test_no_serious_accessibility_fault(
    opened: Callable[..., Tab], real: Server, cloud: bytes, settings: dict[str, Any]
) -> None:
    job = real.client.job(cloud, name="cloud.ply", weights="segmentation")
    tab = opened(f"{real.address}#job={job}", **settings)
    news(tab, "cloud.ply: 200 points")
    assert faults(tab.page) == []


def test_a_phone_shows_everything_below_each_other(opened: Callable[..., Tab], real: Server, cloud: bytes) -> None:
    job = real.client.job(cloud, name="cloud.ply", weights="segmentation")
    tab = opened(f"{real.address}#job={job}")
    tab.page.set_viewport_size({"width": 360, "height": 740})
    news(tab, "cloud.ply: 200 points")
    assert tab.page.evaluate("document.documentElement.scrollWidth") <= 360
    boxes = [tab.page.locator(name).bounding_box() for name in ("#ask", "#show")]
    assert boxes[0]["y"] + boxes[0]["height"] <= boxes[1]["y"]
