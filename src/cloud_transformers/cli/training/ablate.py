"""Run the paper's ablations of s3dis-blocks, scanobjectnn or modelnet40, and put its table beside ours.

After NAME, in any order:

  --only A,B      some of them, by name; quote the list if names contain spaces: --only "linear keys,sum"
  --seeds N       how often each is trained, with seeds 0, 1, ... (default 2)
  --part I/N      only every N-th run, the I-th first: N such commands share the work, on one machine or more
  --out DIR       one run per ablation and seed goes below (default runs/ablations-NAME-SIZE), and ablations.json,
                  .html and .svg with what is finished. A command that was stopped goes on when given again; finished
                  runs are kept
  --on PLACE      ray, auto or ray://host:10001: the variants side by side on a cluster; --workers N: at most N at once
  --data, --size and key=value as for `cloudt train`
"""

import argparse
from pathlib import Path

OPTIONS = ("only", "seeds", "part", "on")  # beside those that `cloudt train` has

INTERRUPTED = "the same command goes on where it stopped"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", metavar="NAME", help="s3dis-blocks, scanobjectnn or modelnet40")
    parser.add_argument("settings", metavar="SETTING", nargs=argparse.REMAINDER, help="see above")


def run(args: argparse.Namespace) -> int | None:
    from cloud_transformers.cli.shared.recipe_settings import chosen_recipe, describe, reserved
    from cloud_transformers.cli.shared.trials import Table, carry_out, count
    from cloud_transformers.errors import InputError
    from cloud_transformers.recipes.ablation_table import ablation_summary
    from cloud_transformers.recipes.ablations import ABLATED, ablation_base, ablation_trials, variants

    if args.name not in ABLATED:
        raise InputError(f"ablations are those of {', '.join(ABLATED)}, not of {args.name!r}")
    recipe, rest = chosen_recipe(args.name, args.settings, also=reserved(OPTIONS, args.settings))
    recipe = ablation_base(recipe)
    if "help" in rest:
        print(describe(recipe))
        return None
    names = [name.strip() for name in rest["only"].split(",")] if "only" in rest else list(variants(recipe))
    out = Path(rest.get("out", f"runs/ablations-{recipe.name}-{recipe.model.size}"))
    wanted = ablation_trials(recipe, names, count("seeds", rest.get("seeds", "2")))
    first, step = _part(rest.get("part", "1/1"))
    table = Table(out, "ablations", lambda failures: ablation_summary(recipe, wanted, out, failures))
    workers = count("workers", rest["workers"]) if "workers" in rest else None
    return carry_out(wanted[first - 1 :: step], table, on=rest.get("on"), workers=workers)


def _part(text: str) -> tuple[int, int]:
    from cloud_transformers.errors import InputError

    first, slash, step = text.partition("/")
    if not (slash and first.isdecimal() and step.isdecimal() and 1 <= int(first) <= int(step)):
        raise InputError(f"part must be as 1/2 and 2/2, got {text!r}")
    return int(first), int(step)
