"""Generation: how near a predicted shape is to the true one, and averages of that over categories.

Every function takes a batch of equally sized clouds and returns one value per cloud, in the clouds' own units.
Letters: B batch, N predicted points, M true points.
"""

from collections import defaultdict
from dataclasses import dataclass

import torch
from torch import Tensor

from cloud_transformers.metrics.score import Score
from cloud_transformers.ops.emd import EVALUATION, emd
from cloud_transformers.ops.nearest import nearest


@dataclass(frozen=True, kw_only=True)
class ShapeDistances:
    """Distances between two clouds, per cloud [B]; made once, since all metrics come from the same neighbours.

    >>> truth = torch.tensor([[[0.0, 0.0, 1.0], [0.0, 0.0, 2.0]]])
    >>> distances = ct.metrics.ShapeDistances.between(torch.zeros(1, 1, 3), truth)
    >>> distances.chamfer_l2().tolist(), distances.chamfer_l1().tolist(), distances.recall(1.5).tolist()
    ([3.5], [1.25], [0.5])
    """

    to_truth: Tensor  # [B, N] Euclidean distance of each predicted point to the nearest true one
    to_prediction: Tensor  # [B, M] and the other way round

    @classmethod
    def between(
        cls,
        prediction: Tensor,  # [B, N, 3]
        truth: Tensor,  # [B, M, 3]
    ) -> "ShapeDistances":
        """Each prediction compared with its own truth."""
        return cls(to_truth=nearest(prediction, truth)[0].sqrt(), to_prediction=nearest(truth, prediction)[0].sqrt())

    @classmethod
    def of_one(cls, prediction: Tensor, truths: Tensor) -> "ShapeDistances":  # [N, 3], [B, M, 3]
        """One and the same prediction, compared with many truths: what an answer is worth that looks at no input."""
        return cls.between(prediction.expand(len(truths), -1, -1).contiguous(), truths)

    def chamfer_l2(self) -> Tensor:
        """CD-L2: mean(d1^2) + mean(d2^2), squared units. PCN's tables print it x 1e4 or x 1e3: say which."""
        return self.to_truth.square().mean(1) + self.to_prediction.square().mean(1)

    def chamfer_l1(self) -> Tensor:
        """CD-L1: (mean(d1) + mean(d2)) / 2, units."""
        return (self.to_truth.mean(1) + self.to_prediction.mean(1)) / 2

    def precision(self, threshold: float) -> Tensor:
        """The share of predicted points strictly nearer than the threshold to the truth."""
        return (self.to_truth < threshold).double().mean(1)

    def recall(self, threshold: float) -> Tensor:
        """The share of true points strictly nearer than the threshold to the prediction."""
        return (self.to_prediction < threshold).double().mean(1)

    def f_score(self, threshold: float) -> Tensor:
        """The harmonic mean of precision and recall at a threshold, in the clouds' units; 0 where both are 0."""
        precision, recall = self.precision(threshold), self.recall(threshold)
        return 2 * precision * recall / (precision + recall).clamp(min=torch.finfo(torch.float64).tiny)


def emd_distance(
    prediction: Tensor,  # [B, N, 3]
    truth: Tensor,  # [B, N, 3]
) -> Tensor:  # [B]
    """EMD: the mean Euclidean distance of a matching found by auction in its evaluation setting, units.

    >>> ct.metrics.emd_distance(torch.zeros(1, 2, 3), torch.tensor([[[0.0, 0.0, 1.0], [0.0, 0.0, 2.0]]])).tolist()
    [1.5]
    """
    return emd(prediction, truth, eps=EVALUATION.eps, rounds=EVALUATION.rounds)[0].sqrt().mean(1)


class CategoryAverage:
    """Values per cloud, averaged within each category first and then over the categories (macro average).

    The arguments are those of the `Score` that it makes.

    >>> average = ct.metrics.CategoryAverage("CD", unit="units", definition="Chamfer", better="lower")
    >>> for category, value in [("chair", 1.0), ("chair", 3.0), ("lamp", 4.0)]:
    ...     average.update(category, value)
    >>> average.score().value
    3.0
    """

    def __init__(
        self,
        name: str,  # short, as tables print it
        *,
        unit: str,
        definition: str,  # of one cloud's value
        better: str,  # "higher" or "lower"
    ) -> None:
        self.name, self.unit, self.definition, self.better = name, unit, definition, better
        self.sums: dict[str, float] = defaultdict(float)
        self.counts: dict[str, int] = defaultdict(int)

    def update(self, category: str, value: float) -> None:
        """Take up the value of one more cloud of a category."""
        self.sums[category] += value
        self.counts[category] += 1

    def per_category(self) -> dict[str, float]:
        """The mean of each category, by name."""
        return {category: self.sums[category] / self.counts[category] for category in sorted(self.counts)}

    def score(self) -> Score:
        """The mean of the categories' means; NaN if there are none."""
        means = list(self.per_category().values())
        return Score(
            name=self.name,
            value=sum(means) / len(means) if means else float("nan"),
            unit=self.unit,
            definition=f"{self.definition}; mean over {len(means)} categories of the mean over their clouds",
            num_samples=sum(self.counts.values()),
            sample="clouds",
            better=self.better,
        )
