"""How fast the procedural world is.

    python -m benchmarks.world [--seconds 5]

Prints samples per second of processor time in one process, which hardly depends on what else the machine does, and
samples per second of wall clock with one process per core, which does. The start-up of processes is left out.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import platform
import time
from collections.abc import Callable
from functools import partial
from typing import Any

from cloud_transformers.world import cutouts, objects, rooms, views

SAMPLES: dict[str, Callable[[int, int], Any]] = {
    "objects, 2048 points on the surface": objects.sample,
    "objects cut out of a scanned scene": cutouts.cutout,
    "partial and complete cloud": views.completion,
    "picture of 224 px and cloud": views.reconstruction,
    "rooms, scanned": rooms.room,
}


def rates(name: str, seconds: float, start: int) -> tuple[float, float]:
    """Samples per second of processor time and of wall clock, in this process, for indices from `start` on."""
    sample = SAMPLES[name]
    sample(0, start)
    wall, processor, count = time.perf_counter(), time.process_time(), 0
    while time.perf_counter() - wall < seconds:
        count += 1
        sample(0, start + count)
    return count / (time.process_time() - processor), count / (time.perf_counter() - wall)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=5.0, help="how long to measure each number (default 5)")
    seconds = parser.parse_args().seconds
    cores = os.cpu_count() or 1
    load = f", load average {os.getloadavg()[0]:.1f} before the start" if hasattr(os, "getloadavg") else ""
    print(f"{platform.machine()}, {cores} cores{load}")
    print(f"{'samples per second':38}{'processor':>12}{f'wall, {cores} procs':>16}")
    with multiprocessing.get_context("spawn").Pool(cores) as pool:
        for name in SAMPLES:
            processor, _ = rates(name, seconds, 0)
            starts = [10**6 * (k + 1) for k in range(cores)]
            together = sum(wall for _, wall in pool.map(partial(rates, name, seconds), starts, chunksize=1))
            print(f"{name:38}{processor:12.1f}{together:16.1f}")


if __name__ == "__main__":
    main()
