"""Make, check and prepare data.

What each of them does and takes: cloudt data VERB --help
"""

from __future__ import annotations

import argparse
import importlib

# One module per verb below `data`, with the same protocol as the verbs above it.
DATA_VERBS = {
    "make": "data_make",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    subparsers = parser.add_subparsers(metavar="VERB", required=True)
    for name, module_name in DATA_VERBS.items():
        verb = importlib.import_module(f"cloud_transformers.cli.{module_name}")
        summary, _, rest = (verb.__doc__ or "").partition("\n")
        subparser = subparsers.add_parser(
            name,
            help=summary.rstrip(".").lower(),
            description=f"{summary}\n{rest}".strip(),
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        verb.add_arguments(subparser)
        subparser.set_defaults(run_data=verb.run)


def run(args: argparse.Namespace) -> int | None:
    result: int | None = args.run_data(args)
    return result
