"""What is looked into: a model with what it expects of its input, and clouds or pictures brought to it.

Inputs go the way of prediction, so that what is shown is what the verbs compute.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, get_args

import numpy as np
import torch
from numpy.typing import NDArray

from cloud_transformers.cloud import PointCloud
from cloud_transformers.errors import InputError
from cloud_transformers.inspect.walk import SeenBlock, blocks_of, run_by_steps, seen_blocks
from cloud_transformers.models.kinds import KINDS
from cloud_transformers.models.trunk import Size
from cloud_transformers.predict import AnyPredictor, Predictor, SegmentationPredictor
from cloud_transformers.predict.inputs import Given, take
from cloud_transformers.predict.scene import SceneSettings, segment_cloud
from cloud_transformers.predict.scene.settings import MissingColor

# The recipe from which a new model of each kind takes its input's size and frame.
RECIPE_OF = {
    "segmenter": "s3dis-blocks",
    "classifier": "scanobjectnn",
    "completer": "completion",
    "reconstructor": "reconstruction",
}
ALMOST_FULLEST = 0.9  # regions with at least this share of the fullest one's points are worth a look


@dataclass(frozen=True, eq=False)
class ModelInput:
    """One cloud on its way through the model."""

    name: str  # for titles
    run: Callable[[], Any]  # one pass of the model over it
    notes: tuple[str, ...] = ()  # what a user should know of how it was prepared, in sentences


@dataclass(frozen=True, eq=False)
class Subject:
    """A model to be looked into, with the predictor that brings inputs to it."""

    name: str  # for titles
    predictor: AnyPredictor

    @property
    def task(self) -> str:
        """What the model is for: "segmentation", "classification", "completion" or "reconstruction"."""
        return self.predictor.preparation.task

    @property
    def up(self) -> str:
        """The axis that points up in what the model is given and gives."""
        return self.predictor.preparation.up

    def with_points(self, num_points: int) -> Subject:
        """The same generator giving another number of points, `num_points`; InputError for too few."""
        predictor = self.predictor
        least = predictor.preparation.points if self.task == "completion" else 1  # it keeps what it observed
        if num_points < least:
            raise InputError(f"{self.name}: gives at least {least:,} points, not {num_points:,}")
        preparation = replace(predictor.preparation, num_points=num_points)
        return Subject(self.name, Predictor.of(predictor.model, preparation, predictor.device))

    def blocks(self, given: ModelInput) -> list[SeenBlock]:
        """All blocks of the model at work on the input."""
        return seen_blocks(self.predictor.model, given.run)

    def by_steps(self, given: ModelInput, step: Callable[[], object]) -> ModelInput:
        """The same input, on its way through the model with `step` called after each of the `num_blocks` blocks."""
        return replace(given, run=partial(run_by_steps, blocks_of(self.predictor.model), given.run, step))

    @property
    def num_blocks(self) -> int:
        """Of all parts of the model."""
        return len(blocks_of(self.predictor.model))

    def inputs(
        self,
        given: PointCloud | NDArray[Any] | str | os.PathLike[str],  # a cloud; for a reconstructor a picture or its file
        *,
        up: str | None = None,  # the axis that points up in the cloud; None: as in the training's data
        seed: int = 0,
        name: str = "the cloud",  # for titles and mistakes
        regions: int = 1,
        cell: float | None = None,
        missing_color: MissingColor = "grey",
    ) -> list[ModelInput]:
        """A cloud as the model takes it; of a scene, as many `regions`, evenly spread over its fullest ones.

        `cell`: a scene is first thinned to one point per cube of this side; by default as for training: regions of
        blocks are drawn from all points, those of spheres from the training's grid. `missing_color`: what a model that
        wants colours sees in a scene that has none; "refuse" makes that an InputError.
        """
        predictor = self.predictor
        if isinstance(predictor, SegmentationPredictor):
            assert not isinstance(given, (str, os.PathLike))
            if cell is None and predictor.preparation.region == "block":
                cell = 0.0
            chosen = SceneSettings(
                up=up or "z", scale=1.0, cell=cell, overlap=0.0, seed=seed, missing_color=missing_color
            )
            return _regions(predictor, take(given, name), chosen, name, regions)
        settings: dict[str, Any] = {"up": up, "seed": seed, "name": name}
        if self.task == "classification":
            settings["votes"] = 1
        prepared: Any = predictor.prepare(given, **settings)  # type: ignore[arg-type]
        return [ModelInput(name, partial(predictor.score, [prepared]), prepared.notes)]


def open_subject(
    weights: str | os.PathLike[str], *, device: str | torch.device | None = None, seed: int = 0
) -> Subject:
    """Weights by any name that `Predictor.load` takes, or `KIND:SIZE` for a model with new weights drawn by the seed.

    KIND is segmenter, classifier, completer or reconstructor, SIZE is full, small or tiny. `device`: where the model
    runs, by default on the GPU where there is one.

    >>> subject = ct.inspect.open_subject("completer:tiny")
    >>> subject.name, subject.task
    ('completer:tiny, untrained, seed 0', 'completion')
    """
    text = os.fspath(weights)
    kind, colon, size = text.partition(":")
    if colon and kind in KINDS:
        return Subject(f"{text}, untrained, seed {seed}", _untrained(kind, size, device, seed))
    return Subject(text, Predictor.load(weights, device))


def _untrained(kind: str, size: str, device: str | torch.device | None, seed: int) -> Any:
    from cloud_transformers.recipes import recipe

    if size not in get_args(Size):
        raise InputError(f"{kind}:{size}: a new model is of size {', '.join(get_args(Size))}, as in {kind}:full")
    chosen = recipe(RECIPE_OF[kind], size)
    num_classes = getattr(KINDS[kind].configuration(), "num_classes", 0)
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        model = chosen.model.build(chosen.task, num_classes)
    return Predictor.of(model, chosen.preparation([f"class {number}" for number in range(num_classes)]), device)


def _regions(
    predictor: SegmentationPredictor, taken: Given, settings: SceneSettings, name: str, count: int
) -> list[ModelInput]:
    """The regions that the predictor would hand to its model."""
    if count < 1:
        raise InputError(f"regions must be at least 1, got {count}")
    preparation = predictor.preparation
    found: list[tuple[NDArray[Any], NDArray[Any]]] = []

    def note(positions: list[NDArray[Any]], features: list[NDArray[Any]]) -> list[NDArray[np.float32]]:
        found.extend(zip(positions, features, strict=True))
        return [np.zeros((len(each), len(preparation.classes)), np.float32) for each in positions]

    _, notes = segment_cloud(taken.cloud, note, preparation, settings, name=name)
    sizes = np.array([len(positions) for positions, _ in found])
    fullest = np.flatnonzero(sizes >= ALMOST_FULLEST * sizes.max())
    chosen = fullest[np.linspace(0, len(fullest) - 1, min(count, len(fullest))).round().astype(int)]
    return [
        ModelInput(
            f"{name}, {preparation.region} {row + 1} of {len(found)}",
            partial(predictor.score_regions, *([part] for part in found[row])),
            (*taken.notes, *notes),
        )
        for row in chosen
    ]
