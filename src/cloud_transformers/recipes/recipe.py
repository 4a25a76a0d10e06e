"""What an experiment is: data, task, model and training, each a frozen dataclass whose fields can be overridden."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any, Protocol

from torch import nn

from cloud_transformers.datasets import Dataset
from cloud_transformers.engine import Protocol as EvaluationProtocol
from cloud_transformers.engine import TrainingOptions
from cloud_transformers.errors import InputError
from cloud_transformers.models import Preparation
from cloud_transformers.models.kinds import KINDS, chosen_kind
from cloud_transformers.models.preparation import num_channels
from cloud_transformers.models.trunk import Flavour, KeyMode, Reduce, Size
from cloud_transformers.tasks import Task

_NOT_BUILT = ("size", "kind", "start")  # chosen before a builder is asked, or after


@dataclass(frozen=True, kw_only=True)
class ModelOptions:
    """The builders' options; see `models.TrunkOptions`."""

    size: Size = "full"
    flavour: Flavour = "release"
    keys: KeyMode = "full"
    scales: bool = False
    reduce: Reduce = "max"
    balance: bool = True
    planar: bool = True
    coarse: bool = False
    single_head: bool = False
    num_cascades: int | None = None
    kind: str | None = None  # of model, by its name in `models.kinds`; none: the usual one of the task
    start: str | None = None  # weights that training starts from, `--from` on the command line; see `recipes.finetune`

    def build(self, task: Task, num_classes: int) -> nn.Module:
        """A model for the task, with new weights."""
        name = chosen_kind(task.name, self.kind)
        # Options that have their default are left out: a kind of model need not know them all.
        values = {field.name: (getattr(self, field.name), field.default) for field in fields(self)}
        options = {key: value for key, (value, usual) in values.items() if value != usual and key not in _NOT_BUILT}
        try:
            return KINDS[name].builder(self.size, **_given_by(task, num_classes), **options)
        except TypeError as error:
            raise InputError(f"a {name} does not have all of these options: {error}") from error


def _given_by(task: Task, num_classes: int) -> dict[str, Any]:
    """The builders' options that follow from the task and its data."""
    if task.name == "segmentation":
        names = getattr(task, "features", ())
        if not names:
            raise InputError("features must name at least one: color, height, normal or a field of the files")
        return {"num_classes": num_classes, "num_features": num_channels(names)}
    if task.name == "classification":
        return {"num_classes": num_classes, "mask_head": getattr(task, "with_mask", True)}
    return {}


@dataclass(frozen=True, kw_only=True)
class SegmenterOptions(ModelOptions):
    fine: bool = False  # grids of twice the side


@dataclass(frozen=True, kw_only=True)
class ClassifierOptions(ModelOptions):
    dropout: float = 0.5
    max_and_mean: bool = False  # the heads also get the largest and the mean feature of all points
    surroundings: bool = False  # the first layer also gets how the points around each point lie
    fine: bool = False  # grids of twice the side


@dataclass(frozen=True, kw_only=True)
class CompleterOptions(ModelOptions):
    """What is none is as usual for the size; see `models.completer`."""

    moves: bool | None = None
    mirrors: int | None = None
    fine: bool | None = None
    style_channels: int | None = None


@dataclass(frozen=True, kw_only=True)
class ReconstructorOptions(ModelOptions):
    """What is none is as usual for the size; see `models.reconstructor`."""

    image_weights: str | None = None  # a file of public ImageNet weights for the image trunk; full size only
    refined: bool | None = None
    fine: bool = False  # a refinement that looks at the pixels themselves, on finer grids
    style_channels: int | None = None


@dataclass(frozen=True)
class Splits:
    """What a run learns from, and what it chooses its best weights by, if anything."""

    train: Dataset[Any]
    validation: Dataset[Any] | None = None
    notes: tuple[str, ...] = ()  # what the user should know about how they came about


class DataOptions(Protocol):
    """A benchmark, in a folder of the user's or in one filled from the embedded world."""

    @property
    def folder(self) -> str | None: ...

    def splits(self, task: Any, seed: int) -> Splits:
        """Opened and checked."""

    def protocol(self, task: Any, *, batch_size: int, workers: int) -> EvaluationProtocol:
        """The benchmark's evaluation, on its test split."""

    def fingerprint(self) -> dict[str, Any]:
        """Which data this is."""

    def preparation(self, task: Any, classes: Sequence[str]) -> Preparation:
        """What a model trained on it expects of its input."""


@dataclass(frozen=True, kw_only=True)
class Recipe:
    """An experiment: which data, task and model, and how it is trained."""

    name: str  # as the command line calls it
    data: DataOptions
    task: Task
    model: ModelOptions
    training: TrainingOptions  # how long and how

    def configuration(self) -> dict[str, Any]:
        """Everything chosen, ready for JSON; `recipes.from_configuration` takes it back."""
        groups: dict[str, Any] = {group: asdict(getattr(self, group)) for group in GROUPS}
        return {"recipe": self.name, **groups}

    def preparation(self, classes: Sequence[str]) -> Preparation:
        """What goes into the weight file beside the weights; `classes` are the names of the labels."""
        said = self.data.preparation(self.task, classes)
        # Names alone: weights are passed on, and where files lie on a machine is nobody else's business.
        data = Path(self.data.folder).name if self.data.folder else "the embedded world"
        start = f", started from {Path(self.model.start).name}" if self.model.start else ""
        trunk = ", image trunk not from ImageNet" if self._is_without_imagenet() else ""
        return replace(said, recipe=f"{self.name} {self.model.size}{start}{trunk}", data=data)

    def warnings(self) -> tuple[str, ...]:
        """What anyone who compares this experiment with the paper's has to know."""
        if not self._is_without_imagenet():
            return ()
        return (
            "the image trunk starts from random weights, the paper's from ImageNet's, so scores cannot be compared; "
            "give such weights with image_weights=FILE",
        )

    def _is_without_imagenet(self) -> bool:
        model = self.model
        return (
            isinstance(model, ReconstructorOptions)
            and model.size == "full"
            and model.image_weights is None
            and model.start is None
        )


GROUPS = ("data", "task", "model", "training")
