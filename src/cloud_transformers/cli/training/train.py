"""Train by a recipe, or go on with a run that was stopped.

NAME is a recipe (`cloudt recipes` lists them), the folder of a run, or its configuration.json. After it, in any order:

  --data DIR      the benchmark's folder, or for an own-... recipe yours; without it, data of the embedded world is made
                  and kept in the cache
  --from WEIGHTS  start from weights of the same kind (a name of `cloudt weights`, .safetensors, or the folder of a run)
                  instead of from nothing, in their size; layers that do not fit, for other classes say, are new
  --size SIZE     full (the paper's, the default), small or tiny
  --out RUN       the folder of the run (default runs/NAME-SIZE); if it holds checkpoints, training goes on from there
  key=value       any other setting, also as --key value; `cloudt train NAME --help` lists them with their values

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

    recipe, rest = chosen_recipe(args.name, args.settings)
    if "help" in rest:
        print(describe(recipe))
        return
    usual = args.name if Path(args.name).is_dir() else f"runs/{recipe.name}-{recipe.model.size}"
    out = Path(rest.get("out", usual))

    from cloud_transformers.recipes import run_training

    run_training(recipe, out)
    print(f"{out}: trained; `cloudt evaluate {out}` measures it")
