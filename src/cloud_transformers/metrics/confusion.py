"""Recognition: counts of what was taken for what, and the accuracies and overlaps that follow from them.

Letters: K classes.
"""

from collections.abc import Sequence

import torch
from torch import Tensor

from cloud_transformers.metrics.score import Score

IOU = "TP / (true + predicted - TP) of a class, over all labelled points pooled"
OVERALL = "right answers over all answers"
CLASS_ACCURACY = "right answers over all samples of a class"


class ConfusionMatrix:
    """Counts [K, K]: rows are the truth, columns the prediction. Counts of several processes add up.

    >>> counts = ct.metrics.ConfusionMatrix(["floor", "chair"])
    >>> counts.update(torch.tensor([0, 0, 1]), torch.tensor([0, 1, 1]))
    >>> counts.iou_per_class().tolist()
    [50.0, 50.0]
    >>> print(counts.overall_accuracy())
    OA 66.67 % (3 points)
    """

    def __init__(
        self,
        classes: Sequence[str],  # K names
        *,
        sample: str = "points",  # what is counted, in the plural: for printing
    ) -> None:
        self.classes = tuple(classes)
        self.sample = sample
        self.counts = torch.zeros(len(self.classes), len(self.classes), dtype=torch.int64)

    def update(
        self,
        predicted: Tensor,  # integers, any shape
        truth: Tensor,  # the same shape; negative = not known, does not count
    ) -> None:
        """Count some more. ValueError for shapes that differ, and for a class that there is not."""
        if predicted.shape != truth.shape:
            raise ValueError(f"predicted has shape {list(predicted.shape)}, truth {list(truth.shape)}")
        num_classes = len(self.classes)
        known = truth >= 0
        predicted, truth = predicted[known].long().cpu(), truth[known].long().cpu()
        for name, values in (("predicted", predicted), ("truth", truth)):
            if values.numel() and not (values.min() >= 0 and values.max() < num_classes):
                worst = values.max() if values.max() >= num_classes else values.min()
                raise ValueError(f"{name} holds class {int(worst)}, but there are {num_classes} classes")
        pairs = truth * num_classes + predicted
        self.counts += torch.bincount(pairs, minlength=num_classes**2).view(num_classes, num_classes)

    @property
    def num_samples(self) -> int:
        """How many were counted: those whose truth is known."""
        return int(self.counts.sum())

    def absent(self) -> list[str]:
        """Classes that neither the truth nor the prediction has: their IoU does not exist and is not averaged."""
        union = self.counts.sum(0) + self.counts.sum(1)
        return [name for name, count in zip(self.classes, union.tolist(), strict=True) if count == 0]

    def iou_per_class(self) -> Tensor:
        """[K] in percent; NaN for absent classes."""
        hits = self.counts.diagonal()
        return 100 * hits / (self.counts.sum(0) + self.counts.sum(1) - hits)

    def accuracy_per_class(self) -> Tensor:
        """[K] in percent; NaN for classes the truth does not have."""
        return 100 * self.counts.diagonal() / self.counts.sum(1)

    def mean_iou(self) -> Score:
        """In percent, over the classes that the truth has; NaN if nothing was counted."""
        values = self.iou_per_class().where(self.counts.sum(1) > 0, float("nan"))
        return self._mean("mIoU", values, f"mean over the classes that the truth has of {IOU}")

    def mean_iou_of_all(self) -> Score:
        """In percent, also over classes that were only predicted, whose IoU is 0; NaN if nothing was counted."""
        return self._mean("mIoU all", self.iou_per_class(), f"mean over the classes of truth or prediction of {IOU}")

    def overall_accuracy(self) -> Score:
        """In percent; 0 if nothing was counted."""
        hits = self.counts.diagonal().sum()
        value = float(100 * hits / max(self.num_samples, 1))
        return Score(
            name="OA", value=value, unit="%", definition=OVERALL, num_samples=self.num_samples, sample=self.sample
        )

    def mean_class_accuracy(self) -> Score:
        """In percent, over the classes that the truth has; NaN if nothing was counted."""
        return self._mean("mAcc", self.accuracy_per_class(), f"mean over the classes present of {CLASS_ACCURACY}")

    def per_class(self) -> list[Score]:
        """The IoU of each class that is there, with the number of its true samples."""
        return [
            Score(name=f"IoU {name}", value=value, unit="%", definition=IOU, num_samples=count, sample=self.sample)
            for name, value, count in zip(
                self.classes, self.iou_per_class().tolist(), self.counts.sum(1).tolist(), strict=True
            )
            if value == value  # absent classes have none
        ]

    def _mean(self, name: str, values: Tensor, definition: str) -> Score:
        value = float(values.nanmean()) if (~values.isnan()).any() else float("nan")
        return Score(
            name=name,
            value=value,
            unit="%",
            definition=definition,
            num_samples=self.num_samples,
            sample=self.sample,
        )
