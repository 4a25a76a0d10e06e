"""The page of `cloudt serve` in Chromium without a graphics card: how soon it shows what was uploaded.

python -m benchmarks.page [POINTS]

A room is uploaded as a .ply file with colours and labels. Seconds count from the moment when the server has the whole
file; the job itself, a segmentation, runs at the same time.
"""

import sys
import tempfile
import time
from pathlib import Path

from tests.browser import STAGE, Tab, launched
from tests.serve.servers import REAL, running

import cloud_transformers as ct
from benchmarks.viewer import POINTS, room


def main(count: int) -> None:
    with tempfile.TemporaryDirectory() as folder, running(REAL, Path(folder) / "jobs") as server, launched() as browser:
        path = Path(folder) / "room.ply"
        ct.write(path, room(count))
        tab = Tab(browser)
        tab.page.set_viewport_size({"width": 1280, "height": 800})
        tab.page.goto(server.address)
        tab.page.get_by_role("button", name="room").wait_for()
        tab.page.locator("#file").set_input_files(path)
        began = time.perf_counter()
        with tab.page.expect_response("**/api/tasks/segmentation*") as answered:
            tab.page.get_by_role("button", name="Run").click()
        assert answered.value.status == 202
        uploaded = time.perf_counter()
        print(f"{uploaded - began:9.1f}  seconds for the upload of {path.stat().st_size / 1e6:,.0f} MB", flush=True)
        for what, condition in (("there is a picture", "> 0"), ("all points of it are drawn", "== 1")):
            tab.until(f"{STAGE}?.drawn {condition}")
            print(f"{time.perf_counter() - uploaded:9.1f}  seconds from there until {what}", flush=True)
        print(f"           it says: {tab.page.locator('.cv-status').inner_text()}")
        assert not tab.errors, tab.errors
        tab.close()


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else POINTS)
