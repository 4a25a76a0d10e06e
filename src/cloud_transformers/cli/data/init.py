"""Look at a folder of your own files and write a dataset.toml, for you to correct.

It says for which task the files are, which field holds the labels, which values there are and how often, which axis
points up, and in which unit they are. What is a guess is marked as one; give the classes names.
"""

import argparse

from cloud_transformers.cli.shared.places import local_path


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", type=local_path, metavar="FOLDER", help="where the files are")
    parser.add_argument("--force", action="store_true", help="replace a dataset.toml that is there")


def run(args: argparse.Namespace) -> None:
    from cloud_transformers.datasets.folder.config import FILE, read_config
    from cloud_transformers.datasets.folder.proposal import propose
    from cloud_transformers.errors import InputError
    from cloud_transformers.files import whole_file

    target = args.folder / FILE
    if target.exists() and not args.force:
        raise InputError(f"{target}: exists; replace it with --force")
    text = propose(args.folder)
    with whole_file(target) as temporary:
        temporary.write_text(text, encoding="utf-8")
    task = read_config(args.folder).task
    print(f"{text}\n{target}: written; correct it, then:")
    print(f"  cloudt data check folder {args.folder}")
    print(f"  cloudt train own-{task} --data {args.folder} --size small --out run")
