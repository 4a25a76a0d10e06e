"""The average of the weights: where it stands between what it was and what the weights have become."""

import pytest
import torch
from torch import nn

from cloud_transformers.engine.average import WeightAverage


def layer(value: float) -> nn.Module:
    model = nn.Linear(2, 2, bias=False)
    nn.init.constant_(model.weight, value)
    return model


@pytest.mark.parametrize(("step", "share"), [(0, 0.1), (9, 10 / 19), (10**6, 0.99)])
def test_the_average_keeps_the_share_of_its_decay(step, share):
    """Late on it is the decay, early on less: a far start is forgotten."""
    average = WeightAverage(layer(1.0), 0.99)
    average.update(layer(3.0), step)
    torch.testing.assert_close(average.model.weight, torch.full((2, 2), share * 1.0 + (1 - share) * 3.0))


def test_it_follows_weights_that_stay():
    average, model = WeightAverage(layer(0.0), 0.9), layer(1.0)
    for step in range(200):
        average.update(model, step)
    torch.testing.assert_close(average.model.weight, model.weight.detach())
