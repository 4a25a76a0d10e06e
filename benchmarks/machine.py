"""What a figure was measured on, and the yardstick that all times are divided by: the machine's own matrix product."""

import importlib.metadata
import os
import platform
import time
from collections.abc import Callable

import torch

import cloud_transformers
from cloud_transformers import native
from cloud_transformers.compilation import best_level

# What holds the kernels, and the libraries below torch, to a level of processors.
HELD_BY = ("CLOUDT_CPU", "ATEN_CPU_CAPABILITY", "ONEDNN_MAX_CPU_ISA", "MKL_ENABLE_INSTRUCTIONS")
FORWARD_FLOPS = 63e9  # one forward pass of the full segmenter, 4096 points, counted from its shapes


def seconds(run: Callable[[], object], repeats: int = 5) -> float:
    """The shortest of several runs: what the machine can do when nothing else disturbs it."""
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        run()
        times.append(time.perf_counter() - start)
    return min(times)


def sgemm_rate(repeats: int = 20) -> float:
    """Floating-point operations per second of [4096, 512] x [512, 1024] in float32."""
    a, b = torch.randn(4096, 512), torch.randn(512, 1024)
    a @ b
    return 2 * 4096 * 512 * 1024 / seconds(lambda: a @ b, repeats)


def in_limits(run: Callable[[], object], repeats: int = 8) -> float:
    """The time of `run` in units of L, the time in which this machine could multiply FORWARD_FLOPS.

    Both are measured in turns and at their best, so that what else runs on the machine disturbs neither.
    """
    times, rates = [], []
    for _ in range(repeats):
        rates.append(sgemm_rate(5))
        times.append(seconds(run, 1))
    return min(times) * max(rates) / FORWARD_FLOPS


def describe() -> dict[str, str]:
    packages = {name: importlib.metadata.version(name) for name in ("torch", "numpy")}
    return {
        "processor": _processor(),
        "level": best_level().name,
        "kernels": native.load("transform").level if native.is_usable("transform") else "reference",
        **{name: os.environ[name] for name in HELD_BY if name in os.environ},
        "cores": str(os.cpu_count()),
        "threads": str(torch.get_num_threads()),
        "load before": " ".join(f"{x:.2f}" for x in os.getloadavg()) if hasattr(os, "getloadavg") else "unknown",
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "cloud-transformers": cloud_transformers.__version__,
        **packages,
    }


def _processor() -> str:
    try:
        with open("/proc/cpuinfo") as info:
            return next(line.partition(":")[2].strip() for line in info if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor()
