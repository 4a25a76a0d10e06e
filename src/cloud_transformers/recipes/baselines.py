"""What a model must beat to have learned anything: the best answer that never looks at its input."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np
import torch

from cloud_transformers.errors import InputError
from cloud_transformers.metrics import CategoryAverage, Score, ShapeDistances
from cloud_transformers.recipes.recipe import Recipe
from cloud_transformers.tasks import Reconstruction


def best_constant(
    recipe: Recipe, *, threshold: float = 0.05, candidates: int = 200, wrap: Callable[[range], Iterable[int]] = iter
) -> Score:
    """Reconstruction: the F-score of the training shape that, given for every picture of the test split, does best.

    `candidates` bounds how many training shapes are tried; `wrap` may put a progress bar around them.
    """
    task = recipe.task
    if not isinstance(task, Reconstruction):
        raise InputError(f"the best constant answer is a baseline of reconstruction, not of {recipe.name}")
    protocol = recipe.data.protocol(task, batch_size=1, workers=0)
    test = list(protocol.passes[0].dataset)
    truths = torch.from_numpy(np.stack([sample.cloud.positions for sample in test]))
    train = recipe.data.splits(task, recipe.training.seed).train
    best: Score | None = None
    for number in wrap(range(min(candidates, len(train)))):
        shape = torch.from_numpy(train[number].cloud.positions)
        distances = ShapeDistances.of_one(shape, truths)
        average = CategoryAverage(
            f"F@{threshold:g} of the best constant answer",
            unit="",
            definition=f"F-score at {threshold:g} of the one training shape that serves all test pictures best",
            better="higher",
        )
        for sample, value in zip(test, distances.f_score(threshold).tolist(), strict=True):
            average.update(sample.category, value)
        score = average.score()
        best = score if best is None or score.value > best.value else best
    assert best is not None
    return best
