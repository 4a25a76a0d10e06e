"""Peak memory of the full segmenter on 4096 points, above what stays: weights, and when training gradients and Adam.

Each figure is measured in a process of its own: python -m benchmarks.memory evaluation
"""

import ctypes
import resource
import subprocess
import sys
from pathlib import Path

WARM_UP_POINTS = 64  # enough to build kernels, gradients and optimiser state


def measure() -> dict[str, float]:
    return {
        "full segmenter, evaluation memory above the weights, in MB": in_child("evaluation"),
        "full segmenter, training step, peak memory above weights, gradients and Adam, in MB": in_child("training"),
    }


def in_child(what: str) -> float:
    command = [sys.executable, "-m", "benchmarks.memory", what]
    return float(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def peak_above_rest(what: str) -> float:
    """MB. A first run on a few points builds all that stays; the peak is counted from there."""
    import torch

    from benchmarks.segmenter import POINTS, cloud
    from cloud_transformers import native
    from cloud_transformers.models import segmenter

    native.keep_freed_memory()
    model = segmenter("full").train(what == "training")
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3, fused=True)

    def run(num_points: int) -> None:
        positions, features = cloud(num_points)
        with torch.set_grad_enabled(model.training):
            predicted = model(positions, features)
        if model.training:
            optimizer.zero_grad(set_to_none=False)
            torch.nn.functional.cross_entropy(predicted[0], torch.zeros(num_points, dtype=torch.long)).backward()
            optimizer.step()

    run(WARM_UP_POINTS)
    before = forget_peak()
    run(POINTS)
    return (peak() - before) / 1e6


def forget_peak() -> float:
    """Give freed memory back, start the peak anew where the system allows it; the memory held now, in bytes."""
    if sys.platform != "linux":
        return peak()
    ctypes.CDLL(None).malloc_trim(0)
    Path("/proc/self/clear_refs").write_text("5")
    return _status("VmRSS")


def peak() -> float:
    if sys.platform == "linux":
        return _status("VmHWM")
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def _status(field: str) -> float:
    lines = Path("/proc/self/status").read_text().splitlines()
    return 1024 * float(next(line.split()[1] for line in lines if line.startswith(field)))


if __name__ == "__main__":
    print(peak_above_rest(sys.argv[1]))
