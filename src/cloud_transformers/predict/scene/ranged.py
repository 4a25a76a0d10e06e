"""A scene whose file is surveyed, sorted into tiles and written by many processes, a range of its points at a time.

That is possible where points in the middle of a file can be read without those before. What must be known of the whole
scene is merged from what the ranges say, so it is what one process would have found, and the answer has the same bytes.
A range is done by whoever is free, and again if that process is lost: what it left is in a folder of its own, which
nobody looks into.

1. Survey: each range is read, and what the model will need of its points put aside.
2. Count: with the scene's lowest corner known, the floors and how many points lie where.
3. Sort: with the tiles known, each range's points into the tiles' parts of this range.
4. Gather: each tile's points, from all ranges.
5. Write, after the tiles are scored: each range is read again, and written as a piece of the answer.
"""

from __future__ import annotations

import copy
import shutil
import uuid
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from cloud_transformers.models.preparation import Preparation
from cloud_transformers.predict.scene.intake import Survey
from cloud_transformers.predict.scene.parts import PartsFolder
from cloud_transformers.predict.scene.regions import Extent
from cloud_transformers.predict.scene.settings import SceneSettings
from cloud_transformers.predict.scene.source import PART, Each, SceneFile
from cloud_transformers.predict.scene.tiling import Census
from cloud_transformers.predict.scene.work import TileCounts, WorkFolder
from cloud_transformers.predict.scene.writing import LabelledFile, PieceOfFile
from cloud_transformers.space.cells import pack
from cloud_transformers.space.floors import Floors

_EACH = 4  # ranges of a worker: more than one, so that all end at about the same time
_STEP = 50_000  # points of a chunk of .laz, read and written: ranges hold whole ones
_LEAST = 10 * _STEP  # points of a range; fewer would only be more to put together


class Spread(Protocol):
    """A way to have a function called for each item by other processes; both must be fit to be sent there."""

    workers: int

    def __call__(self, function: Callable[[Any], Any], items: Iterable[Any]) -> Iterator[tuple[Any, Any]]:
        """Items with their answers, as they are done."""


def in_order(spread: Spread) -> Each:
    """As `map`, by other processes; all answers are in memory at once."""

    def each(function: Callable[[Any], Any], items: Iterable[Any]) -> list[Any]:
        found = {number: answer for (number, _), answer in spread(_Numbered(function), list(enumerate(items)))}
        return [found[number] for number in range(len(found))]

    return each


@dataclass(frozen=True)
class _Numbered:
    function: Callable[[Any], Any]

    def __call__(self, item: tuple[int, Any]) -> Any:
        return self.function(item[1])


@dataclass(kw_only=True)
class RangedScene:
    """`offset` [3] is that of the file's first part, and so of all."""

    source: SceneFile
    offset: NDArray[np.float64]
    num_rows: int
    work: WorkFolder
    preparation: Preparation
    settings: SceneSettings
    spread: Spread
    parts: list[PartsFolder] = field(default_factory=list)  # of the ranges, in their order

    @property
    def ranges(self) -> list[range]:
        steps = max(-(-self.num_rows // (_EACH * self.spread.workers)), _LEAST)
        size = -(-steps // _STEP) * _STEP
        return [range(first, min(first + size, self.num_rows)) for first in range(0, self.num_rows, size)]

    def survey(self, survey: Survey, census: Census, advance: Callable[[int], Any], *, keep: bool) -> None:
        """Fills both with all points, and puts these aside if they are to be kept."""
        looking = _Surveying(self.source, self.offset, self.preparation, self.settings, self.work, keep)
        found: dict[range, tuple[Survey, PartsFolder]] = {}
        with self.source.unchanged():
            for rows, (seen, counted, parts) in self.spread(looking, self.ranges):
                census.merge(counted)
                found[rows] = seen, parts
                advance(seen.num_points)
        for rows in self.ranges:
            seen, parts = found[rows]
            survey.merge(seen)
            self.parts.append(parts)

    def spool(
        self, survey: Survey, extent: Extent, cell: float, tile_points: int, advance: Callable[[int], Any]
    ) -> None:
        """All points into their tiles; also fills the floors of the extent."""
        census = Census(self.preparation.extent, cell, extent.start)
        for _, (floors, counted) in self.spread(
            _Counting(copy.deepcopy(census), copy.deepcopy(extent.floors)), self.parts
        ):
            extent.floors.merge(floors)
            census.merge(counted)
        tile_of_leaf = census.tiles(tile_points)
        starts = np.cumsum([0, *(parts.num_points for parts in self.parts)]).tolist()
        sorting = _Sorting(survey, census, tile_of_leaf, self.work)
        segments: list[TileCounts | None] = [None] * len(self.parts)
        items = list(zip(range(len(self.parts)), self.parts, starts, strict=False))
        for (number, parts, _), segment in self.spread(sorting, items):
            segments[number] = segment
            shutil.rmtree(parts.path, ignore_errors=True)
            advance(parts.num_points)
        self._gather(int(tile_of_leaf.max(initial=-1)) + 1, [each for each in segments if each is not None])

    def _gather(self, num_tiles: int, segments: Sequence[TileCounts]) -> None:
        self.work.take_counts(num_tiles, segments)
        folders: list[list[Path]] = [[] for _ in range(num_tiles)]
        for segment in segments:
            for tile in segment.tiles.tolist():
                folders[tile].append(segment.folder)
        for _ in self.spread(_Gathering(self.work), list(enumerate(folders))):
            pass
        self.work.finish_spooling()
        shutil.rmtree(self.work.path / "ranges", ignore_errors=True)

    def add_floors(self, extent: Extent) -> None:
        """Fills the floors of the extent with points that are in their tiles already."""
        for _, floors in self.spread(_Floors(self.work, copy.deepcopy(extent.floors)), range(len(self.work.counts))):
            extent.floors.merge(floors)

    def write(self, answer: LabelledFile, few: Any, advance: Callable[[int], Any]) -> None:
        """The labelled file, piece by piece."""
        shutil.rmtree(self.work.path / "written", ignore_errors=True)  # of a run that was killed
        writing = _Writing(answer, self.work, self.offset)
        found: dict[range, PieceOfFile] = {}
        with self.source.unchanged():
            for rows, piece in self.spread(writing, self.ranges):
                found[rows] = piece
                advance(len(rows))
        answer.join(few, [found[rows] for rows in self.ranges], self.work)


@dataclass(frozen=True)
class _Surveying:
    source: SceneFile
    offset: NDArray[np.float64]
    preparation: Preparation
    settings: SceneSettings
    work: WorkFolder
    keep: bool

    def __call__(self, rows: range) -> tuple[Survey, Census, PartsFolder]:
        self.work.require_seen()
        survey = Survey(str(self.source.path), self.preparation, self.settings)
        census = Census(self.preparation.extent)
        folder = self.work.path / "parts"
        folder.mkdir(exist_ok=True)
        parts = PartsFolder(folder / f"{rows.start:012d}.{uuid.uuid4().hex}")
        for cloud in self.source.rows(rows, self.offset):
            part = survey.add(cloud)
            if len(cloud):
                census.add(part.positions)
                if self.keep:
                    parts.keep(part)
        return survey, census, parts


@dataclass(frozen=True)
class _Counting:
    census: Census  # both are still empty
    floors: Floors

    def __call__(self, parts: PartsFolder) -> tuple[Floors, Census]:
        floors, census = copy.deepcopy(self.floors), copy.deepcopy(self.census)
        for part in parts.read():
            floors.add(part.positions)
            census.add(part.positions)
        return floors, census


@dataclass(frozen=True)
class _Sorting:
    survey: Survey
    census: Census
    tile_of_leaf: NDArray[np.int64]
    work: WorkFolder

    def __call__(self, item: tuple[int, PartsFolder, int]) -> TileCounts:
        number, parts, first = item
        segment = self.work.segment(f"{number:05d}")
        segment.begin(int(self.tile_of_leaf.max(initial=-1)) + 1)
        for part in parts.read():
            leaf = pack(self.census.leaves(part.positions))
            segment.append(self.survey.points(part, first), self.tile_of_leaf[np.searchsorted(self.census.keys, leaf)])
            first += len(part.positions)
        return segment.tile_counts()


@dataclass(frozen=True)
class _Gathering:
    work: WorkFolder

    def __call__(self, item: tuple[int, list[Path]]) -> None:
        self.work.require_seen()
        self.work.gather(*item)


@dataclass(frozen=True)
class _Floors:
    work: WorkFolder
    floors: Floors  # still empty

    def __call__(self, tile: int) -> Floors:
        floors = copy.deepcopy(self.floors)
        floors.add(self.work.points(tile, thinned=False).positions)
        return floors


@dataclass(frozen=True)
class _Writing:
    answer: LabelledFile
    work: WorkFolder
    offset: NDArray[np.float64]

    def __call__(self, rows: range) -> PieceOfFile:
        self.work.require_seen()
        return self.answer.write_piece(self.answer.source.rows(rows, self.offset), rows.start, self.work)


def ranged_scene(
    source: SceneFile,
    work: WorkFolder,
    preparation: Preparation,
    settings: SceneSettings,
    spread: Spread | None,
) -> tuple[RangedScene, Any] | None:
    """A scene that can be done range by range, and its first points; None where it cannot, or is not worth it."""
    num_rows = None if spread is None else source.num_rows
    if spread is None or num_rows is None or num_rows < 2 * PART:
        return None
    first = source.first_part()
    if not len(first):
        return None
    scene = RangedScene(
        source=source,
        offset=first.offset,
        num_rows=num_rows,
        work=work,
        preparation=preparation,
        settings=settings,
        spread=spread,
    )
    return scene, first.select(np.arange(min(len(first), 2)))
