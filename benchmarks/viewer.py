"""The viewer in Chromium without a graphics card: how soon a page shows a cloud, and how smoothly it turns.

python -m benchmarks.viewer [POINTS]
"""

import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from tests.browser import STAGE, Tab, launched

import cloud_transformers as ct
from cloud_transformers.viewer import Scene, save
from cloud_transformers.world import rooms

POINTS = 1_000_000
TURN = """patience => new Promise(done => {
    const stage = document.querySelector('.cv').cloudViewer.stage, drawn = [], began = performance.now();
    stage.patience = patience;
    const step = now => {
        drawn.push(stage.drawn);
        if (now - began > 6000) return done([drawn.length / (now - began) * 1000, drawn.slice(1)]);
        stage.move({turn: 0.03});
        requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
})"""


def room(count: int) -> ct.PointCloud:
    """A room of the embedded world, its points repeated with a little noise."""
    rng = np.random.default_rng(0)
    given = rooms.room(0, 0)
    cloud = given.select(rng.integers(0, len(given), count))
    positions = (cloud.positions + rng.normal(0, 0.004, cloud.positions.shape)).astype(np.float32)
    fields = {name: cloud.fields[name] for name in ("color", "label")}
    return ct.PointCloud(positions=positions, fields=fields)


def main(count: int) -> None:
    with tempfile.TemporaryDirectory() as folder, launched() as browser:
        path = Path(folder) / "page.html"
        save(path, Scene.of({"room": room(count)}, classes=rooms.CLASSES, points=count))
        tab = Tab(browser)
        tab.page.set_viewport_size({"width": 1280, "height": 800})
        began = time.perf_counter()
        tab.open(path)
        for what, condition in (("there is a picture", "> 0"), ("all points are drawn", "== 1")):
            tab.until(f"{STAGE}?.drawn {condition}")
            print(f"{time.perf_counter() - began:9.1f}  seconds until {what}", flush=True)
        for patience in (80, 10_000):  # milliseconds for a frame: as it is, and so many that all points are drawn
            frames, drawn = tab.page.evaluate(TURN, patience)
            print(f"{frames:9.1f}  frames per second while it turns, {int(np.median(drawn) * count):,} points in each")
        assert not tab.errors, tab.errors
        tab.close()


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else POINTS)
