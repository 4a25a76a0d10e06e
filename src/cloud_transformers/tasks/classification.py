"""Classification, with the mask of the object's points where it is known: batches, loss, score and picture.

Letters: B batch, N points, K classes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, NamedTuple

import torch
from torch import Tensor, nn

from cloud_transformers.cloud import CloudBatch, PointCloud
from cloud_transformers.errors import InputError
from cloud_transformers.losses.cross_entropy import classification_loss, foreground_loss
from cloud_transformers.metrics import ConfusionMatrix, Score
from cloud_transformers.metrics.confusion import CLASS_ACCURACY
from cloud_transformers.tasks.task import Batch, Image, Item, Panel, Term, origin

Prediction = tuple[Tensor, Tensor | None]  # class logits [B, K]; foreground logits [B, N], of a model with a mask head


@dataclass(frozen=True, eq=False, kw_only=True)
class ClassificationBatch(Batch):
    """Clouds, padded, and their classes."""

    positions: Tensor  # [B, N, 3]
    mask: Tensor  # [B, N], True = a real point
    labels: Tensor  # [B] int64
    foreground: Tensor | None = None  # [B, N] bool, True = the object's

    def thinned(self, share: float) -> ClassificationBatch:
        """With `share` of the points, drawn at random; a cloud that has no more is kept whole."""
        count = max(1, round(share * self.mask.shape[1]))
        drawn = torch.rand(self.mask.shape, device=self.mask.device).masked_fill(~self.mask, -1).topk(count).indices
        return replace(
            self,
            positions=self.positions.gather(1, drawn[..., None].expand(-1, -1, 3)),
            mask=self.mask.gather(1, drawn),
            foreground=None if self.foreground is None else self.foreground.gather(1, drawn),
        )


@dataclass(frozen=True, kw_only=True)
class Classification:
    """With `with_mask`, samples have the field `mask`, and the class has `class_share` of the loss."""

    name: ClassVar[str] = "classification"

    with_mask: bool = True
    class_share: float = 0.5
    label_smoothing: float = 0.0  # this share of each target is spread evenly over all classes

    def collate(self, items: Sequence[Item]) -> ClassificationBatch:
        clouds = []
        for item in items:
            cloud = item.sample.cloud
            if self.with_mask and "mask" not in cloud.fields:
                raise InputError(
                    f"{item.sample.name} has no field 'mask' that tells the object from the background; "
                    "train without it: with_mask=false"
                )
            fields = {"mask": cloud.fields["mask"].astype(bool)} if self.with_mask else {}
            clouds.append(PointCloud(positions=cloud.positions, fields=fields))
        batch = CloudBatch.from_clouds(clouds)
        return ClassificationBatch(
            **origin(items),
            positions=batch.positions,
            mask=batch.mask,
            labels=torch.tensor([item.sample.label for item in items]),
            foreground=batch.fields["mask"].bool() if self.with_mask else None,
        )

    def forward(self, model: nn.Module, batch: ClassificationBatch) -> Prediction:
        mask = None if bool(batch.mask.all()) else batch.mask
        return model(batch.positions, mask)

    predict = forward

    def counts(self, batch: ClassificationBatch) -> dict[str, float]:
        counts = {"class": float(len(batch))}
        if self.with_mask:
            counts["mask"] = float(batch.mask.sum())
        return counts

    def loss(self, prediction: Prediction, batch: ClassificationBatch, step: int) -> dict[str, Term]:
        class_logits, mask_logits = prediction
        value = classification_loss(class_logits, batch.labels, label_smoothing=self.label_smoothing)
        if batch.foreground is None or mask_logits is None:
            # A mask head without masks learns nothing; at share 0 it still takes part, as several processes need.
            return {"class": Term(value if mask_logits is None else value + 0 * mask_logits.sum())}
        return {
            "class": Term(value, self.class_share),
            "mask": Term(foreground_loss(mask_logits, batch.foreground, batch.mask), 1 - self.class_share),
        }

    def recognised(self, prediction: Prediction, batch: ClassificationBatch) -> tuple[Tensor, Tensor]:
        """The class logits of a `prediction`, and the classes."""
        return prediction[0], batch.labels

    def tally(self, classes: Sequence[str]) -> CloudTally:
        return CloudTally(classes)

    def panels(
        self, prediction: Prediction, batch: ClassificationBatch, row: int, classes: Sequence[str]
    ) -> list[Panel | Image]:
        seen = batch.mask[row].cpu()
        positions = batch.positions[row].cpu()[seen].numpy()
        panels: list[Panel | Image] = []
        if batch.foreground is not None and prediction[1] is not None:
            answers = {"object, truth": batch.foreground[row], "object, prediction": prediction[1][row] > 0}
            for title, is_object in answers.items():
                label = is_object.cpu()[seen].long().numpy()
                cloud = PointCloud(positions=positions, fields={"label": label})
                panels.append(Panel(title, cloud, "label", names=("background", "object")))
        return panels or [Panel("cloud", PointCloud(positions=positions))]


class Answer(NamedTuple):
    """What the model predicted for one cloud."""

    truth: int
    chance_of_truth: float
    predicted: int
    chance: float


class CloudTally:
    """Accuracies over clouds, and of the mask over all points pooled.

    A cloud that is shown several times, as votes do, is judged by the mean of its logits.
    """

    def __init__(self, classes: Sequence[str]) -> None:
        self.classes = tuple(classes)
        self.mask_hits = 0
        self.mask_points = 0
        self.truths: dict[int, int] = {}  # these two: by the clouds' numbers
        self.logits: dict[int, list[list[float]]] = {}  # K of each vote

    def update(self, prediction: Prediction, batch: ClassificationBatch) -> None:
        class_logits, mask_logits = prediction
        self.truths.update(zip(batch.numbers, batch.labels.tolist(), strict=True))
        # Not as tensors: small ones that stay between the large ones of a batch would keep those from being reused.
        for number, vote in zip(batch.numbers, class_logits.tolist(), strict=True):
            self.logits.setdefault(number, []).append(vote)
        if batch.foreground is not None and mask_logits is not None:
            hits = ((mask_logits > 0) == batch.foreground) & batch.mask
            self.mask_hits += int(hits.sum())
            self.mask_points += int(batch.mask.sum())

    def merge(self, other: CloudTally) -> None:
        self.mask_hits += other.mask_hits
        self.mask_points += other.mask_points
        self.truths.update(other.truths)
        for number, votes in other.logits.items():
            self.logits.setdefault(number, []).extend(votes)

    def answer(self, number: int) -> Answer:
        """What all votes on a cloud together say."""
        chances, truth = torch.tensor(self.logits[number]).mean(0).softmax(-1), self.truths[number]
        predicted = int(chances.argmax())
        return Answer(truth, float(chances[truth]), predicted, float(chances[predicted]))

    def confusion(self) -> ConfusionMatrix:
        matrix = ConfusionMatrix(self.classes, sample="clouds")
        if answers := [self.answer(number) for number in self.truths]:
            matrix.update(*(torch.tensor([getattr(each, name) for each in answers]) for name in ("predicted", "truth")))
        return matrix

    def scores(self) -> list[Score]:
        matrix = self.confusion()
        scores = [matrix.overall_accuracy(), matrix.mean_class_accuracy()]
        if self.mask_points:
            scores.append(
                Score(
                    name="mask accuracy",
                    value=100 * self.mask_hits / self.mask_points,
                    unit="%",
                    definition="points rightly called object or background, over all points pooled",
                    num_samples=self.mask_points,
                )
            )
        return scores

    def details(self) -> list[Score]:
        matrix = self.confusion()
        values, counts = matrix.accuracy_per_class().tolist(), matrix.counts.sum(1).tolist()
        return [
            Score(
                name=f"accuracy {name}",
                value=value,
                unit="%",
                definition=CLASS_ACCURACY,
                num_samples=count,
                sample="clouds",
            )
            for name, value, count in zip(self.classes, values, counts, strict=True)
            if count
        ]

    def quality(self) -> dict[int, float]:
        return {number: self.answer(number).chance_of_truth for number in self.truths}

    def caption(self, number: int) -> str:
        answer, classes = self.answer(number), self.classes
        words = f"predicted {classes[answer.predicted]} ({answer.chance:.1%})"
        right = answer.predicted == answer.truth
        return f"true {classes[answer.truth]}{'' if right else f' ({answer.chance_of_truth:.1%})'}, {words}"
