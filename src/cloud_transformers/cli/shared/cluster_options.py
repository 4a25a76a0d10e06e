"""The options with which verbs are told to work on a cluster."""

from __future__ import annotations

import argparse

from cloud_transformers.cli.shared.predict_options import at_least_one
from cloud_transformers.cluster.connection import check_address
from cloud_transformers.errors import InputError


def add_cluster_arguments(parser: argparse.ArgumentParser) -> None:
    """`--on` and `--workers`; without `--on`, both are None and the verb works in this process."""
    group = parser.add_argument_group("on many machines")
    group.add_argument(
        "--on",
        type=_address,
        metavar="CLUSTER",
        help="ray: on workers of this machine; auto: on the Ray cluster that runs here; or the address of one, as "
        "head:6379 or ray://head:10001 (default: in this process)",
    )
    group.add_argument(
        "--workers", type=at_least_one, metavar="N", help="processes at work there (default: as many as fit)"
    )


def check_cluster_arguments(args: argparse.Namespace) -> None:
    """Says what does not go together."""
    if args.workers is not None and args.on is None:
        raise InputError("--workers is for work on a cluster: say which with --on, as --on ray")


def _address(text: str) -> str:
    try:
        return check_address(text)
    except InputError as error:
        raise argparse.ArgumentTypeError(str(error).partition(": ")[2]) from None
