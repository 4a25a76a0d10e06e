"""Convert a checkpoint of the official release to our own weight format.

The checkpoint is read without running anything in it. Names: segmenter, segmenter_spheres, classifier,
classifier_scales, inpainter, reconstructor.
"""

import argparse
from pathlib import Path


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", metavar="NAME", help="which released model the checkpoint holds")
    parser.add_argument("checkpoint", metavar="CHECKPOINT", type=Path, help="the released file")
    parser.add_argument("-o", "--output", metavar="FILE", type=Path, required=True, help="weights.safetensors to write")


def run(args: argparse.Namespace) -> None:
    from cloud_transformers.models import load_release, save

    model = load_release(args.name, args.checkpoint)
    save(model, args.output, source=f"official release, {args.name}, from {args.checkpoint.name}")
    num_parameters = sum(parameter.numel() for parameter in model.parameters())
    print(f"{args.output}: {args.name}, {num_parameters:,} parameters")
