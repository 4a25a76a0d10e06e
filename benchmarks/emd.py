"""EMD by auction against scipy's exact assignment, 2048 points: time when training, value when evaluating.

python -m benchmarks.emd
"""

import time

import torch
from torch import Tensor

from cloud_transformers.ops.emd import EVALUATION, TRAINING, emd

POINTS = 2048
REPEATS = 5


def measure() -> dict[str, float]:
    """The worst ratio over pairs of clouds of several kinds; scipy's time is that of the assignment alone."""
    from scipy.optimize import linear_sum_assignment

    figures: dict[str, float] = {}
    for name, (prediction, target) in pairs().items():
        emd(prediction, target)  # compiles, the first time
        ours = min(_seconds(lambda x=prediction, y=target: emd(x, y, **vars(TRAINING))) for _ in range(REPEATS))
        distances = torch.cdist(prediction[0].double(), target[0].double()).numpy()
        exact = min(_seconds(lambda d=distances: linear_sum_assignment(d)) for _ in range(2))
        rows, columns = linear_sum_assignment(distances)
        least = distances[rows, columns].mean()
        figures[f"time over scipy's, training setting, {name}"] = ours / exact
        for setting in (TRAINING, EVALUATION):
            square, _ = emd(prediction, target, **vars(setting))
            label = "training" if setting is TRAINING else "evaluation"
            figures[f"value over the exact one, {label} setting, {name}"] = square.sqrt().mean().item() / least
    for prefix in ("time over scipy's, training setting", "value over the exact one, evaluation setting"):
        figures[f"{prefix}, worst"] = max(value for name, value in figures.items() if name.startswith(prefix))
    return figures


def pairs() -> dict[str, tuple[Tensor, Tensor]]:
    """Two uniform clouds (the usual yardstick), a shape far from its target, a flat one, one that is nearly there."""
    draw = torch.Generator().manual_seed(0)
    x, y = torch.rand(2, 1, POINTS, 3, generator=draw)
    sphere = torch.nn.functional.normalize(torch.randn(1, POINTS, 3, generator=draw), dim=2) / 2 + 0.5
    flat = torch.tensor([1.0, 1.0, 0.0])
    nearby = sphere + 0.005 * torch.randn(1, POINTS, 3, generator=draw)
    return {
        "uniform": (x, y),
        "sphere to cube": (sphere, y),
        "planar": (x * flat, y * flat),
        "nearly there": (nearby, sphere.flip(1)),
    }


def _seconds(run) -> float:
    start = time.perf_counter()
    run()
    return time.perf_counter() - start


if __name__ == "__main__":
    for name, value in measure().items():
        print(f"{value:8.4f}  {name}")
