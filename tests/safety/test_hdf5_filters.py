"""Filters of HDF5 that give back more than a chunk declares: what the library would believe is found out before."""

import ctypes
import subprocess
import sys
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cloud_transformers import io
from cloud_transformers.datasets.hdf5 import Column, Hdf5Rows
from cloud_transformers.errors import InputError
from tests.safety.test_memory import check_memory

h5py = pytest.importorskip("h5py")
POINTS = np.random.default_rng(0).random((64, 3), np.float32)
MUCH = 300 << 20  # bytes


def packed_zeros(size: int) -> bytes:
    packer = zlib.compressobj(9)
    return b"".join([*(packer.compress(bytes(1 << 20)) for _ in range(size >> 20)), packer.flush()])


def dataset(path: Path, *settle: Callable[[Any], None]) -> tuple[Any, Any]:
    """An open file, and in it a dataset of 64 points in one chunk, whose creation each of `settle` may change."""
    file = h5py.File(path, "w")
    settings = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    settings.set_chunk((64, 3))
    for each in settle:
        each(settings)
    h5py.h5d.create(file.id, b"positions", h5py.h5t.IEEE_F32LE, h5py.h5s.create_simple((64, 3)), settings)
    return file, file["positions"]


def swollen(path: Path) -> None:
    """768 bytes are declared, and some hundred megabytes come out."""
    file, points = dataset(path, lambda settings: settings.set_deflate(1))
    points.id.write_direct_chunk((0, 0), packed_zeros(MUCH))
    file.close()


def twice(path: Path) -> None:
    """A deflated deflated chunk: a thousand times a thousand times as much."""
    file, points = dataset(path, *[lambda settings: settings.set_deflate(1)] * 2)
    points.id.write_direct_chunk((0, 0), zlib.compress(packed_zeros(MUCH), 9))
    file.close()


def turned_around(path: Path) -> None:
    """Shuffled after it was deflated, so that it cannot be measured as the others are."""
    file, points = dataset(path, lambda settings: settings.set_deflate(1), lambda settings: settings.set_shuffle())
    points[:] = POINTS
    file.close()


def scaled(path: Path) -> None:
    """This filter is told by the file how many numbers to make."""
    with h5py.File(path, "w") as file:
        points = file.create_dataset("positions", (64, 3), "f4", chunks=(64, 3), scaleoffset=3)
        points[:] = POINTS
    data, honest = path.read_bytes(), np.array([64 * 3], "<u4").tobytes()
    path.write_bytes(data.replace(honest, np.array([MUCH // 4], "<u4").tobytes()))


def rows(path: Path) -> Hdf5Rows:
    return Hdf5Rows([path], [Column("positions", (3,), "float32")], lambda rows: [], check_version="1")


HARMFUL = {"swollen": swollen, "twice": twice, "turned around": turned_around, "scaled": scaled}


@pytest.mark.parametrize("name", HARMFUL)
def test_what_swells_inside_a_chunk_is_refused_before_it_takes_it(tmp_path: Path, name: str) -> None:
    path = tmp_path / "sent.h5"
    HARMFUL[name](path)
    with pytest.raises(InputError, match=r"sent\.h5: .*(more than it declares|filters that are not read)"):
        io.read(path)
    with pytest.raises(InputError, match=r"more than it declares|filters that are not read"):
        rows(path)
    check_memory(path, "shape")


def test_a_chunk_of_lzf_that_may_swell_is_refused_unless_it_is_allowed(tmp_path: Path) -> None:
    path = tmp_path / "sent.h5"
    values = np.random.default_rng(0).integers(0, 4, (3_000_000, 3), np.uint8)
    with h5py.File(path, "w") as file:
        file.create_dataset("positions", data=values, chunks=values.shape, compression="lzf")
    with pytest.raises(InputError, match=r"may unpack to .*--max-expand"):
        io.read(path)
    assert len(io.read(path, max_expand=100)) == len(values)


@pytest.mark.parametrize("settings", [
    {}, {"shuffle": True}, {"compression": "gzip"}, {"compression": "lzf", "shuffle": True},
    {"compression": "gzip", "shuffle": True, "fletcher32": True}, {"fletcher32": True},
])  # fmt: skip
def test_what_everybody_writes_is_read(tmp_path: Path, settings: dict[str, Any]) -> None:
    """In one large chunk, so that it is measured first."""
    points = np.random.default_rng(1).random((30_000, 3), np.float32)
    with h5py.File(tmp_path / "sent.h5", "w") as file:
        file.create_dataset("positions", data=points, chunks=points.shape, **settings)
    assert np.array_equal(io.read(tmp_path / "sent.h5").positions, points)


@pytest.mark.skipif(sys.platform != "linux", reason="it looks for the library where Linux lists it")
def test_packed_names_are_refused(tmp_path: Path) -> None:
    """h5py cannot make such a file, so its library is asked itself."""
    loaded = {line.split()[-1] for line in Path("/proc/self/maps").read_text().splitlines() if "libhdf5" in line}
    library = ctypes.CDLL(next(each for each in loaded if "_hl" not in each))
    settings = h5py.h5p.create(h5py.h5p.FILE_CREATE)
    assert library.H5Pset_deflate(ctypes.c_int64(settings.id), ctypes.c_uint(1)) >= 0
    with h5py.File(h5py.h5f.create(str(tmp_path / "sent.h5").encode(), fcpl=settings)) as file:
        file["positions"] = POINTS
    for read in (io.read, rows):
        with pytest.raises(InputError, match="names of its datasets are packed"):
            read(tmp_path / "sent.h5")


def test_names_that_lead_in_a_circle_end(tmp_path: Path) -> None:
    """The list of names is a tree whose leaves name the next one; here the leaf names itself."""
    with h5py.File(tmp_path / "sent.h5", "w", libver="earliest") as file:
        file["positions"] = POINTS
    data = bytearray((tmp_path / "sent.h5").read_bytes())
    leaf = data.index(b"TREE")
    data[leaf + 16 : leaf + 24] = leaf.to_bytes(8, "little")
    (tmp_path / "sent.h5").write_bytes(data)
    read = "from cloud_transformers import io; io.read('sent.h5'); print('read')"  # apart: a circle hears no signal
    ended = subprocess.run([sys.executable, "-c", read], cwd=tmp_path, timeout=60, capture_output=True, text=True)
    assert ended.stdout == "read\n", ended.stderr


def test_rows_that_unpack_to_too_much_are_refused(tmp_path: Path) -> None:
    with h5py.File(tmp_path / "sent.h5", "w") as file:
        file.create_dataset("positions", data=np.zeros((10_000_000, 3), np.float32), compression="gzip")
    with pytest.raises(InputError, match="more than 40 times its size"):
        rows(tmp_path / "sent.h5")
