"""Accuracies and IoU against scikit-learn on random data, and the classes that are not there."""

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import accuracy_score, balanced_accuracy_score, confusion_matrix, jaccard_score

from cloud_transformers.metrics import ConfusionMatrix

CLASSES = ("wall", "floor", "chair", "table", "board")


@given(st.integers(0, 2**31))
def test_agrees_with_scikit_learn(seed: int) -> None:
    generator = torch.Generator().manual_seed(seed)
    truth = torch.randint(5, (400,), generator=generator)
    truth[:5] = torch.arange(5)  # scikit-learn averages over the classes it sees
    guess = torch.randint(5, (400,), generator=generator)
    predicted = truth.where(torch.rand(400, generator=generator) < 0.6, guess)
    matrix = ConfusionMatrix(CLASSES)
    for part in range(0, 400, 130):
        matrix.update(predicted[part : part + 130], truth[part : part + 130])
    assert matrix.counts.tolist() == confusion_matrix(truth, predicted).tolist()
    assert matrix.overall_accuracy().value == pytest.approx(100 * accuracy_score(truth, predicted))
    assert matrix.mean_class_accuracy().value == pytest.approx(100 * balanced_accuracy_score(truth, predicted))
    assert matrix.mean_iou().value == pytest.approx(100 * jaccard_score(truth, predicted, average="macro"))
    assert matrix.mean_iou_of_all().value == pytest.approx(matrix.mean_iou().value)  # the truth has all of them
    assert matrix.iou_per_class().tolist() == pytest.approx(100 * jaccard_score(truth, predicted, average=None))
    assert matrix.mean_iou().num_samples == 400


def test_absent_classes_are_said_and_not_averaged() -> None:
    matrix = ConfusionMatrix(CLASSES)
    matrix.update(torch.tensor([0, 0, 1, 2]), torch.tensor([0, 0, 1, 1]))
    assert matrix.absent() == ["table", "board"]
    # wall 1, floor 1 of 2; chair, predicted but never true, counts in the second mean; the two absent ones in neither.
    assert matrix.mean_iou().value == pytest.approx(100 * (1 + 0.5) / 2)
    assert matrix.mean_iou_of_all().value == pytest.approx(100 * (1 + 0.5 + 0) / 3)
    assert [score.name for score in matrix.per_class()] == ["IoU wall", "IoU floor", "IoU chair"]
    assert matrix.mean_class_accuracy().value == pytest.approx(100 * (1 + 0.5) / 2)


def test_unknown_labels_do_not_count() -> None:
    matrix = ConfusionMatrix(CLASSES)
    matrix.update(torch.tensor([[0, 1], [2, 3]]), torch.tensor([[0, -1], [-1, 3]]))
    assert matrix.num_samples == 2
    assert matrix.overall_accuracy().value == 100


def test_counts_of_two_processes_add_up() -> None:
    truth, predicted = torch.randint(5, (2, 50)), torch.randint(5, (2, 50))
    together = ConfusionMatrix(CLASSES)
    together.update(predicted, truth)
    apart = [ConfusionMatrix(CLASSES) for _ in range(2)]
    for index, matrix in enumerate(apart):
        matrix.update(predicted[index], truth[index])
    assert torch.equal(together.counts, apart[0].counts + apart[1].counts)


def test_nothing_counted_is_not_a_number_for_means() -> None:
    assert math.isnan(ConfusionMatrix(CLASSES).mean_iou().value)


@pytest.mark.parametrize(("predicted", "truth"), [([5], [0]), ([0], [5]), ([-1], [0])])
def test_classes_out_of_range_are_refused(predicted: list[int], truth: list[int]) -> None:
    with pytest.raises(ValueError, match=r"holds class (5|-1), but there are 5 classes"):
        ConfusionMatrix(CLASSES).update(torch.tensor(predicted), torch.tensor(truth))
