"""Segmentation throughput in evaluation: points per second and peak memory, beside PointNet++ and DGCNN.

Those two are built of PyTorch Geometric's layers, in the sizes of its own segmentation examples. Its neighbour searches
need pyg-lib, which is compiled for few versions of torch, so plain PyTorch finds the neighbours here; figures of
"layers" leave that time out, as if neighbours were known. All get the same block of a room, one at a time.

python -m benchmarks.throughput          # all figures
python -m benchmarks.throughput NAME     # peak memory of one, in MB, above its weights
"""

import subprocess
import sys
from collections.abc import Callable

import torch
from torch import Tensor, nn

from benchmarks.machine import seconds
from benchmarks.segmenter import POINTS, cloud

CLASSES = 13
REPEATS = 6
TURN = 0.5  # seconds that each has in a turn: a single call of a small model would be measured while its caches fill
WARM_UP_POINTS = 256
OURS = {"small segmenter": "small", "full segmenter": "full"}
THEIRS = ("PointNet++", "DGCNN")

Run = Callable[[], Tensor]


def measure() -> dict[str, float]:
    runs = {name: evaluation(name) for name in (*OURS, *THEIRS)}
    times = dict.fromkeys(runs, float("inf"))
    for run in runs.values():
        run()
    calls = {name: 1 + int(TURN / seconds(run, 1)) for name, run in runs.items()}
    for _ in range(REPEATS):  # in turns, so that what else runs on the machine disturbs all alike
        times = {name: min(times[name], seconds(run, calls[name])) for name, run in runs.items()}
    figures: dict[str, float] = {}
    for name, time in times.items():
        figures[f"{name}, evaluation, blocks of {POINTS}, points per second"] = POINTS / time
        figures[f"{name}, evaluation, a block of {POINTS}, peak memory above the weights, in MB"] = in_child(name)
    for name in THEIRS:
        shared = neighbour_share(name)
        figures[f"{name}, share of its time that finds neighbours, in %"] = 100 * shared
        for ours in OURS:
            figures[f"{ours}, points per second over {name}"] = times[name] / times[ours]
            figures[f"{ours}, points per second over {name}'s layers"] = times[name] * (1 - shared) / times[ours]
    return figures


def in_child(name: str) -> float:
    command = [sys.executable, "-m", "benchmarks.throughput", name]
    return float(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def peak_above_rest(name: str) -> float:
    """MB, of one block. A first run on a few points builds all that stays; the peak is counted from there."""
    from benchmarks.memory import forget_peak, peak

    model = build(name)
    evaluation(name, WARM_UP_POINTS, model)()
    run = evaluation(name, POINTS, model)
    before = forget_peak()
    run()
    return (peak() - before) / 1e6


def build(name: str) -> nn.Module:
    if name in OURS:
        from cloud_transformers.models import segmenter

        return segmenter(OURS[name], CLASSES).eval()
    from benchmarks.geometric import Dgcnn, PointNet2

    return (PointNet2 if name == "PointNet++" else Dgcnn)(CLASSES).eval()


def evaluation(name: str, num_points: int = POINTS, model: nn.Module | None = None) -> Run:
    model = model or build(name)
    positions, colors = cloud(num_points)
    inputs = (positions, colors) if name in OURS else (positions[0], colors[0])

    @torch.no_grad()
    def run() -> Tensor:
        return model(*inputs)

    return run


def neighbour_share(name: str) -> float:
    """How much of a run, from 0 to 1, goes into finding neighbours and sampling centres."""
    from benchmarks.geometric import Stopwatch

    run = evaluation(name)
    run()
    shares = []
    for _ in range(3):
        with Stopwatch() as watch:
            whole = seconds(run, 1)
        shares.append(watch.total / whole)
    return min(shares)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        print(peak_above_rest(sys.argv[1]))
    else:
        for figure, value in measure().items():
            print(f"{value:11.3f}  {figure}")
