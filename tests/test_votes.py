"""The class of a point that several regions showed: by the mean of their logits, in evaluation and prediction alike."""

import numpy as np
import pytest

from cloud_transformers.tasks import VoteTally
from cloud_transformers.votes import Votes
from tests.tasks.test_tasks import TwoRooms, votes

# Two regions hesitate and prefer class 0, one is certain of class 1: logits and probabilities decide differently.
SAID = [[2.0, 0.0], [2.0, 0.0], [0.0, 9.0]]


def test_logits_are_averaged_not_probabilities():
    votes = Votes(1, 2)
    for logits in SAID:
        votes.add(np.array([0]), np.array([logits]))
    labels, confidence = votes.decided()
    assert labels.tolist() == [1]
    assert confidence == pytest.approx([1 / (1 + np.exp(4 / 3 - 3))])
    assert np.mean([np.exp(row) / np.exp(row).sum() for row in SAID], axis=0).argmax() == 0


def test_how_many_regions_spoke_matters_for_the_probability_alone():
    logits = np.random.default_rng(0).normal(size=(50, 4))
    rows, votes = np.arange(50), Votes(50, 4, np.float64)
    votes.add(rows, logits)
    once = votes.decided()
    votes.add(rows, logits)
    twice = votes.decided()
    np.testing.assert_array_equal(once[0], twice[0])
    np.testing.assert_allclose(once[1], twice[1], rtol=1e-6)
    np.testing.assert_allclose(once[1], (np.exp(logits).T / np.exp(logits).sum(axis=1)).max(axis=0), rtol=1e-6)


def test_evaluation_and_prediction_decide_alike():
    evaluated, predicted = VoteTally(("x", "y"), TwoRooms()), Votes(6, 2)
    for logits in SAID:
        evaluated.update(*votes(range(6), [logits] * 6))
        predicted.add(np.arange(6), np.array([logits] * 6, np.float32))
    labels, confidence = predicted.decided()
    assert labels.tolist() == [1] * 6
    assert confidence == pytest.approx([1 / (1 + np.exp(4 / 3 - 3))] * 6)
    # All raw points are called class 1: three of them are, four are not.
    assert evaluated.confusion().counts.tolist() == [[0, 4], [0, 3]]


def test_votes_are_counted_and_joined():
    first, second = Votes(3, 2), Votes(3, 2)
    said = np.array([[1.0, 0.0], [0.0, 1.0]], np.float32)
    assert first.add(np.array([0, 2]), said) == 2
    assert first.add(np.array([2, 1]), said) == 1  # point 2 had a vote before
    second.add(np.array([0, 1]), said)
    first.merge(second)
    assert first.visits.tolist() == [2, 2, 2]
    assert first.sums.tolist() == [[2, 0], [0, 2], [1, 1]]


def test_nothing_is_decided_about_no_points():
    labels, confidence = Votes(0, 3).decided()
    assert (labels.shape, confidence.shape) == ((0,), (0,))


def test_probabilities_of_all_classes_agree_with_the_decision() -> None:
    votes = Votes(5, 3)
    logits = np.random.default_rng(0).normal(size=(5, 3)).astype(np.float32)
    votes.add(np.arange(5), logits)
    votes.add(np.arange(2), 2 * logits[:2])
    labels, confidence = votes.decided()
    chances = votes.probabilities()
    np.testing.assert_allclose(chances.sum(axis=1), 1, rtol=1e-6)
    np.testing.assert_array_equal(chances.argmax(axis=1), labels)
    np.testing.assert_allclose(chances.max(axis=1), confidence, rtol=1e-6)
    assert Votes(0, 3).probabilities().shape == (0, 3)
