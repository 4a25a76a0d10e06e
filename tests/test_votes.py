"""The class of a point that several regions showed: by the mean of their logits, in evaluation and prediction alike."""

import numpy as np
import pytest

from cloud_transformers.predict.scene.votes import Votes
from cloud_transformers.tasks import VoteTally
from cloud_transformers.votes import decided
from tests.tasks.test_tasks import TwoRooms, votes

# Two regions hesitate and prefer class 0, one is certain of class 1: logits and probabilities decide differently.
SAID = [[2.0, 0.0], [2.0, 0.0], [0.0, 9.0]]


def test_logits_are_averaged_not_probabilities():
    labels, confidence = decided(np.sum(SAID, axis=0)[None], np.array([3]))
    assert labels.tolist() == [1]
    assert confidence == pytest.approx([1 / (1 + np.exp(4 / 3 - 3))])
    assert np.mean([np.exp(row) / np.exp(row).sum() for row in SAID], axis=0).argmax() == 0


def test_how_many_regions_spoke_matters_for_the_probability_alone():
    logits = np.random.default_rng(0).normal(size=(50, 4))
    once, twice = decided(logits, np.ones(50)), decided(2 * logits, np.full(50, 2))
    np.testing.assert_array_equal(once[0], twice[0])
    np.testing.assert_allclose(once[1], twice[1], rtol=1e-6)
    np.testing.assert_allclose(once[1], (np.exp(logits).T / np.exp(logits).sum(axis=1)).max(axis=0), rtol=1e-6)


def test_evaluation_and_prediction_decide_alike():
    evaluated, predicted = VoteTally(("x", "y"), TwoRooms()), Votes(6, 2)
    for logits in SAID:
        evaluated.update(*votes(range(6), [logits] * 6))
        predicted.add(np.arange(6), np.array([logits] * 6, np.float32))
    labels, confidence = predicted.answers()
    assert labels.tolist() == [1] * 6
    assert confidence == pytest.approx([1 / (1 + np.exp(4 / 3 - 3))] * 6)
    # All raw points are called class 1: three of them are, four are not.
    assert evaluated.confusion().counts.tolist() == [[0, 4], [0, 3]]


def test_nothing_is_decided_about_no_points():
    labels, confidence = decided(np.zeros((0, 3)), np.zeros(0))
    assert (labels.shape, confidence.shape) == ((0,), (0,))
