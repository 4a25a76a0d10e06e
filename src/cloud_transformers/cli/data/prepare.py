"""Make the files of a benchmark protocol from raw data.

s3dis-blocks cuts raw S3DIS rooms into blocks of 4096 points (indoor3d_sem_seg_hdf5_data); s3dis-spheres thins them to
a 4 cm grid with the way back to the raw points. OUT is written whole or not at all.
"""

import argparse

from cloud_transformers.cli.shared.places import local_path


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", choices=("s3dis-blocks", "s3dis-spheres"), metavar="NAME", help="%(choices)s")
    parser.add_argument("raw", type=local_path, metavar="RAW", help="the folder with Area_1 ... Area_6")
    parser.add_argument("out", type=local_path, metavar="OUT", help="a new folder")
    parser.add_argument("--seed", type=int, default=0, help="for the points drawn from full blocks (default 0)")
    parser.add_argument(
        "--on-corrupt",
        choices=("stop", "skip"),
        default="stop",
        help="what to do with lines that cannot be repaired with certainty (default stop)",
    )


def run(args: argparse.Namespace) -> None:
    from cloud_transformers.datasets.s3dis import prepare_blocks, prepare_spheres
    from cloud_transformers.errors import InputError

    if args.seed < 0:
        raise InputError(f"--seed must not be negative, got {args.seed}")
    if args.name == "s3dis-blocks":
        count, broken = prepare_blocks(args.raw, args.out, seed=args.seed, on_corrupt=args.on_corrupt)
        what = "blocks"
    else:
        count, broken = prepare_spheres(args.raw, args.out, on_corrupt=args.on_corrupt)
        what = "points"
    for line in broken:
        print(line)
    print(f"{args.out}: {count:,} {what}")
