"""Distances between shapes against scipy, and the averages over categories."""

import numpy as np
import pytest
import torch
from scipy.optimize import linear_sum_assignment
from scipy.spatial import KDTree
from scipy.spatial.distance import cdist

from cloud_transformers.metrics import CategoryAverage, ShapeDistances, emd_distance


@pytest.fixture(scope="module")
def clouds() -> tuple[torch.Tensor, torch.Tensor]:
    generator = torch.Generator().manual_seed(0)
    return torch.rand(2, 300, 3, generator=generator), torch.rand(2, 200, 3, generator=generator)


def test_chamfer_and_f_score_agree_with_scipy(clouds: tuple[torch.Tensor, torch.Tensor]) -> None:
    prediction, truth = clouds
    distances = ShapeDistances.between(prediction, truth)
    for index in range(2):
        d1 = KDTree(truth[index]).query(prediction[index])[0]
        d2 = KDTree(prediction[index]).query(truth[index])[0]
        assert float(distances.chamfer_l2()[index]) == pytest.approx((d1**2).mean() + (d2**2).mean(), rel=1e-5)
        assert float(distances.chamfer_l1()[index]) == pytest.approx((d1.mean() + d2.mean()) / 2, rel=1e-5)
        precision, recall = (d1 < 0.1).mean(), (d2 < 0.1).mean()
        assert float(distances.precision(0.1)[index]) == pytest.approx(precision)
        assert float(distances.recall(0.1)[index]) == pytest.approx(recall)
        assert float(distances.f_score(0.1)[index]) == pytest.approx(2 * precision * recall / (precision + recall))


def test_the_threshold_is_strict_and_nothing_in_reach_is_zero() -> None:
    prediction, truth = torch.zeros(1, 1, 3), torch.tensor([[[0.5, 0.0, 0.0]]])
    distances = ShapeDistances.between(prediction, truth)
    assert distances.f_score(0.5) == 0
    assert distances.f_score(0.51) == 1


def test_emd_is_within_two_percent_of_the_exact_assignment(clouds: tuple[torch.Tensor, torch.Tensor]) -> None:
    prediction, truth = clouds[0][:, :200], clouds[1]
    values = emd_distance(prediction, truth)
    for index in range(2):
        cost = cdist(prediction[index], truth[index])
        exact = cost[linear_sum_assignment(cost)].mean()
        assert exact * (1 - 1e-6) <= float(values[index]) <= 1.02 * exact


def test_categories_count_alike_whatever_their_size() -> None:
    average = CategoryAverage("CD", unit="1e-4", definition="mean(d1^2) + mean(d2^2)", better="lower")
    for category, value in (("chair", 1.0), ("chair", 3.0), ("lamp", 8.0)):
        average.update(category, value)
    score = average.score()
    assert average.per_category() == {"chair": 2.0, "lamp": 8.0}
    assert score.value == 5.0
    assert score.num_samples == 3
    assert "mean over 2 categories" in score.definition
    assert np.isnan(CategoryAverage("CD", unit="", definition="", better="lower").score().value)
