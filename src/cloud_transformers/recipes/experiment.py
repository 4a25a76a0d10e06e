"""A recipe carried out: trained in a run folder, evaluated by its protocol."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from torch import nn

from cloud_transformers.datasets import Dataset
from cloud_transformers.decoding import read_object
from cloud_transformers.engine import Processes, Protocol, RunFolder, evaluate, train
from cloud_transformers.engine.evaluation import best_and_worst
from cloud_transformers.engine.pace import seconds_per_step, steps_within
from cloud_transformers.engine.results import Results
from cloud_transformers.engine.run import CONFIGURATION
from cloud_transformers.errors import InputError
from cloud_transformers.models import Preparation
from cloud_transformers.models.kinds import kind_name, kind_of
from cloud_transformers.recipes.finetune import gentle, start_from
from cloud_transformers.recipes.finishing import finish
from cloud_transformers.recipes.folder_segmentation import OwnSegmentationData
from cloud_transformers.recipes.overrides import from_configuration
from cloud_transformers.recipes.recipe import Recipe, Splits
from cloud_transformers.tasks import Completion, Reconstruction, Segmentation, Task


def run_training(recipe: Recipe, out: Path, processes: Processes | None = None) -> nn.Module:
    """Train as the recipe says in the folder `out`, or go on there; returns the model to be used.

    `processes`: this one alone by default, or those that torchrun started. InputError for settings that do not fit the
    data.
    """
    training = recipe.training
    processes = processes or Processes(device=training.device, precision=training.precision)
    # One process opens first: what it puts into the cache, the others only read.
    if not processes.is_main:
        processes.wait()
    recipe = _measured(recipe)
    splits = recipe.data.splits(recipe.task, training.seed)
    if processes.is_main:
        processes.wait()
    if training.validate_every and splits.validation is None:
        raise InputError(
            f"{recipe.name} has no validation data here; set validate_every=0, or give it some: holdout above 0 where "
            "there is such a setting, more files or some in the split val in a folder of your own"
        )
    recipe = gentle(recipe, splits.train.classes)
    training = recipe.training
    asked, recipe = recipe, _with_balance(recipe, splits.train)
    _check_weights(recipe, len(splits.train.classes))
    if processes.is_main:
        for note in splits.notes:
            print(f"note: {note}", file=sys.stderr)
        if recipe.model.start and training.heads_first:
            print(
                f"note: weights for other classes: the heads learn alone for {training.heads_first:.0%} of the steps "
                f"(heads_first), then all other layers at {training.body_rate:g} of the rate (body_rate)",
                file=sys.stderr,
            )
        for warning in recipe.warnings():
            print(f"warning: {warning}", file=sys.stderr)
    if training.minutes:
        recipe = _in_time(recipe, splits, out, processes)
        training, asked = recipe.training, replace(asked, training=recipe.training)
    validation = validation_of(recipe, splits) if training.validate_every else None
    model = train(
        recipe.task,
        lambda: recipe.model.build(recipe.task, len(splits.train.classes)),
        splits.train,
        training,
        RunFolder(out),
        configuration=asked.configuration(),
        facts={**recipe.data.fingerprint(), "warnings": recipe.warnings()},
        preparation=recipe.preparation(splits.train.classes),
        validation=validation,
        processes=processes,
        start=partial(start_from, recipe) if recipe.model.start else None,
    )
    if processes.is_main:
        finish(out, recipe, validation, processes)
    processes.wait()
    return model


def validation_of(recipe: Recipe, splits: Splits) -> Protocol | None:
    """The protocol by which a recipe's weights are chosen and calibrated; None if `splits` have no validation data."""
    if splits.validation is None:
        return None
    return Protocol.once(
        f"{recipe.name}, validation split",
        _without_emd(recipe.task),
        splits.validation,
        batch_size=recipe.training.batch_size,
        workers=recipe.training.workers,
    )


def run_evaluation(
    recipe: Recipe,
    model: nn.Module,
    weights: str,
    *,
    processes: Processes | None = None,
    pictures: int = 0,
    notes: Sequence[str] = (),
) -> Results:
    """A recipe's protocol on the test split of its data.

    - `model`: which is scored; InputError if it is for another task.
    - `weights`: where it comes from, for the results. `notes` come with them.
    - `pictures`: how many of the best samples, and of the worst, are painted.
    - `processes`: this one alone by default, or those that torchrun started.
    """
    training = recipe.training
    processes = processes or Processes(device=training.device, precision=training.precision)
    if kind_of(model).task != recipe.task.name:
        raise InputError(f"{weights} holds a {kind_name(model)}, but {recipe.name} is {recipe.task.name}")
    if not processes.is_main:
        processes.wait()
    protocol = recipe.data.protocol(recipe.task, batch_size=training.batch_size, workers=training.workers)
    if processes.is_main:
        processes.wait()
    _check_classes(model, protocol, weights)
    start = time.perf_counter()
    tally = evaluate(model.to(processes.device), protocol, processes)
    seconds = time.perf_counter() - start
    best, worst = best_and_worst(model, protocol, tally, processes.device, pictures) if processes.is_main else ([], [])
    return Results.of(
        tally,
        recipe=recipe.name,
        protocol=protocol.name,
        weights=weights,
        seconds=seconds,
        facts=recipe.data.fingerprint(),
        notes=tuple(notes),
        best=best,
        worst=worst,
    )


def _measured(recipe: Recipe) -> Recipe:
    """The recipe with the statistics of its fields, where it has such: evaluation on other data needs the same."""
    if isinstance(recipe.data, OwnSegmentationData) and isinstance(recipe.task, Segmentation):
        return replace(recipe, data=recipe.data.measured(recipe.task))
    return recipe


def for_weights(recipe: Recipe, preparation: Preparation | None) -> Recipe:
    """The recipe with the features that weights want, and their statistics, whatever data they are to be tried on.

    `preparation` is what the weights say about their input.
    """
    if preparation is None or preparation.task != "segmentation" or not isinstance(recipe.data, OwnSegmentationData):
        return recipe
    task: Any = recipe.task
    data = replace(recipe.data, field_mean=preparation.field_mean, field_std=preparation.field_std)
    return replace(recipe, task=replace(task, features=preparation.features), data=data)


def _in_time(recipe: Recipe, splits: Splits, out: Path, processes: Processes) -> Recipe:
    """The recipe with as many steps as its minutes hold; a run that has begun keeps its own."""
    training, known = recipe.training, out / CONFIGURATION
    if known.is_file():
        before = from_configuration(read_object(known), str(known)).training
        if before.minutes == training.minutes:
            return replace(recipe, training=replace(training, steps=before.steps, validate_every=before.validate_every))
    build = partial(recipe.model.build, recipe.task, len(splits.train.classes))
    seconds = seconds_per_step(recipe.task, build, splits.train, training, processes)
    batches = -(-len(splits.validation) // training.batch_size) if splits.validation is not None else 0
    chosen = steps_within(training, seconds, batches)
    if processes.is_main:
        print(f"note: {seconds:.3g} s per step: {chosen.steps} steps in {training.minutes:g} minutes", file=sys.stderr)
    return replace(recipe, training=chosen)


def balanced_weights(counts: Sequence[int]) -> tuple[float, ...]:
    """A weight per class by how often it occurs: the inverse of its share, but at most ten times the mean class's.

    A class of the data's settings that does not occur weighs 1.
    """
    mean = sum(counts) / max(len(counts), 1)
    return tuple(round(min(max(mean / count, 0.1), 10.0), 4) if count else 1.0 for count in counts)


def _with_balance(recipe: Recipe, train: Dataset[Any]) -> Recipe:
    """The recipe with numbers in the place of `class_weights=balanced`."""
    if getattr(recipe.task, "class_weights", ()) != "balanced":
        return recipe
    source: Any = train.source
    counts = source.counts()
    weights = balanced_weights([counts.get(name, 0) for name in train.classes])
    task: Any = recipe.task
    return replace(recipe, task=replace(task, class_weights=weights))


def _check_weights(recipe: Recipe, num_classes: int) -> None:
    weights = getattr(recipe.task, "class_weights", ())
    if weights and len(weights) != num_classes:
        raise InputError(
            f"class_weights are {len(weights)}, but {recipe.name} has {num_classes} classes: give one each"
        )


def _without_emd(task: Task) -> Task:
    """EMD takes longer than all other scores together, and no weights are chosen by it."""
    return replace(task, score_emd=False) if isinstance(task, (Completion, Reconstruction)) else task


def _check_classes(model: Any, protocol: Protocol, weights: str) -> None:
    classes = protocol.passes[0].dataset.classes
    known = getattr(model.config, "num_classes", len(classes))
    if known != len(classes):
        raise InputError(f"{weights} knows {known} classes, the data has {len(classes)}: they do not belong together")
