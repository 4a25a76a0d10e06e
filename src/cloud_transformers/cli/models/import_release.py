"""Convert a checkpoint of the official release to our own weight format.

The checkpoint is read without running anything in it. Names: segmenter, segmenter_spheres, classifier,
classifier_scales, inpainter, reconstructor.
"""

import argparse
from typing import TYPE_CHECKING

from cloud_transformers.cli.shared.places import local_path

if TYPE_CHECKING:
    from cloud_transformers.models import Preparation


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", metavar="NAME", help="which released model the checkpoint holds")
    parser.add_argument("checkpoint", metavar="CHECKPOINT", type=local_path, help="the released file")
    parser.add_argument(
        "-o", "--output", metavar="FILE", type=local_path, required=True, help="weights.safetensors to write"
    )


def run(args: argparse.Namespace) -> None:
    from cloud_transformers.models import load_release, save

    model = load_release(args.name, args.checkpoint)
    source = f"official release, {args.name}, from {args.checkpoint.name}"
    save(model, args.output, preparation=_preparation(args.name), source=source)
    num_parameters = sum(parameter.numel() for parameter in model.parameters())
    print(f"{args.output}: {args.name}, {num_parameters:,} parameters")


def _preparation(name: str) -> "Preparation":
    """The release's models were trained as the recipes of their experiments say; its files do not name the classes."""
    from dataclasses import replace

    from cloud_transformers.datasets.s3dis.classes import BLOCK_CLASSES, SPHERE_CLASSES
    from cloud_transformers.datasets.scanobjectnn import CLASSES
    from cloud_transformers.recipes import RELEASES, recipe

    experiment = next(experiment for experiment, release in RELEASES.items() if release == name)
    classes = {
        "s3dis-blocks": BLOCK_CLASSES,
        "s3dis-spheres": SPHERE_CLASSES,
        "scanobjectnn": CLASSES,
        "scanobjectnn-scales": CLASSES,
    }.get(experiment, ())
    return replace(recipe(experiment).preparation(classes), data="the official release's")
