"""Scores of shapes on the demonstration's page."""

import numpy as np
import pytest
import torch

from cloud_transformers.metrics import ShapeDistances
from cloud_transformers.report.showcase.shapes import best_shape_for_all, distances


def test_the_best_shape_for_all() -> None:
    rng = np.random.default_rng(0)
    shape, far = rng.uniform(size=(50, 3)).astype(np.float32), np.full((50, 3), 9, np.float32)
    assert best_shape_for_all([shape, shape.copy()]) == pytest.approx(100)
    assert best_shape_for_all([shape, far, shape.copy()]) == pytest.approx(50)
    assert best_shape_for_all([shape]) == 0


def test_distances_by_tree_are_those_of_the_metric() -> None:
    rng = np.random.default_rng(1)
    answer, truth = rng.uniform(size=(70, 3)).astype(np.float32), rng.uniform(size=(50, 3)).astype(np.float32)
    slow = ShapeDistances.between(torch.from_numpy(answer)[None], torch.from_numpy(truth)[None])
    fast = distances(answer, truth)
    torch.testing.assert_close(fast.to_truth, slow.to_truth)
    torch.testing.assert_close(fast.chamfer_l2(), slow.chamfer_l2())
    torch.testing.assert_close(fast.f_score(0.2), slow.f_score(0.2))
