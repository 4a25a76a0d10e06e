"""What the verbs that use a model have in common: their options, their weights, and reading what they are given."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Collection
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cloud_transformers.cli.shared.cloud_options import layout_options
from cloud_transformers.cli.shared.many_files import Files, Job, find_files, is_folder, plan, say
from cloud_transformers.cli.shared.places import name_or_url, path_or_url
from cloud_transformers.errors import InputError
from cloud_transformers.remote import as_url, require_writable

if TYPE_CHECKING:
    from cloud_transformers.cloud import PointCloud

UP = ("x", "y", "z", "-x", "-y", "-z")


def at_least_one(text: str) -> int:
    """An argument that is a count."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"must be a whole number of at least 1, not {text!r}")
    return int(text)


def above_zero(text: str) -> float:
    """An argument that is a factor."""
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value < float("inf"):
        raise argparse.ArgumentTypeError(f"must be a number above 0, not {text!r}")
    return value


def add_up_argument(parser: argparse.ArgumentParser, what: str) -> None:
    parser.add_argument(
        "--up", choices=UP, metavar="AXIS", help=f"{what}: x, y, z, or one of --up=-x, --up=-y, --up=-z"
    )


def add_missing_color_argument(parser: argparse.ArgumentParser, scope: str = "") -> None:
    parser.add_argument(
        "--missing-color",
        choices=["grey", "black", "white", "refuse"],
        default="grey",
        help=f"{scope}the colour of all points where a file has none and the model needs one (default grey)",
    )


def add_turns_argument(parser: argparse.ArgumentParser, what: str) -> None:
    parser.add_argument(
        "--turns",
        type=at_least_one,
        metavar="N",
        help=f"looks at {what}, turned about the up axis in between, whose answers are averaged: N times the work, and "
        "somewhat better answers from weights that were trained on turned data (default: as the weights say)",
    )


def add_weights_arguments(parser: argparse.ArgumentParser, default: str) -> None:
    group = parser.add_argument_group("model")
    group.add_argument(
        "--weights",
        type=name_or_url,
        default=default,
        metavar="NAME",
        help=f"a name of `cloudt weights`, a .safetensors file or its URL, a run's folder, or owner/name on Hugging "
        f"Face (default {default})",
    )
    group.add_argument("--device", help="cpu, cuda, cuda:1 ... (default: a GPU if there is one)")
    group.add_argument(
        "--batch",
        type=at_least_one,
        default=8,
        metavar="N",
        help="inputs that the model takes at once; answers do not depend on it",
    )
    group.add_argument(
        "--precision",
        choices=["float32", "bfloat16"],
        default="float32",
        help="of the model's linear maps; bfloat16 only where the device has instructions for it (default float32)",
    )
    group.add_argument("--seed", type=int, default=0, help="of all random draws (default 0)")


def add_output_arguments(parser: argparse.ArgumentParser, required: bool, what: str) -> None:
    group = parser.add_argument_group("output")
    group.add_argument("-o", "--output", type=path_or_url, metavar="OUT", required=required, help=what)
    group.add_argument(
        "--format", metavar="SUFFIX", help="format of the answers in a folder: ply, pcd, las, laz, npz, csv ..."
    )
    choice = group.add_mutually_exclusive_group()
    choice.add_argument("--force", action="store_true", help="replace answers that exist")
    choice.add_argument("--skip-existing", action="store_true", help="answer only what has no answer yet")


def load_predictor(args: argparse.Namespace, task: str) -> Any:
    """A predictor with the weights that were asked for, if they are for this task."""
    from cloud_transformers.predict import Predictor

    return Predictor.load(args.weights, args.device, args.batch, task=task, precision=args.precision)


def answer_suffix(args: argparse.Namespace) -> Any:
    """path -> the suffix of its answer in a folder: the one asked for, else its own, else .ply."""
    from cloud_transformers.io import writable_suffixes

    writable = writable_suffixes()
    if args.format is not None:
        suffix = f".{args.format.lower().lstrip('.')}"
        if suffix not in writable:
            raise InputError(f"--format {args.format}: clouds are written as {', '.join(writable)}")
        return lambda path: suffix
    return lambda path: path.suffix.lower() if path.suffix.lower() in writable else ".ply"


def check_output(args: argparse.Namespace, files: Files) -> None:
    """Says what is wrong with -o before anything is computed."""
    from cloud_transformers.io import FORMATS, format_to_write

    out: Path = args.output
    if not is_folder(files, out):
        if args.format is not None:
            raise InputError("--format is for answers in a folder; the format of a single one follows from -o's suffix")
        format_to_write(out)
        if as_url(out) is None and not out.parent.is_dir():
            raise InputError(f"{out}: the folder {out.parent} does not exist; create it first")
    elif out.suffix.lower() in FORMATS and not out.is_dir():
        raise InputError(f"{out}: there are several inputs, so -o must be a folder")
    if (url := as_url(out)) is not None:
        require_writable(url)


def plan_answers(args: argparse.Namespace, suffixes: Collection[str]) -> tuple[Files, list[Job]]:
    """The files that are meant and a job for each, after all that can be wrong with the output was said."""
    files = find_files(args.files, suffixes, args.output)
    if args.output is not None:
        check_output(args, files)
    return files, plan(files, args.output, answer_suffix(args), force=args.force, skip_existing=args.skip_existing)


class CloudReader:
    """Reads clouds, and draws points on meshes, for a model. `tell` is given what it takes for granted, once."""

    def __init__(
        self,
        args: argparse.Namespace,
        num_points: int,
        model_up: str,
        tell: Callable[[str], None] = lambda note: say(f"cloudt: {note}", error=True),
    ) -> None:
        self.args = args
        self.num_points = num_points
        self.model_up = model_up
        self.tell = tell
        self.said_up = False

    def read(self, path: Path) -> PointCloud:
        from cloud_transformers.io import read_shape

        return read_shape(
            path,
            self.num_points,
            seed=self.args.seed,
            **layout_options(self.args),
            non_finite="drop",
            progress=True,
        )

    def up(self, path: Path) -> str:
        """The axis that was named, else that of the format, else the model's, which is told."""
        from cloud_transformers.io import format_of

        if self.args.up is not None:
            return str(self.args.up)
        if (known := format_of(path).up) is not None:
            return known
        if not self.said_up:
            self.tell(f"{self.model_up} is taken to point up, as in training; say --up if another does")
            self.said_up = True
        return self.model_up


def mesh_note(cloud: PointCloud) -> tuple[str, ...]:
    faces = cloud.metadata.get("faces")
    return () if faces is None else (f"is a mesh of {faces:,} faces: {len(cloud):,} points were drawn on them",)


def say_notes(path: Path, notes: tuple[str, ...]) -> None:
    for note in notes:
        say(f"cloudt: {path}: {note}", error=True)
