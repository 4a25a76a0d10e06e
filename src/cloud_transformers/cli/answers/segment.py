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
from pathlib import Path
from typing import Any, NamedTuple

from cloud_transformers.cli.shared.cloud_options import add_layout_arguments, layout_options
from cloud_transformers.cli.shared.many_files import Failures, Job, make_room, say
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
    parser.add_argument("--work", type=Path, metavar="DIR", help="where work in progress is kept (default: beside OUT)")
    parser.add_argument(
        "--sample", type=at_least_one, default=1_000_000, metavar="N", help="points to draw on a mesh (default 1000000)"
    )
    add_output_arguments(parser, True, "a file for one input, a folder for several")
    add_weights_arguments(parser, "segmenter-small")
    add_layout_arguments(parser)


def run(args: argparse.Namespace) -> int:
    from cloud_transformers import native
    from cloud_transformers.io import FORMATS
    from cloud_transformers.predict.adaptation import check_share
    from cloud_transformers.predict.scene import content_of, memory_budget

    files, jobs = plan_answers(args, FORMATS)
    budget = memory_budget(args.memory)
    settings = [settings_for(args, job.source) for job in jobs]  # what is wrong with them is wrong for all files
    native.share_one_heap()  # for the memory budget counts all threads
    predictor = load_predictor(args, "segmentation")
    share = predictor.preparation.adapt if args.adapt is None else args.adapt
    check_share(share)
    # What a killed run has answered is taken up only by the same model in the same numbers.
    model = f"{content_of(predictor.path)} {args.precision}" + f" adapted {share:g}" * bool(share)
    failures = Failures(files.complaints)
    for job, chosen in zip(jobs, settings, strict=True):
        given = (args, job, predictor, StreamedWith(chosen, budget, model), share)
        if files.several:
            failures.attempt(job.source, segment, *given)
        else:
            segment(*given)  # a single file's mistake is the command's own
    return failures.exit_code


def settings_for(args: argparse.Namespace, path: Path) -> Any:
    from cloud_transformers.io import format_of
    from cloud_transformers.predict.scene import SceneSettings

    return SceneSettings(
        cell=args.cell,
        overlap=args.overlap,
        up=args.up or format_of(path).up or "z",
        scale=args.scale,
        missing_color=args.missing_color,
        floor=args.floor,
        turns=args.turns,
        seed=args.seed,
    )


class StreamedWith(NamedTuple):
    settings: Any  # SceneSettings
    budget: Any  # Budget
    weights: str


def segment(args: argparse.Namespace, job: Job, predictor: Any, chosen: StreamedWith, share: float) -> None:
    from cloud_transformers.predict.scene import sample_of_file, segment_file

    assert job.target is not None
    make_room(job.target, args.output)
    if share:
        drawn = {"mesh_points": args.sample, "seed": args.seed}
        sample = sample_of_file(job.source, layout_options(args), chosen.budget, **drawn)
        predictor = predictor.adapted(sample, share, chosen.settings)
    report = segment_file(
        job.source,
        job.target,
        predictor.score_regions,
        predictor.preparation,
        **chosen._asdict(),
        workers=predictor.workers,
        work=args.work,
        colors=args.colors,
        read_options=layout_options(args),
        mesh_points=args.sample,
        progress=True,
        tell=lambda note: say(f"cloudt: {note}", error=True),
    )
    shares = sorted(zip(report.class_counts, predictor.classes, strict=True), reverse=True)
    found = ", ".join(f"{name} {count / report.num_points:.0%}" for count, name in shares[:5] if count)
    if found and report.num_unsure is not None:
        found += f"; unsure of {report.num_unsure / report.num_points:.0%}"
    resumed = (
        f", {report.resumed_tiles} of {report.num_tiles} tiles from an earlier run" if report.resumed_tiles else ""
    )
    say(
        f"{job.target}: {report.num_points:,} points in {report.seconds:.0f} s "
        f"({report.num_points / report.seconds:,.0f} points/s{resumed}): {found or 'nothing to label'}"
    )
