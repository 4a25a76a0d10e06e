"""Look inside a model at work: how far points see, what heads do, how a sphere becomes a shape."""

import argparse

from cloud_transformers.cli import inspect_folding, inspect_heads, inspect_interaction
from cloud_transformers.cli.data import add_verbs

VERBS = {"interaction": inspect_interaction, "heads": inspect_heads, "folding": inspect_folding}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_verbs(parser, VERBS)


def run(args: argparse.Namespace) -> int | None:
    return args.run_inner(args)
