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

from cloud_transformers.cli.shared.answering import Predicting, answer_all
from cloud_transformers.cli.shared.cloud_options import add_layout_arguments
from cloud_transformers.cli.shared.cluster_options import add_cluster_arguments, check_cluster_arguments
from cloud_transformers.cli.shared.many_files import Failures, Job, make_room, say
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
    add_cluster_arguments(parser)


def run(args: argparse.Namespace) -> int:
    from cloud_transformers.io import FORMATS

    check_cluster_arguments(args)
    files, jobs = plan_answers(args, FORMATS)
    verb = Completing(args)
    verb.open()
    as_is = verb.predictor.preparation.frame == "data" if args.as_is is None else args.as_is
    if args.scale is not None and not as_is:
        raise InputError("--scale counts only with --as-is: other inputs are scaled by their own size")
    failures = Failures(files.complaints)
    answer_all(verb, jobs, failures, batch_size=args.batch)
    return failures.exit_code


class Completing(Predicting):
    predictor: Any
    reader: CloudReader

    def open(self) -> None:
        self.predictor = load_predictor(self.args, "completion")
        preparation = self.predictor.preparation
        self.reader = CloudReader(self.args, preparation.points, preparation.up, self.granted.append)

    def prepare(self, path: Path) -> Any:
        args, cloud = self.args, self.reader.read(path)
        return self.predictor.prepare(
            cloud,
            up=self.reader.up(path),
            as_is=args.as_is,
            scale=args.scale or 1.0,
            seed=args.seed,
            name=str(path),
        )

    def score(self, prepared: list[Any]) -> Any:
        return self.predictor.score(prepared, num_points=self.args.points, keep_observed=self.args.keep_observed)

    def finish(self, job: Job, prepared: Any, result: Any) -> Any:
        from cloud_transformers.io import write

        assert job.target is not None
        make_room(job.target, self.args.output)
        write(job.target, result)
        given = prepared.given.cloud
        return f"{len(result):,} points, from {len(given):,}", mesh_note(given) + prepared.notes

    def tell(self, job: Job, told: Any) -> None:
        line, notes = told
        say(f"{job.target}: {line}")
        say_notes(job.source, notes)
