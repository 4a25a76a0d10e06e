"""Tiles of a scene, scored by the workers of a pool.

The tiles lie in the scene's work folder, which all machines must see under the same path. Workers read and write there
on their own, so that no points pass through the command's own process.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from cloud_transformers.cluster.looking import LookTask, look
from cloud_transformers.cluster.pool import Pool, answer_or_raise
from cloud_transformers.predict.scene.scoring import Scorer
from cloud_transformers.predict.scene.tiles import SceneTiles, TileScorer


@dataclass(frozen=True)
class TileTask:
    """A step of one tile."""

    step: Literal["thin", "score"]
    tile: int
    scene: Any  # SceneTiles in Ray's object store, where it is kept once for all tasks
    number: str  # that tells scenes apart
    statistics: Any = None  # as `TileWork` takes them, in Ray's object store; None: the model is used as it is


class TileWork:
    """Does `TileTask`s on a worker, with a scorer that is called in as many threads.

    `used_to` gives the scorer of a scene that has statistics of its own.
    """

    def __init__(self, scorer: Scorer, threads: int, used_to: Callable[[Any], Scorer] | None = None) -> None:
        self.scorer, self.threads, self.used_to = scorer, threads, used_to
        self._scene: tuple[str, SceneTiles, Scorer] | None = None

    def __call__(self, task: TileTask | LookTask) -> Any:
        """Returns how many points were answered, or what the task's function says."""
        if isinstance(task, LookTask):
            return look(task)
        tiles, scorer = self._opened(task)
        if task.step == "thin":
            tiles.thin(task.tile)
            return 0
        tiles.score([task.tile], scorer, workers=self.threads, advance=lambda count: None)
        return tiles.work.counts[task.tile]

    def _opened(self, task: TileTask) -> tuple[SceneTiles, Scorer]:
        if self._scene is None or self._scene[0] != task.number:
            import ray

            scorer = self.scorer
            if task.statistics is not None:
                assert self.used_to is not None
                scorer = self.used_to(ray.get(task.statistics))
            self._scene = task.number, ray.get(task.scene), scorer
            self._scene[1].work.require_seen()
        return self._scene[1:]


@dataclass(frozen=True)
class SpreadOverWorkers:
    """Has a function called for each item by workers that do `LookTask`s."""

    pool: Pool
    name: str

    @property
    def workers(self) -> int:
        return self.pool.workers.count

    def __call__(self, function: Callable[[Any], Any], items: Iterable[Any]) -> Iterator[tuple[Any, Any]]:
        kept = self.pool.ray.put(function)
        tasks = (LookTask(kept, number, (item,)) for number, item in enumerate(items))
        for task, answer in self.pool.run(tasks):
            (found,) = answer_or_raise(answer, self.name)
            yield task.items[0], found


@dataclass(frozen=True)
class ScoredByWorkers(TileScorer):
    """Has tiles answered by a pool whose workers do `TileTask`s. `name` is that of the scene, for mistakes.

    `statistics` are those of a model that is used to the scene, if it is.
    """

    pool: Pool
    name: str
    statistics: Any = None

    def __call__(self, tiles: SceneTiles, todo: Sequence[int], advance: Callable[[float], None]) -> None:
        ray, work = self.pool.ray, tiles.work
        scene, number = ray.put(tiles), str(work.path)
        statistics = None if self.statistics is None else ray.put(self.statistics)
        # Neighbours need one another's thinned points: were they not there, many workers would thin the same tile.
        if tiles.cell != 0:
            thick = (tile for tile in range(len(work.counts)) if todo and not work.is_thinned(tile))
            self._run((TileTask("thin", tile, scene, number, statistics) for tile in thick), advance)
        # The largest first, so that all workers end at about the same time.
        order = sorted(todo, key=lambda tile: -work.counts[tile])
        self._run((TileTask("score", tile, scene, number, statistics) for tile in order), advance)

    @property
    def spread(self) -> SpreadOverWorkers:
        return SpreadOverWorkers(self.pool, self.name)

    def _run(self, tasks: Any, advance: Callable[[float], None]) -> None:
        for task, answer in self.pool.run(tasks):
            what = f"{self.name}, tile {task.tile} of it"
            advance(answer_or_raise(answer, what))
