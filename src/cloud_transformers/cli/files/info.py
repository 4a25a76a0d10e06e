"""Show what files hold.

A cloud: its format, number of points, bounds in world coordinates, fields with type and range, coordinate system, unit,
density, and what is odd about it. A mesh: its faces and their area. Weights (.safetensors): the kind of model, its
parameters, its configuration and where it comes from.
"""

import argparse
from pathlib import Path
from typing import Any

from cloud_transformers.errors import InputError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    from cloud_transformers.cli.shared.cloud_options import add_read_arguments
    from cloud_transformers.cli.shared.places import path_or_url

    parser.add_argument(
        "files",
        type=path_or_url,
        nargs="+",
        metavar="FILE",
        help="clouds, meshes or weights, or their URLs; -: standard input",
    )
    parser.add_argument(
        "--header",
        action=argparse.BooleanOptionalAction,
        help="show what the header of .las and .laz says, without reading the points (default for their URLs)",
    )
    parser.add_argument("--json", action="store_true", help="print a list with the facts of each cloud or mesh")
    add_read_arguments(parser)
    parser.set_defaults(non_finite="keep")  # holes are described


def run(args: argparse.Namespace) -> int:
    import json

    from cloud_transformers.cli import sentence
    from cloud_transformers.cli.shared.many_files import Failures
    from cloud_transformers.cli.shared.standard_streams import input_file

    failures, facts, shown = Failures(), list[dict[str, Any]](), 0
    for path in args.files:
        try:
            with input_file(path, args.format) as file:
                if args.json:
                    facts.append({**_facts(file, args), "file": str(path)})
                else:
                    print("\n" * (shown > 0) + _described(file, args))
                    shown += 1
        except (InputError, OSError) as error:
            if len(args.files) == 1:
                raise
            failures.add(str(path), sentence(error))
    if args.json:
        print(json.dumps(facts, indent=2))
    return failures.exit_code


def _described(path: Path, args: argparse.Namespace) -> str:
    from cloud_transformers.cli.files.cloud_table import describe, describe_header, describe_mesh
    from cloud_transformers.cli.shared.cloud_options import read_with
    from cloud_transformers.cli.shared.weights_table import describe as describe_weights
    from cloud_transformers.io import read_summary

    if path.suffix == ".safetensors":
        return describe_weights(path)
    if _only_header(path, args):
        return describe_header(path, read_summary(path))
    if _is_mesh(path, args):
        return describe_mesh(_facts(path, args))
    return describe(path, read_with(path, args))


def _facts(path: Path, args: argparse.Namespace) -> dict[str, Any]:
    from cloud_transformers.cli.files.description import cloud_facts, header_facts, mesh_facts
    from cloud_transformers.cli.shared.cloud_options import read_with
    from cloud_transformers.io import read_mesh, read_summary

    if path.suffix == ".safetensors":
        raise InputError("--json describes clouds and meshes; show weights without it", path=path)
    if _only_header(path, args):
        return header_facts(path, read_summary(path))
    if _is_mesh(path, args):
        return mesh_facts(path, *read_mesh(path, args.max_expand))
    return cloud_facts(path, read_with(path, args))


def _only_header(path: Path, args: argparse.Namespace) -> bool:
    from cloud_transformers.io import format_of
    from cloud_transformers.remote import as_url

    return bool(as_url(path) is not None and format_of(path).has_summary if args.header is None else args.header)


def _is_mesh(path: Path, args: argparse.Namespace) -> bool:
    from cloud_transformers.io import is_mesh

    return args.sample is None and not args.vertices and is_mesh(path, args.max_expand)
