"""Look inside a model at work: how far points see, what heads do, how a sphere becomes a shape."""

import argparse

from cloud_transformers.cli.inspect import folding, heads, interaction
from cloud_transformers.cli.shared.verbs import add_verbs, run_inner

run = run_inner


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_verbs(parser, {"interaction": interaction, "heads": heads, "folding": folding})
