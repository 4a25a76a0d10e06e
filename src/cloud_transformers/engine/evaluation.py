"""Evaluation by a protocol: named passes over data, every sample counted once, however many processes share them."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import torch
from torch import nn
from torch.utils.data import DataLoader
from tqdm import tqdm

from cloud_transformers.datasets import Dataset
from cloud_transformers.engine.order import Key, SeededItems, prepared
from cloud_transformers.engine.processes import Processes
from cloud_transformers.errors import InputError
from cloud_transformers.tasks import Image, Panel, Tally, Task


@dataclass(frozen=True)
class Pass:
    """One look at every sample of a dataset; votes are passes of different epochs."""

    dataset: Dataset[Any]
    epoch: int = 0  # what is drawn for the samples depends on it


@dataclass(frozen=True, kw_only=True)
class Protocol:
    """What is measured, on what, and how."""

    name: str  # for messages and results
    task: Task  # makes batches and predictions
    passes: tuple[Pass, ...]  # over the data, one after the other
    tally: Callable[[], Tally]  # makes a new one
    batch_size: int = 8  # of one process; it changes speed and memory, not scores
    seed: int = 0
    workers: int = 0  # processes that prepare batches

    @classmethod
    def once(cls, name: str, task: Task, dataset: Dataset[Any], **options: Any) -> Protocol:
        """Every sample of a dataset once, as it is in epoch 0, scored by the task's own tally.

        `options` are the other fields: `batch_size`, `seed`, `workers`.
        """
        return cls(name=name, task=task, passes=(Pass(dataset),), tally=partial(task.tally, dataset.classes), **options)


@torch.no_grad()
def evaluate(model: nn.Module, protocol: Protocol, processes: Processes) -> Tally:
    """The tally of a model by a protocol, merged over all processes, on each of them.

    The model is left in evaluation mode. InputError if there is nothing to evaluate on.
    """
    model.eval()
    tally = protocol.tally()
    total = sum(len(each.dataset) for each in protocol.passes)
    if not total:
        raise InputError(f"{protocol.name}: there is nothing to evaluate on, the split is empty")
    bar = tqdm(total=total, desc="evaluating", delay=1.0, leave=False, disable=not _watched(processes))
    with bar:
        for batch in batches_of(protocol, processes):
            batch = batch.to(processes.device)
            with processes.accelerator.autocast():
                prediction = protocol.task.predict(model, batch)
            tally.update(prediction, batch)
            bar.update(len(batch) * processes.count)
    return processes.merged(tally)


def batches_of(protocol: Protocol, processes: Processes) -> Iterator[Any]:
    """This process's share of the batches of all passes, on the CPU."""
    for each in protocol.passes:
        yield from prepared(_loader(each, protocol, processes))


@dataclass(frozen=True)
class Shown:
    """A sample to be looked at."""

    name: str
    caption: str
    panels: list[Panel | Image]


@torch.no_grad()
def best_and_worst(
    model: nn.Module, protocol: Protocol, tally: Tally, device: torch.device, count: int
) -> tuple[list[Shown], list[Shown]]:
    """Pictures of the samples that went best and worst, where samples have a score of their own."""
    order = sorted(tally.quality().items(), key=lambda pair: (-pair[1], pair[0]))
    count = min(count, len(order) // 2)
    chosen = order[:count], order[len(order) - count :][::-1]
    first = protocol.passes[0]
    items = SeededItems(first.dataset, protocol.seed)

    def show(number: int) -> Shown:
        batch = protocol.task.collate([items[first.epoch, number]]).to(device)
        panels = protocol.task.panels(protocol.task.predict(model, batch), batch, 0, first.dataset.classes)
        return Shown(batch.names[0], tally.caption(number), panels)

    best, worst = ([show(number) for number, _ in pairs] for pairs in chosen)
    return best, worst


def _loader(each: Pass, protocol: Protocol, processes: Processes) -> DataLoader[Any]:
    mine = range(processes.rank, len(each.dataset), processes.count)
    keys: list[Key] = [(each.epoch, index) for index in mine]
    batches = [keys[start : start + protocol.batch_size] for start in range(0, len(keys), protocol.batch_size)]
    return DataLoader(
        SeededItems(each.dataset, protocol.seed),  # type: ignore[arg-type]
        batch_sampler=batches,
        collate_fn=protocol.task.collate,
        num_workers=protocol.workers,
    )


def _watched(processes: Processes) -> bool:
    return processes.is_main and sys.stderr.isatty()
