"""Convert clouds from one format to another.

One file becomes another; several files, folders (searched recursively) or patterns become a folder of files, in the
format that --to names.

The formats follow from the suffixes: .ply .pcd .las .laz .npy .npz .h5 .xyz .txt .csv, and to read from .e57 .ptx .bin
.obj .off .stl .glb .gltf, and .gz or .zip around any; - is standard input or output. All fields are carried over; one
that the new format cannot hold is an error that says what to cast or drop.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from cloud_transformers.cli.shared.answering import Answering
from cloud_transformers.cli.shared.cluster_options import add_cluster_arguments, check_cluster_arguments
from cloud_transformers.cli.shared.many_files import Files, Job, say
from cloud_transformers.errors import InputError

_AT_ONCE = 8  # files that a worker is handed together


def add_arguments(parser: argparse.ArgumentParser) -> None:
    from cloud_transformers.cli.shared.cloud_options import add_read_arguments
    from cloud_transformers.cli.shared.places import path_or_url

    parser.add_argument(
        "source",
        nargs="+",
        type=path_or_url,
        metavar="IN",
        help="clouds or meshes to read, their URLs, folders or patterns; -: standard input",
    )
    parser.add_argument(
        "target",
        type=path_or_url,
        metavar="OUT",
        help="the file or URL to write, a folder for several; -: standard output",
    )
    add_read_arguments(parser)
    parser.add_argument(
        "--box",
        type=_box,
        metavar="X,Y,X,Y",
        help="only the points between two corners, of two or three numbers each; of COPC, only these are read",
    )
    parser.add_argument(
        "--spacing", type=float, metavar="D", help="with --box, of COPC: no more points than lie this far apart"
    )
    parser.add_argument("--to", metavar="SUFFIX", help="format of files in a folder, or of standard output: ply ...")
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
    choice = parser.add_mutually_exclusive_group()
    choice.add_argument("--force", action="store_true", help="replace OUT if it exists")
    choice.add_argument("--skip-existing", action="store_true", help="of several, convert what is not there yet")
    add_cluster_arguments(parser)


def run(args: argparse.Namespace) -> int:
    from cloud_transformers.cli.shared.many_files import find_files
    from cloud_transformers.cli.shared.standard_streams import STREAM, input_file, output_file
    from cloud_transformers.io import FORMATS

    check_cluster_arguments(args)
    if args.spacing is not None and args.box is None:
        raise InputError("--spacing goes with --box")
    streams = STREAM in (*args.source, args.target)
    if streams and (len(args.source) > 1 or args.on is not None):
        raise InputError("- is one cloud, in this process: name one IN and one OUT, and no --on")
    files = None if streams else find_files([str(each) for each in args.source], FORMATS, args.target)
    if files is not None and (files.several or args.on is not None):
        return _convert_files(args, files)
    # Standard output belongs to the cloud alone.
    notes = sys.stderr if args.target == STREAM else sys.stdout
    with output_file(args.target, args.to) as target, input_file(args.source[0], args.format) as source:
        line, lost = _convert(source, target, args, str(args.target))
    if lost:
        print(lost, file=sys.stderr)
    print(line, file=notes)
    return 0


def _convert_files(args: argparse.Namespace, files: Files) -> int:
    from cloud_transformers.cli.shared.answering import answer_all
    from cloud_transformers.cli.shared.many_files import Failures, is_folder, plan
    from cloud_transformers.io import format_to_write

    suffix = "" if args.to is None else f".{args.to.lower().lstrip('.')}"
    if is_folder(files, args.target):
        if not suffix:
            raise InputError(f"{args.target}: several files become a folder of files; name their format with --to")
        format_to_write(args.target / f"any{suffix}")
    jobs = plan(files, args.target, lambda path: suffix, force=args.force, skip_existing=args.skip_existing)
    failures = Failures(files.complaints)
    answer_all(Converting(args), jobs, failures, batch_size=_AT_ONCE)
    return failures.exit_code


class Converting(Answering):
    """Files that become others, one by one."""

    def open(self) -> None: ...

    def answer(self, jobs: Sequence[Job], attempt: Callable[..., Any]) -> None:
        for job in jobs:
            attempt(job, self._convert, job)

    def _convert(self, job: Job) -> tuple[str, str]:
        from cloud_transformers.cli.shared.many_files import make_room

        assert job.target is not None
        make_room(job.target, self.args.target)
        return _convert(job.source, job.target, self.args, str(job.target))

    def tell(self, job: Job, told: tuple[str, str]) -> None:
        line, lost = told
        if lost:
            say(lost, error=True)
        say(line)


def _convert(source: Path, target: Path, args: argparse.Namespace, name: str) -> tuple[str, str]:
    """What was written to what the user knows by a name, in a line, and what was lost, if anything."""
    from cloud_transformers.cli.shared.cloud_options import read_with
    from cloud_transformers.io import format_to_write, write
    from cloud_transformers.io.facts import lost_facts
    from cloud_transformers.remote import as_url, require_writable

    form = format_to_write(target)  # an unknown suffix is said before a large file is read
    if (url := as_url(target)) is not None:
        require_writable(url)
    if not args.force and target.exists():
        raise InputError(f"{name}: exists; replace it with --force, or choose another name")
    cloud = read_with(source, args) if args.box is None else _read_box(source, args)
    if args.keep:
        if missing := [field for field in args.keep if field not in cloud.fields]:
            raise InputError(f"{source}: has no field {missing[0]!r} to keep, only {', '.join(cloud.fields) or 'none'}")
        cloud = cloud.without_fields(*(field for field in cloud.fields if field not in args.keep))
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
    said = ""
    if lost := lost_facts(cloud.metadata, carries_facts=form.carries_facts, module=form.module):
        verb = "are" if len(lost) > 1 else "is"
        said = f"cloudt: {name}: {target.suffix} has no place for {', '.join(lost)}, which {verb} lost"
    if args.box is not None and not len(cloud):  # likely a mistake, though one of many tiles may well be empty
        said = f"cloudt: {source}: none of its points lies in the box; `cloudt info` says where they are"
    fields = ", ".join(cloud.fields) or "no fields"
    return f"{name}: {len(cloud):,} points, {fields}", said


def _read_box(source: Path, args: argparse.Namespace) -> Any:
    from cloud_transformers.cli.shared.cloud_options import layout_options
    from cloud_transformers.io import read_box

    half = len(args.box) // 2
    options: Any = {**layout_options(args), "non_finite": args.non_finite}
    return read_box(source, args.box[:half], args.box[half:], spacing=args.spacing, **options)


def _box(text: str) -> tuple[float, ...]:
    try:
        numbers = tuple(map(float, text.split(",")))
    except ValueError:
        numbers = ()
    if len(numbers) not in (4, 6):
        raise argparse.ArgumentTypeError("write the lower and the upper corner as x,y,x,y or x,y,z,x,y,z")
    return numbers


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
