"""Check, prepare or make data."""

import argparse
from types import ModuleType

from cloud_transformers.cli import data_check, data_make, data_prepare

VERBS = {"check": data_check, "prepare": data_prepare, "make": data_make}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_verbs(parser, VERBS)


def add_verbs(parser: argparse.ArgumentParser, verbs: dict[str, ModuleType]) -> None:
    """Verbs below a verb; the one that was named is `args.run_inner`."""
    subparsers = parser.add_subparsers(metavar="WHAT", required=True)
    for name, verb in verbs.items():
        summary = (verb.__doc__ or "").partition("\n")[0]
        subparser = subparsers.add_parser(
            name,
            help=summary.rstrip(".").lower(),
            description=verb.__doc__,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        verb.add_arguments(subparser)
        subparser.set_defaults(run_inner=verb.run)


def run(args: argparse.Namespace) -> int | None:
    return args.run_inner(args)
