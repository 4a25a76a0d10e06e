"""Minutes of one core, the same for every model: a schedule over time instead of steps.

What counts is processor time of this process, data included; evaluation and checkpoints are not counted. A killed run
goes on from its last checkpoint.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn
from tqdm import tqdm

from cloud_transformers.datasets import Dataset
from cloud_transformers.engine.order import SeededItems, StepOrder
from cloud_transformers.engine.schedule import KEY_TRANSFORM
from cloud_transformers.files import whole_file
from cloud_transformers.tasks import Item

CHECKPOINT_EVERY = 60.0  # seconds
WARMUP = 0.02  # of the time
MOST_STEPS = 1_000_000
LOOKS = (0.125, 0.25, 0.5)  # of the time: how good a model is by then

Loss = Callable[[nn.Module, list[Item]], Tensor]
Look = Callable[[], float]


@dataclass(frozen=True, kw_only=True)
class Budget:
    """How long and how a model learns."""

    seconds: float
    seed: int
    batch_size: int = 32
    learning_rate: float = 2e-3
    weight_decay: float = 0.05
    clip: float = 10.0

    def rate(self, spent: float) -> float:
        """The learning rate after so many seconds."""
        done = min(spent / self.seconds, 1.0)
        if done < WARMUP:
            return self.learning_rate * max(done / WARMUP, 0.01)
        return self.learning_rate * 0.5 * (1 + math.cos(math.pi * (done - WARMUP) / (1 - WARMUP)))


@dataclass(kw_only=True)
class Progress:
    """How far a run has come."""

    step: int = 0
    spent: float = 0.0  # seconds
    curve: list[tuple[float, float]]  # seconds, and the score by then


def learn(
    model: nn.Module, data: Dataset[Any], loss: Loss, budget: Budget, folder: Path, name: str, look: Look
) -> Progress:
    """Train within the budget; `look` tells the score of the model as it is, at a few moments that are not counted."""
    optimizer = torch.optim.AdamW(_groups(model, budget), lr=budget.learning_rate, fused=True)
    path = folder / "checkpoint.pt"
    done = _resumed(path, model, optimizer)
    items = SeededItems(data, budget.seed)
    order = StepOrder(len(data), batch_size=budget.batch_size, seed=budget.seed, first=done.step, steps=MOST_STEPS)
    kept, start = done.spent, time.process_time() - done.spent
    model.train()
    with tqdm(desc=name, total=round(budget.seconds), unit="s") as bar:
        bar.update(round(done.spent))
        for keys in order:
            if done.spent >= budget.seconds:
                break
            torch.manual_seed(budget.seed * MOST_STEPS + done.step)  # dropout
            for group in optimizer.param_groups:
                group["lr"] = budget.rate(done.spent)
            value = loss(model, [items[key] for key in keys])
            optimizer.zero_grad()
            value.backward()
            nn.utils.clip_grad_norm_(model.parameters(), budget.clip)
            optimizer.step()
            done.step += 1
            before, done.spent = done.spent, time.process_time() - start
            bar.update(round(done.spent) - round(before))
            is_due = len(done.curve) < len(LOOKS) and done.spent >= LOOKS[len(done.curve)] * budget.seconds
            if is_due:
                done.curve.append((done.spent, look()))
                model.train()
            if is_due or done.spent - kept > CHECKPOINT_EVERY or done.spent >= budget.seconds:
                _keep(path, model, optimizer, done)
                kept, start = done.spent, time.process_time() - done.spent
    return done


def _groups(model: nn.Module, budget: Budget) -> list[dict[str, Any]]:
    """Weight decay for matrices and kernels alone, as the engine has it, for every model."""
    decayed, spared = [], []
    for name, parameter in model.named_parameters():
        is_spared = parameter.dim() <= 1 or name.rpartition(".")[2] in KEY_TRANSFORM
        (spared if is_spared else decayed).append(parameter)
    return [{"params": decayed, "weight_decay": budget.weight_decay}, {"params": spared, "weight_decay": 0.0}]


def _keep(path: Path, model: nn.Module, optimizer: torch.optim.Optimizer, done: Progress) -> None:
    content = {"model": model.state_dict(), "optimizer": optimizer.state_dict(), **vars(done)}
    with whole_file(path) as temporary:
        torch.save(content, temporary)


def _resumed(path: Path, model: nn.Module, optimizer: torch.optim.Optimizer) -> Progress:
    if not path.exists():
        return Progress(curve=[])
    content = torch.load(path, weights_only=True)
    model.load_state_dict(content["model"])
    optimizer.load_state_dict(content["optimizer"])
    return Progress(step=content["step"], spent=content["spent"], curve=content["curve"])
