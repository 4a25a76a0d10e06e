"""The tiles of a scene on disk, scored one by one, in any order and by any process that sees their folder.

A tile's answer depends on nothing but its points and those around it, so it does not matter who scores it, nor when; to
score one twice only costs time. Files of a tile appear whole or not at all.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Any

from cloud_transformers.models.preparation import Preparation
from cloud_transformers.predict.scene.points import merge, thin
from cloud_transformers.predict.scene.regions import Extent
from cloud_transformers.predict.scene.scoring import Piece, Scorer, margin, score
from cloud_transformers.predict.scene.settings import SceneSettings
from cloud_transformers.predict.scene.work import WorkFolder


@dataclass(frozen=True, kw_only=True, eq=False)
class SceneTiles:
    """All that is needed to score any tile; it can be sent to other processes."""

    work: WorkFolder
    extent: Extent
    preparation: Preparation
    settings: SceneSettings
    cell: float  # side of the cubes of the thinning; 0: none is done

    def score(self, tiles: Sequence[int], scorer: Scorer, *, workers: int, advance: Callable[[float], None]) -> None:
        """Has tiles answered, in the order given, and keeps their answers in the folder."""
        scored = score(
            *(self._pieces(tiles), self.extent, scorer, self.preparation, self.settings),
            workers=workers,
            advance=advance,
        )
        with closing(scored):
            for tile, answers in zip(tiles, scored, strict=True):
                stands_for = self.work.stands_for(tile)
                self.work.keep_answers(tile, answers if stands_for is None else answers.select(stands_for))

    def thin(self, tile: int) -> None:
        """Unless that is done, or not wanted."""
        if self.cell == 0 or self.work.is_thinned(tile):
            return
        thinned, stands_for = thin(self.work.points(tile, thinned=False), self.extent.start, self.cell)
        assert stands_for is not None  # no tile is empty
        self.work.keep_thinned(tile, thinned, stands_for)

    def _pieces(self, tiles: Sequence[int]) -> Iterator[Piece]:
        reach = margin(self.preparation) * (1 + 1e-6) + 1e-3
        for tile in tiles:
            low, high = self.work.boxes[tile, 0] - reach, self.work.boxes[tile, 1] + reach
            near = self.work.tiles_within(low, high)
            for each in near:
                self.thin(each)
            parts = [self.work.points(tile, thinned=self.work.is_thinned(tile))]
            for other in near:
                if other != tile:
                    parts += self.work.points_within(other, low, high)
            yield Piece(*merge(parts), num_raw=self.work.counts[tile])
            del parts  # before the next ones are read


class TileScorer(ABC):
    """A way to have the tiles of a scene answered."""

    @property
    def spread(self) -> Any:
        """The same way for what else is done with a scene, a `ranged.Spread`; None if there is none."""
        return None

    @abstractmethod
    def __call__(self, tiles: SceneTiles, todo: Sequence[int], advance: Callable[[float], None]) -> None:
        """Returns when the answers of all tiles `todo` are in their folder.

        `advance` is told how many more points of the scene have been seen, about.
        """


@dataclass(frozen=True)
class ScoredHere(TileScorer):
    """In this process, with as many threads in which the scorer is called."""

    scorer: Scorer
    workers: int = 1

    def __call__(self, tiles: SceneTiles, todo: Sequence[int], advance: Callable[[float], None]) -> None:
        tiles.score(todo, self.scorer, workers=self.workers, advance=advance)
