"""Whatever a file is: opening it takes at most 64 MB and 40 times its size, or it is refused before."""

import gzip
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest

from cloud_transformers import io
from cloud_transformers.cloud import PointCloud
from cloud_transformers.errors import InputError
from cloud_transformers.io.limits import FREE_BYTES, MAX_EXPAND
from tests import forked, memory
from tests.io.samples import MESH_FORMATS
from tests.torture.memory import Growth

POINTS = 10_000_000  # one byte each for x, y and z: little to unpack, much to hold


def tiny_numbers_npz(path: Path) -> None:
    np.savez_compressed(path, positions=np.zeros((POINTS, 3), np.int8))


def tiny_numbers_h5(path: Path) -> None:
    h5py = pytest.importorskip("h5py")
    with h5py.File(path, "w") as file:
        file.create_dataset("positions", data=np.zeros((POINTS, 3), np.int8), compression="gzip")


def doubled_npz(path: Path) -> None:
    """A few numbers, so that it is not refused at once, and many fields."""
    rng = np.random.default_rng(0)
    np.savez_compressed(path, positions=rng.random((500_000, 3), np.float32), rest=np.zeros((500_000, 400), np.uint8))


def short_lines(path: Path) -> None:
    path.write_bytes(gzip.compress(b"0 0 0\n" * POINTS, 1))


def short_faces(path: Path) -> None:
    path.write_bytes(gzip.compress(b"v 0 0 0\nv 1 0 0\nv 0 1 0\n" + b"f 1 2 3\n" * (POINTS // 5), 1))


def packed_twice(path: Path) -> None:
    """What is inside is large enough for all that it takes; what is outside is not."""
    inner = path.with_suffix("")
    np.savez(inner, positions=np.zeros((POINTS, 3), np.int8))
    path.write_bytes(gzip.compress(inner.read_bytes(), 1))


GREEDY: dict[str, Callable[[Path], None]] = {
    "tiny.npz": tiny_numbers_npz,
    "tiny.h5": tiny_numbers_h5,
    "doubled.npz": doubled_npz,
    "lines.xyz.gz": short_lines,
    "faces.obj.gz": short_faces,
    "twice.npz.gz": packed_twice,
}


def shape(path: Path) -> None:
    with suppress(InputError):
        io.read_shape(path, 10)


READERS: dict[str, Callable[[Path], object]] = {
    "shape": shape,
    "cloud": io.read,
    "mesh": lambda path: io.read(path, sample=16),
}
MEASURE = """
import sys
from pathlib import Path
from tests.safety.test_memory import least_growth
print(least_growth(sys.argv[1], Path(sys.argv[2])))
"""


def allowed(path: Path) -> float:
    return FREE_BYTES + MAX_EXPAND * path.stat().st_size


def least_growth(reader: str, path: Path) -> int:
    """The least of three counts: imports, other threads and what the C library holds can only add to it."""
    taken: list[int] = []
    while len(taken) < 3 and min(taken, default=1 << 60) > allowed(path):
        memory.give_back()
        growth = Growth()
        READERS[reader](path)
        taken.append(growth.bytes())
    return min(taken)


def check_memory(path: Path, reader: str) -> None:
    """In a process of its own: what others have freed in this one would be used again, and hide what is taken."""
    done = forked.run(MEASURE, reader, path)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) <= allowed(path), f"{int(done.stdout) / 2**20:.0f} MB"


@pytest.mark.parametrize("name", GREEDY)
def test_greedy_files_are_refused_before_they_take_it(tmp_path: Path, name: str) -> None:
    GREEDY[name](tmp_path / name)
    check_memory(tmp_path / name, "shape")


@pytest.mark.parametrize("suffix", [".ply", ".pcd", ".las", ".laz", ".npy", ".npz", ".xyz", ".csv", ".h5", ".xyz.gz"])
def test_clouds_are_read_within_bounds(tmp_path: Path, suffix: str) -> None:
    rng = np.random.default_rng(0)
    cloud = PointCloud(
        positions=rng.random((200_000, 3), np.float32), fields={"color": rng.integers(0, 255, (200_000, 3), np.uint8)}
    )
    path = tmp_path / f"cloud{suffix}"
    io.write(path.with_suffix("") if suffix.endswith(".gz") else path, cloud)
    if suffix.endswith(".gz"):
        path.write_bytes(gzip.compress(path.with_suffix("").read_bytes(), 1))
    check_memory(path, "cloud")


@pytest.mark.parametrize("kind", MESH_FORMATS)
def test_meshes_are_read_within_bounds(tmp_path: Path, kind: str) -> None:
    trimesh = pytest.importorskip("trimesh")
    suffix = "ply" if kind == "plymesh" else kind
    path = tmp_path / f"mesh.{suffix}"
    trimesh.creation.icosphere(subdivisions=6).export(path)
    check_memory(path, "mesh")
