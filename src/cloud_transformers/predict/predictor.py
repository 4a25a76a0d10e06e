"""`Predictor.load(weights)`: from a name to something that answers."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Literal, TypedDict, overload

import torch
from torch import nn
from typing_extensions import Unpack

from cloud_transformers.decoding import check_names
from cloud_transformers.errors import InputError
from cloud_transformers.models import (
    Classifier,
    Completer,
    Preparation,
    Reconstructor,
    Segmenter,
    load_prepared,
)
from cloud_transformers.models.kinds import kind_name, kind_of
from cloud_transformers.models.preparation import num_channels, plain_fields
from cloud_transformers.models.weights import find_weights
from cloud_transformers.predict.batches import Batches
from cloud_transformers.predict.classification import ClassificationPredictor
from cloud_transformers.predict.completion import CompletionPredictor
from cloud_transformers.predict.precision import Precision, scope_of
from cloud_transformers.predict.reconstruction import ReconstructionPredictor
from cloud_transformers.predict.segmentation import SegmentationPredictor

AnyPredictor = SegmentationPredictor | ClassificationPredictor | CompletionPredictor | ReconstructionPredictor

PREDICTORS: dict[str, type[AnyPredictor]] = {
    "segmentation": SegmentationPredictor,
    "classification": ClassificationPredictor,
    "completion": CompletionPredictor,
    "reconstruction": ReconstructionPredictor,
}

Weights = str | os.PathLike[str]
Device = str | torch.device | None


class LoadOptions(TypedDict, total=False):
    """What can be said about weights beside their name.

    - `precision`: of the linear maps; "bfloat16" is refused where it would be slower ...
    - `allow_slow`: ... unless this is True.
    - `preparation`: for weights whose file does not say what input they expect.
    """

    precision: Precision
    allow_slow: bool
    preparation: Preparation | None


class Predictor:
    """Opens weights: `Predictor.load("classifier-small")(cloud)`. `Predictor.of` takes a model that is in memory.

    >>> model = ct.models.classifier("tiny", num_classes=2)
    >>> preparation = ct.models.Preparation(task="classification", classes=("chair", "lamp"), points=64)
    >>> answer = ct.Predictor.of(model, preparation)(np.random.default_rng(0).random((100, 3)))
    >>> sorted(answer.classes), answer.foreground.shape
    (['chair', 'lamp'], (100,))
    """

    # A type checker knows the predictor from the name of weights in the box, or from the task.
    @overload
    @staticmethod
    def load(
        weights: Literal["segmenter-small", "segmenter-scans-small"],
        device: Device = None,
        batch_size: int = 8,
        **options: Unpack[LoadOptions],
    ) -> SegmentationPredictor: ...

    @overload
    @staticmethod
    def load(
        weights: Literal["classifier-small", "classifier-scans-small"],
        device: Device = None,
        batch_size: int = 8,
        **options: Unpack[LoadOptions],
    ) -> ClassificationPredictor: ...

    @overload
    @staticmethod
    def load(
        weights: Literal["completer-small"],
        device: Device = None,
        batch_size: int = 8,
        **options: Unpack[LoadOptions],
    ) -> CompletionPredictor: ...

    @overload
    @staticmethod
    def load(
        weights: Literal["reconstructor-small"],
        device: Device = None,
        batch_size: int = 8,
        **options: Unpack[LoadOptions],
    ) -> ReconstructionPredictor: ...

    @overload
    @staticmethod
    def load(
        weights: Weights,
        device: Device = None,
        batch_size: int = 8,
        *,
        task: Literal["segmentation"],
        **options: Unpack[LoadOptions],
    ) -> SegmentationPredictor: ...

    @overload
    @staticmethod
    def load(
        weights: Weights,
        device: Device = None,
        batch_size: int = 8,
        *,
        task: Literal["classification"],
        **options: Unpack[LoadOptions],
    ) -> ClassificationPredictor: ...

    @overload
    @staticmethod
    def load(
        weights: Weights,
        device: Device = None,
        batch_size: int = 8,
        *,
        task: Literal["completion"],
        **options: Unpack[LoadOptions],
    ) -> CompletionPredictor: ...

    @overload
    @staticmethod
    def load(
        weights: Weights,
        device: Device = None,
        batch_size: int = 8,
        *,
        task: Literal["reconstruction"],
        **options: Unpack[LoadOptions],
    ) -> ReconstructionPredictor: ...

    @overload
    @staticmethod
    def load(
        weights: Weights,
        device: Device = None,
        batch_size: int = 8,
        *,
        task: str | None = None,
        **options: Unpack[LoadOptions],
    ) -> AnyPredictor: ...

    @staticmethod
    def load(
        weights: Weights,
        device: Device = None,
        batch_size: int = 8,
        *,
        task: str | None = None,
        **options: Unpack[LoadOptions],
    ) -> AnyPredictor:
        """A predictor for the task of the weights.

        - `weights`: a name of `cloudt weights`, a file, the folder of a run, or owner/name; see `find_weights`.
        - `device`: "cpu", "cuda:1" ...; by default a GPU if torch sees one.
        - `batch_size`: how many inputs go through the model at once; it changes speed and memory, not answers.
        - `task`: "segmentation", "classification", "completion" or "reconstruction"; other weights are refused. With
          it, editors and type checkers know which predictor comes back.
        - `options`: see `LoadOptions`.

        InputError if there are no such weights, or they cannot be used as asked.
        """
        check_names(LoadOptions, options)
        path = find_weights(weights)
        model, stored = load_prepared(path, task=task)
        wanted = options.get("preparation") or stored
        if wanted is None:
            raise InputError(
                f"{path}: does not say what input its model expects, so it cannot be used on files; train it again "
                "with this version, or pass a Preparation to Predictor.load"
            )
        _check(path, model, wanted)
        chosen = _device(device)
        precision, allow_slow = options.get("precision", "float32"), options.get("allow_slow", False)
        scope = scope_of(precision, chosen, model, allow_slow=allow_slow)
        predictor = PREDICTORS[wanted.task](model, wanted, device=chosen, batches=Batches(batch_size, scope))
        predictor.path = path
        return predictor

    @overload
    @staticmethod
    def of(
        model: Segmenter, preparation: Preparation, device: Device = None, batch_size: int = 8
    ) -> SegmentationPredictor: ...

    @overload
    @staticmethod
    def of(
        model: Classifier, preparation: Preparation, device: Device = None, batch_size: int = 8
    ) -> ClassificationPredictor: ...

    @overload
    @staticmethod
    def of(
        model: Completer, preparation: Preparation, device: Device = None, batch_size: int = 8
    ) -> CompletionPredictor: ...

    @overload
    @staticmethod
    def of(
        model: Reconstructor, preparation: Preparation, device: Device = None, batch_size: int = 8
    ) -> ReconstructionPredictor: ...

    @overload
    @staticmethod
    def of(model: nn.Module, preparation: Preparation, device: Device = None, batch_size: int = 8) -> AnyPredictor: ...

    @staticmethod
    def of(model: nn.Module, preparation: Preparation, device: Device = None, batch_size: int = 8) -> AnyPredictor:
        """A predictor for a model that is in memory already, with the `preparation` that says what input it expects.

        `device` and `batch_size` are as in `load`.
        """
        batches = Batches(batch_size)
        return PREDICTORS[preparation.task](model, preparation, device=_device(device), batches=batches)


def _check(path: Path, model: nn.Module, preparation: Preparation) -> None:
    """A file may claim anything: what it says about its input must fit the model in it."""
    task, wrong = preparation.task, None
    config: Any = model.config
    if kind_of(model).task != task:
        wrong = f"{task} with a {kind_name(model)}"
    elif task in ("segmentation", "classification") and len(preparation.classes) != config.num_classes:
        wrong = f"{len(preparation.classes)} class names for {config.num_classes} classes"
    elif len(preparation.values) not in (0, len(preparation.classes)):
        wrong = f"{len(preparation.values)} label values for {len(preparation.classes)} classes"
    elif (len(preparation.color_mean), len(preparation.color_std)) not in ((0, 0), (3, 3)):
        wrong = f"{len(preparation.color_mean)} means and {len(preparation.color_std)} deviations for three colours"
    elif task == "segmentation":
        fields = plain_fields(preparation.features)
        if num_channels(preparation.features) != config.num_features:
            wrong = f"the features {', '.join(preparation.features) or 'none'} for {config.num_features} channels"
        elif not len(fields) == len(preparation.field_mean) == len(preparation.field_std):
            wrong = (
                f"{len(preparation.field_mean)} means and {len(preparation.field_std)} deviations for the fields "
                f"{', '.join(fields) or 'none'}"
            )
    elif task == "completion" and not 0 < preparation.points <= preparation.num_points:
        wrong = f"{preparation.points} points in and {preparation.num_points} out"
    elif task == "reconstruction" and min(preparation.pixels, preparation.num_points, preparation.passes) < 1:
        wrong = f"{preparation.passes} passes of {preparation.num_points} points from {preparation.pixels} pixels"
    if wrong is not None:
        raise InputError(f"{path}: what it says about its input does not fit its model: {wrong}")


def _device(name: Device) -> torch.device:
    if name is None:
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")
    try:
        device = torch.device(name)
        torch.empty(0, device=device)
    except (RuntimeError, AssertionError, NotImplementedError) as error:
        reason = str(error).strip().partition("\n")[0]
        raise InputError(f"the device {str(name)!r} cannot be used here: {reason}") from error
    return device
