"""Run the paper's ablations of s3dis-blocks or scanobjectnn, and print its table beside ours.

After NAME, in any order:

  --only A,B      some of them, by name, without quotes around blanks: --only "linear keys,sum"
  --out DIR       one run per ablation goes below (default runs/ablations-NAME-SIZE); finished runs are not repeated
  --data, --size and key=value as for `cloudt train`
"""

import argparse
from pathlib import Path


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", metavar="NAME", help="s3dis-blocks or scanobjectnn")
    parser.add_argument("settings", metavar="SETTING", nargs=argparse.REMAINDER, help="see above")


def run(args: argparse.Namespace) -> None:
    from cloud_transformers.cli.recipe_settings import chosen_recipe, describe
    from cloud_transformers.errors import InputError
    from cloud_transformers.models import ABLATIONS
    from cloud_transformers.recipes.ablations import ABLATED, run_ablation, table, variant

    if args.name not in ABLATED:
        raise InputError(f"the paper has ablations of {' and '.join(ABLATED)}, not of {args.name!r}")
    recipe, rest = chosen_recipe(args.name, args.settings)
    if "help" in rest:
        print(describe(recipe))
        return
    names = [name.strip() for name in rest["only"].split(",")] if "only" in rest else list(ABLATIONS)
    for name in names:
        variant(recipe, name)  # a misspelt one is found before hours are spent on the others
    out = Path(rest.get("out", f"runs/ablations-{recipe.name}-{recipe.model.size}"))
    rows = []
    for name in names:
        rows.append(run_ablation(recipe, name, out))
        print(f"{name}: {rows[-1].ours}")
    print(f"\n{table(recipe, rows)}")
