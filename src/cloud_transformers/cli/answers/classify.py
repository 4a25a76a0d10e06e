"""Say what objects are: the most probable classes of clouds and meshes, as a table or as JSON.

FILES are clouds or meshes of any format, folders (searched recursively) and patterns. Units do not matter, the up axis
does: unless the format says it (.las .laz .glb), it is taken to be that of the training data; name another with --up.
A cloud with more points than the model takes is drawn from several times (--votes), and the answers are averaged. A
cloud that is unlike all that the weights were tried on is called unsure.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from cloud_transformers.cli.shared.cloud_options import add_layout_arguments
from cloud_transformers.cli.shared.many_files import Failures, Job, answer, make_room, say
from cloud_transformers.cli.shared.predict_options import (
    CloudReader,
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


def run(args: argparse.Namespace) -> int:
    from cloud_transformers.io import FORMATS

    files, jobs = plan_answers(args, FORMATS)
    report = None if args.json in (None, "-") else located(args.json)
    if report is not None and not args.force and report.exists():
        raise InputError(f"{report}: exists; replace it with --force, or choose another name")
    predictor = load_predictor(args, "classification")
    if args.output is not None and not predictor.finds_objects:
        raise InputError(f"{args.weights}: these weights do not tell an object from its surroundings; leave -o out")
    reader = CloudReader(args, predictor.preparation.points * args.votes, predictor.preparation.up)
    failures = Failures(files.complaints)
    table = Table([str(job.source) for job in jobs], predictor.classes, quiet=args.json == "-")
    answers: list[dict[str, Any]] = []

    def prepare(path: Path) -> Any:
        cloud = reader.read(path)
        asked = {"votes": args.votes, "turns": args.turns, "seed": args.seed}
        return predictor.prepare(cloud, up=reader.up(path), name=str(path), **asked)

    def finish(job: Job, prepared: Any, result: Any) -> None:
        notes = mesh_note(prepared.given.cloud) + result.notes
        table.row(str(job.source), result)
        say_notes(job.source, notes)
        answers.append(_facts(job, len(prepared.given.cloud), result, notes))
        if job.target is not None:
            _write(job.target, args.output, prepared, result)
            answers[-1]["output"] = str(job.target)

    try:
        answer(jobs, prepare, predictor.score, finish, failures, batch_size=args.batch)
    finally:
        if args.json is not None:
            _write_json(args, report, answers, failures)
    return failures.exit_code


class Table:
    """Rows that are printed as soon as they are known, under a heading."""

    def __init__(self, files: list[str], classes: tuple[str, ...], *, quiet: bool) -> None:
        self.file_width = max(map(len, ["file", *files]))
        self.width = max(map(len, classes))
        self.columns = min(TOP, len(classes))
        self.quiet = quiet
        self.begun = False

    def row(self, file: str, result: Any) -> None:
        if self.quiet:
            return
        if not self.begun:
            names = ("class", "second", "third")[: self.columns]
            heading = "  ".join(f"{name:<{self.width}} {'':5}" for name in names)
            say(f"{'file':<{self.file_width}}  {heading}{'' if result.mask is None else '  object'}".rstrip())
            self.begun = True
        pairs = list(zip(result.classes, result.probabilities, strict=True))[: self.columns]
        cells = "  ".join(f"{name:<{self.width}} {chance:5.3f}" for name, chance in pairs)
        share = "" if result.mask is None else f"  {100 * result.mask.mean():4.0f} %"
        say(f"{file:<{self.file_width}}  {cells}{share}{'  unsure' if result.unsure else ''}")


def _facts(job: Job, num_points: int, result: Any, notes: tuple[str, ...]) -> dict[str, Any]:
    pairs = zip(result.classes, result.probabilities.tolist(), strict=True)
    return {
        "file": str(job.source),
        "class": result.label,
        "unsure": result.unsure,
        "classes": [{"name": name, "probability": chance} for name, chance in pairs],
        "points": num_points,
        "object_share": None if result.mask is None else float(result.mask.mean()),
        "output": None,
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
