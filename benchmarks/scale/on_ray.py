"""A scene whose tiles are scored by workers on Ray: its time, and what the command and the store hold meanwhile."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.scale.scheduler import stored
from benchmarks.scenes import MEMORY, WEIGHTS, uniform

_EVERY = 0.2  # seconds between two looks at the store


@dataclass(frozen=True)
class Scoring:
    """What a worker opens: the small model, or a rule that takes no time."""

    with_model: bool

    def __call__(self) -> Any:
        from cloud_transformers.cluster.scenes import TileWork
        from cloud_transformers.predict import Predictor

        predictor: Any = Predictor.load(WEIGHTS, "cpu")
        return TileWork(predictor.score_regions if self.with_model else uniform(len(predictor.classes)), 1)


def run(scene: Path, *, workers: int, with_model: bool, tile_points: int | None = None) -> dict[str, Any]:
    """Segments the scene with so many workers of one core each; `tile_points`: see `segment_file`."""
    from cloud_transformers.cluster.connection import connected
    from cloud_transformers.cluster.pool import pool_of
    from cloud_transformers.cluster.scenes import ScoredByWorkers
    from cloud_transformers.predict import Predictor
    from cloud_transformers.predict.scene import memory_budget, segment_file

    preparation = Predictor.load(WEIGHTS, "cpu").preparation
    budget = memory_budget(MEMORY)
    with (
        connected("ray", cpus=workers) as ray,
        pool_of(ray, Scoring(with_model), workers=workers, memory=1 << 30) as pool,
        tempfile.TemporaryDirectory(dir=scene.parent) as folder,
        Watch(ray) as watch,
    ):
        pool.wait()
        own = time.process_time()
        report = segment_file(
            scene,
            Path(folder) / f"labelled{scene.suffix}",
            ScoredByWorkers(pool, scene.name),
            preparation,
            weights=WEIGHTS,
            budget=budget,
            tile_points=tile_points,
        )
        own = time.process_time() - own
    return {
        "points": report.num_points,
        "tiles": report.num_tiles,
        "workers": workers,
        "scorer": WEIGHTS if with_model else "a rule",
        "wall seconds": report.seconds,
        "core-seconds of the command": own,
        "command's peak memory, bytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024,
        "object store, peak, bytes": watch.most,
    }


class Watch:
    """The most that the object store holds while entered."""

    def __init__(self, ray: Any) -> None:
        self.ray, self.most, self._over = ray, 0.0, threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)

    def _look(self) -> None:
        while not self._over.wait(_EVERY):
            self.most = max(self.most, stored(self.ray))

    def __enter__(self) -> Watch:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()


def in_child(scene: Path, *, workers: int, with_model: bool, tile_points: int | None = None) -> dict[str, Any]:
    """The same in a process of its own, whose peak memory is then its own too."""
    words = [sys.executable, "-m", "benchmarks.scale.on_ray", str(scene), str(workers), str(tile_points or 0)]
    words += ["--model"] if with_model else []
    return json.loads(subprocess.run(words, stdout=subprocess.PIPE, text=True, check=True).stdout)


if __name__ == "__main__":
    chosen = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]) or None
    print(json.dumps(run(chosen[0], workers=chosen[1], tile_points=chosen[2], with_model="--model" in sys.argv)))
