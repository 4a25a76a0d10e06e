"""How far confidences can be believed, and which answers are unlike all that was held out.

Letters: n answers, K classes.
"""

from __future__ import annotations

import math

import torch
from torch import Tensor
from torch.nn import functional as F

_BINS = 15
_WIDEST = math.log(20.0)  # temperatures are looked for between a twentieth and twenty


def calibration_error(
    logits: Tensor,  # [n, K]
    labels: Tensor,  # [n]
    temperature: float = 1.0,  # by which logits are divided
) -> float:
    """The expected calibration error in %: by how much confidence and accuracy differ, in 15 bins of confidence.

    >>> logits, labels = torch.tensor([[4.0, 0.0], [4.0, 0.0]]), torch.tensor([0, 1])
    >>> round(ct.metrics.calibration_error(logits, labels), 1)  # 98.2 % sure, right in half of the cases
    48.2
    """
    confidence, answer = (logits.double() / temperature).softmax(-1).max(-1)
    right = (answer == labels).double()
    bins = (confidence * _BINS).long().clamp(max=_BINS - 1)
    gaps = torch.zeros(_BINS, dtype=torch.float64).index_add_(0, bins, right - confidence)
    return float(100 * gaps.abs().sum() / max(len(labels), 1))


def best_temperature(logits: Tensor, labels: Tensor) -> float:
    """The temperature by which logits [n, K] are divided so that the labels [n] are most probable.

    The cross entropy has a single lowest point along it, which is found by halving.
    """
    logits = logits.double()

    def loss(log_temperature: float) -> float:
        return float(F.cross_entropy(logits / math.exp(log_temperature), labels))

    low, high = -_WIDEST, _WIDEST
    for _ in range(40):
        left, right = low + (high - low) / 3, high - (high - low) / 3
        if loss(left) < loss(right):
            high = right
        else:
            low = left
    return math.exp((low + high) / 2)


def familiarity(logits: Tensor) -> Tensor:  # [..., K] -> [...]
    """How much the evidence for all classes together is, the log-sum-exp: the negative energy of an input.

    Of what a model never saw, no class has much evidence, even where the softmax, which compares them, is sure.
    """
    return logits.logsumexp(-1)
