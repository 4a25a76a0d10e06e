"""How long reading and writing clouds takes, beside what numpy needs to parse the same text, and how much memory.

    python -m benchmarks.files [--points 1000000] [--repeat 3]

Ascii files are compared with `np.loadtxt` on the same file; the ratio is what counts, taken in turns and by CPU time,
so that it means something on a busy machine. Memory is the peak of a process that only reads, over the cloud's size;
it is asked of Linux.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from cloud_transformers import io
from cloud_transformers.cloud import PointCloud

KINDS: list[tuple[str, dict[str, Any]]] = [
    ("ply", {"encoding": "ascii"}),
    ("pcd", {"encoding": "ascii"}),
    ("csv", {}),
    ("xyz", {}),
    ("ply", {}),
    ("pcd", {}),
    ("pcd", {"encoding": "binary_compressed"}),
    ("npy", {}),
    ("npz", {}),
    ("h5", {}),
    ("las", {}),
    ("laz", {}),
]


def make_cloud(num_points: int) -> PointCloud:
    """Positions, colours and labels: 16 bytes a point."""
    generator = np.random.default_rng(0)
    return PointCloud(
        positions=generator.uniform(-100, 100, (num_points, 3)).astype(np.float32),
        fields={
            "color": generator.integers(0, 256, (num_points, 3)).astype(np.uint8),
            "label": generator.integers(0, 13, num_points).astype(np.uint8),
        },
    )


def seconds(task: Callable[[], Any]) -> float:
    start = time.process_time()
    task()
    return time.process_time() - start


def parse_with_numpy(path: Path) -> None:
    with path.open("rb") as file:
        lines = 0
        for line in file:
            if line[:1] in b"-0123456789":
                break
            lines += 1
    np.loadtxt(path, skiprows=lines, delimiter="," if path.suffix == ".csv" else None)


def measure_memory(path: Path) -> tuple[int, int]:
    """Bytes of the cloud, and by how much reading it raised the peak of a fresh process."""
    output = subprocess.run(
        [sys.executable, "-m", "benchmarks.files", "--read", str(path)], check=True, capture_output=True, text=True
    )
    size, growth = json.loads(output.stdout)
    return size, growth


def read_and_report(path: Path) -> None:
    import h5py  # noqa: F401  the libraries themselves are not what is measured
    import laspy  # noqa: F401
    import lazrs  # noqa: F401

    before = peak_memory()
    cloud = io.read(path)
    growth = peak_memory() - before
    print(json.dumps([cloud.positions.nbytes + sum(values.nbytes for values in cloud.fields.values()), growth]))


def peak_memory() -> int:
    """Of this process alone: getrusage would begin with its parent's."""
    status = Path("/proc/self/status").read_text()
    return 1024 * int(next(line.split()[1] for line in status.splitlines() if line.startswith("VmHWM")))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--points", type=int, default=1_000_000)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--read", type=Path, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.read:
        read_and_report(args.read)
        return
    cloud = make_cloud(args.points)
    print(f"{args.points:,} points; seconds of CPU, best of {args.repeat}")
    print(f"{'format':<24}{'write':>8}{'read':>8}{'of loadtxt':>12}{'MB':>7}{'peak / cloud':>14}")
    with tempfile.TemporaryDirectory() as folder:
        for suffix, options in KINDS:
            path = Path(folder) / f"cloud.{suffix}"
            is_text = "ascii" in options.values() or suffix in ("csv", "xyz")
            written, read, parsed = [], [], []
            for _ in range(args.repeat):
                written.append(seconds(partial(io.write, path, cloud, **options)))
                read.append(seconds(partial(io.read, path)))
                parsed.append(seconds(partial(parse_with_numpy, path)) if is_text else np.nan)
            size, growth = measure_memory(path)
            ratio = f"{min(read) / min(parsed):.2f}" if is_text else ""
            name = f"{suffix} {options.get('encoding', '')}"
            print(
                f"{name:<24}{min(written):>8.2f}{min(read):>8.2f}{ratio:>12}{path.stat().st_size / 1e6:>7.0f}"
                f"{growth / size:>14.1f}",
                flush=True,
            )


if __name__ == "__main__":
    main()
