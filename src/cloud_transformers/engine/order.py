"""Which samples a step sees: a function of the seed and the step, the same for any number of processes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from cloud_transformers.datasets import Dataset, EpochOrder
from cloud_transformers.errors import InputError
from cloud_transformers.tasks import Item

Key = tuple[int, int]  # epoch and index, as a Dataset takes them


def seed_of(*numbers: int) -> int:
    """One seed from several numbers, well mixed: neighbours have nothing in common."""
    return int(np.random.SeedSequence(numbers).generate_state(1, np.uint64)[0] >> 1)


@dataclass(frozen=True)
class SeededItems:
    """A dataset whose samples bring their number and a seed of their own."""

    dataset: Dataset[Any]
    seed: int

    def __len__(self) -> int:
        return len(self.dataset)

    def __getitem__(self, key: Key) -> Item:
        epoch, index = key
        return Item(index, seed_of(self.seed, epoch, index), self.dataset[epoch, index])


def prepared(loader: Iterable[Any]) -> Iterator[Any]:
    """The batches of a DataLoader; InputError if a process that prepares them is killed.

    Its iterator is made here, not with the first batch: it draws a random number, which must not be one of a step's.
    """
    return _unless_killed(iter(loader))


def _unless_killed(batches: Iterator[Any]) -> Iterator[Any]:
    try:
        yield from batches
    except RuntimeError as error:
        if "DataLoader worker" not in str(error):
            raise
        raise InputError(
            "a process that reads data was ended from outside, most likely because memory ran out; run the same "
            "command again, with fewer of them (workers=N) if that is the reason"
        ) from error


class StepOrder:
    """The epochs' shuffled orders one after the other, cut into steps; a step may reach into the next epoch.

    Iterating gives the parts of all steps from `first` on, as one process (`rank`) runs them: a sampler of batches.
    """

    def __init__(
        self,
        num_samples: int,
        *,
        batch_size: int,
        seed: int,
        first: int,
        steps: int,
        accumulate: int = 1,
        rank: int = 0,
        num_processes: int = 1,
    ) -> None:
        if num_samples < 1:
            raise InputError("the training split is empty; check the data with `cloudt data check`")
        if batch_size % (accumulate * num_processes):
            raise InputError(
                f"a batch of {batch_size} cannot be dealt out evenly to {num_processes} processes in {accumulate} "
                f"parts each; choose a multiple of {accumulate * num_processes}"
            )
        self.num_samples, self.batch_size, self.seed = num_samples, batch_size, seed
        self.first, self.steps = first, steps
        self.accumulate, self.rank, self.num_processes = accumulate, rank, num_processes
        self._epoch: tuple[int, list[Key]] = (-1, [])

    def __len__(self) -> int:
        return (self.steps - self.first) * self.accumulate

    def __iter__(self) -> Iterator[list[Key]]:
        share = self.batch_size // self.num_processes
        part = share // self.accumulate
        for step in range(self.first, self.steps):
            keys = self.batch(step)[self.rank * share : (self.rank + 1) * share]
            for start in range(0, share, part):
                yield keys[start : start + part]

    def batch(self, step: int) -> list[Key]:
        """All samples of a step."""
        start = step * self.batch_size
        return [self._key(place) for place in range(start, start + self.batch_size)]

    def _key(self, place: int) -> Key:
        epoch, offset = divmod(place, self.num_samples)
        if self._epoch[0] != epoch:
            order = EpochOrder(self.num_samples, seed=self.seed)
            order.set_epoch(epoch)
            self._epoch = epoch, list(order)
        return self._epoch[1][offset]
