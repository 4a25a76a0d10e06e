"""Sweeps: a recipe with every combination of some settings' values."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from cloud_transformers.errors import InputError
from cloud_transformers.recipes.overrides import with_settings
from cloud_transformers.recipes.recipe import Recipe
from cloud_transformers.recipes.trials import Trial, with_seeds

MOST_TRIALS = 10_000
UNCHANGED = "as given"  # the variant of a sweep over seeds alone
# What makes it another recipe, or is varied by a word of its own.
_INSTEAD = {"seed": "--seeds N", "size": "one sweep per --size", "start": "one sweep per --from"}


def sweep_trials(recipe: Recipe, sweeps: Sequence[str], num_seeds: int) -> list[Trial]:
    """A trial for every combination of values and every seed; InputError for settings and values that do not exist.

    - `sweeps`: as `learning_rate=1e-3,3e-3`; values that are lists are separated by semicolons.
    - `num_seeds`: how often each combination is trained, with the recipe's seed and those after it.

    Trials are compared on validation data, and on the test split only if the recipe is trained without.
    """
    axes = [_axis(text) for text in sweeps]
    twice = [name for name, count in Counter(name.rpartition(".")[2] for name, _ in axes).items() if count > 1]
    if twice:
        raise InputError(f"--sweep {twice[0]} is given twice; name all of its values at once")
    num_trials = math.prod(len(values) for _, values in axes) * num_seeds
    if num_trials > MOST_TRIALS:
        raise InputError(f"--sweep asks for {num_trials:,} trainings, and at most {MOST_TRIALS:,} are made at once")
    variants = {}
    for values in itertools.product(*(values for _, values in axes)):
        chosen = dict(zip((name for name, _ in axes), values, strict=True))
        label = " ".join(f"{name}={value}" for name, value in chosen.items()) or UNCHANGED
        variants[label] = with_settings(recipe, chosen)
    trials = with_seeds(variants, num_seeds, judged_by="validation" if recipe.training.validate_every else "test")
    shared = [folder for folder, count in Counter(each.folder(Path()) for each in trials).items() if count > 1]
    if shared:
        raise InputError(f"two variants would share the folder {shared[0].parent}; write their values differently")
    return trials


def _axis(text: str) -> tuple[str, list[str]]:
    name, equals, values = text.partition("=")
    name = name.strip()
    chosen = [value.strip() for value in values.split(";" if ";" in values else ",")]
    if not (name and equals and all(chosen)):
        raise InputError(f"--sweep must be as learning_rate=1e-3,3e-3, got {text!r}")
    if len(set(chosen)) < len(chosen):
        raise InputError(f"--sweep {text}: has a value twice")
    plain = name.rpartition(".")[2]
    if plain in _INSTEAD:
        raise InputError(f"--sweep cannot vary {plain}; take {_INSTEAD[plain]}")
    return name, chosen
