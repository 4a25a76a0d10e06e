"""From file to file within a memory budget: a scene goes to disk in tiles, through the model, and back in order.

1. Survey: the file is read in parts for its bounds, floors, colours, and how many points lie where.
2. Spool: it is read again, and its points are put into tiles on disk.
3. Thin: each tile to one point per cube.
4. Score: each tile with a margin of its neighbours' points; its answers are kept.
5. Write: the file is read once more, and every part is written with its answers.

Letters: N points of the file.
"""

from __future__ import annotations

import errno
import hashlib
import json
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from cloud_transformers import io
from cloud_transformers.cloud import PointCloud
from cloud_transformers.errors import InputError
from cloud_transformers.io.options import WriteOptions
from cloud_transformers.models.preparation import Preparation
from cloud_transformers.predict.labels import labelled
from cloud_transformers.predict.scene.cells import pack
from cloud_transformers.predict.scene.intake import Survey
from cloud_transformers.predict.scene.points import merge, thin
from cloud_transformers.predict.scene.scoring import Scorer, check_scenes_possible, margin, score
from cloud_transformers.predict.scene.settings import Budget, SceneSettings
from cloud_transformers.predict.scene.source import MESH_POINTS, Source, content_of
from cloud_transformers.predict.scene.tiling import Census
from cloud_transformers.predict.scene.work import WorkFolder

VERSION = 1  # of everything that the answers depend on; a new one makes old work folders strange


@dataclass(frozen=True)
class SceneReport:
    num_points: int
    num_tiles: int
    resumed_tiles: int
    seconds: float
    notes: tuple[str, ...]
    class_counts: tuple[int, ...]


def segment_file(
    source: str | Path,
    target: str | Path,
    scorer: Scorer,
    preparation: Preparation,
    *,
    weights: str,
    settings: SceneSettings | None = None,
    budget: Budget,
    tile_points: int | None = None,
    work: str | Path | None = None,
    colors: bool = False,
    read_options: Mapping[str, Any] | None = None,
    mesh_points: int = MESH_POINTS,
    progress: bool = False,
    tell: Callable[[str], None] = lambda note: None,
) -> SceneReport:
    """Writes the cloud of one file to another, with the fields `label` and `confidence` added.

    weights: a hash of the model's weights; what a killed run has left is only taken up for the same.
    budget: bytes that the whole process may take; `tile_points` is for tests, which have no large scenes.
    work: the folder below which the work folder is made, by default that of the target. It is removed at success.
    colors: replace the colours by those of the classes.
    read_options: those of `io.read_chunks`; on a mesh, `mesh_points` are drawn by area instead.
    tell: is given each note on how the file was understood, before the long work begins.
    """
    settings = settings or SceneSettings()
    check_scenes_possible(preparation)
    run = _Run(
        source=Source(Path(source), read_options or {}, budget, mesh_points=mesh_points, seed=settings.seed),
        target=Path(target),
        scorer=scorer,
        preparation=preparation,
        settings=settings,
        budget=budget,
        tile_points=tile_points or budget.tile_points,
        colors=colors,
        progress=progress,
    )
    began = time.perf_counter()
    folder = Path(target).parent if work is None else Path(work)
    if not folder.is_dir():
        raise InputError(f"{folder}: this folder does not exist; create it first")
    run.survey_all()
    notes = run.survey.notes() + run.census.notes(preparation)
    for note in notes:
        tell(f"{source}: {note}")
    run.try_writing()
    key = run.key(weights)
    run.work = WorkFolder(folder / f".{run.target.name}.{key}.work", 3 if run.survey.wants_color else 0)
    try:
        resumed = run.spool()
        run.thin_all()
        run.score_all()
        run.write()
    except OSError as error:
        if error.errno != errno.ENOSPC:
            raise
        raise InputError(
            f"{run.work.path}: the disk is full; free some space and give the same command again, which goes on from "
            "here, or take another disk with --work"
        ) from error
    run.work.remove()
    seconds = time.perf_counter() - began
    return SceneReport(
        run.survey.num_points, len(run.work.counts), resumed, seconds, tuple(notes), tuple(run.class_counts.tolist())
    )


@dataclass(kw_only=True)
class _Run:
    source: Source
    target: Path
    scorer: Scorer
    preparation: Preparation
    settings: SceneSettings
    budget: Budget
    tile_points: int
    colors: bool
    progress: bool

    def __post_init__(self) -> None:
        self.cell = self.settings.chosen_cell(self.preparation)
        self.survey = Survey(str(self.source.path), self.preparation, self.settings)
        self.census = Census(self.preparation.extent, self.cell)
        self.first: PointCloud | None = None
        self.class_counts = np.zeros(len(self.preparation.classes), np.int64)
        self.work: WorkFolder

    def key(self, weights: str) -> str:
        said = {
            "version": VERSION,
            "weights": weights,
            "preparation": self.preparation.to_json(),
            "settings": asdict(self.settings),
            "tile_points": self.tile_points,
            "mesh_points": self.source.mesh_points,
            "options": {name: sorted(v) if name == "drop" else v for name, v in self.source.options.items()},
        }
        content = content_of(self.source.path) + json.dumps(said, sort_keys=True, default=str)
        return hashlib.blake2b(content.encode(), digest_size=6).hexdigest()

    def survey_all(self) -> None:
        with self._bar("looking at") as bar:
            for cloud in self.source.parts():
                if self.first is None or not len(self.first):
                    self.first = cloud
                positions = self.survey.add(cloud)
                if len(cloud):
                    self.census.add(positions, self.survey.anchor)
                bar.update(len(cloud))
        fullest = int(self.census.counts.max(initial=0))
        if fullest > self.budget.most_points:
            raise InputError(
                f"{self.source.path}: {fullest:,} points lie within {self.census.side:g} m, more than the memory "
                "budget holds at once; give more --memory"
            )

    def try_writing(self) -> None:
        """A format that cannot hold the fields, or the number of points, is said now and not after hours."""
        assert self.first is not None
        few = self.first.select(slice(0, 2))
        module = io.format_of(self.target)
        suffix = self.target.suffix
        probe = self.target.with_name(f".{self.target.stem}.probe{suffix}")
        if not self.target.parent.is_dir():
            raise InputError(f"{self.target}: the folder {self.target.parent} does not exist; create it first")
        try:
            module.write(
                self.target,
                self._labelled(few, np.zeros(len(few), np.int32), np.zeros(len(few))),
                WriteOptions(),
                probe,
            )
        finally:
            probe.unlink(missing_ok=True)
        if not self._fits() and io.FORMATS[suffix.lower()] not in io.WRITTEN_IN_PARTS:
            raise InputError(
                f"{self.target}: {self.survey.num_points:,} points do not fit into the memory budget, and {suffix} "
                "cannot be written in parts; choose .las, .laz, .ply or .csv, or give more --memory"
            )

    def _fits(self) -> bool:
        """Whether the whole cloud can be in memory while it is written."""
        assert self.first is not None
        fields = sum(values.itemsize * max(1, values[:1].size) for values in self.first.fields.values())
        # Doubles while coordinates are split, the cloud, the format's own copy of it, and the answers.
        return self.survey.num_points * (24 + 2 * (12 + fields) + 16) <= self.budget.free // 2

    def spool(self) -> int:
        """Put all points into tiles, unless a killed run has; returns how many tiles it has answered."""
        if self.work.resume():
            return sum(self.work.is_answered(tile) for tile in range(len(self.work.counts)))
        tile_of_leaf = self.census.tiles(self.tile_points)
        self.work.begin(int(tile_of_leaf.max(initial=-1)) + 1)
        first = 0
        with self._bar("sorting", self.survey.num_points) as bar:
            for cloud in self.source.parts():
                if not len(cloud):
                    continue
                points = self.survey.points(cloud, first)
                leaf = pack(self.census.leaves(points.positions, self.survey.anchor))
                self.work.append(points, tile_of_leaf[np.searchsorted(self.census.keys, leaf)])
                first += len(cloud)
                bar.update(len(cloud))
        self.work.finish_spooling()
        return 0

    def thin_all(self) -> None:
        if self.cell == 0:
            return
        with self._bar("thinning", self.survey.num_points) as bar:
            for tile, count in enumerate(self.work.counts):
                if not self.work.is_thinned(tile):
                    thinned, stands_for = thin(self.work.points(tile, thinned=False), self.survey.anchor, self.cell)
                    assert stands_for is not None  # no tile is empty
                    self.work.keep_thinned(tile, thinned, stands_for)
                bar.update(count)

    def score_all(self) -> None:
        counts = self.work.counts
        done = sum(count for tile, count in enumerate(counts) if self.work.is_answered(tile))
        with self._bar("segmenting", self.survey.num_points, done) as bar:
            for tile in range(len(counts)):
                if not self.work.is_answered(tile):
                    self._score(tile, bar)

    def _score(self, tile: int, bar: Any) -> None:
        own = self.work.points(tile, thinned=self.work.is_thinned(tile))
        reach = margin(self.preparation) * (1 + 1e-6) + 1e-3
        low, high = self.work.boxes[tile, 0] - reach, self.work.boxes[tile, 1] + reach
        parts = [own]
        for other in range(len(self.work.counts)):
            if other != tile:
                parts += self.work.points_within(other, low, high)
        points = merge(parts)
        core = np.isin(points.number, own.number, assume_unique=True)
        per_point = self.work.counts[tile] / max(len(own), 1)
        labels, confidence = score(
            points, core, self.survey.extent, self.scorer, self.preparation, self.settings,
            lambda new: bar.update(new * per_point),
        )  # fmt: skip
        stands_for = self.work.stands_for(tile)
        if stands_for is not None:
            labels, confidence = labels[stands_for], confidence[stands_for]
        self.work.keep_answers(tile, labels, confidence)

    def write(self) -> None:
        if self._fits():
            cloud = self.source.read()
            io.write(self.target, self._labelled(cloud, *self._answers(0, len(cloud))), progress=self.progress)
            return
        io.write_parts(self.target, self._written_parts(), self.survey.outline)

    def _written_parts(self) -> Iterator[PointCloud]:
        first = 0
        with self._bar("writing", self.survey.num_points) as bar:
            for cloud in self.source.parts():
                yield self._labelled(cloud, *self._answers(first, len(cloud)))
                first += len(cloud)
                bar.update(len(cloud))

    def _answers(self, first: int, count: int) -> tuple[Any, Any]:
        labels, confidence = self.work.answers(first, count)
        if missed := int((labels < 0).sum()):
            raise RuntimeError(f"{missed:,} points of {self.source.path} have no answer")
        self.class_counts += np.bincount(labels, minlength=len(self.class_counts))
        return labels, confidence

    def _labelled(self, cloud: PointCloud, labels: Any, confidence: Any) -> PointCloud:
        cloud = labelled(cloud, labels, confidence, self.preparation.classes, recolor=self.colors)
        color = cloud.fields.get("color")
        if io.FORMATS[self.target.suffix.lower()] == "las" and color is not None and color.dtype.kind == "f":
            full = self.survey.full_brightness or 1.0
            return cloud.with_fields(color=np.rint(color * (65535 / full)).clip(0, 65535).astype(np.uint16))
        return cloud

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
