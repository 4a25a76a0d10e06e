"""How quickly clouds are read and written, beside a library that does nothing else, and how much memory reading takes.

    python -m benchmarks.files [--points 1000000] [--repeat 3] [--only ply]

Both do the same: positions, colours and labels from file to arrays, and back. Ours and theirs take turns, and CPU time
counts, so that the ratio means something on a busy machine. Memory is the peak of a process that only reads, over the
cloud's size; it is asked of Linux.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.other_files import (
    make_e57,
    make_meshes,
    read_e57,
    read_h5,
    read_las,
    read_mesh,
    read_npy,
    read_npz,
    read_pcd,
    read_ply,
    read_text,
    write_h5,
    write_las,
    write_npy,
    write_npz,
    write_pcd,
    write_ply,
    write_text,
)
from cloud_transformers import io
from cloud_transformers.cloud import PointCloud


@dataclass(frozen=True)
class Case:
    suffix: str
    library: str
    read: Callable[[Path], Any]
    write: Callable[..., None] | None = None  # theirs; none: we do not write the format
    options: dict[str, Any] = field(default_factory=dict)  # of our writing
    make: Callable[[Path, PointCloud], None] | None = None  # the file, where we cannot write it
    sample: int | None = None  # points to draw on a mesh

    @property
    def name(self) -> str:
        return f".{self.suffix} {self.options.get('encoding', '')}".strip()


CASES = (
    Case("ply", "plyfile", read_ply, write_ply),
    Case("ply", "plyfile", read_ply, partial(write_ply, text=True), {"encoding": "ascii"}),
    Case("pcd", "pypcd4", read_pcd, write_pcd),
    Case("las", "laspy", read_las, write_las),
    Case("laz", "laspy", read_las, write_las),
    Case("npy", "numpy", read_npy, write_npy),
    Case("npz", "numpy", read_npz, write_npz),
    Case("h5", "h5py", read_h5, write_h5),
    Case("csv", "numpy's loadtxt, savetxt", read_text, write_text),
    Case("e57", "pye57", read_e57, make=make_e57),
    *(Case(kind, "trimesh", read_mesh, make=make_meshes, sample=100_000) for kind in ("obj", "stl", "glb")),
)


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


def measure_memory(path: Path, sample: int | None) -> float:
    """By how much reading raised the peak of a fresh process, over the bytes of the cloud."""
    words = [sys.executable, "-m", "benchmarks.files", "--read", str(path), "--sample", str(sample or 0)]
    size, growth = json.loads(subprocess.run(words, check=True, capture_output=True, text=True).stdout)
    return growth / size


def read_and_report(path: Path, sample: int | None) -> None:
    import h5py  # noqa: F401  the libraries themselves are not what is measured
    import laspy  # noqa: F401
    import lazrs  # noqa: F401
    import trimesh  # noqa: F401

    before = peak_memory()
    cloud = io.read(path, sample=sample)
    growth = peak_memory() - before
    print(json.dumps([cloud.positions.nbytes + sum(values.nbytes for values in cloud.fields.values()), growth]))


def peak_memory() -> int:
    """Of this process alone: getrusage would begin with its parent's."""
    status = Path("/proc/self/status").read_text()
    return 1024 * int(next(line.split()[1] for line in status.splitlines() if line.startswith("VmHWM")))


def row(case: Case, cloud: PointCloud, folder: Path, repeat: int) -> str:
    path, other = folder / f"ours.{case.suffix}", folder / f"theirs.{case.suffix}"
    times: dict[str, list[float]] = {"read": [], "read by them": [], "write": [], "written by them": []}
    if case.make is not None:
        case.make(path, cloud)
    for _ in range(repeat):
        if case.write is not None:
            times["write"].append(seconds(partial(io.write, path, cloud, **case.options)))
            times["written by them"].append(seconds(partial(case.write, other, cloud)))
        times["read"].append(seconds(partial(io.read, path, sample=case.sample)))
        times["read by them"].append(seconds(partial(case.read, path)))
    size = path.stat().st_size / 1e6
    rates = [f"{size / min(each):.0f}" if each else "-" for each in times.values()]
    memory = measure_memory(path, case.sample)
    cells = [f"`{case.name}`", f"{size:.0f}", case.library, *rates, f"{memory:.1f}"]
    return f"| {' | '.join(cells)} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--points", type=int, default=1_000_000)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--only", metavar="SUFFIX", help="one format")
    parser.add_argument("--read", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--sample", type=int, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.read:
        read_and_report(args.read, args.sample or None)
        return
    cloud = make_cloud(args.points)
    print(f"{args.points:,} points, meshes with a third as many faces; MB per CPU second, best of {args.repeat}")
    print("\n| format | MB | beside | read | by them | write | by them | memory / cloud |", "|---" * 8 + "|", sep="\n")
    with tempfile.TemporaryDirectory() as folder:
        for case in CASES:
            if args.only in (None, case.suffix):
                print(row(case, cloud, Path(folder), args.repeat), flush=True)


if __name__ == "__main__":
    main()
