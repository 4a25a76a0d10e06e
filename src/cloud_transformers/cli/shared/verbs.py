"""Verbs below a verb, as in `cloudt data check`."""

import argparse
from types import ModuleType


def add_verbs(parser: argparse.ArgumentParser, verbs: dict[str, ModuleType]) -> None:
    """Adds one parser per verb; the verb that the user named runs as `args.run_inner`."""
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


def run_inner(args: argparse.Namespace) -> int | None:
    code: int | None = args.run_inner(args)
    return code
