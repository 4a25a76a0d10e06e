"""Fine-tuning: a recipe that starts from the weights of another run, `cloudt train NAME --from WEIGHTS`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from itertools import product
from pathlib import Path
from typing import Any, get_args

import torch
from torch import Tensor, nn

from cloud_transformers.checkpoints import read_safetensors
from cloud_transformers.errors import InputError
from cloud_transformers.models.classifier import ClassifierConfig
from cloud_transformers.models.completer import CompleterConfig
from cloud_transformers.models.kinds import chosen_kind
from cloud_transformers.models.preparation import num_channels
from cloud_transformers.models.reconstructor import ReconstructorConfig
from cloud_transformers.models.saving import Description, description_of
from cloud_transformers.models.segmenter import SegmenterConfig
from cloud_transformers.models.transfer import take_over
from cloud_transformers.models.trunk import Size, TrunkConfig, TrunkOptions, finer, trunk_config
from cloud_transformers.models.weights import find_weights
from cloud_transformers.recipes.recipe import ModelOptions, Recipe, ReconstructorOptions
from cloud_transformers.remote import is_url, located

HEADS_FIRST, BODY_RATE = 0.1, 0.3  # measured, see docs/training.md
FIRST = "trunk.linear.weight"  # of a segmenter: what features enter by

# What may differ between weights and a recipe: it comes from the data, or shapes no tensor.
_FREE = ("num_classes", "num_features", "dropout", "mask_hidden")


def _starting_weights(name: str) -> Path:
    if is_url(name):  # it may stand in a configuration that somebody else wrote
        raise InputError("training starts from weights on a disk; copy them to one first", path=located(name))
    try:
        return find_weights(name)
    except InputError as error:
        raise InputError(f"{error}; a run that has begun goes on without them: `cloudt train RUN`") from error


def start_from(recipe: Recipe, model: nn.Module) -> str:
    """Put the weights that the recipe starts from into its new model; says what was taken over and what is new."""
    assert recipe.model.start is not None
    path = _starting_weights(recipe.model.start)
    tensors, metadata = read_safetensors(path)
    said = description_of(path, metadata)
    _require_task(recipe, path, said)
    wanted = getattr(recipe.task, "features", ())
    known = () if said.preparation is None else said.preparation.features
    if known and known != wanted and FIRST in tensors:
        tensors = {**tensors, FIRST: _rearranged(tensors[FIRST], known, wanted)}
    told = take_over(model, tensors, str(path))
    if said.preparation is not None and said.preparation.knows_sizes and not getattr(recipe.data, "extent", 0.0):
        told += f"; they know how large things are, which extent={1 / said.preparation.scale:g} would keep"
    return told


def gentle(recipe: Recipe, classes: Sequence[str]) -> Recipe:
    """The recipe with its heads first and the layers before them slower, if it starts from weights for other classes.

    What the recipe says itself about either stays.
    """
    training = recipe.training
    if recipe.model.start is None or None not in (training.heads_first, training.body_rate):
        return recipe
    said = description_of(_starting_weights(recipe.model.start)).preparation
    # Shapes have categories too, but no head that tells them apart.
    is_other = said is not None and bool(said.classes) and bool(classes) and tuple(classes) != said.classes
    heads_first, body_rate = (HEADS_FIRST, BODY_RATE) if is_other else (0.0, 1.0)
    if training.heads_first is not None:
        heads_first = training.heads_first
    if training.body_rate is not None:
        body_rate = training.body_rate
    return replace(recipe, training=replace(training, heads_first=heads_first, body_rate=body_rate))


def _rearranged(weight: Tensor, known: Sequence[str], wanted: Sequence[str]) -> Tensor:
    """The first layer's weight [F, 3 + channels] for other features: those that it knows keep their columns.

    A new feature begins without any influence.
    """
    places = {name: 3 + num_channels(known[:place]) for place, name in enumerate(known)}
    columns = [weight[:, :3]]
    for name in wanted:
        num = num_channels([name])
        there = places.get(name)
        columns.append(weight.new_zeros(len(weight), num) if there is None else weight[:, there : there + num])
    return torch.cat(columns, dim=1)


def options_of(recipe: Recipe, name: str) -> ModelOptions:
    """The recipe's model options with those of the weights in the place of all that shape tensors."""
    path = _starting_weights(name)
    said = description_of(path)
    _require_task(recipe, path, said)
    kind = None if said.kind_name == chosen_kind(recipe.task.name) else said.kind_name
    for shape in _shapes(said.config):
        options = replace(recipe.model, kind=kind, **shape)
        if _shaping(_config(options, recipe)) == _shaping(said.config):
            return options
    sizes = ", ".join(get_args(Size))
    raise InputError(f"{path}: its model has none of the sizes {sizes}; load it in Python with ct.load")


def _shapes(config: Any) -> Iterator[dict[str, Any]]:
    """The options with which a model of this configuration may have been built."""
    # A decoder before a refinement is shorter than its size's trunk, which the refinement has.
    refinement = getattr(config, "refinement", None)
    trunk: TrunkConfig | None = getattr(refinement or config, "trunk", None) or getattr(config, "decoder", None)
    sizes: tuple[Size, ...] = get_args(Size)
    if trunk is None:  # a kind that was built otherwise
        yield from ({"size": size} for size in sizes)
        return
    for size, coarse, single_head, num_cascades in product(
        sizes, (False, True), (False, True), (None, trunk.num_cascades)
    ):
        options: TrunkOptions = {
            "flavour": "paper" if trunk.heads.squash == "sigmoid" else "release",
            "keys": trunk.heads.keys,
            "scales": trunk.heads.scales,
            "reduce": trunk.heads.reduce,
            "balance": trunk.heads.balance,
            "planar": bool(trunk.planar),
            "coarse": coarse,
            "single_head": single_head,
            "num_cascades": num_cascades,
        }
        found = trunk_config(size, **options)
        is_fine = trunk == finer(found)
        if isinstance(config, SegmenterConfig) and is_fine:
            yield {"size": size, **options, "fine": True}
        elif isinstance(config, ClassifierConfig) and (trunk == found or is_fine):
            added = {"max_and_mean": config.max_and_mean, "surroundings": bool(config.surroundings), "fine": is_fine}
            yield {"size": size, **options, **added}
        elif trunk == found or is_fine:
            yield {"size": size, **options}
            if isinstance(config, CompleterConfig):  # not as usual for its size
                own = {name: getattr(config, name) for name in ("moves", "mirrors", "style_channels")}
                yield {"size": size, **options, "fine": is_fine, **own}
            if isinstance(config, ReconstructorConfig):
                own = {"refined": refinement is not None, "style_channels": config.style_channels}
                yield {"size": size, **options, "fine": is_fine, **own}


def _config(options: ModelOptions, recipe: Recipe) -> Any:
    if isinstance(options, ReconstructorOptions):
        options = replace(options, image_weights=None)
    with torch.device("meta"):  # a model without memory: its configuration is all that is looked at
        return options.build(recipe.task, 2).config


def _require_task(recipe: Recipe, path: Path, said: Description) -> None:
    if said.kind.task != recipe.task.name:
        raise InputError(f"{path} holds a {said.kind_name}, but {recipe.name} is {recipe.task.name}")


def _shaping(config: Any) -> dict[str, Any]:
    return {name: value for name, value in asdict(config).items() if name not in _FREE}
