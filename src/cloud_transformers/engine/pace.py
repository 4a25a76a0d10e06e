"""How long a step takes here, so that a run can be told to end in time."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import cycle
from typing import Any

import torch
from torch import nn

from cloud_transformers.datasets import Dataset
from cloud_transformers.engine.options import TrainingOptions
from cloud_transformers.engine.order import SeededItems
from cloud_transformers.engine.processes import Processes
from cloud_transformers.engine.schedule import check_points, make_optimizer, share_of_points
from cloud_transformers.tasks import Task

_WARM, _TIMED = 2, 4  # steps: the first ones compile kernels and fill caches
_SPARE = 0.1  # the share of the time that is left for checkpoints and the end
_OF_A_STEP = 1 / 3  # what a batch of validation takes, which has no backward pass
_FEWEST = 10


def steps_within(options: TrainingOptions, seconds_per_step: float, validation_batches: int = 0) -> TrainingOptions:
    """The options with as many steps as `options.minutes` hold, validated as often in a run as before."""
    validations = options.steps // options.validate_every if options.validate_every else 0
    for_steps = (1 - _SPARE) * 60 * options.minutes - validations * validation_batches * _OF_A_STEP * seconds_per_step
    steps = max(_FEWEST, int(for_steps / seconds_per_step))
    return replace(options, steps=steps, validate_every=max(1, steps // validations) if validations else 0)


def seconds_per_step(
    task: Task,
    make_model: Callable[[], nn.Module],
    dataset: Dataset[Any],
    options: TrainingOptions,
    processes: Processes,
) -> float:
    """Measured on a few steps of a model that is then forgotten; the mean over all processes."""
    check_points(options, task)
    torch.manual_seed(options.seed)
    model = make_model().to(processes.device).train()
    optimizer = make_optimizer(model, options)
    batches = _batches(task, dataset, options, processes)
    shares = [share_of_points(options, step) for step in range(options.steps)]
    began, share = 0.0, sum(shares) / len(shares)  # a step with so many points takes as long as the mean of all steps
    for step in range(_WARM + _TIMED):
        if step == _WARM:
            began = time.perf_counter()
        for _ in range(options.accumulate):
            batch = next(batches).to(processes.device)
            if share < 1:
                batch = batch.thinned(share)
            terms = task.loss(task.forward(model, batch), batch, step)
            sum(term.share * term.value for term in terms.values()).backward()  # type: ignore[union-attr]
        optimizer.step()
        optimizer.zero_grad()
    mine = (time.perf_counter() - began) / _TIMED
    return processes.sums({"seconds": mine})["seconds"] / processes.count


def _batches(task: Task, dataset: Dataset[Any], options: TrainingOptions, processes: Processes) -> Iterator[Any]:
    items = SeededItems(dataset, options.seed)
    size = max(1, options.batch_size // (options.accumulate * processes.count))
    numbers = cycle(range(len(dataset)))
    while True:
        yield task.collate([items[0, next(numbers)] for _ in range(size)])
