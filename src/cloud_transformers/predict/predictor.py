"""`Predictor.load(weights)`: from a name to something that answers."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import torch
from torch import nn

from cloud_transformers.errors import InputError
from cloud_transformers.models import (
    Classifier,
    Completer,
    Preparation,
    Reconstructor,
    Segmenter,
    load_prepared,
)
from cloud_transformers.predict.batches import Batches
from cloud_transformers.predict.classification import ClassificationPredictor
from cloud_transformers.predict.completion import CompletionPredictor
from cloud_transformers.predict.precision import Precision, scope_of
from cloud_transformers.predict.reconstruction import ReconstructionPredictor
from cloud_transformers.predict.segmentation import SegmentationPredictor
from cloud_transformers.predict.weights import find_weights

AnyPredictor = SegmentationPredictor | ClassificationPredictor | CompletionPredictor | ReconstructionPredictor

KINDS: dict[str, tuple[type[nn.Module], Any]] = {
    "segmentation": (Segmenter, SegmentationPredictor),
    "classification": (Classifier, ClassificationPredictor),
    "completion": (Completer, CompletionPredictor),
    "reconstruction": (Reconstructor, ReconstructionPredictor),
}
FEATURES = {"color": 3, "height": 1}  # what a segmenter can want beside positions, with its channels


class Predictor:
    """Opens weights: `Predictor.load("classifier-small")(cloud)`."""

    @staticmethod
    def load(
        weights: str | os.PathLike[str],
        device: str | torch.device | None = None,
        batch_size: int = 8,
        *,
        precision: Precision = "float32",
        allow_slow: bool = False,
        preparation: Preparation | None = None,
    ) -> Any:
        """A predictor for the task of the weights: one of `AnyPredictor`.

        `weights`: see `find_weights`. Without a `device`, a GPU is taken if torch sees one. `batch_size` is how many
        inputs go through the model at once; it changes speed and memory, not answers. `precision` is that of the linear
        maps; bfloat16 is refused where the device would only emulate it, unless `allow_slow`. `preparation` is for
        weights whose file does not say what input they expect.
        """
        path = find_weights(weights)
        model, stored = load_prepared(path)
        wanted = preparation or stored
        if wanted is None:
            raise InputError(
                f"{path}: does not say what input its model expects, so it cannot be used on files; train it again "
                "with this version, or pass a Preparation to Predictor.load"
            )
        _check(path, model, wanted)
        chosen = _device(device)
        batches = Batches(batch_size, scope_of(precision, chosen, allow_slow=allow_slow))
        return KINDS[wanted.task][1](model, wanted, device=chosen, batches=batches)

    @staticmethod
    def of(
        model: nn.Module, preparation: Preparation, device: str | torch.device | None = None, batch_size: int = 8
    ) -> Any:
        """A predictor for a model that is in memory already."""
        batches = Batches(batch_size)
        return KINDS[preparation.task][1](model, preparation, device=_device(device), batches=batches)


def _check(path: Path, model: Any, preparation: Preparation) -> None:
    """A file may claim anything: what it says about its input must fit the model in it."""
    wrong = None
    if preparation.task not in KINDS or not isinstance(model, KINDS[preparation.task][0]):
        wrong = f"{preparation.task} with a {type(model).__name__.lower()}"
    elif isinstance(model, (Segmenter, Classifier)) and len(preparation.classes) != model.config.num_classes:
        wrong = f"{len(preparation.classes)} class names for {model.config.num_classes} classes"
    elif isinstance(model, Segmenter):
        channels = sum(FEATURES.get(name, 0) for name in preparation.features)
        if not set(preparation.features) <= FEATURES.keys() or channels != model.config.num_features:
            wrong = f"the features {', '.join(preparation.features) or 'none'} for {model.config.num_features} channels"
    elif isinstance(model, Completer) and not 0 < preparation.points <= preparation.num_points:
        wrong = f"{preparation.points} points in and {preparation.num_points} out"
    elif isinstance(model, Reconstructor) and min(preparation.pixels, preparation.num_points, preparation.passes) < 1:
        wrong = f"{preparation.passes} passes of {preparation.num_points} points from {preparation.pixels} pixels"
    if wrong is not None:
        raise InputError(f"{path}: what it says about its input does not fit its model: {wrong}")


def _device(name: str | torch.device | None) -> torch.device:
    if name is None:
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")
    try:
        device = torch.device(name)
        torch.empty(0, device=device)
    except (RuntimeError, AssertionError, NotImplementedError) as error:
        reason = str(error).strip().partition("\n")[0]
        raise InputError(f"the device {str(name)!r} cannot be used here: {reason}") from error
    return device
