"""Measure on held-out data how sure weights may be, and write that into their file.

WHAT is the folder of a run, or a .safetensors file. Two numbers are found on the recipe's validation data: a
temperature that makes confidences as often right as they say, and how much evidence an input must have not to be called
unsure. The card beside the file is brought up to date. `cloudt train` does this at its end; give this command for
weights from elsewhere. After it:

  --recipe NAME   for a file: the recipe whose validation data counts (a run knows its own)
  --data DIR      the data's folder; without it, what the run had, or the embedded world
  key=value       any setting of the recipe, as for `cloudt train`; holdout must be above 0 where data has no split val
"""

import argparse
import shlex

from cloud_transformers.cli.shared.places import local_path


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("what", type=local_path, metavar="WHAT", help="a run or a file of weights")
    parser.add_argument("settings", metavar="SETTING", nargs=argparse.REMAINDER, help="see above")


def run(args: argparse.Namespace) -> None:
    from cloud_transformers.checkpoints import BEST, FINAL
    from cloud_transformers.cli.shared.recipe_settings import chosen_recipe, word_of
    from cloud_transformers.engine import Processes
    from cloud_transformers.errors import InputError
    from cloud_transformers.models.saving import description_of
    from cloud_transformers.recipes import calibrate_file, for_weights, refresh_card, validation_of

    if not args.what.exists():
        raise InputError(f"{args.what}: there is no such file or run; of weights by name, calibrate a copy of the file")
    name = str(args.what) if args.what.is_dir() else word_of("recipe", args.settings)
    if name is None:
        raise InputError(f"{args.what}: is no run, so say on whose validation data: --recipe NAME (`cloudt recipes`)")
    recipe, _ = chosen_recipe(name, args.settings)
    files = [args.what] if args.what.is_file() else [args.what / each for each in (BEST, FINAL)]
    files = [path for path in files if path.is_file()]
    if not files:
        raise InputError(f"{args.what}: neither {BEST} nor {FINAL} is there; train it to its end")
    processes = Processes(device=recipe.training.device, precision=recipe.training.precision)
    recipe = for_weights(recipe, description_of(files[0]).preparation)
    protocol = validation_of(recipe, recipe.data.splits(recipe.task, recipe.training.seed))
    if protocol is None:
        raise InputError(f"{recipe.name} has no validation data here; set holdout above 0, or add a split val")
    for path in files:
        found = calibrate_file(path, protocol, processes)
        if found is None:
            raise InputError(f"{path}: these weights recognise nothing, so there is nothing to be unsure of")
        print(
            f"{path}: calibration error {found.error_before:.2f} % -> {found.error:.2f} % at temperature "
            f"{found.temperature:.3f}; unsure below {found.unsure_below:.3f}, as {found.share:.0%} of "
            f"{found.answers:,} held-out answers are"
        )
        command = shlex.join(["cloudt", "calibrate", path.name, *args.settings])
        if refresh_card(path, found, command):
            print(f"{path.with_suffix('.md')}: says so")
