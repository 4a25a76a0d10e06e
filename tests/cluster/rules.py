"""Scenes for workers, with a rule in the place of the model: what kills it, and a command that is killed."""

import os
import signal
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cloud_transformers.predict.scene import SceneReport, SceneSettings, segment_file
from tests.predict.scene.scenes import AMPLE, ByHeight, prepared


@dataclass(frozen=True)
class ByRule:
    """What a worker opens. With a `mark`, the first worker dies in the middle of a tile, and leaves the mark."""

    mark: Path | None = None
    seconds: float = 0.0  # that each call takes
    always: bool = False  # whether every worker dies

    def __call__(self) -> Callable[[Any], int]:
        from cloud_transformers.cluster.scenes import TileWork

        return TileWork(self.score, 1)

    def score(self, positions: Any, features: Any) -> Any:
        time.sleep(self.seconds)
        if self.mark is not None and (self.always or not self.mark.exists()):
            self.mark.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return ByHeight()(positions, features)


def segmented(source: Path, target: Path, scorer: Any) -> SceneReport:
    settings = SceneSettings(cell=0.05)
    options: Any = {"weights": "by height", "budget": AMPLE, "settings": settings, "tile_points": 1500}
    return segment_file(source, target, scorer, prepared(), **options)


def main() -> None:
    """SOURCE TARGET: segment on a Ray of its own, slowly; prints the number of the process that Ray's others need."""
    from cloud_transformers.cluster.connection import connected
    from cloud_transformers.cluster.pool import pool_of
    from cloud_transformers.cluster.scenes import ScoredByWorkers

    source, target = map(Path, sys.argv[1:])
    with connected("ray", cpus=1) as ray, pool_of(ray, ByRule(seconds=0.3), workers=1, memory=300 << 20) as pool:
        segmented(source, target, ScoredByWorkers(pool, str(source)))


if __name__ == "__main__":
    main()
