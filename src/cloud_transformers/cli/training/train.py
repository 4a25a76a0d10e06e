"""Train by a recipe, or go on with a run that was stopped.

NAME is a recipe (`cloudt recipes` lists them), the folder of a run, or its configuration.json. After it, in any order:

  --data DIR      the benchmark's folder, or for an own-... recipe yours; without it, data of the embedded world is made
                  and kept in the cache
  --from WEIGHTS  start from weights of the same kind (a name of `cloudt weights`, .safetensors, or the folder of a run)
                  instead of from nothing, in their size; layers that do not fit, for other classes say, are new
  --size SIZE     full (the paper's, the default), small or tiny
  --out RUN       the folder of the run (default runs/NAME-SIZE); if it holds checkpoints, training goes on from there
  key=value       any other setting, also as --key value; `cloudt train NAME --help` lists them with their values

  --on PLACE      train on Ray: ray (this machine), auto (the cluster that this job runs in) or ray://host:10001;
                  --workers N says in how many processes (default 2), training.workers=N how many prepare batches
  --sweep K=A,B   train every value of a setting instead, all combinations if it is given several times, each in a
                  folder below --out (default runs/sweep-NAME-SIZE), and make one table of them: sweep.json, .html and
                  .svg. With --on they run side by side, at most --workers N at once. The same command goes on where
                  it stopped; what is finished is kept
  --seeds N       how often each of them is trained, with seeds 0, 1, ... (default 2)

At its end the weights are calibrated on the validation data (`cloudt calibrate`), and a card is written beside them.

Several processes, on one machine or many:
  torchrun --nproc-per-node 2 -m cloud_transformers.cli train NAME ...
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cloud_transformers.recipes import Recipe

OPTIONS = ("on", "seeds")  # beside `sweep` and what is reserved for every verb that takes a recipe

INTERRUPTED = "the same command goes on where it stopped"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", metavar="NAME", help="a recipe, a run or its configuration.json")
    parser.add_argument("settings", metavar="SETTING", nargs=argparse.REMAINDER, help="see above")


def run(args: argparse.Namespace) -> int | None:
    from cloud_transformers.cli.shared.recipe_settings import chosen_recipe, describe, reserved, taken_out
    from cloud_transformers.errors import InputError
    from cloud_transformers.remote import is_url, located

    sweeps, words = taken_out("sweep", args.settings)
    recipe, rest = chosen_recipe(args.name, words, also=reserved(OPTIONS, words))
    if "help" in rest:
        print(describe(recipe))
        return None
    if is_url(rest.get("out", "")):
        raise InputError("a run is written bit by bit, so its folder must be on a disk here", path=located(rest["out"]))
    if sweeps or "seeds" in rest:
        return _sweep(recipe, sweeps, rest)
    usual = args.name if Path(args.name).is_dir() else f"runs/{recipe.name}-{recipe.model.size}"
    out = Path(rest.get("out", usual))

    from cloud_transformers.models.kinds import kinds_of_task
    from cloud_transformers.recipes import run_training

    if "on" in rest:
        from cloud_transformers.cli.shared.trials import count
        from cloud_transformers.cluster.connection import connected
        from cloud_transformers.cluster.training import train_on_ray

        workers = count("workers", rest.get("workers", "2"))
        with connected(rest["on"]) as ray:
            train_on_ray(ray, recipe, out, workers=workers)
    else:
        run_training(recipe, out)
    if int(os.environ.get("RANK", "0")):
        return None  # torchrun's first process tells it
    print(f"{out}: trained. What to do next:")
    print(f"  cloudt evaluate {out}              how good it is on the test data, with a page of pictures")
    verb = next(iter(kinds_of_task(recipe.task.name).values())).verb
    print(f"  cloudt {verb} FILES --weights {out} -o OUT   use it on other files")
    print(f"  cloudt weights {out}               the card of the weights, which is beside them")
    return None


def _sweep(recipe: Recipe, sweeps: list[str], rest: dict[str, str]) -> int:
    from cloud_transformers.cli.shared.trials import Table, carry_out, count
    from cloud_transformers.recipes.sweep import sweep_trials
    from cloud_transformers.recipes.trial_table import summary

    trials = sweep_trials(recipe, sweeps, count("seeds", rest.get("seeds", "2")))
    out = Path(rest.get("out", f"runs/sweep-{recipe.name}-{recipe.model.size}"))
    table = Table(out, "sweep", lambda failures: summary(recipe, trials, out, title="Sweep", failures=failures))
    workers = count("workers", rest["workers"]) if "workers" in rest else None
    return carry_out(trials, table, on=rest.get("on"), workers=workers)
