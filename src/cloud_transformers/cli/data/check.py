"""Look at a benchmark or at your own folder: what is missing, misplaced, corrupt or out of range.

Prints counts per class and split; of your own folder also every label value of all files that is neither a class nor
ignored, with the lines of dataset.toml that would settle it. The exit code is 0 if all is well and 1 if there are
problems. What was read is remembered: a second look at unchanged files is quick.
"""

import argparse
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext

from cloud_transformers.cli.shared.answering import workers_for
from cloud_transformers.cli.shared.cluster_options import add_cluster_arguments, check_cluster_arguments
from cloud_transformers.cli.shared.places import local_path

NAMES = (
    "s3dis",
    "s3dis-blocks",
    "s3dis-rooms",
    "scanobjectnn",
    "modelnet40",
    "completion",
    "reconstruction",
    "folder",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", choices=NAMES, metavar="NAME", help=f"what the folder should hold: {', '.join(NAMES)}")
    parser.add_argument("folder", type=local_path, metavar="DIR", help="where it is")
    parser.add_argument("--task", help="for NAME = folder, if its dataset.toml does not say")
    parser.add_argument("--all", action="store_true", help="list every problem, not only the first 20")
    add_cluster_arguments(parser)


@contextmanager
def _looking_far(args: argparse.Namespace) -> Iterator[None]:
    """While entered, samples are read by the workers of a cluster."""
    from cloud_transformers.cluster.looking import LookedAtByWorkers, Looking
    from cloud_transformers.datasets.spreading import spread_by

    with workers_for(args, Looking()) as pool, spread_by(LookedAtByWorkers(pool)):
        yield


def run(args: argparse.Namespace) -> int:
    from cloud_transformers.datasets.checks import CHECKS
    from cloud_transformers.errors import InputError

    check_cluster_arguments(args)
    options = {"task": args.task} if args.name == "folder" else {}
    try:
        with nullcontext() if args.on is None else _looking_far(args):
            report = CHECKS[args.name](args.folder, **options)
    except InputError as error:
        print(f"problem: {error}")
        return 1
    print(report.title)
    if report.counts:
        print(f"\n{report.unit} per class and split\n{report.table()}")
    if report.notes:
        print()
    for note in report.notes:
        print(f"note: {note}")
    if not report.counts and not report.problems:
        print(f"problem: {args.folder}: no split holds anything")
        return 1
    print()
    shown = report.problems if args.all else report.problems[:20]
    for problem in shown:
        print(f"problem: {problem}")
    if len(shown) < len(report.problems):
        print(f"... and {len(report.problems) - len(shown)} more; --all lists them")
    for line in report.advice:
        print(line)
    print(f"{len(report.problems)} problem{'' if len(report.problems) == 1 else 's'}")
    return 1 if report.problems else 0
