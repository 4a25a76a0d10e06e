"""Muon for the matrices of a model and AdamW for all else, as one optimiser.

Muon turns the momentum of a matrix into the nearest orthogonal one, so that rare directions move as far as common ones.
torch's own takes matrices only; the loop, its checkpoints and its schedule want one optimiser.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch


class MuonAndAdamW(torch.optim.Optimizer):
    """Groups with `"by_muon": True` are Muon's and hold matrices alone; the others are AdamW's.

    A rate means the same to both: Muon's steps are scaled to the usual length of AdamW's.
    """

    def __init__(self, groups: list[dict[str, Any]], lr: float, *, fused: bool) -> None:
        super().__init__(groups, {"lr": lr, "by_muon": False})
        self._muon, self._adamw = None, None
        if matrices := [group for group in self.param_groups if group["by_muon"]]:
            self._muon = torch.optim.Muon(matrices, lr=lr, adjust_lr_fn="match_rms_adamw")
        if others := [group for group in self.param_groups if not group["by_muon"]]:
            self._adamw = torch.optim.AdamW(others, lr=lr, fused=fused)

    @torch.no_grad()
    def step(self, closure: Callable[[], float] | None = None) -> float | None:  # type: ignore[override]
        assert closure is None, "the loop computes gradients before the step"
        for part, by_muon in ((self._muon, True), (self._adamw, False)):
            if part is not None:
                # Checkpoints that were loaded put new groups and a new state in the place of the old ones.
                part.param_groups = [group for group in self.param_groups if group["by_muon"] is by_muon]
                part.state = self.state
                part.step()
        return None
