"""Confidences that are as often right as they say."""

import math

import pytest
import torch

from cloud_transformers.metrics.calibration import best_temperature, calibration_error, familiarity


def answers(factor: float, num: int = 20_000) -> tuple[torch.Tensor, torch.Tensor]:
    """Labels drawn from the softmax of logits, and these logits multiplied by a factor: too sure above 1."""
    rng = torch.Generator().manual_seed(0)
    logits = 2 * torch.randn(num, 5, generator=rng)
    return factor * logits, torch.multinomial(logits.softmax(-1), 1, generator=rng)[:, 0]


@pytest.mark.parametrize("factor", [0.3, 1.0, 4.0])
def test_the_temperature_undoes_what_made_logits_too_sure(factor: float) -> None:
    logits, labels = answers(factor)
    temperature = best_temperature(logits, labels)
    assert temperature == pytest.approx(factor, rel=0.05)
    assert calibration_error(logits, labels, temperature) < 1.5
    if factor != 1:
        assert calibration_error(logits, labels) > 10


def test_familiarity_is_the_evidence_for_all_classes() -> None:
    assert familiarity(torch.zeros(4, 8)).tolist() == pytest.approx([math.log(8)] * 4)
