"""From file to file within a memory budget: a scene goes to disk in tiles, through the model, and back in order.

1. Survey: the file is read in parts for its bounds and colours, and how many points lie where. What the model will
   need of the points is put on disk, part by part.
2. Spool: once it is known where the scene begins, the parts are read again for its floors and its tiles, and then put
   into tiles on disk.
3. Score: each tile, thinned to one point per cube, with a margin of its neighbours' points; its answers are kept.
4. Write: the file is read once more, and every part is written with its answers.

Within a step, what comes next is prepared by other threads (`ahead`).
"""

from __future__ import annotations

import errno
import hashlib
import json
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, TypedDict

import numpy as np
from numpy.typing import NDArray
from typing_extensions import Unpack

from cloud_transformers.cache import cache_root
from cloud_transformers.cloud import PointCloud
from cloud_transformers.decoding import check_names
from cloud_transformers.errors import InputError
from cloud_transformers.models.preparation import Preparation, num_channels
from cloud_transformers.ownership import owning
from cloud_transformers.predict.scene.ahead import ahead
from cloud_transformers.predict.scene.budget import Budget
from cloud_transformers.predict.scene.intake import Survey
from cloud_transformers.predict.scene.points import ScenePoints
from cloud_transformers.predict.scene.ranged import RangedScene, in_order, ranged_scene
from cloud_transformers.predict.scene.regions import Extent
from cloud_transformers.predict.scene.scoring import Scorer, check_scenes_possible, unsure_notes
from cloud_transformers.predict.scene.settings import SceneSettings
from cloud_transformers.predict.scene.source import MESH_POINTS, SceneFile
from cloud_transformers.predict.scene.tiles import SceneTiles, ScoredHere, TileScorer
from cloud_transformers.predict.scene.tiling import Census
from cloud_transformers.predict.scene.units import check_size
from cloud_transformers.predict.scene.work import WorkFolder
from cloud_transformers.predict.scene.writing import LabelledFile
from cloud_transformers.remote import as_url, holding, located, scratch_in
from cloud_transformers.space.cells import pack

VERSION = 4  # of everything that the answers depend on; a new one invalidates old work folders


@dataclass(frozen=True)
class SceneReport:
    num_points: int
    num_tiles: int
    resumed_tiles: int
    seconds: float
    notes: tuple[str, ...]
    class_counts: tuple[int, ...]
    num_unsure: int | None  # points unlike all held-out data; None if the weights do not say when that is


class StreamOptions(TypedDict, total=False):
    """What else `segment_file` can be told; answers depend on `mesh_points` and `read_options` alone.

    - `workers`: in how many threads the scorer is called at the same time; 1 by default.
    - `work`: the folder below which the work folder is made, by default that of the target, or `work` in the cache
      where the target is a URL. It is removed at success.
    - `colors`: replace the colours by those of the classes.
    - `read_options`: those of `io.read_chunks`; on a mesh, `mesh_points` are drawn by area instead.
    - `tile_points`: how many points a tile holds at most, if not what the budget says.
    - `progress`: show a bar on a terminal.
    - `tell`: is given each note on how the file was understood, before the long work begins.
    - `content`: of a file that was read before, its `content_of` then; InputError if it is another one now.
    """

    workers: int
    work: str | Path | None
    colors: bool
    read_options: Mapping[str, Any] | None
    mesh_points: int
    tile_points: int | None
    progress: bool
    tell: Callable[[str], None]
    content: str | None


def segment_file(
    source: str | Path,
    target: str | Path,
    scorer: Scorer | TileScorer,
    preparation: Preparation,
    *,
    weights: str,
    budget: Budget,
    settings: SceneSettings | None = None,
    **options: Unpack[StreamOptions],
) -> SceneReport:
    """Writes the cloud of one file to another, with the fields `label` and `confidence` added.

    Where the weights say when they are unsure, the field `unsure` is 1 for points that are unlike all held-out data.

    - `scorer`: positions and features of regions -> logits; `SegmentationPredictor.score_regions` is one. Or a
      `TileScorer`, which has all tiles answered in its own way, on other machines say.
    - `preparation`: what regions the scorer expects, and the names of its classes.
    - `weights`: a hash of the model's weights; a killed run is resumed only with identical ones.
    - `budget`: bytes that the whole process may take.
    - `options`: see `StreamOptions`.

    InputError if the file cannot be read, the answer not be written, or the budget is too small for the scene.
    """
    check_names(StreamOptions, options)
    settings, work = settings or SceneSettings(), options.get("work")
    check_scenes_possible(preparation)
    began = time.perf_counter()
    source, target = located(source), located(target)
    folder = Path(work) if work is not None else _usual_work_folder(target)
    if not folder.is_dir():
        raise InputError(f"{folder}: this folder does not exist; create it first")
    score_tiles = _scorer_of_tiles(scorer, options.get("workers", 1))
    with scratch_in(folder), holding(source):
        run = _Run(
            source=SceneFile(
                source,
                options.get("read_options") or {},
                budget,
                mesh_points=options.get("mesh_points", MESH_POINTS),
                seed=settings.seed,
                each=map if score_tiles.spread is None else in_order(score_tiles.spread),
            ),
            target=target,
            score_tiles=score_tiles,
            preparation=preparation,
            settings=settings,
            budget=budget,
            tile_points=options.get("tile_points") or budget.tile_points,
            colors=options.get("colors", False),
            progress=options.get("progress", False),
            tell=options.get("tell", lambda note: None),
        )
        if options.get("content") not in (None, run.source.content):
            raise run.source.changed()
        run.open_work(folder, weights)
        with owning(run.work.lock, f"segmenting {source} to {target}"):
            try:
                resumed = run.prepare()
                run.score_all()
                run.write()
                run.note(unsure_notes(run.answer.num_unsure, run.survey.num_points))
            except OSError as error:
                if error.errno != errno.ENOSPC:
                    raise
                raise InputError(
                    f"{run.work.path}: the disk is full; free some space and give the same command again, which goes "
                    "on from here, or take another disk with --work"
                ) from error
            run.work.remove()
    seconds = time.perf_counter() - began
    return SceneReport(
        run.survey.num_points,
        len(run.work.counts),
        resumed,
        seconds,
        tuple(run.notes),
        tuple(run.answer.class_counts.tolist()),
        None if preparation.calibration is None else run.answer.num_unsure,
    )


def _scorer_of_tiles(scorer: Scorer | TileScorer, workers: int) -> TileScorer:
    return scorer if isinstance(scorer, TileScorer) else ScoredHere(scorer, workers)


def _usual_work_folder(target: Path) -> Path:
    """Beside the answer; work for a URL is kept on this machine."""
    if as_url(target) is None:
        return target.parent
    folder = cache_root() / "work"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@dataclass(kw_only=True)
class _Run:
    source: SceneFile
    target: Path
    score_tiles: TileScorer
    preparation: Preparation
    settings: SceneSettings
    budget: Budget
    tile_points: int
    colors: bool
    progress: bool
    tell: Callable[[str], None]

    def __post_init__(self) -> None:
        self.cell = self.settings.chosen_cell(self.preparation)
        self.survey = Survey(str(self.source.path), self.preparation, self.settings)
        self.census = Census(self.preparation.extent)
        self.extent: Extent
        self.ranged: RangedScene | None = None  # where other processes do what they can
        self.few = PointCloud(positions=np.zeros((0, 3), np.float32))  # the first points, with all their fields
        self.answer = LabelledFile(
            path=self.target,
            source=self.source,
            survey=self.survey,
            budget=self.budget,
            classes=self.preparation.classes,
            values=self.preparation.values,
            colors=self.colors,
            knows_unsure=self.preparation.calibration is not None,
        )
        self.notes: list[str] = []
        self.work: WorkFolder

    def open_work(self, folder: Path, weights: str) -> None:
        key_fields = {
            "version": VERSION,
            "weights": weights,
            "preparation": self.preparation.to_json(),
            "settings": asdict(self.settings),
            "tile_points": self.tile_points,
            "mesh_points": self.source.mesh_points,
            "options": {name: sorted(v) if name == "drop" else v for name, v in self.source.options.items()},
        }
        content = self.source.content + json.dumps(key_fields, sort_keys=True, default=str)
        key = hashlib.blake2b(content.encode(), digest_size=6).hexdigest()
        channels = num_channels(name for name in self.preparation.features if name != "height")
        path = folder / f".{self.target.name}.{key}.work"
        self.work = WorkFolder(path, channels, knows_unsure=self.preparation.calibration is not None)

    def note(self, notes: Iterable[str]) -> None:
        """Keep what the user should know, and say it."""
        for note in notes:
            self.notes.append(note)
            self.tell(f"{self.source.path}: {note}")

    def prepare(self) -> int:
        """All points in their tiles, unless a killed run has put them there; returns how many tiles it has answered."""
        resumed = self.work.resume()
        try:
            self._begin_ranges()
            self._survey(keep=not resumed)
            is_told = self.settings.scale is not None
            if not is_told:
                check_size(
                    *(str(self.source.path), self.survey.low, self.survey.high, self.census, self.preparation),
                    metres=self.survey.metres,
                )
            self.note(self.survey.notes() + self.census.notes(self.preparation, scale_is_told=is_told))
            self.answer.try_writing(self.few)
            self.extent = self.survey.extent()
            if resumed and self.ranged is not None:
                self.ranged.add_floors(self.extent)
            elif resumed:
                for tile in range(len(self.work.counts)):
                    self.extent.floors.add(self.work.points(tile, thinned=False).positions)
            else:
                self._spool()
        except BaseException:
            if not resumed:  # half of the points are of no use to the next run
                self.work.remove()
            raise
        return sum(map(self.work.is_answered, range(len(self.work.counts))))

    def _begin_ranges(self) -> None:
        """Has other processes help wherever they can."""
        found = ranged_scene(self.source, self.work, self.preparation, self.settings, self.score_tiles.spread)
        if found is not None:
            self.ranged, self.few = found

    def _survey(self, *, keep: bool) -> None:
        with self._bar("looking at") as bar:
            if self.ranged is not None:
                self.ranged.survey(self.survey, self.census, bar.update, keep=keep)
            else:
                self._survey_here(bar, keep=keep)
        fullest = int(self.census.counts.max(initial=0))
        if fullest > self.budget.most_points:
            raise InputError(
                f"{self.source.path}: {fullest:,} points lie within {self.census.side:g} m, more than the memory "
                "budget holds at once; give more --memory"
            )

    def _survey_here(self, bar: Any, *, keep: bool) -> None:
        with closing(self.source.parts()) as parts:
            for cloud in parts:
                if not len(self.few):
                    self.few = cloud.select(np.arange(min(len(cloud), 2)))
                part = self.survey.add(cloud)
                if len(cloud):
                    self.census.add(part.positions)
                    if keep:
                        self.work.parts.keep(part)
                bar.update(len(cloud))

    def _spool(self) -> None:
        with self._bar("sorting", self.survey.num_points) as bar:
            if self.ranged is not None:
                self.ranged.spool(self.survey, self.extent, self.cell, self.tile_points, bar.update)
            else:
                self._spool_here(bar)

    def _spool_here(self, bar: Any) -> None:
        census = Census(self.preparation.extent, self.cell, self.extent.start)
        for part in self.work.parts.read():
            self.extent.floors.add(part.positions)
            census.add(part.positions)
        tile_of_leaf = census.tiles(self.tile_points)
        self.work.begin(int(tile_of_leaf.max(initial=-1)) + 1)
        placing = self._placed(census, tile_of_leaf)
        with closing(ahead(placing)) as placed:
            for points, tile in placed:
                self.work.append(points, tile)
                bar.update(len(points))
        self.work.finish_spooling()

    def _placed(
        self, census: Census, tile_of_leaf: NDArray[np.int64]
    ) -> Iterator[tuple[ScenePoints, NDArray[np.int64]]]:
        """The parts that the survey kept, with the tile of every point."""
        first = 0
        for part in self.work.parts.read(remove=True):
            leaf = pack(census.leaves(part.positions))
            yield self.survey.points(part, first), tile_of_leaf[np.searchsorted(census.keys, leaf)]
            first += len(part.positions)

    def score_all(self) -> None:
        counts = self.work.counts
        todo = [tile for tile in range(len(counts)) if not self.work.is_answered(tile)]
        done = sum(counts) - sum(counts[tile] for tile in todo)
        tiles = SceneTiles(
            work=self.work, extent=self.extent, preparation=self.preparation, settings=self.settings, cell=self.cell
        )
        with self._bar("segmenting", self.survey.num_points, done) as bar:
            self.score_tiles(tiles, todo, bar.update)

    def write(self) -> None:
        with self._bar("writing", self.survey.num_points) as bar:
            if self.ranged is not None and self.answer.can_be_pieces(self.few):
                self.ranged.write(self.answer, self.few, bar.update)
            else:
                self.answer.write(self.few, self.work, bar, progress=self.progress)

    def _bar(self, task: str, total: int | None = None, initial: int = 0) -> Any:
        from tqdm import tqdm

        return tqdm(
            desc=f"{task} {self.source.path.name}",
            total=total,
            initial=initial,
            unit=" points",
            unit_scale=True,
            delay=1,
            leave=False,
            disable=not (self.progress and sys.stderr.isatty()),
        )
