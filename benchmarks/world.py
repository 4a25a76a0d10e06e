"""How fast the procedural world is: samples per second on one core and on all of them.

    python -m benchmarks.world [--seconds 5]

Prints a table. Each number is the rate of finished samples over the given time, start-up of processes left out.
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

from cloud_transformers.datasets.world import cutouts, objects, rooms, views

SAMPLES: dict[str, Callable[[int, int], Any]] = {
    "objects, 2048 points on the surface": objects.sample,
    "objects cut out of a scanned scene": cutouts.cutout,
    "partial and complete cloud": views.completion,
    "picture of 224 px and cloud": views.reconstruction,
    "rooms, scanned": rooms.room,
}


def rate(name: str, seconds: float, start: int) -> float:
    """Samples per second of one process, counted over whole rounds of indices from `start`."""
    sample = SAMPLES[name]
    sample(0, start)
    begin, count = time.perf_counter(), 0
    while time.perf_counter() - begin < seconds:
        count += 1
        sample(0, start + count)
    return count / (time.perf_counter() - begin)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=5.0, help="how long to measure each line (default 5)")
    seconds = parser.parse_args().seconds
    cores = os.cpu_count() or 1
    load = f", load {os.getloadavg()[0]:.1f} before" if hasattr(os, "getloadavg") else ""
    print(f"{platform.machine()}, {cores} cores{load}; samples per second")
    print(f"{'':38}{'one process':>14}{f'{cores} processes':>14}")
    with multiprocessing.get_context("spawn").Pool(cores) as pool:
        for name in SAMPLES:
            alone = rate(name, seconds, 0)
            together = sum(pool.map(partial(rate, name, seconds), [10**6 * (k + 1) for k in range(cores)], chunksize=1))
            print(f"{name:38}{alone:14.1f}{together:14.1f}")


if __name__ == "__main__":
    main()
