"""Distances between shapes against scipy, and the averages over categories."""

from itertools import permutations

import numpy as np
import pytest
import torch
from scipy.optimize import linear_sum_assignment
from scipy.spatial import KDTree
from scipy.spatial.distance import cdist

from cloud_transformers.metrics import CategoryAverage, EmdGap, ShapeDistances, emd_distance, exact_emd
from cloud_transformers.metrics.emd_gap import MOST_CLOUDS, MOST_POINTS


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


def test_the_exact_assignment_is_exact() -> None:
    generator = torch.Generator().manual_seed(1)
    prediction, truth = (torch.rand(3, 6, 3, generator=generator) for _ in range(2))
    for value, one, other in zip(exact_emd(prediction, truth), prediction, truth, strict=True):
        cost = cdist(one, other)
        best = min(cost[range(6), list(order)].mean() for order in permutations(range(6)))
        assert float(value) == pytest.approx(best, rel=1e-12)
    prediction[0, 0, 0] = torch.nan
    assert torch.isnan(exact_emd(prediction, truth)).tolist() == [True, False, False]


def test_the_gap_is_that_of_the_same_clouds_however_they_are_dealt_out() -> None:
    generator = torch.Generator().manual_seed(2)
    count = 40
    prediction, truth = (torch.rand(count, 30, 3, generator=generator) for _ in range(2))
    categories = [f"category {number * 7 % 11}" for number in range(count)]

    def gap(numbers: list[int], batch: int) -> EmdGap:
        found = EmdGap()
        for start in range(0, len(numbers), batch):
            part = numbers[start : start + batch]
            found.update(part, [categories[number] for number in part], prediction[part], truth[part])
        return found

    whole = gap(list(range(count)), 7)
    for others in (1, 2, 4):
        parts = [gap(list(range(rank, count, others + 1))[:: (-1) ** rank], 3) for rank in range(others + 1)]
        for part in parts[1:]:
            parts[0].merge(part)
        assert parts[0].score() == whole.score()
    score = whole.score()
    assert score.num_samples == MOST_CLOUDS
    assert f"mean over {MOST_CLOUDS} clouds" in score.definition
    assert "30 points" in score.definition
    numbers = sorted(number for number, _, _ in whole.first.values())[:MOST_CLOUDS]
    assert numbers == [categories.index(name) for name in dict.fromkeys(categories)][:MOST_CLOUDS]
    expected = [
        emd_distance(prediction[n : n + 1], truth[n : n + 1]) / exact_emd(prediction[n : n + 1], truth[n : n + 1])
        for n in numbers
    ]
    assert score.value == pytest.approx(100 * (float(torch.cat(expected).mean()) - 1), abs=1e-4)
    assert 0 <= score.value < 2


def test_the_gap_of_large_clouds_is_measured_on_some_of_their_points() -> None:
    points = torch.rand(1, MOST_POINTS + 500, 3, generator=torch.Generator().manual_seed(3))
    gap = EmdGap()
    gap.update([0], ["chair"], points, points)
    assert gap.score().value == 0
    assert f"{MOST_POINTS:,} points" in gap.score().definition
    assert np.isnan(EmdGap().score().value)
