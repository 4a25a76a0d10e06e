"""Show what a file holds.

A cloud: its format, number of points, bounds in world coordinates, fields with type and range, coordinate system.
Weights (.safetensors): the kind of model, its parameters, its configuration and where it comes from.
"""

import argparse
from pathlib import Path


def add_arguments(parser: argparse.ArgumentParser) -> None:
    from cloud_transformers.cli.shared.cloud_options import add_read_arguments

    parser.add_argument("file", type=Path, metavar="FILE")
    add_read_arguments(parser)


def run(args: argparse.Namespace) -> None:
    if args.file.suffix == ".safetensors":
        _show_weights(args.file)
    else:
        _show_cloud(args)


def _show_cloud(args: argparse.Namespace) -> None:
    from cloud_transformers.cli.shared.cloud_options import read_with
    from cloud_transformers.cli.shared.cloud_table import describe

    print(describe(args.file, read_with(args.file, args)))


def _show_weights(path: Path) -> None:
    from cloud_transformers.cli.shared.weights_table import describe

    print(describe(path))
