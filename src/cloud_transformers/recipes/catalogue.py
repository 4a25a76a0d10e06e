"""All recipes by name, each in three sizes: the paper's experiments, and the four tasks on a folder of your own."""

from __future__ import annotations

import difflib
from collections.abc import Callable
from dataclasses import replace
from typing import get_args

from cloud_transformers.errors import InputError
from cloud_transformers.models.trunk import Size
from cloud_transformers.recipes.finetune import options_of
from cloud_transformers.recipes.folder_recipes import (
    own_classification,
    own_completion,
    own_reconstruction,
    own_segmentation,
)
from cloud_transformers.recipes.generation import completion, reconstruction
from cloud_transformers.recipes.objects import modelnet40, scanobjectnn, scanobjectnn_scales
from cloud_transformers.recipes.recipe import Recipe
from cloud_transformers.recipes.s3dis import s3dis_blocks, s3dis_spheres

RECIPES: dict[str, Callable[[Size], Recipe]] = {
    "s3dis-blocks": s3dis_blocks,
    "s3dis-spheres": s3dis_spheres,
    "scanobjectnn": scanobjectnn,
    "scanobjectnn-scales": scanobjectnn_scales,
    "modelnet40": modelnet40,
    "completion": completion,
    "reconstruction": reconstruction,
    "own-segmentation": own_segmentation,
    "own-classification": own_classification,
    "own-completion": own_completion,
    "own-reconstruction": own_reconstruction,
}

# The official release's checkpoint that a recipe's protocol is meant for; see `models.load_release`.
RELEASES = {
    "s3dis-blocks": "segmenter",
    "s3dis-spheres": "segmenter_spheres",
    "scanobjectnn": "classifier",
    "scanobjectnn-scales": "classifier_scales",
    "completion": "inpainter",
    "reconstruction": "reconstructor",
}


def starting_recipe(name: str, weights: str, size: str | None = None) -> Recipe:
    """The recipe of a name in the size of these weights, with their model's options and the wish to start from them.

    A `size` that is given must be theirs.
    """
    options = options_of(recipe(name, size or "tiny"), weights)
    if size not in (None, options.size):
        raise InputError(f"{weights}: is of size {options.size}, not {size}; leave the size out, or start from others")
    base = recipe(name, options.size)
    own = {key: getattr(base.model, key) for key in ("dropout", "image_weights") if hasattr(base.model, key)}
    return replace(base, model=replace(options, start=weights, **own))


def recipe(name: str, size: str = "full") -> Recipe:
    """The experiment of a name in `RECIPES`, with a model of a size: full, small or tiny. InputError for others.

    >>> chosen = ct.recipes.recipe("scanobjectnn", "tiny")
    >>> chosen.task.name, chosen.model.size, chosen.data.points
    ('classification', 'tiny', 512)
    """
    if name not in RECIPES:
        near = difflib.get_close_matches(name, RECIPES, n=1, cutoff=0.4)
        hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(RECIPES)}"
        raise InputError(f"there is no recipe {name!r}; {hint}")
    sizes: tuple[Size, ...] = get_args(Size)
    for known in sizes:
        if size == known:
            return RECIPES[name](known)
    raise InputError(f"size must be one of {', '.join(sizes)}, got {size!r}")
