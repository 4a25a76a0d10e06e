"""An exponential average of the weights, which often answers better than the weights themselves."""

from __future__ import annotations

from copy import deepcopy

import torch
from torch import nn


class WeightAverage:
    """`model` holds the average. Early on it follows quickly: a far start would otherwise be remembered for long."""

    def __init__(self, model: nn.Module, decay: float) -> None:
        self.model = deepcopy(model).eval().requires_grad_(False)
        self.decay = decay

    @torch.no_grad()
    def update(self, model: nn.Module, step: int) -> None:
        decay = min(self.decay, (1 + step) / (10 + step))
        for mine, theirs in zip(self.model.state_dict().values(), model.state_dict().values(), strict=True):
            if mine.is_floating_point():
                mine.lerp_(theirs.to(mine), 1 - decay)
            else:
                mine.copy_(theirs)
