"""How far the auction's EMD is above the smallest possible, measured on a few clouds against the exact assignment.

Letters: B batch, N points.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from cloud_transformers.errors import InputError
from cloud_transformers.metrics.score import Score
from cloud_transformers.metrics.shapes import emd_distance

MOST_POINTS = 2048  # the exact assignment takes a second or three here, and its cost grows with the cube
MOST_CLOUDS = 8


def exact_emd(
    prediction: Tensor,  # [B, N, 3]
    truth: Tensor,  # [B, N, 3]
) -> Tensor:  # [B]
    """The mean Euclidean distance of the best of all matchings, in double precision, units; NaN where not finite.

    Its time grows with the cube of N: 2,048 points take a second or three.

    >>> prediction = torch.tensor([[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0]]])
    >>> ct.metrics.exact_emd(prediction, prediction.flip(1) + torch.tensor([0.0, 0.0, 2.0])).tolist()
    [2.0]
    """
    from scipy.optimize import linear_sum_assignment

    costs = torch.cdist(prediction.double(), truth.double(), compute_mode="donot_use_mm_for_euclid_dist").cpu()
    missing = costs.new_tensor(float("nan"))
    return torch.stack(
        [cost[linear_sum_assignment(cost.numpy())].mean() if cost.isfinite().all() else missing for cost in costs]
    )


class EmdGap:
    """The gap of the first cloud of each of the first few categories; merged or not, the same clouds are taken.

    "First" is by number, so which clouds these are depends neither on the number of processes nor on the batches. Of
    larger clouds as many points, evenly spread over their order, are taken from both.
    """

    def __init__(self) -> None:
        try:
            import scipy.optimize  # noqa: F401  found missing now rather than after minutes of evaluation
        except ImportError:
            raise InputError(
                "the gap of EMD to the exact assignment needs scipy; install it with "
                "pip install 'cloud-transformers[train]', or leave EMD out with score_emd=false"
            ) from None
        self.first: dict[str, tuple[int, float, int]] = {}  # category -> number, gap in percent, points

    def update(
        self,
        numbers: Sequence[int],  # B: the clouds' places in the data set
        categories: Sequence[str],  # B
        prediction: Tensor,  # [B, N, 3]
        truth: Tensor,  # [B, N, 3]
    ) -> None:
        """Measure those clouds of a batch that are wanted; most are not, and cost nothing."""
        for number, category, one, other in zip(numbers, categories, prediction, truth, strict=True):
            if self._is_wanted(number, category):
                one, other = (_thinned(points)[None].float() for points in (one, other))
                found, best = float(emd_distance(one, other)), float(exact_emd(one, other))
                gap = 100 * (found / best - 1) if best else 0.0
                self.first[category] = number, gap, one.shape[1]

    def _is_wanted(self, number: int, category: str) -> bool:
        if category in self.first:
            return number < self.first[category][0]
        return sum(known < number for known, _, _ in self.first.values()) < MOST_CLOUDS

    def merge(self, other: EmdGap) -> None:
        """Take up what another process measured, `other`."""
        for category, found in other.first.items():
            self.first[category] = min(found, self.first.get(category, found))

    def score(self) -> Score:
        """The mean gap in percent; NaN if there was no cloud."""
        taken = sorted(self.first.values())[:MOST_CLOUDS]
        points = ", ".join(sorted({f"{count:,}" for _, _, count in taken})) or "no"
        return Score(
            name="EMD gap",
            value=sum(gap for _, gap, _ in taken) / len(taken) if taken else float("nan"),
            unit="%",
            definition=(
                f"by how much the auction's EMD is above the exact assignment's, mean over {len(taken)} clouds "
                f"(the first of each of at most {MOST_CLOUDS} categories), on {points} points of each"
            ),
            num_samples=len(taken),
            sample="clouds",
            better="lower",
        )


def _thinned(points: Tensor) -> Tensor:  # [N, 3] -> at most MOST_POINTS of them
    count = len(points)
    if count <= MOST_POINTS:
        return points
    return points[torch.arange(MOST_POINTS, device=points.device) * count // MOST_POINTS]
