"""Optimisers, and the learning rate as a function of the step: nothing to save, nothing to restore."""

from __future__ import annotations

import math

import torch
from torch import nn

from cloud_transformers.engine.options import TrainingOptions


def learning_rate(options: TrainingOptions, step: int) -> float:
    """The rate of a step, counted from 0."""
    rate = options.learning_rate
    warmup = round(options.warmup * options.steps)
    if step < warmup:
        return rate * (step + 1) / warmup
    if options.schedule == "step":
        return rate * options.decay ** (step // options.decay_every)
    if options.schedule == "cosine":
        done = (step - warmup) / max(options.steps - warmup, 1)
        return rate * 0.5 * (1 + math.cos(math.pi * min(done, 1.0)))
    return rate


# Where the keys of heads fall. Decay would pull rotations towards the identity, shifts and scales towards 0.
KEY_TRANSFORM = ("log_rotation", "shift", "scales")


def make_optimizer(model: nn.Module, options: TrainingOptions) -> torch.optim.Optimizer:
    """Weight decay is for matrices and kernels: biases, normalisations and the transforms of keys are spared."""
    decayed: list[nn.Parameter] = []
    spared: list[nn.Parameter] = []
    for name, parameter in model.named_parameters():
        if parameter.requires_grad:
            is_spared = parameter.dim() <= 1 or name.rpartition(".")[2] in KEY_TRANSFORM
            (spared if is_spared else decayed).append(parameter)
    groups = [{"params": decayed, "weight_decay": options.weight_decay}, {"params": spared, "weight_decay": 0.0}]
    kind = torch.optim.AdamW if options.optimizer == "adamw" else torch.optim.Adam
    # One pass over all parameters: a small model has hundreds, and a loop over them takes a twentieth of its step.
    fused = all(parameter.device.type in ("cpu", "cuda") for parameter in (*decayed, *spared))
    return kind([group for group in groups if group["params"]], lr=options.learning_rate, fused=fused)


def set_learning_rate(optimizer: torch.optim.Optimizer, rate: float) -> None:
    for group in optimizer.param_groups:
        group["lr"] = rate
