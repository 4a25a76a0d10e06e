"""The viewer inside of other pages: reports from disk, the output of a notebook."""

import numpy as np

import cloud_transformers as ct
from cloud_transformers.report import write_page
from tests.browser import Tab, faults, needs_browser
from tests.report.test_page import results
from tests.viewer.conftest import VIEWER

pytestmark = needs_browser


def test_a_sample_of_the_results_page_is_turned_in_a_dialog(browser, tmp_path):
    write_page(tmp_path / "results.html", results(), [])
    tab = Tab(browser)
    tab.open(tmp_path / "results.html")
    tab.page.get_by_role("button", name="Turn in 3D").first.click()
    tab.until(f"{VIEWER}?.stage.drawn === 1")
    assert tab.page.locator(".cv-captions span").all_inner_texts() == ["truth · label", "input · label"]
    assert "class <18>" in tab.page.locator(".cv-legend").inner_text()
    assert faults(tab.page) == []
    tab.page.keyboard.press("Escape")
    tab.page.locator("dialog").wait_for(state="detached")  # it goes with an event, after the key
    tab.page.get_by_role("button", name="Turn in 3D").last.click()
    tab.until(f"{VIEWER}?.stage.drawn === 1")
    tab.page.get_by_role("button", name="Close the 3D view").click()
    tab.page.locator("dialog").wait_for(state="detached")
    assert tab.errors == []
    assert all(url.startswith(("file:", "data:")) for url in tab.requests)
    tab.close()


def test_what_a_notebook_shows_is_drawn(browser, tmp_path):
    shown = ct.PointCloud(positions=np.eye(3, dtype=np.float32)).show("three points")
    (tmp_path / "notebook.html").write_text(f"<!doctype html><html><body>{shown._repr_html_()}</body></html>")
    tab = Tab(browser)
    tab.open(tmp_path / "notebook.html")
    frame = tab.page.frames[1]
    frame.locator(".cv-status").wait_for()
    assert frame.locator(".cv-status").inner_text().startswith("3 points")
    assert tab.errors == []
    tab.close()
