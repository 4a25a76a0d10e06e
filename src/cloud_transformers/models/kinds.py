"""The kinds of models: one table that everything else reads. A new kind is a model file and a line here.

A task may have several kinds; the first is the one that recipes take unless told otherwise (`kind=NAME`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from torch import nn

from cloud_transformers.errors import InputError
from cloud_transformers.models.classifier import Classifier, ClassifierConfig, build_classifier, classifier
from cloud_transformers.models.completer import Completer, CompleterConfig, build_completer, completer
from cloud_transformers.models.preparation import TaskName
from cloud_transformers.models.reconstructor import (
    Reconstructor,
    ReconstructorConfig,
    build_reconstructor,
    reconstructor,
)
from cloud_transformers.models.segmenter import Segmenter, SegmenterConfig, build_segmenter, segmenter


@dataclass(frozen=True, kw_only=True)
class Kind:
    """A model class and what belongs to it. Weight files name their kind by its key in `KINDS`.

    A model is called as the other kinds of its task are, and keeps its configuration as `config`, with `num_classes`
    where its task has classes.
    """

    task: TaskName
    verb: str  # of `cloudt`, which uses such weights
    model: type[nn.Module]
    configuration: type[Any]  # a frozen dataclass of numbers, texts, tuples and such dataclasses
    build: Callable[[Any], nn.Module]  # configuration -> model with new weights
    builder: Callable[..., nn.Module]  # a named size and options -> model with new weights


KINDS: dict[str, Kind] = {
    "segmenter": Kind(
        task="segmentation",
        verb="segment",
        model=Segmenter,
        configuration=SegmenterConfig,
        build=build_segmenter,
        builder=segmenter,
    ),
    "classifier": Kind(
        task="classification",
        verb="classify",
        model=Classifier,
        configuration=ClassifierConfig,
        build=build_classifier,
        builder=classifier,
    ),
    "completer": Kind(
        task="completion",
        verb="complete",
        model=Completer,
        configuration=CompleterConfig,
        build=build_completer,
        builder=completer,
    ),
    "reconstructor": Kind(
        task="reconstruction",
        verb="reconstruct",
        model=Reconstructor,
        configuration=ReconstructorConfig,
        build=build_reconstructor,
        builder=reconstructor,
    ),
}


def kind_name(model: nn.Module) -> str:
    """The key in `KINDS` of a model's class, or of the nearest class that it was derived from."""
    names = {kind.model: name for name, kind in KINDS.items()}
    found = next((names[each] for each in type(model).__mro__ if each in names), None)
    if found is None:
        raise ValueError(f"a {type(model).__name__} is none of the kinds {', '.join(KINDS)}; see models/kinds.py")
    return found


def kind_of(model: nn.Module) -> Kind:
    return KINDS[kind_name(model)]


def kinds_of_task(task: str) -> dict[str, Kind]:
    """By name; the first is the usual one."""
    return {name: kind for name, kind in KINDS.items() if kind.task == task}


def chosen_kind(task: str, name: str | None = None) -> str:
    """The name of the task's usual kind, or the given one if it is for the task."""
    fitting = kinds_of_task(task)
    if name is not None and name not in fitting:
        raise InputError(f"kind must be one of {', '.join(fitting)} for {task}, got {name!r}")
    return name or next(iter(fitting))
