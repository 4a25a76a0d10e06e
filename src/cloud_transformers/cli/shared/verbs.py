"""Verbs below a verb, as in `cloudt data check`, and how a verb introduces itself."""

import argparse
from types import ModuleType


def summary_of(verb: ModuleType) -> str:
    """The first line of a verb's docstring, as it stands in a list of verbs."""
    line = (verb.__doc__ or "").partition("\n")[0].rstrip(".")
    return line[:1].lower() + line[1:]


def interrupted(verb: ModuleType) -> str:
    """What is added to the sentence about Ctrl-C."""
    advice = getattr(verb, "INTERRUPTED", "")
    return f"; {advice}" if advice else ""


def add_verbs(parser: argparse.ArgumentParser, verbs: dict[str, ModuleType]) -> None:
    """Adds one parser per verb; the verb that the user named runs as `args.run_inner`."""
    subparsers = parser.add_subparsers(metavar="WHAT", required=True)
    for name, verb in verbs.items():
        subparser = subparsers.add_parser(
            name,
            help=summary_of(verb),
            description=verb.__doc__,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        verb.add_arguments(subparser)
        subparser.set_defaults(run_inner=verb.run, interrupted=interrupted(verb))


def run_inner(args: argparse.Namespace) -> int | None:
    code: int | None = args.run_inner(args)
    return code
