"""The paper's ablations: variants of a recipe, and the scores that the paper gives."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Literal

from cloud_transformers.errors import InputError
from cloud_transformers.models import ablations
from cloud_transformers.models.trunk import TRUNKS
from cloud_transformers.recipes.recipe import ClassifierOptions, Recipe
from cloud_transformers.recipes.trials import Trial, with_seeds

PaperScore = float | Literal["diverged"] | None

# Ablation -> the paper's mIoU on S3DIS blocks (Area 5) and overall accuracy on ScanObjectNN; None where it gives none.
# "no residual" is d = 0, of which the paper says that it costs 0.04.
PAPER: dict[str, dict[str, PaperScore]] = {
    "full": {"s3dis-blocks": 63.7, "scanobjectnn": 85.0},
    "linear keys": {"s3dis-blocks": 62.5, "scanobjectnn": 81.9},
    "unbalanced linear keys": {"s3dis-blocks": "diverged", "scanobjectnn": None},
    "no gradient balancing": {"s3dis-blocks": 62.8, "scanobjectnn": None},
    "fixed keys": {"s3dis-blocks": 62.5, "scanobjectnn": 84.9},
    "identity transform": {"s3dis-blocks": 61.9, "scanobjectnn": None},
    "no residual": {"s3dis-blocks": 63.66, "scanobjectnn": None},
    "sum": {"s3dis-blocks": 57.9, "scanobjectnn": 82.1},
    "mean": {"s3dis-blocks": 61.3, "scanobjectnn": 83.4},
    "no planar heads": {"s3dis-blocks": 63.4, "scanobjectnn": 84.8},
    "coarser grids": {"s3dis-blocks": 62.2, "scanobjectnn": 84.4},
    "single head": {"s3dis-blocks": 63.1, "scanobjectnn": 84.0},
    "half depth": {"s3dis-blocks": 62.2, "scanobjectnn": 84.1},
    "double depth": {"s3dis-blocks": 64.1, "scanobjectnn": None},
    "scales": {"s3dis-blocks": None, "scanobjectnn": 85.5},
}
ABLATED = ("s3dis-blocks", "scanobjectnn", "modelnet40")


def ablation_base(recipe: Recipe) -> Recipe:
    """What is varied: the paper's model without key scales, which are a row of their own, going on if it diverges."""
    model = replace(recipe.model, scales=False)
    if isinstance(model, ClassifierOptions):
        model = replace(model, max_and_mean=False, surroundings=False, fine=False)
    return replace(recipe, model=model, training=replace(recipe.training, on_nonfinite="skip", points_at_first=1.0))


def variant(recipe: Recipe, ablation: str) -> Recipe:
    """The recipe with one ablation; see `models.ablations`."""
    known = variants(recipe)
    if ablation in known:
        return replace(recipe, model=replace(recipe.model, **known[ablation]))
    if ablation in PAPER:
        raise InputError(f"there is no {ablation!r} of {_num_cascades(recipe)} cascade(s): it is not a whole number")
    near = difflib.get_close_matches(ablation, known, n=1, cutoff=0.4)
    hint = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(known)}"
    raise InputError(f"there is no ablation {ablation!r}; {hint}")


def variants(recipe: Recipe) -> dict[str, dict[str, Any]]:
    """The ablations that this recipe's model has, with their options."""
    return ablations(recipe.model.size, num_cascades=_num_cascades(recipe))


def _num_cascades(recipe: Recipe) -> int:
    return recipe.model.num_cascades or TRUNKS[recipe.model.size].num_cascades


def ablation_trials(recipe: Recipe, names: Sequence[str], num_seeds: int) -> list[Trial]:
    """The recipe with each of these ablations, trained with `num_seeds` seeds and judged on the test split."""
    return with_seeds({name: variant(recipe, name) for name in names}, num_seeds)
