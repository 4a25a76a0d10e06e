"""What the scheduler costs: tasks that do nothing, through the workers that score tiles; and the store beside them."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import time
from dataclasses import dataclass
from typing import Any

from cloud_transformers.cluster.connection import connected
from cloud_transformers.cluster.pool import pool_of

TASKS = 10_000
WORKERS = 2
MEMORY = 1 << 28  # bytes that a worker asks for: these do nothing


@dataclass(frozen=True)
class Nothing:
    """Work whose items take no time; an item is as large as a `TileTask`."""

    def __call__(self) -> Any:
        return len


def measure(tasks: int = TASKS) -> dict[str, float]:
    """Seconds for each task, and what the command's memory and the store grew by."""
    with connected("ray", cpus=WORKERS) as ray, pool_of(ray, Nothing(), workers=WORKERS, memory=MEMORY) as pool:
        pool.wait()
        scene = ray.put(bytes(1 << 20))
        memory, store = _resident(), stored(ray)
        wall, own = time.perf_counter(), time.process_time()
        done = sum(1 for _ in pool.run(("score", tile, scene, "a scene") for tile in range(tasks)))
        wall, own = time.perf_counter() - wall, time.process_time() - own
        assert done == tasks
        return {
            "tasks": tasks,
            "workers": WORKERS,
            "wall seconds per task": wall / tasks,
            "core-seconds of the command per task": own / tasks,
            "command's memory, growth per task, bytes": (_resident() - memory) / tasks,
            "object store, growth per task, bytes": (stored(ray) - store) / tasks,
            "command's peak memory, bytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024,
        }


def _resident() -> int:
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def stored(ray: Any) -> float:
    """Bytes of the object store that are taken."""
    name = "object_store_memory"
    return float(ray.cluster_resources()[name] - ray.available_resources().get(name, 0.0))


def in_child() -> dict[str, float]:
    """The same in a process of its own."""
    words = [sys.executable, "-m", "benchmarks.scale.scheduler"]
    return json.loads(subprocess.run(words, stdout=subprocess.PIPE, text=True, check=True).stdout)


if __name__ == "__main__":
    print(json.dumps(measure()))
