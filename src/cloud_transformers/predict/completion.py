"""Completion: from the points that one view saw of an object to points all over it.

Letters: N points given, M observed points that the model takes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

import numpy as np
import torch
from numpy.typing import NDArray

from cloud_transformers.cloud import CloudBatch, PointCloud
from cloud_transformers.datasets.sample import ClassificationSample
from cloud_transformers.errors import InputError
from cloud_transformers.predict.batches import require_finite
from cloud_transformers.predict.inputs import Given, few_points, take
from cloud_transformers.predict.task_predictor import TaskPredictor
from cloud_transformers.space.frames import Frame, up_rotation
from cloud_transformers.transforms import FixedCount

FRAME_NOTE = ("is taken as it is: these weights were trained in their data's own coordinates, not by the cloud's box",)


@dataclass(frozen=True, eq=False, kw_only=True)
class Observed:
    """A partial cloud as the model takes it, and the way back."""

    given: Given
    positions: NDArray[np.float32]  # [M, 3], M at most what the model was trained with
    frame: Frame  # from the cloud's positions to the model's
    seed: int
    notes: tuple[str, ...]


class CompletionPredictor(TaskPredictor):
    """`predictor(cloud)` for one partial cloud, `predictor.many(clouds)` for several at once, with the same answers.

    The answer is in the coordinates of what was given. Units do not matter for weights whose `preparation.frame` is
    "partial": the partial cloud's box decides about position and size. Those of the frame "data" take clouds as they
    are. The up axis does matter: say `up` if it is not the model's (`preparation.up`).
    """

    def __call__(
        self,
        cloud: PointCloud | NDArray[Any],
        *,
        num_points: int | None = None,
        keep_observed: bool = False,
        **settings: Any,
    ) -> PointCloud:
        """The settings are those of `prepare` and `score`."""
        return self.many([cloud], num_points=num_points, keep_observed=keep_observed, **settings)[0]

    def many(
        self,
        clouds: Sequence[PointCloud | NDArray[Any]],
        *,
        num_points: int | None = None,
        keep_observed: bool = False,
        **settings: Any,
    ) -> list[PointCloud]:
        """`num_points` and `keep_observed` are those of `score`, the settings those of `prepare`."""
        prepared = [self.prepare(cloud, **settings) for cloud in clouds]
        return self.score(prepared, num_points=num_points, keep_observed=keep_observed)

    def prepare(
        self,
        cloud: PointCloud | NDArray[Any],
        *,
        up: str | None = None,
        as_is: bool | None = None,
        scale: float = 1.0,
        seed: int = 0,
        name: str = "the cloud",
    ) -> Observed:
        """`as_is`: the cloud already has the position and size of the training data, but for the factor `scale`; False:
        it is placed and scaled by its box. By default as in training, see `preparation.frame`.

        What is drawn depends on the seed and the cloud alone. `name` is what complaints call the cloud.
        """
        if not (np.isfinite(scale) and scale > 0):
            raise InputError(f"scale must be a positive number, got {scale}")
        kept = self.preparation.frame == "data" if as_is is None else as_is
        if scale != 1.0 and not kept:
            raise InputError(
                "scale counts only for clouds taken as they are (as_is, --as-is): others are scaled anyway"
            )
        given, wanted = take(cloud, name), self.preparation.points
        turn = up_rotation(up or self.preparation.up, self.preparation.up)
        # The model's own factor is part of the way, so that one inverse undoes everything.
        if kept:
            matrix = turn * (scale * self.preparation.scale)
            frame = Frame(matrix, matrix @ given.cloud.offset)
        else:
            frame = self._boxed(given.cloud.positions, turn)
        sample = ClassificationSample(name=name, cloud=PointCloud(positions=given.cloud.positions), label=-1)
        short: Literal["repeat", "keep"] = "repeat" if self.preparation.repeat else "keep"
        drawn = FixedCount(wanted, short)(sample, np.random.default_rng(seed)).cloud
        return Observed(
            given=given,
            positions=frame.apply(drawn.positions).astype(np.float32),
            frame=frame,
            seed=seed,
            notes=given.notes + (FRAME_NOTE if as_is is None and kept else ()) + self._few(len(given.cloud)),
        )

    def _few(self, num: int) -> tuple[str, ...]:
        wanted = self.preparation.points
        if self.preparation.repeat or num >= wanted:
            return few_points(num, wanted)
        return (f"has {num:,} points where the model was trained with {wanted:,}: its answer may be coarser",)

    def _boxed(self, positions: NDArray[np.float32], turn: NDArray[np.float64]) -> Frame:
        turned = positions.astype(np.float64) @ turn.T
        low, high = turned.min(axis=0), turned.max(axis=0)
        factor = self.preparation.extent / float(np.linalg.norm(high - low)) * self.preparation.scale
        return Frame(turn * factor, -(low + high) / 2 * factor)

    def score(
        self, prepared: Sequence[Observed], *, num_points: int | None = None, keep_observed: bool = False
    ) -> list[PointCloud]:
        """For all `prepared`, clouds of `num_points` points (by default as many as in training), each in its own
        coordinates.

        With `keep_observed` the given points come first, as they are, and the field `observed` (1 or 0) tells them
        from those of the model. Notes on the input are in `metadata["notes"]`.
        """
        count = num_points or self.preparation.num_points
        if count < self.preparation.points:
            raise InputError(
                f"this model takes {self.preparation.points} points and gives at least as many, not {count}; "
                "thin its answer instead"
            )
        answers = self.batches.run(prepared, partial(self._score, num_points=count))
        return [_brought_back(each, answer, keep_observed) for each, answer in zip(prepared, answers, strict=True)]

    @torch.inference_mode()
    def _score(self, some: Sequence[Observed], *, num_points: int) -> list[NDArray[np.float32]]:
        batch = CloudBatch.from_clouds([each.positions for each in some]).to(self.device)
        observed, mask = batch.positions, None if bool(batch.mask.all()) else batch.mask
        inputs = [
            self.model.decoder_inputs(
                observed[row : row + 1],
                num_points,
                None if mask is None else mask[row : row + 1],
                torch.Generator().manual_seed(each.seed),
            )
            for row, each in enumerate(some)
        ]
        answer = self.model.decode(self.model.encode(observed, mask), torch.cat(inputs))
        return list(require_finite(answer.float().numpy(force=True)))


def _brought_back(observed: Observed, answer: NDArray[np.float32], keep_observed: bool) -> PointCloud:
    given = observed.given.cloud
    positions = observed.frame.undo(answer).astype(np.float32)
    fields: dict[str, NDArray[Any]] = {}
    if keep_observed:
        fields["observed"] = np.repeat(np.array([1, 0], np.uint8), [len(given), len(positions)])
        positions = np.concatenate([given.positions, positions])
    metadata = {key: value for key, value in given.metadata.items() if key != "non_finite"}
    return PointCloud(
        positions=positions, fields=fields, offset=given.offset, metadata={**metadata, "notes": observed.notes}
    )
