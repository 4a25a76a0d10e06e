"""Let weights get used to your scans: measured on files without labels, written as new weights.

FILES are clouds of any format, folders (searched recursively) and patterns: scans of the kind that will be segmented,
of the same sensor and of several places. What batch normalisation divides by is measured on all of them together and,
by --share, takes the place of what training measured. No label is needed, and nothing else is learned.

  cloudt adapt my_scans --weights segmenter-scans-small -o mine.safetensors
  cloudt segment my_scans --weights mine.safetensors -o labelled

A single scene gets used to by `cloudt segment --adapt`; several, from different places, say better what is usual.
"""

from __future__ import annotations

import argparse
from typing import Any

from cloud_transformers.cli.shared.cloud_options import add_layout_arguments, layout_options
from cloud_transformers.cli.shared.many_files import Failures, find_files
from cloud_transformers.cli.shared.places import local_path
from cloud_transformers.cli.shared.predict_options import (
    above_zero,
    add_missing_color_argument,
    add_up_argument,
    add_weights_arguments,
    load_predictor,
)
from cloud_transformers.errors import InputError

SHARE = 0.6


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", nargs="+", metavar="FILES", help="clouds, meshes, folders or patterns")
    parser.add_argument(
        "-o", "--output", type=local_path, required=True, metavar="FILE", help="the new weights, a .safetensors file"
    )
    parser.add_argument("--force", action="store_true", help="replace weights that exist")
    parser.add_argument(
        "--share",
        type=float,
        default=SHARE,
        help=f"how much of the statistics is the files' own, from 0 to 1 (default {SHARE})",
    )
    add_up_argument(parser, "the axis that points up (default z; y for .glb)")
    parser.add_argument("--scale", type=above_zero, metavar="M", help="metres per unit (default 1)")
    add_missing_color_argument(parser)
    add_weights_arguments(parser, "segmenter-small")
    add_layout_arguments(parser)


def run(args: argparse.Namespace) -> int:
    from dataclasses import replace

    from cloud_transformers.io import FORMATS
    from cloud_transformers.models import save
    from cloud_transformers.progress import progress

    if not 0 < args.share <= 1:
        raise InputError(f"--share must be above 0 and at most 1, got {args.share:g}")
    if args.output.suffix != ".safetensors":
        raise InputError(f"{args.output}: weights are written as .safetensors; change the file's ending")
    if args.output.exists() and not args.force:
        raise InputError(f"{args.output}: exists; replace it with --force, or choose another name")
    files = find_files(args.files, FORMATS)
    failures, seen = Failures(files.complaints), 0
    predictor = load_predictor(args, "segmentation")

    def scenes() -> Any:
        nonlocal seen
        for each in progress(files.found, "scenes", len(files.found)):
            if (scene := failures.attempt(each.path, _scene, args, each.path)) is not None:
                seen += 1
                yield scene

    model = predictor.used_to(scenes(), args.share).model
    if not seen:
        raise InputError("none of the files could be read, so there is nothing to get used to")
    said = predictor.preparation
    data = f"{said.data}; statistics by {args.share:g} those of {seen} files without labels"
    save(model, args.output, preparation=replace(said, adapt=0.0, data=data.removeprefix("; ")))
    print(f"{args.output}: used to {seen} file{'s' if seen != 1 else ''}; `cloudt segment --weights {args.output}`")
    return failures.exit_code


def _scene(args: argparse.Namespace, path: Any) -> tuple[Any, Any]:
    """A scene, or enough of its points, and how it is to be understood."""
    from cloud_transformers.io import format_of
    from cloud_transformers.predict.scene import SceneSettings, memory_budget, sample_of_file

    settings = SceneSettings(
        up=args.up or format_of(path).up or "z", scale=args.scale, missing_color=args.missing_color, seed=args.seed
    )
    cloud, _ = sample_of_file(path, layout_options(args), memory_budget(None), seed=args.seed)
    return cloud, settings
