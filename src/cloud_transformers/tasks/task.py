"""What a training loop asks of a task, so that one loop serves all of them.

A task turns samples into batches, runs the model on them, says what the loss is and keeps the score. It holds no
weights and no state: everything it needs to know is in its fields.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, ClassVar, Literal, NamedTuple, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray
from torch import Tensor, nn

from cloud_transformers.cloud import PointCloud
from cloud_transformers.metrics import ConfusionMatrix, Score


class Item(NamedTuple):
    """A sample with its number in the dataset and the seed of everything that is drawn for it."""

    number: int  # in the dataset
    seed: int
    sample: Any  # one of `datasets.Sample`


B = TypeVar("B", bound="Batch")


@dataclass(frozen=True, eq=False, kw_only=True)
class Batch:
    """What all batches have: which samples they hold. Tasks add their tensors."""

    numbers: tuple[int, ...]  # in the dataset
    names: tuple[str, ...]  # of the samples, for messages
    seeds: tuple[int, ...]  # what is drawn for a cloud depends on its own seed, not on its neighbours in the batch

    def __len__(self) -> int:
        return len(self.numbers)

    def to(self: B, device: Any) -> B:
        """The same batch, with its tensors on another device."""
        moved: dict[str, Any] = {name: value.to(device) for name, value in self.tensors().items()}
        return replace(self, **moved)

    def tensors(self) -> dict[str, Tensor]:
        """Those of its fields that are tensors, by name."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: value for name, value in values.items() if isinstance(value, Tensor)}


def origin(items: Sequence[Item]) -> dict[str, Any]:
    """The fields of `Batch` for these items."""
    return {
        "numbers": tuple(item.number for item in items),
        "names": tuple(item.sample.name for item in items),
        "seeds": tuple(item.seed for item in items),
    }


class Term(NamedTuple):
    """A part of the loss: a mean over as many things as the task's `counts` says, and its share of the sum."""

    value: Tensor  # []
    share: float = 1.0


class Panel(NamedTuple):
    """One cloud of a picture; `field` names the field that colours it, if any, and `up` the axis that points up.

    Where the field holds labels, `names` are those of label 0, 1 ...
    """

    title: str
    cloud: PointCloud
    field: str | None = None
    up: Literal["y", "z"] = "y"
    names: tuple[str, ...] = ()


class Image(NamedTuple):
    """A part of a picture that is one already."""

    title: str
    pixels: NDArray[np.uint8]  # [h, w, 3]


class Tally(Protocol):
    """Keeps the score over an evaluation. Tallies of several processes, merged, are what a single one would have."""

    def update(self, prediction: Any, batch: Any) -> None:
        """Count a batch and what `Task.predict` gave for it, `prediction`."""

    def merge(self, other: Any) -> None:
        """Take up what the tally of another process, `other`, has counted."""

    def scores(self) -> list[Score]:
        """The protocol's numbers; the first is the one that decides which weights are best."""

    def details(self) -> list[Score]:
        """The same per class or category."""

    def quality(self) -> dict[int, float]:
        """How well each sample went, higher = better, by its number; empty where a sample has no score of its own."""

    def caption(self, number: int) -> str:
        """What a person who looks at the sample of this number wants to know: what it is, what was predicted, how good
        that is."""

    def confusion(self) -> ConfusionMatrix | None:
        """What was taken for what; None where nothing is recognised."""


class Task(Protocol):
    """See the module. `name` is one of the four; predictions are whatever `forward` and `predict` give."""

    name: ClassVar[str]

    def collate(self, items: Sequence[Item]) -> Any:
        """A batch of the samples in `items`, on the CPU."""

    def forward(self, model: nn.Module, batch: Any) -> Any:
        """The prediction of the model for a batch that is trained, on the model's device."""

    def counts(self, batch: Any) -> dict[str, float]:
        """For each term of a batch's loss, how many things it is a mean over: with it, means of parts add up."""

    def loss(self, prediction: Any, batch: Any, step: int) -> dict[str, Term]:
        """The terms of the loss of a `prediction` for a batch, by the names that `counts` gives.

        `step` is the number of the optimiser's step, from 0, for losses that change on the way.
        """

    def recognised(self, prediction: Any, batch: Any) -> tuple[Tensor, Tensor] | None:
        """Logits [n, K] of all that is to be recognised in a batch and is labelled, and its true classes [n].

        They come from the `prediction` of the model for the batch. None for tasks in which nothing is recognised.
        """

    def predict(self, model: nn.Module, batch: Any) -> Any:
        """The answer of the model for a batch that is scored, made as the protocol says."""

    def tally(self, classes: Sequence[str]) -> Tally:
        """A new tally. `classes` are the names of the labels, of tasks that have any."""

    def panels(self, prediction: Any, batch: Any, row: int, classes: Sequence[str]) -> list[Panel | Image]:
        """A picture of the sample in a row of a batch: what came in, the `prediction` of the model, what is true.

        `classes` are the names of the labels, of tasks that have any.
        """
