"""What a table of the comparison is: data, models, a loss, scores, and answers that need no model."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import torch
from torch import Tensor, nn

from cloud_transformers.datasets import Dataset
from cloud_transformers.tasks import Item

OURS = "cloud transformer, small"


@dataclass(frozen=True)
class Column:
    """A score as tables print it."""

    name: str
    digits: int = 1
    better: str = "higher"


class Table(ABC):
    """One comparison on one data set. `minutes` of one core for each run is what its figures are made with."""

    name: ClassVar[str]
    title: ClassVar[str]  # what is compared on what, with how many samples
    columns: ClassVar[tuple[Column, ...]]  # the first one is the score of curves
    models: ClassVar[Mapping[str, Callable[..., nn.Module]]]
    minutes: ClassVar[float] = 30.0
    batch_size: ClassVar[int] = 32
    note: ClassVar[str] = ""  # what is not equal after all
    needs_data: ClassVar[str] = ""  # the folder that a user brings; none: the embedded world

    def __init__(self, folder: Path | None, cache: Path) -> None:
        self.folder = folder
        self.cache = cache  # where prepared data may be kept

    @abstractmethod
    def training(self, name: str, seed: int) -> Dataset[Any]:
        """What the model of this name learns from."""

    @abstractmethod
    def build(self, name: str) -> nn.Module:
        """A model with new weights."""

    @abstractmethod
    def loss(self, model: nn.Module, items: list[Item]) -> Tensor: ...

    @abstractmethod
    def judge(self, model: nn.Module, most: int | None = None) -> dict[str, float]:
        """Scores on the test split, or on about `most` samples of it; with "clouds per second in evaluation"."""

    def simple_answers(self) -> Iterator[tuple[str, dict[str, float]]]:
        """What needs no training: a name and its scores."""
        return iter(())

    @torch.no_grad()
    def score(self, model: nn.Module, most: int) -> float:
        """The first column, on some samples: for curves."""
        return self.judge(model.eval(), most)[self.columns[0].name]


def spread(dataset: Dataset[Any], most: int | None) -> list[int]:
    """Places of at most so many samples, evenly over the whole set."""
    count = len(dataset) if most is None else min(most, len(dataset))
    return [place * len(dataset) // count for place in range(count)]
