"""Dataset: a source of samples, a transform and a seed; the same sample for any worker count, order and machine."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Generic, Literal, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from cloud_transformers.datasets.problems import Problem, stop_at
from cloud_transformers.errors import InputError

S_co = TypeVar("S_co", covariant=True)
S = TypeVar("S")

OnCorrupt = Literal["stop", "skip"]


class Source(Protocol[S_co]):
    """What a benchmark module provides: numbered samples, read on demand.

    It opens files lazily and pickles small, so that loader workers of either start method can have their own.
    """

    classes: tuple[str, ...]

    def __len__(self) -> int: ...

    def name(self, index: int) -> str:
        """The file and place of the sample at an index, for messages."""

    def read(self, index: int, rng: np.random.Generator, epoch: int) -> S_co:
        """The sample at an index from 0.

        Sources that draw (a view, a crop) take it from the generator, or from a plan of the epoch.
        """

    def problems(self) -> list[Problem]:
        """Everything wrong with the samples. Reads all of them unless the cache knows the answer."""


class CountedSource(Source[S_co], Protocol[S_co]):
    """A source that `cloudt data check` can put into its table."""

    def counts(self) -> dict[str, int]:
        """How much there is of each class: points of labelled clouds, else samples or shapes, whatever is readable."""


def count_classes(classes: Sequence[str], labels: NDArray[Any]) -> dict[str, int]:
    """How often each class occurs among labels [...]; those out of range are for `problems` to name."""
    known = labels[(labels >= 0) & (labels < len(classes))]
    return dict(zip(classes, np.bincount(known, minlength=len(classes)).tolist(), strict=True))


def generator(seed: int, epoch: int, index: int) -> np.random.Generator:
    """The generator of the sample at an index in one epoch. Nothing else enters: no process, no worker, no history."""
    return np.random.default_rng((seed, epoch, index))


class Dataset(Generic[S]):
    """Map-style: `len(d)`, `d[i]` (epoch 0), `d[epoch, i]`, which a torch DataLoader takes as it is.

    Feed the loader from an `EpochOrder`: its pairs carry the epoch into workers that outlive it.

    >>> source = ct.world.sources.modelnet40("train", size=10).source
    >>> data = ct.datasets.Dataset(source, ct.transforms.FixedCount(100), seed=1)
    >>> len(data), data[3].cloud
    (10, PointCloud(100 points; no fields))
    >>> data[3].cloud == data[0, 3].cloud, data[3].cloud == data[1, 3].cloud  # the next epoch draws others
    (True, False)
    """

    def __init__(
        self,
        source: Source[S],  # where samples come from
        transform: Callable[[Any, np.random.Generator], Any] | None = None,  # what becomes of each; see `transforms`
        *,
        seed: int = 0,
        repeat: int = 1,  # how many samples of an epoch come from one of the source, for transforms that crop
        rows: np.ndarray | None = None,  # the samples of the source that are kept; None = all
        skipped: tuple[Problem, ...] = (),  # why samples were left out; `checked` fills it
    ):
        self.source = source
        self.transform = transform
        self.seed = seed
        self.repeat = repeat
        self.rows = np.arange(len(source)) if rows is None else np.asarray(rows, np.int64)
        self.skipped = skipped

    @property
    def classes(self) -> tuple[str, ...]:
        """Names of the labels; empty where there are none."""
        return self.source.classes

    def __len__(self) -> int:
        return len(self.rows) * self.repeat

    def __repr__(self) -> str:
        return f"Dataset({self.source!r}, {self.transform!r}, seed={self.seed}, {len(self)} samples)"

    def __getitem__(self, key: int | tuple[int, int]) -> S:
        epoch, index = key if isinstance(key, tuple) else (0, key)
        if not -len(self) <= index < len(self):
            raise IndexError(f"sample {index} of a dataset of {len(self)}")
        return self.sample(index % len(self), epoch)

    def __iter__(self) -> Iterator[S]:
        return (self[index] for index in range(len(self)))

    def sample(self, index: int, epoch: int = 0) -> S:
        """The sample as it is in this epoch: every random draw depends on (seed, epoch, index) alone."""
        row = int(self.rows[index // self.repeat])
        # Seeded by the row, not the index, so that skipping one corrupt sample leaves all others as they were.
        rng = generator(self.seed, epoch, row * self.repeat + index % self.repeat)
        sample = self.source.read(row, rng, epoch)
        return sample if self.transform is None else self.transform(sample, rng)

    def check(self) -> list[Problem]:
        """What is wrong with the samples of this dataset; empty if all is well."""
        kept = set(self.rows.tolist())
        return [problem for problem in self.source.problems() if problem.index is None or problem.index in kept]

    def checked(self, on_corrupt: OnCorrupt = "stop") -> Dataset[S]:
        """This dataset once everything in it was looked at, for calling before the first training step.

        `on_corrupt` "stop" raises InputError naming what is corrupt; "skip" leaves those samples out and lists them in
        `skipped`. A problem that belongs to no single sample stops either way.
        """
        if on_corrupt not in ("stop", "skip"):
            raise InputError(f"on_corrupt must be 'stop' or 'skip', got {on_corrupt!r}")
        problems = self.check()
        whole = [problem for problem in problems if problem.index is None]
        stop_at(whole if on_corrupt == "skip" else problems)
        bad = np.array(sorted({p.index for p in problems if p.index is not None}), np.int64)
        rows = self.rows[~np.isin(self.rows, bad)]
        if not len(rows) and len(self):
            raise InputError(f"all {len(self.rows)} samples are corrupt; the first: {problems[0]}")
        return Dataset(
            self.source, self.transform, seed=self.seed, repeat=self.repeat, rows=rows, skipped=tuple(problems)
        )


class EpochOrder:
    """The order of one epoch as (epoch, index) pairs: a sampler for a torch DataLoader, seeded like the samples."""

    def __init__(
        self,
        length: int,  # of the dataset
        *,
        seed: int = 0,
        shuffle: bool = True,  # False: every epoch goes from the first to the last
    ):
        self.length = length
        self.seed = seed
        self.shuffle = shuffle
        self.epoch = 0

    def set_epoch(self, epoch: int) -> None:
        """Which epoch the next iteration is."""
        self.epoch = epoch

    def __len__(self) -> int:
        return self.length

    def __iter__(self) -> Iterator[tuple[int, int]]:
        order = np.arange(self.length)
        if self.shuffle:
            order = np.random.default_rng((self.seed, self.epoch)).permutation(self.length)
        return ((self.epoch, int(index)) for index in order)
