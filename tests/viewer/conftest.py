"""Pages of the viewer in a browser."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.browser import Tab

VIEWER = "document.querySelector('.cv')?.cloudViewer"


@pytest.fixture
def opened(browser: Any) -> Iterator[Callable[..., Tab]]:
    """path -> the page in the browser, all points drawn; afterwards there must be no error and no other request."""
    tabs: list[Tab] = []

    def open_page(path: Path, **settings: Any) -> Tab:
        tab = Tab(browser, **settings)
        tabs.append(tab)
        tab.open(path)
        tab.until(f"{VIEWER}?.stage.drawn === 1")
        return tab

    yield open_page
    for tab in tabs:
        errors, requests = tab.errors, tab.requests
        tab.close()
        assert errors == []
        assert all(url.startswith(("file:", "data:", "blob:")) for url in requests), requests
