"""Reconstruct objects from pictures: a cloud for each picture of one object on white.

IMAGES are pictures (.png .jpg ...), folders (searched recursively) and patterns. The cloud is in the frame of the
camera: x to the picture's right, y up, z towards the viewer, within a cube of side 1 whose corner is the origin; its
real size is not known. --up turns it about its middle, --scale sets the side of the cube.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from cloud_transformers.cli.shared.many_files import Failures, Job, answer, make_room, say
from cloud_transformers.cli.shared.predict_options import (
    above_zero,
    add_output_arguments,
    add_up_argument,
    add_weights_arguments,
    load_predictor,
    plan_answers,
    say_notes,
)

INTERRUPTED = "with --skip-existing the same command answers what is left"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", nargs="+", metavar="IMAGES", help="pictures, folders or patterns")
    add_up_argument(parser, "the axis that shall point up in the answer (default y)")
    parser.add_argument("--scale", type=above_zero, default=1.0, help="the side of the answer's cube (default 1)")
    add_output_arguments(parser, True, "a file for one picture, a folder for several")
    add_weights_arguments(parser, "reconstructor-small")


def run(args: argparse.Namespace) -> int:
    from cloud_transformers.io import write
    from cloud_transformers.predict.pictures import SUFFIXES

    files, jobs = plan_answers(args, SUFFIXES)
    predictor = load_predictor(args, "reconstruction")
    failures = Failures(files.complaints)

    def prepare(path: Path) -> Any:
        return predictor.prepare(path, up=args.up, scale=args.scale, seed=args.seed)

    def finish(job: Job, prepared: Any, cloud: Any) -> None:
        assert job.target is not None
        make_room(job.target, args.output)
        write(job.target, cloud)
        say(f"{job.target}: {len(cloud):,} points")
        say_notes(job.source, prepared.notes)

    answer(jobs, prepare, predictor.score, finish, failures, batch_size=args.batch)
    return failures.exit_code
