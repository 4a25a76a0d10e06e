"""Optimisers, and the learning rate as a function of the step: nothing to save, nothing to restore."""

from __future__ import annotations

import math
from typing import NamedTuple

import torch
from torch import nn

from cloud_transformers.engine.muon import MuonAndAdamW
from cloud_transformers.engine.options import TrainingOptions
from cloud_transformers.errors import InputError
from cloud_transformers.tasks import Task


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


_ALL_POINTS = 0.85  # the share of the steps after which clouds are whole, if they are not from the first step on


def check_points(options: TrainingOptions, task: Task) -> None:
    """InputError where clouds are to be thinned for a task whose batches cannot be."""
    if options.points_at_first < 1 and task.name != "classification":
        raise InputError(f"points_at_first is for classification, not for {task.name}; leave it out")


def share_of_points(options: TrainingOptions, step: int) -> float:
    """How much of a cloud a step sees: it grows by the same factor with every step."""
    done = step / max(_ALL_POINTS * options.steps, 1)
    share: float = options.points_at_first ** max(0.0, 1 - done)
    return share


# Where the keys of heads fall. Decay would pull rotations towards the identity, shifts and scales towards 0.
KEY_TRANSFORM = ("log_rotation", "shift", "scales")


class _Group(NamedTuple):
    """Parameters that are treated alike. Checkpoints number parameters in the order of sorted groups."""

    waits: bool  # until the heads have learned
    is_spared: bool  # from weight decay
    by_muon: bool


def make_optimizer(model: nn.Module, options: TrainingOptions) -> torch.optim.Optimizer:
    """Weight decay is for matrices and kernels: biases, normalisations and the transforms of keys are spared."""
    groups: dict[_Group, list[nn.Parameter]] = {}
    for name, parameter in model.named_parameters():
        if parameter.requires_grad:
            is_spared = parameter.dim() <= 1 or name.rpartition(".")[2] in KEY_TRANSFORM
            by_muon = options.optimizer == "muon" and parameter.dim() == 2 and not (is_spared or _is_head(name))
            group = _Group(_is_gentle(options) and not _is_head(name), is_spared, by_muon)
            groups.setdefault(group, []).append(parameter)
    # One pass over all parameters: a small model has hundreds, and a loop over them takes a twentieth of its step.
    fused = all(parameter.device.type in ("cpu", "cuda") for group in groups.values() for parameter in group)
    described = [
        {
            "params": groups[group],
            "weight_decay": 0.0 if group.is_spared else options.weight_decay,
            "waits": group.waits,
            **({"by_muon": group.by_muon} if options.optimizer == "muon" else {}),
        }
        for group in sorted(groups)
    ]
    if options.optimizer == "muon":
        return MuonAndAdamW(described, lr=options.learning_rate, fused=fused)
    kind = torch.optim.AdamW if options.optimizer == "adamw" else torch.optim.Adam
    return kind(described, lr=options.learning_rate, fused=fused)


def set_learning_rate(optimizer: torch.optim.Optimizer, options: TrainingOptions, step: int) -> float:
    """That of a step for all parameters; returns the heads'."""
    rate = learning_rate(options, step)
    is_waiting = step < round((options.heads_first or 0.0) * options.steps)
    share = 0.0 if is_waiting else 1.0 if options.body_rate is None else options.body_rate
    for group in optimizer.param_groups:
        group["lr"] = rate * share if group.get("waits") else rate
    return rate


def _is_gentle(options: TrainingOptions) -> bool:
    """Whether the heads learn otherwise than the layers before them."""
    return bool(options.heads_first) or options.body_rate not in (None, 1.0)


def _is_head(name: str) -> bool:
    """Of a parameter: whether it is of the layers that turn features into answers."""
    return name.partition(".")[0].endswith("head")
