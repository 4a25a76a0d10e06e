"""The page of a server in a real browser: what its tests share."""

import base64
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.browser import Tab


@pytest.fixture
def opened(browser: Any) -> Iterator[Callable[..., Tab]]:
    """address -> the page; afterwards there must be no error, and no request to another host."""
    tabs: list[tuple[Tab, str]] = []

    def open_page(address: str, **settings: Any) -> Tab:
        tab = Tab(browser, **settings)
        tabs.append((tab, address.partition("#")[0]))
        tab.page.goto(address)
        return tab

    yield open_page
    for tab, address in tabs:
        tab.close()
        assert tab.errors == []
        assert all(url.startswith((address, "data:", f"blob:{address}")) for url in tab.requests), tab.requests


def news(tab: Tab, words: str) -> None:
    """Waits until the page says this."""
    tab.page.get_by_role("status").filter(has_text=words).first.wait_for()


def dropped(tab: Tab, name: str, content: bytes) -> None:
    """A file falls onto the page."""
    tab.page.evaluate(
        """([name, content]) => {
            const bytes = Uint8Array.from(atob(content), letter => letter.charCodeAt(0));
            const dataTransfer = new DataTransfer();
            dataTransfer.items.add(new File([bytes], name));
            document.getElementById("drop").dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true }));
        }""",
        [name, base64.b64encode(content).decode()],
    )
