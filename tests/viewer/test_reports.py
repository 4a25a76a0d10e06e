"""The viewer in reports, opened from disk."""

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
    assert tab.page.locator("dialog").count() == 0
    tab.page.get_by_role("button", name="Turn in 3D").last.click()
    tab.until(f"{VIEWER}?.stage.drawn === 1")
    tab.page.get_by_role("button", name="Close the 3D view").click()
    assert tab.page.locator("dialog").count() == 0
    assert tab.errors == []
    assert all(url.startswith(("file:", "data:")) for url in tab.requests)
    tab.close()
