"""Pages in a real browser: Chromium, without a graphics card. Where it is missing, tests that need it are skipped."""

from __future__ import annotations

import base64
import io
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
needs_browser = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine")
FLAGS = ["--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--no-sandbox"]
PATIENCE = 120.0  # seconds: a machine may be busy
STAGE = "document.querySelector('.cv')?.cloudViewer?.stage"
PICTURE = f"""async () => {{
    const bytes = new Uint8Array(await (await {STAGE}.picture()).arrayBuffer());
    return btoa(Array.from(bytes, each => String.fromCharCode(each)).join(''));
}}"""


@contextmanager
def launched() -> Iterator[Any]:
    """A browser of playwright."""
    playwright = pytest.importorskip("playwright.sync_api")
    with playwright.sync_playwright() as started:
        browser = started.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        try:
            yield browser
        finally:
            browser.close()


class Tab:
    """A page that keeps account of errors and of requests that leave the page's own host."""

    def __init__(self, browser: Any, **settings: Any) -> None:
        self.context = browser.new_context(viewport={"width": 900, "height": 640}, **settings)
        self.page = self.context.new_page()
        self.page.set_default_timeout(1000 * PATIENCE)
        self.errors: list[str] = []
        self.requests: list[str] = []
        self.page.on("console", lambda line: self.errors.append(line.text) if line.type == "error" else None)
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("request", lambda request: self.requests.append(request.url))

    def open(self, path: Path) -> None:
        self.page.goto(path.as_uri())

    def until(self, condition: str) -> Any:
        """Waits for an expression to be true. Playwright's own way needs eval, which a page's policy forbids."""
        end = time.monotonic() + PATIENCE
        while not (value := self.page.evaluate(condition)):
            assert time.monotonic() < end, f"never came true: {condition}"
            self.page.wait_for_timeout(30)
        return value

    def picture(self) -> NDArray[np.int16]:  # [height, width, 4]
        """What the page's viewer has drawn, once it has drawn everything; red, green, blue, and 0 where nothing is."""
        self.until(f"{STAGE}?.drawn === 1")
        content = base64.b64decode(self.page.evaluate(PICTURE))
        return np.array(Image.open(io.BytesIO(content)).convert("RGBA"), np.int16)

    def close(self) -> None:
        self.context.close()


def faults(page: Any) -> list[str]:
    """What axe-core finds of serious accessibility faults."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright")
    found = axe.Axe().run(page).response["violations"]
    return [
        f"{each['id']}: {node['html']}"
        for each in found
        if each["impact"] in ("serious", "critical")
        for node in each["nodes"]
    ]
