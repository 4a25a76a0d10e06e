"""What a model must beat to have learned anything: the best answer that never looks at its input, and the answer of
who only remembers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from cloud_transformers.errors import InputError
from cloud_transformers.metrics import CategoryAverage, Score, ShapeDistances
from cloud_transformers.recipes.data_access import derived
from cloud_transformers.recipes.recipe import Recipe
from cloud_transformers.tasks import Reconstruction

Wrap = Callable[[range], Iterable[int]]
_SIDE = 32  # pixels by which pictures are compared


def best_constant(recipe: Recipe, *, threshold: float = 0.05, candidates: int = 200, wrap: Wrap = iter) -> Score:
    """Reconstruction: the F-score of the training shape that, given for every picture of the test split, does best.

    `candidates` bounds how many training shapes are tried; `wrap` may put a progress bar around them.
    """
    test, train = _samples(recipe)
    truths = torch.from_numpy(np.stack([sample.cloud.positions for sample in test]))
    best: Score | None = None
    for number in wrap(range(min(candidates, len(train)))):
        shape = torch.from_numpy(train[number].cloud.positions)
        close = ShapeDistances.of_one(shape, truths).f_score(threshold).tolist()
        told = f"F-score at {threshold:g} of the one training shape that serves all test pictures best"
        score = _average(f"F@{threshold:g} of the best constant answer", told, test, close)
        best = score if best is None or score.value > best.value else best
    assert best is not None
    return best


def nearest_picture(recipe: Recipe, *, threshold: float = 0.05, wrap: Wrap = iter) -> Score:
    """Reconstruction: the F-score of retrieval, the shape of that training picture which is most alike.

    Pictures are compared pixel by pixel, 32 x 32 of them; of each training shape all pictures are known. `wrap` may put
    a progress bar around the training pictures.
    """
    test, train = _samples(recipe)
    known = np.stack([_thumbnail(train[number].image) for number in wrap(range(len(train)))])
    close = []
    for sample in test:
        alike = int(np.abs(known - _thumbnail(sample.image)).sum(axis=1).argmin())
        clouds = (torch.from_numpy(each.cloud.positions)[None] for each in (train[alike], sample))
        close.append(float(ShapeDistances.between(*clouds).f_score(threshold)))
    told = f"F-score at {threshold:g} of the training shape whose picture is nearest, pixel by pixel"
    return _average(f"F@{threshold:g} of the nearest training picture's shape", told, test, close)


def _samples(recipe: Recipe) -> tuple[list[Any], Any]:
    """The test samples, and the training split prepared as they are."""
    task = recipe.task
    if not isinstance(task, Reconstruction):
        raise InputError(f"this is a baseline of reconstruction, not of {recipe.name}")
    dataset = recipe.data.protocol(task, batch_size=1, workers=0).passes[0].dataset
    train = recipe.data.splits(task, recipe.training.seed).train
    return list(dataset), derived(train, dataset.transform)


def _thumbnail(image: NDArray[np.uint8]) -> NDArray[np.float32]:  # [h, w, 3] -> [32 * 32 * 3]
    rows, columns = (np.linspace(0, size, _SIDE + 1).astype(int)[:-1] for size in image.shape[:2])
    sums = np.add.reduceat(np.add.reduceat(image.astype(np.float32), rows, axis=0), columns, axis=1)
    return (sums * (_SIDE**2 / image[..., 0].size)).ravel()


def _average(name: str, definition: str, samples: Sequence[Any], values: Sequence[float]) -> Score:
    average = CategoryAverage(name, unit="", definition=definition, better="higher")
    for sample, value in zip(samples, values, strict=True):
        average.update(sample.category, value)
    return average.score()
