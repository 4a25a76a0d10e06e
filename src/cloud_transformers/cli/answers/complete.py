"""Complete partial clouds: from what one view saw of an object to points all over it.

FILES are clouds or meshes of any format, folders (searched recursively) and patterns. Answers are in the coordinates of
their inputs. How an input is placed and scaled for the model is part of the weights: most go by the box of the partial
cloud, so that units do not matter; some were trained in the coordinates of their data and take inputs as they are, and
a note is printed. The up axis does matter: unless the format says it (.las .laz .glb), it is taken to be that of the
training data.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from cloud_transformers.cli.shared.cloud_options import add_layout_arguments
from cloud_transformers.cli.shared.many_files import Failures, Job, answer, make_room, say
from cloud_transformers.cli.shared.predict_options import (
    CloudReader,
    above_zero,
    add_output_arguments,
    add_up_argument,
    add_weights_arguments,
    at_least_one,
    load_predictor,
    mesh_note,
    plan_answers,
    say_notes,
)
from cloud_transformers.errors import InputError

INTERRUPTED = "with --skip-existing the same command answers what is left"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", nargs="+", metavar="FILES", help="clouds, meshes, folders or patterns")
    add_up_argument(parser, "the axis that points up")
    parser.add_argument(
        "--points", type=at_least_one, metavar="N", help="how many points the answer has (default: as in training)"
    )
    parser.add_argument(
        "--keep-observed", action="store_true", help="put the input's points first; the field observed tells them"
    )
    parser.add_argument(
        "--as-is",
        action=argparse.BooleanOptionalAction,
        help="inputs already have the position and size of the training data; --no-as-is: they are placed and scaled "
        "by their box (default: as the weights were trained)",
    )
    parser.add_argument("--scale", type=above_zero, help="with --as-is: the factor to the training data's unit")
    add_output_arguments(parser, True, "a file for one input, a folder for several")
    add_weights_arguments(parser, "completer-small")
    add_layout_arguments(parser)


def run(args: argparse.Namespace) -> int:
    from cloud_transformers.io import FORMATS, write

    files, jobs = plan_answers(args, FORMATS)
    predictor = load_predictor(args, "completion")
    if args.scale is not None and not (predictor.preparation.frame == "data" if args.as_is is None else args.as_is):
        raise InputError("--scale counts only with --as-is: other inputs are scaled by their own size")
    reader = CloudReader(args, predictor.preparation.points, predictor.preparation.up)
    failures = Failures(files.complaints)

    def prepare(path: Path) -> Any:
        cloud = reader.read(path)
        up = reader.up(path)
        return predictor.prepare(
            cloud, up=up, as_is=args.as_is, scale=args.scale or 1.0, seed=args.seed, name=str(path)
        )

    def score(prepared: list[Any]) -> Any:
        return predictor.score(prepared, num_points=args.points, keep_observed=args.keep_observed)

    def finish(job: Job, prepared: Any, cloud: Any) -> None:
        assert job.target is not None
        make_room(job.target, args.output)
        write(job.target, cloud)
        say(f"{job.target}: {len(cloud):,} points, from {len(prepared.given.cloud):,}")
        say_notes(job.source, mesh_note(prepared.given.cloud) + prepared.notes)

    answer(jobs, prepare, score, finish, failures, batch_size=args.batch)
    return failures.exit_code
