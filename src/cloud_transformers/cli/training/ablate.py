"""Run the paper's ablations of s3dis-blocks, scanobjectnn or modelnet40, and put its table beside ours.

After NAME, in any order:

  --only A,B      some of them, by name; quote the list if names contain spaces: --only "linear keys,sum"
  --seeds N       how often each is trained, with seeds 0, 1, ... (default 2)
  --part I/N      only every N-th run, the I-th first: N such commands share the work, on one machine or more
  --out DIR       one run per ablation and seed goes below (default runs/ablations-NAME-SIZE), and ablations.json,
                  .html and .svg with what is finished. A command that was stopped goes on when given again; finished
                  runs are kept
  --data, --size and key=value as for `cloudt train`
"""

import argparse
from pathlib import Path

OPTIONS = ("only", "seeds", "part")  # beside those that `cloudt train` has

INTERRUPTED = "the same command goes on where it stopped"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", metavar="NAME", help="s3dis-blocks, scanobjectnn or modelnet40")
    parser.add_argument("settings", metavar="SETTING", nargs=argparse.REMAINDER, help="see above")


def run(args: argparse.Namespace) -> None:
    from cloud_transformers.cli.shared.recipe_settings import chosen_recipe, describe
    from cloud_transformers.engine.run import write_json
    from cloud_transformers.errors import InputError
    from cloud_transformers.recipes.ablation_table import summary, table
    from cloud_transformers.recipes.ablations import ABLATED, ablation_base, jobs, run_job, variant, variants
    from cloud_transformers.report.ablations import write_ablations

    if args.name not in ABLATED:
        raise InputError(f"ablations are those of {', '.join(ABLATED)}, not of {args.name!r}")
    recipe, rest = chosen_recipe(args.name, args.settings, also=OPTIONS)
    recipe = ablation_base(recipe)
    if "help" in rest:
        print(describe(recipe))
        return
    names = [name.strip() for name in rest["only"].split(",")] if "only" in rest else list(variants(recipe))
    for name in names:
        variant(recipe, name)  # a misspelt one is found before hours are spent on the others
    out = Path(rest.get("out", f"runs/ablations-{recipe.name}-{recipe.model.size}"))
    wanted = jobs(recipe, names, _count("seeds", rest.get("seeds", "2")))
    first, step = _part(rest.get("part", "1/1"))
    for job in wanted[first - 1 :: step]:
        record = run_job(recipe, job, out)
        scores = ", ".join(f"{name} {value:.2f}" for name, value in record["scores"].items())
        print(f"{job.ablation}, seed {job.seed}: {scores}", flush=True)
        found = summary(recipe, wanted, out)
        write_json(out / "ablations.json", found)
        write_ablations(out / "ablations.html", found)
    print(f"\n{table(summary(recipe, wanted, out))}\n\n{out / 'ablations.html'}: the same with a plot")


def _count(name: str, text: str) -> int:
    from cloud_transformers.errors import InputError

    if not text.isdecimal() or int(text) < 1:
        raise InputError(f"{name} must be a whole number above 0, got {text!r}")
    return int(text)


def _part(text: str) -> tuple[int, int]:
    from cloud_transformers.errors import InputError

    first, slash, step = text.partition("/")
    if not (slash and first.isdecimal() and step.isdecimal() and 1 <= int(first) <= int(step)):
        raise InputError(f"part must be as 1/2 and 2/2, got {text!r}")
    return int(first), int(step)
