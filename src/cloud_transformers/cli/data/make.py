"""Make a data set out of the procedural world, or of meshes of your own, in a benchmark's layout.

Furniture, fixtures and rooms are built from a seed, scanned, and written in exactly the files that the benchmark has.
The same layout, size and seed give the same data whatever the number of workers. An interrupted run goes on where it
stopped when it is started again with the same settings.
"""

from __future__ import annotations

import argparse
import os

from cloud_transformers.cli.shared.places import local_path

# Written out here, so that --help need not import numpy.
LAYOUT_NAMES = ("s3dis", "scanobjectnn", "modelnet40", "completion", "reconstruction", "scans", "scanned-objects")

VIEWED = ("completion", "reconstruction")  # each mesh is seen by itself, not as furniture of a room

INTERRUPTED = "the same command goes on where it stopped"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("layout", choices=LAYOUT_NAMES, help="whose files to write")
    parser.add_argument("folder", type=local_path, metavar="DIR", help="where to; must be new or empty")
    parser.add_argument(
        "--size",
        type=int,
        metavar="N",
        help="how much: rooms for s3dis (default 30), training scans for scans and scanned-objects (200), training "
        "objects for the others (scanobjectnn 1500, modelnet40 2000, completion 400, "
        "reconstruction 300); other splits get a share on top",
    )
    parser.add_argument(
        "--meshes",
        action="append",
        default=[],
        metavar="FOLDER[:UP]",
        help="meshes of your own in this folder. completion, reconstruction: views of them, a twentieth each for "
        "validation and test, beside the objects of --size (then none by default). scans, scanned-objects: they "
        "furnish the rooms too, and names.toml beside them says which file is what. UP is the axis that points up in "
        "its files (default: as their format says, else z); may be repeated",
    )
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="which world is made (default 0)")
    parser.add_argument(
        "--workers", type=int, metavar="N", help="processes to build with (default: one per core, at most 8)"
    )
    parser.add_argument(
        "--blocks",
        action=argparse.BooleanOptionalAction,
        default=True,
        help="s3dis: also cut the rooms into indoor3d_sem_seg_hdf5_data (default: yes)",
    )
    parser.add_argument(
        "--force", action="store_true", help="write into a folder that is not empty, over what is there"
    )


def run(args: argparse.Namespace) -> None:
    from cloud_transformers.errors import InputError
    from cloud_transformers.world.layouts import LAYOUTS, LayoutJob

    if args.meshes and args.layout not in (*VIEWED, "scans", "scanned-objects"):
        raise InputError(
            f"--meshes is for the layouts completion, reconstruction, scans and scanned-objects, not for {args.layout}"
        )
    writer = LAYOUTS[args.layout]
    usual = 0 if args.meshes and args.layout in VIEWED else writer.size
    job = LayoutJob(
        layout=args.layout,
        root=args.folder,
        size=usual if args.size is None else args.size,
        seed=args.seed,
        workers=min(os.cpu_count() or 1, 8) if args.workers is None else args.workers,
        force=args.force,
        blocks=args.blocks,
        meshes=tuple(args.meshes),
    )
    print(f"{args.folder}: {writer.write(job)}")
