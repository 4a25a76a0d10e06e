"""Classification of a cloud, and which of its points belong to the object.

Letters: N points, P points that the model takes, K classes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from cloud_transformers.cloud import PointCloud
from cloud_transformers.datasets.sample import ClassificationSample
from cloud_transformers.errors import InputError
from cloud_transformers.predict.batches import require_finite
from cloud_transformers.predict.inputs import Given, few_points, take
from cloud_transformers.predict.task_predictor import TaskPredictor
from cloud_transformers.predict.turns import turns_about
from cloud_transformers.space.frames import up_rotation
from cloud_transformers.space.neighbours import nearest_points
from cloud_transformers.transforms import Center, Compose, FixedCount, Scale, moved, scanobjectnn_evaluation
from cloud_transformers.viewer import Page

TOP = 3  # classes that a page names
SMALLEST, LARGEST = 0.03, 30.0  # metres: what is smaller or larger cannot be an object in metres


@dataclass(frozen=True, eq=False, kw_only=True)
class Classification:
    """What a cloud is. Classes come in the order of their probabilities, the most probable first."""

    classes: tuple[str, ...]  # [K]
    probabilities: NDArray[np.float32]  # [K], they add up to 1
    # For each point that was given: how probably it belongs to the object and not to its surroundings; NaN for
    # points that were left out. None if the model was trained on objects without surroundings.
    foreground: NDArray[np.float32] | None  # [N]
    unsure: bool | None = None  # unlike all held-out data; None if the weights do not say when that is
    notes: tuple[str, ...] = ()  # what a user should know of the input, in sentences
    cloud: PointCloud | None = field(default=None, repr=False)  # what was asked about, its finite points only

    def show(self, name: str = "cloud", **settings: Any) -> Page:
        """The cloud in 3D, by what belongs to the object if the model tells.

        `name` and `settings` are those of `PointCloud.show`.
        """
        if self.cloud is None:
            raise InputError("this classification does not know its cloud; show the cloud itself: cloud.show()")
        cloud, chances = self.cloud, zip(self.classes, self.probabilities.tolist(), strict=True)
        if self.foreground is not None:
            share = self.foreground[np.isfinite(self.foreground)]
            labels = (share > 0.5).astype(np.uint8)
            cloud = cloud.with_fields(label=labels, confidence=np.maximum(share, 1 - share))
            settings.setdefault("classes", ("surroundings", "object"))
        answers = ", ".join(f"{kind} {100 * chance:.0f} %" for kind, chance in list(chances)[:TOP])
        return cloud.show(name, title=f"{name}: {self.label}", notes=(answers, *self.notes), **settings)

    @property
    def label(self) -> str:
        """The most probable class."""
        return self.classes[0]

    @property
    def mask(self) -> NDArray[np.bool_] | None:
        """[N], True where a point belongs to the object."""
        return None if self.foreground is None else self.foreground > 0.5


@dataclass(frozen=True, eq=False, kw_only=True)
class Drawn:
    """A cloud as the model takes it: some draws of P points each, and which points they were."""

    given: Given
    positions: list[NDArray[np.float32]]  # each [P, 3]
    rows: list[NDArray[np.int64]]  # each [P]
    notes: tuple[str, ...]


class ClassificationPredictor(TaskPredictor):
    """`predictor(cloud)` for one cloud, `predictor.many(clouds)` for several at once, with the same answers.

    Units do not matter: clouds are centred and scaled as in training; but for weights that know how large things are
    (`preparation.knows_sizes`), which take metres. The up axis matters: say `up` if it is not the model's
    (`preparation.up`).
    """

    @property
    def finds_objects(self) -> bool:
        """Whether answers tell the points of the object from those around it."""
        return getattr(self.model, "mask_head", None) is not None

    def __call__(self, cloud: PointCloud | NDArray[Any], **settings: Any) -> Classification:
        """The settings are those of `prepare`."""
        return self.score([self.prepare(cloud, **settings)])[0]

    def many(self, clouds: Sequence[PointCloud | NDArray[Any]], **settings: Any) -> list[Classification]:
        """The settings are those of `prepare`."""
        return self.score([self.prepare(cloud, **settings) for cloud in clouds])

    def prepare(
        self,
        cloud: PointCloud | NDArray[Any],
        *,
        up: str | None = None,
        votes: int = 3,
        turns: int | None = None,
        scale: float | None = None,
        seed: int = 0,
        name: str = "the cloud",
    ) -> Drawn:
        """A cloud with more points than the model takes is drawn from `votes` times, and the answers are averaged.

        So are those to `turns` looks at each draw, turned about the up axis in between; None takes as many as the
        weights say, which is 1 unless they were trained with turned objects. `scale` is metres per unit of the
        coordinates, by default 1, for weights that know sizes. What is drawn depends on the seed and the cloud alone.
        `name` is what complaints call the cloud.
        """
        if votes < 1:
            raise InputError(f"votes must be at least 1, got {votes}")
        matrices = turns_about(self.preparation.up, self.preparation.turns if turns is None else turns)
        given, wanted = take(cloud, name), self.preparation.points
        numbered = PointCloud(
            positions=given.cloud.positions, fields={"row": np.arange(len(given.cloud), dtype=np.int64)}
        )
        sample = ClassificationSample(name=name, cloud=numbered, label=-1)
        sample = moved(sample, up_rotation(up or self.preparation.up, self.preparation.up), np.zeros(3))
        steps = Compose((FixedCount(wanted), *self._framing(given, scale).steps))
        rng = np.random.default_rng(seed)
        draws = [steps(sample, rng).cloud for _ in range(votes if len(numbered) > wanted else 1)]
        return Drawn(
            given=given,
            positions=[draw.positions @ turn.T for draw in draws for turn in matrices],
            rows=[draw.fields["row"] for draw in draws for _ in matrices],
            notes=given.notes + few_points(len(numbered), wanted),
        )

    def _framing(self, given: Given, scale: float | None) -> Compose:
        """How position and size become those of the training."""
        if not self.preparation.knows_sizes:
            if scale is not None:
                raise InputError("these weights take objects of any unit: leave the scale out")
            return scanobjectnn_evaluation()
        metres = 1.0 if scale is None else scale
        diagonal = metres * float(np.linalg.norm(np.ptp(given.cloud.positions, axis=0)))
        if not SMALLEST <= diagonal <= LARGEST:
            measured = f"{diagonal:,.0f}" if diagonal > 1 else f"{diagonal:.2g}"
            raise InputError(
                f"{given.name}: measures {measured} m from corner to corner, and these weights tell objects apart "
                "by their size in metres, too; say how many metres its unit has (--scale 0.001 for millimetres)"
            )
        return Compose((Center(), Scale(metres * self.preparation.scale)))

    def score(self, prepared: Sequence[Drawn]) -> list[Classification]:
        """Answers to what `prepare` made, `prepared`; they do not depend on what else is asked at the same time."""
        positions = [draw for each in prepared for draw in each.positions]
        answers = iter(self.batches.run(positions, self._score))
        return [self._merged(each, [next(answers) for _ in each.positions]) for each in prepared]

    @torch.inference_mode()
    def _score(self, draws: Sequence[NDArray[np.float32]]) -> list[tuple[NDArray[Any], float, NDArray[Any] | None]]:
        class_logits, mask_logits = self.model(torch.from_numpy(np.stack(draws)).to(self.device))
        calibration = self.preparation.calibration
        temperature = 1.0 if calibration is None else calibration.temperature
        chances = require_finite((class_logits.float() / temperature).softmax(dim=-1).numpy(force=True))
        familiarity = class_logits.float().logsumexp(dim=-1).tolist()
        if mask_logits is None:
            return [(each, value, None) for each, value in zip(chances, familiarity, strict=True)]
        shares = require_finite(mask_logits.float().sigmoid().numpy(force=True))
        return list(zip(chances, familiarity, shares, strict=True))

    def _merged(self, drawn: Drawn, answers: list[tuple[NDArray[Any], float, NDArray[Any] | None]]) -> Classification:
        mean = np.mean([chances for chances, _, _ in answers], axis=0)
        calibration = self.preparation.calibration
        familiarity = float(np.mean([value for _, value, _ in answers]))
        order = np.argsort(-mean, kind="stable")
        return Classification(
            classes=tuple(self.classes[number] for number in order),
            probabilities=mean[order].astype(np.float32),
            foreground=_spread(drawn, [share for _, _, share in answers]),
            unsure=None if calibration is None else familiarity < calibration.unsure_below,
            notes=drawn.notes,
            cloud=drawn.given.cloud,
        )


def _spread(drawn: Drawn, shares: list[NDArray[Any] | None]) -> NDArray[np.float32] | None:
    """From the points that were drawn to all: the mean of a point's draws, or what its nearest drawn point has."""
    known = [share for share in shares if share is not None]
    if not known:
        return None
    given, rows = drawn.given, np.concatenate(drawn.rows)
    num = len(given.cloud)
    counts = np.bincount(rows, minlength=num)
    sums = np.bincount(rows, weights=np.concatenate(known), minlength=num)
    share = sums / np.maximum(counts, 1)
    seen, unseen = np.flatnonzero(counts), np.flatnonzero(counts == 0)
    if len(unseen):
        _, neighbors = nearest_points(given.cloud.positions[seen], given.cloud.positions[unseen])
        share[unseen] = share[seen[neighbors[:, 0]]]
    foreground = np.full(given.num_given, np.nan, np.float32)
    foreground[given.rows] = share
    return foreground
