"""Reconstruct objects from pictures: a cloud for each picture of one object on white.

IMAGES are pictures (.png .jpg ...), folders (searched recursively) and patterns. The cloud is in the frame of the
camera: x to the picture's right, y up, z towards the viewer, within a cube of side 1 whose corner is the origin; its
real size is not known. --up turns it about its middle, --scale sets the side of the cube.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from cloud_transformers.cli.shared.answering import Predicting, answer_all
from cloud_transformers.cli.shared.cluster_options import add_cluster_arguments, check_cluster_arguments
from cloud_transformers.cli.shared.many_files import Failures, Job, make_room, say
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
    add_cluster_arguments(parser)


def run(args: argparse.Namespace) -> int:
    from cloud_transformers.predict.pictures import SUFFIXES

    check_cluster_arguments(args)
    files, jobs = plan_answers(args, SUFFIXES)
    verb = Reconstructing(args)
    verb.open()
    failures = Failures(files.complaints)
    answer_all(verb, jobs, failures, batch_size=args.batch)
    return failures.exit_code


class Reconstructing(Predicting):
    predictor: Any

    def open(self) -> None:
        self.predictor = load_predictor(self.args, "reconstruction")

    def prepare(self, path: Path) -> Any:
        return self.predictor.prepare(path, up=self.args.up, scale=self.args.scale, seed=self.args.seed)

    def score(self, prepared: list[Any]) -> Any:
        return self.predictor.score(prepared)

    def finish(self, job: Job, prepared: Any, result: Any) -> Any:
        from cloud_transformers.io import write

        assert job.target is not None
        make_room(job.target, self.args.output)
        write(job.target, result)
        return f"{len(result):,} points", prepared.notes

    def tell(self, job: Job, told: Any) -> None:
        line, notes = told
        say(f"{job.target}: {line}")
        say_notes(job.source, notes)
