"""Training for a stated time of one core, the same for every model: a schedule over time instead of steps.

What counts is processor time of this process, data included; evaluation and checkpoints are not counted. A killed run
goes on from its last checkpoint.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn
from tqdm import tqdm

from cloud_transformers.datasets import Dataset
from cloud_transformers.engine.order import StepOrder
from cloud_transformers.engine.schedule import KEY_TRANSFORM
from cloud_transformers.files import whole_file
from cloud_transformers.metrics import ConfusionMatrix

BATCH = 32
CHECKPOINT_EVERY = 60.0  # seconds
WARMUP = 0.02  # of the time
MOST_STEPS = 1_000_000


@dataclass(frozen=True, kw_only=True)
class Budget:
    """How long and how a model learns."""

    seconds: float
    seed: int
    learning_rate: float = 2e-3
    weight_decay: float = 0.05
    label_smoothing: float = 0.2
    clip: float = 10.0

    def rate(self, spent: float) -> float:
        """The learning rate after so many seconds."""
        done = min(spent / self.seconds, 1.0)
        if done < WARMUP:
            return self.learning_rate * max(done / WARMUP, 0.01)
        return self.learning_rate * 0.5 * (1 + math.cos(math.pi * (done - WARMUP) / (1 - WARMUP)))


def learn(model: nn.Module, data: Dataset[Any], budget: Budget, folder: Path, name: str) -> dict[str, float]:
    """Train within the budget; how many steps and clouds that were."""
    optimizer = torch.optim.AdamW(_groups(model, budget), lr=budget.learning_rate, fused=True)
    path = folder / "checkpoint.pt"
    step, spent = _resumed(path, model, optimizer)
    order = StepOrder(len(data), batch_size=BATCH, seed=budget.seed, first=step, steps=MOST_STEPS)
    kept, start = spent, time.process_time() - spent
    model.train()
    with tqdm(desc=name, total=round(budget.seconds), unit="s") as bar:
        bar.update(round(spent))
        for keys in order:
            if spent >= budget.seconds:
                break
            torch.manual_seed(budget.seed * MOST_STEPS + step)  # dropout
            positions, labels = batch([data[key] for key in keys])
            for group in optimizer.param_groups:
                group["lr"] = budget.rate(spent)
            loss = nn.functional.cross_entropy(model(positions), labels, label_smoothing=budget.label_smoothing)
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), budget.clip)
            optimizer.step()
            step += 1
            before, spent = spent, time.process_time() - start
            bar.update(round(spent) - round(before))
            if spent - kept > CHECKPOINT_EVERY or spent >= budget.seconds:
                _keep(path, model, optimizer, step, spent)
                kept, start = spent, time.process_time() - spent
    return {"steps": step, "clouds": step * BATCH, "seconds": spent}


@torch.no_grad()
def judge(model: nn.Module, data: Dataset[Any], name: str) -> dict[str, float]:
    """Scores on a test split, one pass, and how fast that was."""
    model.eval()
    counts = ConfusionMatrix(data.classes, sample="shapes")
    spent = 0.0
    with tqdm(desc=name, total=len(data), unit="shape") as bar:
        for first in range(0, len(data), BATCH):
            positions, labels = batch([data[index] for index in range(first, min(first + BATCH, len(data)))])
            start = time.process_time()
            logits = model(positions)
            spent += time.process_time() - start
            counts.update(logits.argmax(1), labels)
            bar.update(len(labels))
    return {
        "OA": counts.overall_accuracy().value,
        "mAcc": counts.mean_class_accuracy().value,
        "clouds per second in evaluation": len(data) / spent,
    }


def batch(samples: list[Any]) -> tuple[Tensor, Tensor]:  # [B, N, 3], [B]
    positions = torch.stack([torch.from_numpy(sample.cloud.positions) for sample in samples])
    return positions, torch.tensor([sample.label for sample in samples])


def _groups(model: nn.Module, budget: Budget) -> list[dict[str, Any]]:
    """Weight decay for matrices and kernels alone, as the engine has it, for every model."""
    decayed, spared = [], []
    for name, parameter in model.named_parameters():
        is_spared = parameter.dim() <= 1 or name.rpartition(".")[2] in KEY_TRANSFORM
        (spared if is_spared else decayed).append(parameter)
    return [{"params": decayed, "weight_decay": budget.weight_decay}, {"params": spared, "weight_decay": 0.0}]


def _keep(path: Path, model: nn.Module, optimizer: torch.optim.Optimizer, step: int, spent: float) -> None:
    content = {"model": model.state_dict(), "optimizer": optimizer.state_dict(), "step": step, "spent": spent}
    with whole_file(path) as temporary:
        torch.save(content, temporary)


def _resumed(path: Path, model: nn.Module, optimizer: torch.optim.Optimizer) -> tuple[int, float]:
    if not path.exists():
        return 0, 0.0
    content = torch.load(path, weights_only=True)
    model.load_state_dict(content["model"])
    optimizer.load_state_dict(content["optimizer"])
    return content["step"], content["spent"]
