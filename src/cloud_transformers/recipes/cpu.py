"""Training that a few processor cores finish in minutes: for the sizes small and tiny."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from cloud_transformers.engine import TrainingOptions


def cpu_training(*, steps: int, batch_size: int, **changes: Any) -> TrainingOptions:
    """Short training on a few cores: a warm start, a rate that ends at 0, and a gradient that cannot run away."""
    usual = TrainingOptions(
        steps=steps,
        batch_size=batch_size,
        optimizer="adamw",
        learning_rate=2e-3,
        weight_decay=0.05,
        schedule="cosine",
        warmup=0.1,
        clip=10.0,
        checkpoint_every=100,
    )
    return replace(usual, **changes)
