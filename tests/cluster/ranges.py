"""A scene that workers survey, sort and write range by range: workers that die on the way, a command that is killed."""

import os
import signal
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cloud_transformers.cluster.looking import LookTask
from cloud_transformers.cluster.scenes import ScoredByWorkers, TileWork
from cloud_transformers.predict.scene import SceneReport, SceneSettings, ranged, segment_file
from tests.predict.scene.scenes import AMPLE, ByHeight, prepared

STEPS = ("_Surveying", "_Counting", "_Sorting", "_Gathering", "_Writing")


@dataclass(frozen=True)
class Dying:
    """What a worker opens. The first one to end a step dies before it can say so, and leaves the step's name."""

    marks: Path
    steps: tuple[str, ...] = STEPS
    seconds: float = 0.0  # that each step takes

    def __call__(self) -> Callable[[Any], Any]:
        return DyingWork(self)


class DyingWork(TileWork):
    def __init__(self, said: Dying) -> None:
        super().__init__(ByHeight(), 1)
        self.said = said

    def __call__(self, task: Any) -> Any:
        answer = super().__call__(task)
        time.sleep(self.said.seconds)
        if isinstance(task, LookTask):
            import ray

            step = type(ray.get(task.function)).__name__
            if step in self.said.steps and not (self.said.marks / step).exists():
                (self.said.marks / step).touch()
                os.kill(os.getpid(), signal.SIGKILL)
        return answer


def segmented(source: Path, target: Path, scorer: Any) -> SceneReport:
    settings = SceneSettings(cell=0.1)
    options: Any = {"weights": "by height", "budget": AMPLE, "settings": settings, "tile_points": 30_000}
    return segment_file(source, target, scorer, prepared(), **options)


def main() -> None:
    """SOURCE TARGET: segment on a Ray of its own, slowly."""
    from cloud_transformers.cluster.connection import connected
    from cloud_transformers.cluster.pool import pool_of

    ranged.PART, ranged._LEAST = 1000, 1000
    source, target = map(Path, sys.argv[1:])
    work = Dying(target.parent, (), seconds=0.5)
    with connected("ray", cpus=1) as ray, pool_of(ray, work, workers=1, memory=300 << 20) as pool:
        segmented(source, target, ScoredByWorkers(pool, str(source)))


if __name__ == "__main__":
    main()
