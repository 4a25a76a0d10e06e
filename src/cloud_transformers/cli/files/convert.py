"""Convert a cloud from one format to another.

The formats follow from the suffixes: .ply .pcd .las .laz .npy .npz .h5 .xyz .txt .csv, and to read from .e57 .ptx .bin
.obj .off .stl .glb .gltf, and .gz or .zip around any; - is standard input or output. All fields are carried over; one
that the new format cannot hold is an error that says what to cast or drop.
"""

import argparse
import sys
from pathlib import Path

from cloud_transformers.errors import InputError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    from cloud_transformers.cli.shared.cloud_options import add_read_arguments
    from cloud_transformers.cli.shared.places import path_or_url

    parser.add_argument(
        "source", type=path_or_url, metavar="IN", help="the cloud or mesh to read, or its URL; -: standard input"
    )
    parser.add_argument("target", type=path_or_url, metavar="OUT", help="the file or URL to write; -: standard output")
    add_read_arguments(parser)
    parser.add_argument("--to", metavar="SUFFIX", help="format of standard output, -: ply, csv ...")
    parser.add_argument(
        "--keep", action="append", default=[], metavar="FIELD", help="carry over only this field (repeatable)"
    )
    parser.add_argument(
        "--cast",
        action="append",
        default=[],
        metavar="FIELD=TYPE",
        help="change a field's type, as label=int32 (repeatable)",
    )
    parser.add_argument(
        "--encoding", help="ascii, binary_big_endian ... for .ply; ascii, binary_compressed ... for .pcd"
    )
    parser.add_argument("--separator", help='between the columns of text: "," ";" tab or space')
    parser.add_argument("--scale", type=float, help="step of the coordinates in .las and .laz")
    parser.add_argument("--compress", action="store_true", help="make .npz and .h5 smaller")
    parser.add_argument("--force", action="store_true", help="replace OUT if it exists")


def run(args: argparse.Namespace) -> None:
    from cloud_transformers.cli.shared.standard_streams import STREAM, input_file, output_file

    # Standard output belongs to the cloud alone.
    notes = sys.stderr if args.target == STREAM else sys.stdout
    with output_file(args.target, args.to) as target, input_file(args.source, args.format) as source:
        print(_convert(source, target, args), file=notes)


def _convert(source: Path, target: Path, args: argparse.Namespace) -> str:
    """What was written, in a line."""
    from cloud_transformers.cli.shared.cloud_options import read_with
    from cloud_transformers.io import format_to_write, write
    from cloud_transformers.io.facts import lost_facts
    from cloud_transformers.remote import as_url, require_writable

    form = format_to_write(target)  # an unknown suffix is said before a large file is read
    if (url := as_url(target)) is not None:
        require_writable(url)
    if not args.force and target.exists():
        raise InputError(f"{target}: exists; replace it with --force, or choose another name")
    cloud = read_with(source, args)
    if args.keep:
        if missing := [name for name in args.keep if name not in cloud.fields]:
            raise InputError(
                f"{args.source}: has no field {missing[0]!r} to keep, only {', '.join(cloud.fields) or 'none'}"
            )
        cloud = cloud.without_fields(*(name for name in cloud.fields if name not in args.keep))
    write(
        target,
        cloud,
        cast=dict(_parse_cast(text) for text in args.cast),
        encoding=args.encoding,
        separator=args.separator,
        scale=args.scale,
        compress=args.compress,
        progress=True,
    )
    if lost := lost_facts(cloud.metadata, carries_facts=form.carries_facts, module=form.module):
        verb = "are" if len(lost) > 1 else "is"
        text = f"{target.suffix} has no place for {', '.join(lost)}, which {verb} lost"
        print(f"cloudt: {args.target}: {text}", file=sys.stderr)
    fields = ", ".join(cloud.fields) or "no fields"
    return f"{args.target}: {len(cloud):,} points, {fields}"


def _parse_cast(text: str) -> tuple[str, str]:
    import numpy as np

    name, separator, dtype = text.rpartition("=")
    try:
        known = np.dtype(dtype).kind in "biuf"
    except TypeError:
        known = False
    if not separator or not name or not known:
        raise InputError(f"--cast {text}: write it as FIELD=TYPE with a type such as uint8, int32 or float32")
    return name, dtype
