"""Cross entropies: torch's own over the points that are there, and blind to the others."""

import pytest
import torch
from torch.nn import functional as F

from cloud_transformers.losses.cross_entropy import (
    classification_loss,
    foreground_loss,
    segmentation_loss,
)
from tests.tolerances import assert_same


def batch() -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    generator = torch.Generator().manual_seed(0)
    logits = torch.randn(2, 9, 4, generator=generator)
    labels = torch.randint(4, (2, 9), generator=generator)
    mask = torch.rand(2, 9, generator=generator) > 0.4
    return logits, labels, mask


@pytest.mark.parametrize("weights", [None, torch.tensor([0.5, 2.0, 1.0, 0.0])])
@pytest.mark.parametrize("smoothing", [0.0, 0.2])
def test_segmentation_is_the_mean_over_visible_labelled_points(weights: torch.Tensor | None, smoothing: float) -> None:
    logits, labels, mask = batch()
    labels[0, 3] = -1
    logits = logits.masked_fill(~mask[..., None], float("nan")).requires_grad_()
    loss = segmentation_loss(logits, labels, mask, class_weights=weights, label_smoothing=smoothing)
    counts = mask & (labels >= 0)
    expected = F.cross_entropy(logits.detach()[counts], labels[counts], weights, label_smoothing=smoothing)
    assert_same(loss.detach(), expected)
    loss.backward()
    assert torch.isfinite(logits.grad).all()
    assert (logits.grad[~counts] == 0).all()


def test_nothing_to_learn_from_is_zero_not_nan() -> None:
    logits, labels, mask = batch()
    assert segmentation_loss(logits, labels, torch.zeros_like(mask)) == 0
    assert foreground_loss(logits[..., 0], labels > 1, torch.zeros_like(mask)) == 0
    assert segmentation_loss(logits, torch.full_like(labels, -1), class_weights=torch.ones(4)) == 0


def test_class_and_foreground_are_torch_s_own() -> None:
    logits, labels, mask = batch()
    class_logits, class_labels, foreground = logits[:, 0], labels[:, 0], labels > 1
    expected = F.binary_cross_entropy_with_logits(logits[..., 0][mask], foreground[mask].float())
    assert_same(foreground_loss(logits[..., 0], foreground, mask), expected)
    assert_same(classification_loss(class_logits, class_labels), F.cross_entropy(class_logits, class_labels))


def test_shapes_must_agree() -> None:
    logits, labels, mask = batch()
    with pytest.raises(ValueError, match=r"labels must be \[B, N\]"):
        segmentation_loss(logits, labels[:, :5])
    with pytest.raises(ValueError, match="mask must be"):
        segmentation_loss(logits, labels, mask[:, :5])
    with pytest.raises(ValueError, match="foreground must be boolean"):
        foreground_loss(logits[..., 0], labels)
