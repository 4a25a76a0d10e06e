"""What the verbs of `cloudt inspect` have in common: arguments, the model, its inputs, and the file they write."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cloud_transformers.cli.shared.places import local_path
from cloud_transformers.errors import InputError

if TYPE_CHECKING:
    from cloud_transformers.inspect import ModelInput, Subject

SCENE_POINTS = 200_000  # drawn on a mesh that a segmenter shall look at


def add_subject_arguments(parser: argparse.ArgumentParser, example: str) -> None:
    parser.add_argument(
        "weights",
        metavar="WEIGHTS",
        help="a name of `cloudt weights`, a .safetensors file, a run's folder, owner/name on Hugging Face, or "
        f"KIND:SIZE for a model with new weights, as {example}",
    )


def add_input_arguments(parser: argparse.ArgumentParser) -> None:
    from cloud_transformers.cli.shared.cloud_options import add_layout_arguments
    from cloud_transformers.cli.shared.predict_options import add_missing_color_argument, add_up_argument

    add_up_argument(parser, "the axis that points up in the cloud")
    parser.add_argument(
        "--cell",
        type=float,
        metavar="M",
        help="of a scene: one point per cube of this side (default: all points for blocks, the training's grid for "
        "spheres)",
    )
    add_missing_color_argument(parser, "of a scene: ")
    parser.add_argument("--seed", type=int, default=0, help="of new weights and of all random draws (default 0)")
    parser.add_argument("--device", help="cpu, cuda, cuda:1 ... (default: a GPU if there is one)")
    add_layout_arguments(parser)


def add_output_argument(parser: argparse.ArgumentParser, suffixes: Sequence[str], required: bool) -> None:
    names = ", ".join(suffixes)
    parser.add_argument(
        "-o",
        "--output",
        type=local_path,
        metavar="FILE",
        required=required,
        help=f"what to write; its suffix decides: {names}",
    )


def check_output(path: Path | None, suffixes: Sequence[str]) -> None:
    """Says what is wrong with -o before anything is computed."""
    if path is None:
        return
    if path.suffix.lower() not in suffixes:
        raise InputError(f"{path}: must end in {' or '.join(suffixes)}")
    if path.is_dir():
        raise InputError(f"{path} is a folder; name a file")
    if not path.parent.is_dir():
        raise InputError(f"{path}: the folder {path.parent} does not exist; create it first")
    if not os.access(path.parent, os.W_OK):
        raise InputError(f"{path}: the folder {path.parent} cannot be written to")


def opened(args: argparse.Namespace) -> Subject:
    from cloud_transformers.inspect import open_subject

    if args.seed < 0:
        raise InputError(f"--seed must not be negative, got {args.seed}")
    return open_subject(args.weights, device=args.device, seed=args.seed)


def inputs_of(
    args: argparse.Namespace, subject: Subject, words: Sequence[str], *, regions: int = 1
) -> list[ModelInput]:
    """What the model makes of each file that was named: clouds, or pictures for a reconstructor."""
    from cloud_transformers.cli.shared.many_files import find_files
    from cloud_transformers.cli.shared.predict_options import CloudReader, say_notes
    from cloud_transformers.io import FORMATS
    from cloud_transformers.predict.pictures import SUFFIXES

    pictures = subject.task == "reconstruction"
    files = find_files(words, SUFFIXES if pictures else FORMATS)
    if files.complaints:
        raise InputError(files.complaints[0])
    preparation = subject.predictor.preparation
    is_scene = subject.task == "segmentation"
    reader = CloudReader(args, SCENE_POINTS if is_scene else preparation.points, preparation.up)
    found = []
    for each in files.found:
        settings: dict[str, Any] = {
            "seed": args.seed,
            "name": str(each.path),
            "regions": regions,
            "cell": args.cell,
            "missing_color": args.missing_color,
        }
        if pictures:
            if each.path.suffix.lower() not in SUFFIXES:
                raise InputError(f"{each.path}: {subject.name} takes pictures ({' '.join(SUFFIXES)}), not clouds")
            given: Any = each.path
        else:
            given = reader.read(each.path)
            settings["up"] = reader.up(each.path)
        made = subject.inputs(given, **settings)
        say_notes(each.path, made[0].notes)
        found += made
    return found


@contextmanager
def blocks_bar(subject: Subject, given: ModelInput) -> Iterator[ModelInput]:
    """The input, with a progress bar that counts the blocks of the model on its way."""
    from cloud_transformers.progress import steps_bar

    with steps_bar("blocks", subject.num_blocks) as bar:
        yield subject.by_steps(given, bar.update)
