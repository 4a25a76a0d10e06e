"""Say what objects are: the most probable classes of clouds and meshes, as a table or as JSON.

FILES are clouds or meshes of any format, folders (searched recursively) and patterns. Units do not matter, the up axis
does: unless the format says it (.las .laz .glb), it is taken to be that of the training data; name another with --up.
For objects cut out of scans, in metres (else give --scale), take --weights classifier-scans-small, which knows sizes.
A cloud with more points than the model takes is drawn from several times (--votes), and the answers are averaged. A
cloud that is unlike all that the weights were tried on is called unsure.
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
    add_turns_argument,
    add_up_argument,
    add_weights_arguments,
    at_least_one,
    load_predictor,
    mesh_note,
    plan_answers,
    say_notes,
)
from cloud_transformers.errors import InputError
from cloud_transformers.remote import located

TOP = 3

INTERRUPTED = "with --skip-existing the same command answers what is left"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", nargs="+", metavar="FILES", help="clouds, meshes, folders or patterns")
    parser.add_argument(
        "--json", metavar="FILE", help="write all classes with their probabilities; - for standard output"
    )
    add_up_argument(parser, "the axis that points up")
    parser.add_argument(
        "--scale",
        type=above_zero,
        metavar="M",
        help="metres per unit (default 1), for weights that know how large things are",
    )
    parser.add_argument(
        "--votes",
        type=at_least_one,
        default=3,
        metavar="N",
        help="how often points are drawn from a large cloud (default 3)",
    )
    add_turns_argument(parser, "each draw")
    add_output_arguments(
        parser,
        False,
        "also write the clouds, with a label that tells the object from what is around it: a file, or a folder",
    )
    add_weights_arguments(parser, "classifier-small")
    add_layout_arguments(parser)
    add_cluster_arguments(parser)


def run(args: argparse.Namespace) -> int:
    from cloud_transformers.io import FORMATS

    check_cluster_arguments(args)
    files, jobs = plan_answers(args, FORMATS)
    report = None if args.json in (None, "-") else located(args.json)
    if report is not None and not args.force and report.exists():
        raise InputError(f"{report}: exists; replace it with --force, or choose another name")
    verb = Classifying(args)
    verb.open()
    if args.output is not None and not verb.predictor.finds_objects:
        raise InputError(f"{args.weights}: these weights do not tell an object from its surroundings; leave -o out")
    failures = Failures(files.complaints)
    verb.table = Table([str(job.source) for job in jobs], verb.predictor.classes, quiet=args.json == "-")
    try:
        answer_all(verb, jobs, failures, batch_size=args.batch)
    finally:
        if args.json is not None:
            _write_json(args, report, verb.answers, failures)
    return failures.exit_code


class Classifying(Predicting):
    predictor: Any
    reader: CloudReader
    table: Table

    def __init__(self, args: argparse.Namespace) -> None:
        super().__init__(args)
        self.answers: list[dict[str, Any]] = []  # for --json

    def open(self) -> None:
        self.predictor = load_predictor(self.args, "classification")
        preparation = self.predictor.preparation
        if self.args.scale is not None and not preparation.knows_sizes:
            raise InputError(f"{self.args.weights}: these weights take objects of any unit; leave --scale out")
        self.reader = CloudReader(self.args, preparation.points * self.args.votes, preparation.up, self.granted.append)

    def prepare(self, path: Path) -> Any:
        cloud = self.reader.read(path)
        asked = {
            "votes": self.args.votes,
            "turns": self.args.turns,
            "scale": self.args.scale,
            "seed": self.args.seed,
        }
        return self.predictor.prepare(cloud, up=self.reader.up(path), name=str(path), **asked)

    def score(self, prepared: list[Any]) -> Any:
        return self.predictor.score(prepared)

    def finish(self, job: Job, prepared: Any, result: Any) -> dict[str, Any]:
        if job.target is not None:
            _write(job.target, self.args.output, prepared, result)
        cloud = prepared.given.cloud
        return _facts(job, len(cloud), result, mesh_note(cloud) + result.notes)

    def tell(self, job: Job, told: dict[str, Any]) -> None:
        self.table.row(told)
        say_notes(job.source, tuple(told["notes"]))
        if self.args.json is not None:
            self.answers.append(told)


class Table:
    """Rows that are printed as soon as they are known, under a heading."""

    def __init__(self, files: list[str], classes: tuple[str, ...], *, quiet: bool) -> None:
        self.file_width = max(map(len, ["file", *files]))
        self.width = max(map(len, classes))
        self.columns = min(TOP, len(classes))
        self.quiet = quiet
        self.begun = False

    def row(self, facts: dict[str, Any]) -> None:
        if self.quiet:
            return
        finds_objects = facts["object_share"] is not None
        if not self.begun:
            names = ("class", "second", "third")[: self.columns]
            heading = "  ".join(f"{name:<{self.width}} {'':5}" for name in names)
            say(f"{'file':<{self.file_width}}  {heading}{'  object' if finds_objects else ''}".rstrip())
            self.begun = True
        first = facts["classes"][: self.columns]
        cells = "  ".join(f"{each['name']:<{self.width}} {each['probability']:5.3f}" for each in first)
        share = f"  {100 * facts['object_share']:4.0f} %" if finds_objects else ""
        say(f"{facts['file']:<{self.file_width}}  {cells}{share}{'  unsure' if facts['unsure'] else ''}")


def _facts(job: Job, num_points: int, result: Any, notes: tuple[str, ...]) -> dict[str, Any]:
    pairs = zip(result.classes, result.probabilities.tolist(), strict=True)
    return {
        "file": str(job.source),
        "class": result.label,
        "unsure": result.unsure,
        "classes": [{"name": name, "probability": chance} for name, chance in pairs],
        "points": num_points,
        "object_share": None if result.mask is None else float(result.mask.mean()),
        "output": None if job.target is None else str(job.target),
        "notes": list(notes),
    }


def _write(target: Path, out: Path, prepared: Any, result: Any) -> None:
    import numpy as np

    from cloud_transformers.io import write
    from cloud_transformers.predict import labelled

    given = prepared.given
    share = result.foreground[given.rows]
    is_object = share > 0.5
    confidence = np.where(is_object, share, 1 - share)
    make_room(target, out)
    write(target, labelled(given.cloud, is_object.astype(np.int64), confidence, ("background", result.label)))


def _write_json(
    args: argparse.Namespace, report: Path | None, answers: list[dict[str, Any]], failures: Failures
) -> None:
    import json

    from cloud_transformers.files import whole_file
    from cloud_transformers.printable import printable

    content = {
        "weights": str(args.weights),
        "votes": args.votes,
        "seed": args.seed,
        "files": answers,
        "failed": failures.reasons,
    }
    text = printable(json.dumps(content, indent=2, ensure_ascii=False, allow_nan=False))
    if report is None:
        print(text)
        return
    with whole_file(report) as temporary:
        temporary.write_text(text + "\n", encoding="utf-8")
