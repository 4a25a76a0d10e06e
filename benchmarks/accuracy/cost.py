"""What segmenting a cloud costs as it grows: processor time and memory, each in a process of its own with one thread.

python -m benchmarks.accuracy.cost                    all models, all sizes; what is stored is not measured again
python -m benchmarks.accuracy.cost NAME POINTS        one of them: seconds, MB above the weights
"""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import torch
from tqdm import tqdm

from benchmarks.accuracy import store
from benchmarks.accuracy.segmenters import MODELS
from benchmarks.memory import forget_peak, peak
from benchmarks.segmenter import cloud

TABLE = "cost"
SIZES = (1024, 4096, 16_384, 65_536)
REPEATS = 3
CLASSES = 13
WARM_UP_POINTS = 1024  # PointNeXt keeps one point of 256, and needs three
LIMIT = 600.0  # seconds that one measurement may take
# A full matrix of distances, which DGCNN needs in its features, is 17 GB at 65,536 points.
MOST = {"DGCNN": 16_384}


def measure(name: str, num_points: int) -> tuple[float, float]:
    """The shortest of some runs in evaluation, and the peak of memory during the first."""
    torch.set_num_threads(1)
    torch.manual_seed(0)
    model = MODELS[name](CLASSES).eval()
    with torch.no_grad():
        model(*cloud(WARM_UP_POINTS))
        inputs = cloud(num_points)
        before, times = forget_peak(), []
        for repeat in range(REPEATS):
            start = time.process_time()
            model(*inputs)
            times.append(time.process_time() - start)
            if not repeat:
                memory = peak() - before
    return min(times), memory / 1e6


def all_of_them(results: Path) -> None:
    folders = store.Folders(runs=results, results=results)
    jobs = [(name, size) for size in SIZES for name in MODELS if size <= MOST.get(name, size)]
    for name, size in tqdm(jobs, desc="cost"):
        path = folders.result(TABLE, f"{name} {size}", 0, 0)
        if path.exists():
            continue
        command = [sys.executable, "-m", "benchmarks.accuracy.cost", name, str(size)]
        told = subprocess.run(command, capture_output=True, text=True, check=True, timeout=LIMIT).stdout
        seconds, memory = map(float, told.splitlines()[-1].split())
        store.keep(path, TABLE, name, {"points": size, "seconds": seconds, "MB": memory})


if __name__ == "__main__":
    if len(sys.argv) > 2:
        print(*measure(sys.argv[1], int(sys.argv[2])))
    else:
        all_of_them(store.RESULTS)
