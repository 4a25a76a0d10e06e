"""Train by a recipe, or go on with a run that was stopped.

NAME is a recipe (`cloudt recipes` lists them), the folder of a run, or its configuration.json. After it, in any order:

  --data DIR      the benchmark's folder, or for an own-... recipe yours; without it, data of the embedded world is made
                  and kept in the cache
  --from WEIGHTS  start from weights of the same kind (a name of `cloudt weights`, .safetensors, or the folder of a run)
                  instead of from nothing, in their size; layers that do not fit, for other classes say, are new
  --size SIZE     full (the paper's, the default), small or tiny
  --out RUN       the folder of the run (default runs/NAME-SIZE); if it holds checkpoints, training goes on from there
  key=value       any other setting, also as --key value; `cloudt train NAME --help` lists them with their values

At its end the weights are calibrated on the validation data (`cloudt calibrate`), and a card is written beside them.

Several processes, on one machine or many:
  torchrun --nproc-per-node 2 -m cloud_transformers.cli train NAME ...
"""

import argparse
from pathlib import Path

INTERRUPTED = "the same command goes on where it stopped"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", metavar="NAME", help="a recipe, a run or its configuration.json")
    parser.add_argument("settings", metavar="SETTING", nargs=argparse.REMAINDER, help="see above")


def run(args: argparse.Namespace) -> None:
    from cloud_transformers.cli.shared.recipe_settings import chosen_recipe, describe
    from cloud_transformers.errors import InputError
    from cloud_transformers.remote import is_url, located

    recipe, rest = chosen_recipe(args.name, args.settings)
    if "help" in rest:
        print(describe(recipe))
        return
    usual = args.name if Path(args.name).is_dir() else f"runs/{recipe.name}-{recipe.model.size}"
    out = Path(rest.get("out", usual))
    if is_url(rest.get("out", "")):
        raise InputError("a run is written bit by bit, so its folder must be on a disk here", path=located(rest["out"]))

    from cloud_transformers.models.kinds import kinds_of_task
    from cloud_transformers.recipes import run_training

    run_training(recipe, out)
    print(f"{out}: trained. What to do next:")
    print(f"  cloudt evaluate {out}              how good it is on the test data, with a page of pictures")
    verb = next(iter(kinds_of_task(recipe.task.name).values())).verb
    print(f"  cloudt {verb} FILES --weights {out} -o OUT   use it on other files")
    print(f"  cloudt weights {out}               the card of the weights, which is beside them")
