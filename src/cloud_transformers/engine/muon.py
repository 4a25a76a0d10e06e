"""Muon for the matrices of a model and AdamW for all else, as one optimiser.

Muon turns the momentum of a matrix into the nearest orthogonal one, so that rare directions move as far as common ones.
Why not torch's own: it takes matrices alone, where the loop, its checkpoints and its schedule want one optimiser; and
it computes in bfloat16, one matrix at a time, which takes processors without that arithmetic several times as long.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

_MOMENTUM = 0.95
_LIKE_ADAMW = 0.2  # the usual length of AdamW's steps, root mean square, at a rate of 1
_QUINTIC = (3.4445, -4.775, 2.0315)  # a polynomial that drives singular values near 1, and small ones fast
_ITERATIONS = 5


class MuonAndAdamW(torch.optim.Optimizer):
    """Groups with `"by_muon": True` are Muon's and hold matrices alone; the others are AdamW's.

    A rate means the same to both: Muon's steps are scaled to the usual length of AdamW's.
    """

    def __init__(self, groups: list[dict[str, Any]], lr: float, *, fused: bool) -> None:
        super().__init__(groups, {"lr": lr, "weight_decay": 0.0, "by_muon": False})
        others = [group for group in self.param_groups if not group["by_muon"]]
        self._adamw = torch.optim.AdamW(others, lr=lr, fused=fused) if others else None

    @torch.no_grad()
    def step(self, closure: Callable[[], float] | None = None) -> float | None:  # type: ignore[override]
        assert closure is None, "the loop computes gradients before the step"
        for group in self.param_groups:
            if group["by_muon"]:
                self._step_by_muon(group)
        if self._adamw is not None:
            # Checkpoints that were loaded put new groups and a new state in the place of the old ones.
            self._adamw.param_groups = [group for group in self.param_groups if not group["by_muon"]]
            self._adamw.state = self.state
            self._adamw.step()
        return None

    def _step_by_muon(self, group: dict[str, Any]) -> None:
        alike: defaultdict[torch.Size, list[Tensor]] = defaultdict(list)  # a small model has few shapes: few products
        for parameter in group["params"]:
            if parameter.grad is not None:
                alike[parameter.shape].append(parameter)
        for shape, parameters in alike.items():
            directions = orthogonal(torch.stack([self._with_momentum(parameter) for parameter in parameters]))
            torch._foreach_mul_(parameters, 1 - group["lr"] * group["weight_decay"])
            length = group["lr"] * _LIKE_ADAMW * math.sqrt(max(shape))
            torch._foreach_add_(parameters, list(directions.unbind()), alpha=-length)

    def _with_momentum(self, parameter: Tensor) -> Tensor:
        """The gradient, drawn towards its running mean: Nesterov's momentum."""
        assert parameter.grad is not None
        state = self.state[parameter]
        if not state:
            state["momentum_buffer"] = torch.zeros_like(parameter)
        mean: Tensor = state["momentum_buffer"].lerp_(parameter.grad, 1 - _MOMENTUM)
        return parameter.grad.lerp(mean, _MOMENTUM)


def orthogonal(matrices: Tensor) -> Tensor:  # [K, rows, columns], both ways
    """About U Vᵀ of each matrix U S Vᵀ, by Newton and Schulz's iteration; a matrix of zeros stays one.

    Singular values end between 0.68 and 1.21, those that were nearly 0 below that: near enough for an optimiser.
    """
    is_tall = matrices.shape[-2] > matrices.shape[-1]
    found = matrices.mT if is_tall else matrices
    found = found / torch.linalg.matrix_norm(found, keepdim=True).clamp(min=1e-7)
    first, third, fifth = _QUINTIC
    for _ in range(_ITERATIONS):
        gram = found @ found.mT
        found = torch.baddbmm(found, torch.baddbmm(gram, gram, gram, beta=third, alpha=fifth), found, beta=first)
    return found.mT if is_tall else found
