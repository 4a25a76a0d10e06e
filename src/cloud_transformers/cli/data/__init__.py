"""Describe, check, prepare or make data."""

import argparse

from cloud_transformers.cli.data import check, init, make, prepare
from cloud_transformers.cli.shared.verbs import add_verbs, run_inner

run = run_inner


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_verbs(parser, {"init": init, "check": check, "prepare": prepare, "make": make})
