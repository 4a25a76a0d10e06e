"""Evaluate a run or weights by a benchmark's protocol, and print a results card.

WHAT is the folder of a run, a .safetensors file of weights or its URL, a name of `cloudt weights` or of Hugging Face,
or a checkpoint of the official release (.pth). After it:

  --recipe NAME   for weights: the recipe whose protocol counts (a run knows its own)
  --data DIR      the benchmark's folder; without it, what the run had, or the embedded world
  --weights WHICH for a run: best (on its validation data), last (of its last checkpoint) or final; by default the best
                  if there is one, else the final
  --out FILE      where the JSON goes (default results.json in the run, beside the weights, or here for weights by
                  name); a page with curves, confusion matrix and pictures goes beside it as .html
  key=value       any setting of the recipe, as for `cloudt train`
"""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from torch import nn

    from cloud_transformers.models import Preparation
    from cloud_transformers.recipes import Recipe


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("what", metavar="WHAT", help="a run, weights, or a released checkpoint")
    parser.add_argument("settings", metavar="SETTING", nargs=argparse.REMAINDER, help="see above")


def run(args: argparse.Namespace) -> None:
    from cloud_transformers.cli.shared.recipe_settings import chosen_recipe, describe, word_of
    from cloud_transformers.engine.run import CONFIGURATION
    from cloud_transformers.errors import InputError
    from cloud_transformers.models.weights import find_weights
    from cloud_transformers.remote import as_url, is_url, located

    words = list(args.settings)
    what = Path(args.what)
    by_name = is_url(args.what) or not what.exists()
    if by_name:
        what = find_weights(args.what)
    name = str(what) if (what / CONFIGURATION).is_file() else word_of("recipe", words)
    if name is None:
        raise InputError(f"{args.what}: is not a run; choose the protocol with --recipe NAME (`cloudt recipes`)")
    recipe, rest = chosen_recipe(name, words)
    if "help" in rest:
        print(describe(recipe))
        return
    path, model, preparation = _weights(what, recipe, rest.get("weights"))
    usual = (
        f"{what.name if is_url(args.what) else Path(args.what).name}.results.json" if by_name else str(_beside(what))
    )
    out = located(rest.get("out", usual))
    if as_url(out) is None and not out.parent.is_dir():
        raise InputError(f"{out}: the folder {out.parent} does not exist; create it first")

    from cloud_transformers.engine import Processes, RunFolder
    from cloud_transformers.recipes import for_weights, run_evaluation
    from cloud_transformers.report import write_page

    recipe = for_weights(recipe, preparation)
    processes = Processes(device=recipe.training.device, precision=recipe.training.precision)
    notes = recipe.warnings() if what.is_dir() else ()  # weights on their own may have been trained otherwise
    results = run_evaluation(recipe, model, str(path), processes=processes, pictures=3, notes=notes)
    if processes.is_main:
        print(f"{results.card()}\n", flush=True)  # before the files: a full disk must not cost what took so long
        results.write(out)
        page = out.with_suffix(".html")
        write_page(page, results, RunFolder(what).records() if what.is_dir() else [])
        print(f"{out}: the same as JSON\n{page}: with curves and pictures")


def _weights(what: Path, recipe: "Recipe", which: str | None) -> "tuple[Path, nn.Module, Preparation | None]":
    from typing import get_args

    from cloud_transformers.checkpoints import Which, weights_of_run
    from cloud_transformers.errors import InputError
    from cloud_transformers.models import load_prepared, load_release
    from cloud_transformers.recipes import RELEASES

    if what.is_dir():
        kinds = get_args(Which)
        if which not in (None, *kinds):
            raise InputError(f"--weights must be {', '.join(kinds)}, got {which!r}")
        path = weights_of_run(what, (which,) if which else kinds)
        return path, *load_prepared(path)
    if which is not None:
        raise InputError("--weights chooses among those of a run; this is a file")
    if what.suffix == ".safetensors":
        return what, *load_prepared(what)
    if recipe.name not in RELEASES:
        raise InputError(f"the official release has no checkpoint for {recipe.name}; give weights as .safetensors")
    return what, load_release(RELEASES[recipe.name], what), None


def _beside(what: Path) -> Path:
    return what / "results.json" if what.is_dir() else what.with_suffix(".results.json")
