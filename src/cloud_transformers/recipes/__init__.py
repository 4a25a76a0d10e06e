"""The paper's experiments: functions that return a frozen dataclass, which is carried out or changed first.

`recipe` finds one by name (`RECIPES` has them all), `with_settings` changes it, `run_training` and `run_evaluation`
carry it out; `calibrate_file` tells weights how sure they may be, on the data of `validation_of` a recipe;
`for_weights` gives a recipe the features that weights want.
"""

from cloud_transformers.recipes.catalogue import RECIPES, RELEASES, recipe, starting_recipe
from cloud_transformers.recipes.experiment import for_weights, run_evaluation, run_training, validation_of
from cloud_transformers.recipes.finishing import calibrate_file, refresh_card
from cloud_transformers.recipes.overrides import from_configuration, parse, settings, with_settings
from cloud_transformers.recipes.recipe import Recipe

__all__ = [
    "RECIPES",
    "RELEASES",
    "Recipe",
    "calibrate_file",
    "for_weights",
    "from_configuration",
    "parse",
    "recipe",
    "refresh_card",
    "run_evaluation",
    "run_training",
    "settings",
    "starting_recipe",
    "validation_of",
    "with_settings",
]
