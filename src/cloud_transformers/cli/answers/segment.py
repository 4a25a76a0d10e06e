"""Label every point of scenes of any size.

FILES are clouds or meshes of any format, folders (searched recursively) and patterns. Answers keep all points in their
order, with their fields and coordinates, and have the fields label and confidence besides, and unsure (1 for points
unlike all that the weights were tried on) where the weights know when they are. Coordinates must be metres
(else give --scale) and z must point up (else give --up); labels are never needed. For scans made by hand, with a phone
or a depth camera, take --weights segmenter-scans-small. A run that was killed goes on where it stopped when the same
command is given again.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from cloud_transformers.cli.shared.answering import (
    Answering,
    answered,
    far_outcomes,
    tell_all,
    tell_sentence,
    worker_bytes,
    workers_for,
)
from cloud_transformers.cli.shared.cloud_options import add_layout_arguments, layout_options
from cloud_transformers.cli.shared.cluster_options import add_cluster_arguments, check_cluster_arguments
from cloud_transformers.cli.shared.many_files import Failures, Job, make_room, say
from cloud_transformers.cli.shared.places import local_path
from cloud_transformers.cli.shared.predict_options import (
    above_zero,
    add_missing_color_argument,
    add_output_arguments,
    add_turns_argument,
    add_up_argument,
    add_weights_arguments,
    at_least_one,
    load_predictor,
    plan_answers,
)

INTERRUPTED = "the same command goes on where it stopped"
SMALL_BYTES = 32 << 20  # of a file that is not compressed: about a million points


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", nargs="+", metavar="FILES", help="clouds, meshes, folders or patterns")
    add_up_argument(parser, "the axis that points up (default z; y for .glb)")
    parser.add_argument(
        "--scale",
        type=above_zero,
        metavar="M",
        help="metres per unit (default 1; a scene that cannot be metres, or is far too sparse, is refused without it)",
    )
    add_missing_color_argument(parser)
    parser.add_argument("--colors", action="store_true", help="replace the points' colours by those of their classes")
    parser.add_argument(
        "--cell",
        type=float,
        metavar="M",
        help="score one point per cube of this side, for all in it; 0 for every point (default: 3 %% of a block, "
        "or the grid of the training)",
    )
    parser.add_argument(
        "--overlap", type=float, default=0.5, help="share of a block that the next one shows again (default 0.5)"
    )
    add_turns_argument(parser, "each block")
    parser.add_argument(
        "--adapt",
        type=float,
        metavar="SHARE",
        help="for scenes unlike the training's: how much of the statistics that the model divides by are the scene's "
        "own, from 0 to 1; 0.5 is a good try (default: what the weights say, most 0)",
    )
    parser.add_argument(
        "--floor", type=float, metavar="M", help="heights count from the floor within M; 0: of the whole scene"
    )
    parser.add_argument(
        "--memory", metavar="SIZE", help="memory that the command may use, as 2GB (default: half of what there is)"
    )
    parser.add_argument(
        "--work",
        type=local_path,
        metavar="DIR",
        help="where work in progress is kept (default: beside OUT; for a URL, work in the cache)",
    )
    parser.add_argument(
        "--sample", type=at_least_one, default=1_000_000, metavar="N", help="points to draw on a mesh (default 1000000)"
    )
    add_output_arguments(parser, True, "a file for one input, a folder for several")
    add_weights_arguments(parser, "segmenter-small")
    add_layout_arguments(parser)
    add_cluster_arguments(parser)


def run(args: argparse.Namespace) -> int:
    from cloud_transformers.io import FORMATS
    from cloud_transformers.predict.scene import memory_budget

    check_cluster_arguments(args)
    files, jobs = plan_answers(args, FORMATS)
    memory_budget(args.memory)
    verb = Segmenting(args)
    for job in jobs:
        verb.settings_of(job)  # what is wrong with them is wrong for all files
    failures = Failures(files.complaints)
    if args.on is not None:
        segment_far(verb, jobs, failures, several=files.several)
        return failures.exit_code
    verb.open()
    for job in jobs:
        segment_here(verb, job, failures, several=files.several)
    return failures.exit_code


def format_up(path: Path) -> str:
    from cloud_transformers.io import format_of

    return format_of(path).up or "z"


def settings_for(args: argparse.Namespace, up: str) -> Any:
    from cloud_transformers.predict.scene import SceneSettings

    return SceneSettings(
        cell=args.cell,
        overlap=args.overlap,
        up=up,
        scale=args.scale,
        missing_color=args.missing_color,
        floor=args.floor,
        turns=args.turns,
        seed=args.seed,
    )


class Segmenting(Answering):
    """Whole files, one after the other; the tiles of large ones may be answered elsewhere."""

    predictor: Any
    share: float  # of statistics that are the scene's own

    def __init__(self, args: argparse.Namespace) -> None:
        super().__init__(args)
        self._settings: dict[
            str, Any
        ] = {}  # SceneSettings by the axis that points up: all else is the same for all files

    def settings_of(self, job: Job) -> Any:
        up = self.args.up or format_up(job.source)
        if up not in self._settings:
            self._settings[up] = settings_for(self.args, up)
        return self._settings[up]

    def open(self) -> None:
        from cloud_transformers import native
        from cloud_transformers.models.adaptation import check_share
        from cloud_transformers.predict.scene import content_of

        native.share_one_heap()  # for the memory budget counts all threads
        self.predictor = load_predictor(self.args, "segmentation")
        self.share = self.predictor.preparation.adapt if self.args.adapt is None else self.args.adapt
        check_share(self.share)
        # What a killed run has answered is taken up only by the same model in the same numbers.
        self.model = f"{content_of(self.predictor.path)} {self.args.precision}"
        if self.share:
            self.model += f" adapted {self.share:g}"

    def answer(self, jobs: Sequence[Job], attempt: Callable[..., Any]) -> None:
        for job in jobs:
            notes: list[str] = []
            attempt(job, self._segment_quietly, job, notes)

    def _segment_quietly(self, job: Job, notes: list[str]) -> tuple[str, list[str]]:
        """On a worker, where nobody reads along."""
        from cloud_transformers.predict.scene import Budget

        budget = Budget(worker_bytes(self.args))
        return self.segment(job, budget, notes.append, progress=False), notes

    def tell(self, job: Job, told: tuple[str, list[str]]) -> None:
        line, notes = told
        for note in notes:
            tell_sentence(note)
        say(line)

    def _used_to(self, job: Job, budget: Any) -> tuple[Any, str | None]:
        """The predictor, once it has seen what is usual in this scene, if that is wanted; and what it has seen."""
        from cloud_transformers.predict.scene import sample_of_file

        if not self.share:
            return self.predictor, None
        drawn = {"mesh_points": self.args.sample, "seed": self.args.seed}
        sample, content = sample_of_file(job.source, layout_options(self.args), budget, **drawn)
        return self.predictor.adapted(sample, self.share, self.settings_of(job)), content

    def segment(
        self,
        job: Job,
        budget: Any,
        tell: Callable[[str], None],  # given notes before the long work begins
        scorer_of: Callable[[Any], Any] | None = None,  # who asks the predictor for answers; None: this process
        *,
        progress: bool = True,
    ) -> str:
        """What was done, in a line."""
        from cloud_transformers.predict.scene import segment_file

        args, predictor = self.args, self.predictor
        assert job.target is not None
        make_room(job.target, args.output)
        used, content = self._used_to(job, budget)
        scorer = used.score_regions if scorer_of is None else scorer_of(used)
        report = segment_file(
            job.source,
            job.target,
            scorer,
            predictor.preparation,
            settings=self.settings_of(job),
            budget=budget,
            weights=self.model,
            workers=predictor.workers,
            work=args.work,
            colors=args.colors,
            read_options=layout_options(args),
            mesh_points=args.sample,
            progress=progress,
            tell=tell,
            content=content,
        )
        shares = sorted(zip(report.class_counts, predictor.classes, strict=True), reverse=True)
        found = ", ".join(f"{name} {count / report.num_points:.0%}" for count, name in shares[:5] if count)
        if found and report.num_unsure is not None:
            found += f"; unsure of {report.num_unsure / report.num_points:.0%}"
        resumed = (
            f", {report.resumed_tiles} of {report.num_tiles} tiles from an earlier run" if report.resumed_tiles else ""
        )
        return (
            f"{job.target}: {report.num_points:,} points in {report.seconds:.0f} s "
            f"({report.num_points / report.seconds:,.0f} points/s{resumed}): {found or 'nothing to label'}"
        )


def segment_here(
    verb: Segmenting, job: Job, failures: Failures, *, several: bool, scorer_of: Callable[[Any], Any] | None = None
) -> None:
    """One scene, read and written by this process; its tiles are scored here too unless another scorer is made."""
    from cloud_transformers.predict.scene import memory_budget

    given = (job, memory_budget(verb.args.memory), tell_sentence, scorer_of)
    # A single file's mistake is the command's own.
    line = failures.attempt(job.source, verb.segment, *given) if several else verb.segment(*given)
    if line is not None:
        say(line)


def segment_far(verb: Segmenting, jobs: Sequence[Job], failures: Failures, *, several: bool) -> None:
    """Small scenes as a whole, one per worker at a time; then large ones, one after the other, in tiles."""
    if verb.args.work is not None:
        verb.args.work = verb.args.work.absolute()  # a path that means the same to all processes
    with workers_for(verb.args, SegmentingFar(verb)) as pool:
        verb.open()  # while the workers open theirs
        small = [job for job in jobs if is_small(job.source)] if several else []
        apart = set(small)
        tell_all(verb, small, far_outcomes(pool, ((job,) for job in small)), failures)
        for job in jobs:
            if job not in apart:
                scorer_of = partial(_far_scorer, pool, str(job.source), verb.share)
                segment_here(verb, job, failures, several=several, scorer_of=scorer_of)


def _far_scorer(pool: Any, name: str, share: float, predictor: Any) -> Any:
    from cloud_transformers.cluster.scenes import ScoredByWorkers

    return ScoredByWorkers(pool, name, predictor.statistics() if share else None)


def is_small(path: Path) -> bool:
    """Whether a scene is at most about one tile, so that to divide it would only cost time."""
    from cloud_transformers.io.packed import is_packed

    try:
        return path.stat().st_size <= (SMALL_BYTES // 8 if path.suffix == ".laz" or is_packed(path) else SMALL_BYTES)
    except OSError:  # what is wrong with it is said when it is opened
        return True


@dataclass(frozen=True)
class SegmentingFar:
    """What a worker is sent: it does whole scenes and tiles of others."""

    verb: Segmenting

    def __call__(self) -> Callable[[Any], Any]:
        from cloud_transformers.cluster.looking import LookTask
        from cloud_transformers.cluster.scenes import TileTask, TileWork

        self.verb.open_on_worker()
        predictor = self.verb.predictor
        tiles = TileWork(
            predictor.score_regions,
            predictor.workers,
            lambda statistics: predictor.with_statistics(statistics).score_regions,
        )
        return lambda item: tiles(item) if isinstance(item, TileTask | LookTask) else answered(self.verb, item)
