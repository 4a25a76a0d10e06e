"""The options with which verbs read a cloud, so that they are the same everywhere."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cloud_transformers.cloud import PointCloud
    from cloud_transformers.io.options import LayoutKeywords


def add_read_arguments(parser: argparse.ArgumentParser) -> None:
    group = add_layout_arguments(parser)
    group.add_argument(
        "--non-finite",
        choices=["refuse", "drop", "keep"],
        default="refuse",
        help="points with a NaN or infinite coordinate (keep: the raster of an organised cloud stays whole)",
    )
    group.add_argument("--sample", type=int, metavar="N", help="draw N points by area from a mesh")
    group.add_argument("--seed", type=int, default=0, help="of the points that --sample draws (default 0)")
    group.add_argument("--vertices", action="store_true", help="take the corners of a mesh as points")
    group.add_argument(
        "--format", metavar="SUFFIX", help="of standard input, -, where its content does not tell: csv ..."
    )


def add_layout_arguments(parser: argparse.ArgumentParser) -> argparse._ArgumentGroup:
    """What has to be said of files that do not say it themselves, or say too much."""
    group = parser.add_argument_group("reading")
    group.add_argument("--columns", help='names for the columns of text or arrays: "x,y,z,label" or "xyzrgb"')
    group.add_argument("--positions", metavar="NAME", help="the array of an .npz or .h5 file that holds the points")
    group.add_argument("--drop", action="append", default=[], metavar="FIELD", help="leave out this field (repeatable)")
    group.add_argument("--decimal", choices=[".", ","], help="decimal mark of text (default: as its first row shows)")
    group.add_argument(
        "--min-opacity",
        type=float,
        metavar="SHARE",
        help="leave out what is more transparent in a Gaussian splat: 0 to 1",
    )
    group.add_argument(
        "--max-expand",
        type=float,
        default=40.0,
        metavar="N",
        help="how many times its size a file may take when it is unpacked (default 40)",
    )
    return group


def layout_options(args: argparse.Namespace) -> LayoutKeywords:
    """What `add_layout_arguments` took, as `io.read` takes it."""
    return {
        "columns": args.columns,
        "positions": args.positions,
        "drop": args.drop,
        "decimal": args.decimal,
        "min_opacity": args.min_opacity,
        "max_expand": args.max_expand,
    }


def read_with(path: Path, args: argparse.Namespace) -> PointCloud:
    """Reads a cloud as the arguments say."""
    from cloud_transformers.io import read

    return read(
        path,
        **layout_options(args),
        non_finite=args.non_finite,
        sample=args.sample,
        seed=args.seed,
        vertices=args.vertices,
        progress=True,
    )
