"""Fine-tuning: a recipe that starts from the weights of another run, `cloudt train NAME --from WEIGHTS`."""

from __future__ import annotations

from dataclasses import asdict, replace
from itertools import product
from pathlib import Path
from typing import Any, get_args

import torch
from torch import nn

from cloud_transformers.checkpoints import BEST, FINAL, read_safetensors
from cloud_transformers.errors import InputError
from cloud_transformers.models.saving import read_config
from cloud_transformers.models.transfer import take_over
from cloud_transformers.models.trunk import Size, TrunkConfig, trunk_config
from cloud_transformers.recipes.recipe import ModelOptions, Recipe, ReconstructorOptions

KINDS = {
    "segmentation": "segmenter",
    "classification": "classifier",
    "completion": "completer",
    "reconstruction": "reconstructor",
}
# What may differ between weights and a recipe: it comes from the data, or shapes no tensor.
_FREE = ("num_classes", "num_features", "dropout", "mask_hidden")


def weights_file(name: str) -> Path:
    """The file that is meant by the name of weights: a .safetensors file, or the folder of a run (its best ones)."""
    path = Path(name)
    if path.is_dir():
        found = next((path / each for each in (BEST, FINAL) if (path / each).is_file()), None)
        if found is None:
            raise InputError(f"{path}: holds no weights ({BEST} or {FINAL}); name a run that was trained to its end")
        return found
    if not path.is_file():
        raise InputError(
            f"{path}: there are no such weights; a run that has begun goes on without them: `cloudt train RUN`"
        )
    if path.suffix != ".safetensors":
        raise InputError(
            f"{path}: weights are .safetensors; convert a released checkpoint with 'cloudt import-release'"
        )
    return path


def start_from(recipe: Recipe, model: nn.Module) -> str:
    """Put the weights that the recipe starts from into its new model; says what was taken over and what is new."""
    assert recipe.model.start is not None
    path = weights_file(recipe.model.start)
    tensors, metadata = read_safetensors(path)
    _require_kind(recipe, path, metadata)
    return take_over(model, tensors, str(path))


def options_of(recipe: Recipe, name: str) -> ModelOptions:
    """The recipe's model options with those of the weights in the place of all that shape tensors."""
    path = weights_file(name)
    _, metadata = read_safetensors(path)
    _require_kind(recipe, path, metadata)
    config = read_config(path, metadata)[1]
    trunk: TrunkConfig = config.trunk if hasattr(config, "trunk") else config.decoder
    sizes: tuple[Size, ...] = get_args(Size)
    for size, coarse, single_head, num_cascades in product(
        sizes, (False, True), (False, True), (None, trunk.num_cascades)
    ):
        shape: dict[str, Any] = {
            "size": size,
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
        if trunk_config(**shape) == trunk:
            options = replace(recipe.model, **shape)
            if _shaping(_config(options, recipe)) == _shaping(config):
                return options
    raise InputError(f"{path}: its model has none of the sizes {', '.join(sizes)}; load it in Python with ct.load")


def _config(options: ModelOptions, recipe: Recipe) -> Any:
    if isinstance(options, ReconstructorOptions):
        options = replace(options, image_weights=None)
    with torch.device("meta"):  # a model without memory: its configuration is all that is looked at
        return options.build(recipe.task, 2).config


def _require_kind(recipe: Recipe, path: Path, metadata: dict[str, str]) -> None:
    read_config(path, metadata)  # says so if it is no model of ours
    if metadata["kind"] != KINDS[recipe.task.name]:
        raise InputError(f"{path} holds a {metadata['kind']}, but {recipe.name} is {recipe.task.name}")


def _shaping(config: Any) -> dict[str, Any]:
    return {name: value for name, value in asdict(config).items() if name not in _FREE}
