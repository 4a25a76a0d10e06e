"""What the predictors of all tasks have in common."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch
from torch import nn

from cloud_transformers.models import Preparation
from cloud_transformers.predict.batches import Batches


class TaskPredictor:
    """A model on a device in evaluation mode, and what it expects of its input."""

    path: Path | None = None  # of the weight file, where the model came from one

    def __init__(self, model: nn.Module, preparation: Preparation, *, device: torch.device, batches: Batches) -> None:
        # Any kind of model that is called as the task's others are.
        self.model: Any = model.to(device).eval()
        self.preparation = preparation
        self.device = device
        self.batches = batches

    @property
    def classes(self) -> tuple[str, ...]:
        """Names, in the order of the labels; empty where nothing is recognised."""
        return self.preparation.classes
