"""Files that appear whole or not at all, and what is said when they cannot."""

import errno
import os
from pathlib import Path

import numpy as np
import pytest

from cloud_transformers.errors import InputError
from cloud_transformers.files import naming, new_folder, whole_file
from cloud_transformers.io.new_hdf5 import new_hdf5


def test_a_complaint_without_a_name_gets_one(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="No space left") as caught, whole_file(tmp_path / "a.json"):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    assert caught.value.filename == str(tmp_path / "a.json")
    with pytest.raises(FileNotFoundError) as missing, naming(tmp_path / "a.json"):
        (tmp_path / "other").read_bytes()
    assert missing.value.filename == str(tmp_path / "other")
    assert not list(tmp_path.iterdir())


def test_the_temporary_file_is_not_named(tmp_path: Path) -> None:
    with pytest.raises(OSError) as caught, whole_file(tmp_path / "a.json") as temporary:
        raise PermissionError(errno.EACCES, "Permission denied", str(temporary))
    assert caught.value.filename == str(tmp_path / "a.json")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_numpy_s_short_writes_are_a_full_disk() -> None:
    with pytest.raises((InputError, OSError), match=r"disk may be full|No space left"), naming("cloud.npy"):
        np.zeros(100_000).tofile("/dev/full")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_hdf5_on_a_full_disk_is_an_error_and_no_crash() -> None:
    with pytest.raises(OSError, match="No space left"), new_hdf5(Path("/dev/full")) as file:
        file.create_dataset("points", data=np.zeros((1000, 3)))


def test_hdf5_is_what_h5py_writes(tmp_path: Path) -> None:
    h5py = pytest.importorskip("h5py")
    points = np.random.default_rng(0).random((1000, 3))
    with new_hdf5(tmp_path / "a.h5") as file:
        file.create_dataset("points", data=points, compression="gzip", chunks=(100, 3))
        file["points"].attrs["offset"] = [1.0, 2.0, 3.0]
    with h5py.File(tmp_path / "a.h5", "r") as file:
        np.testing.assert_array_equal(file["points"][:], points)
        assert file["points"].attrs["offset"].tolist() == [1, 2, 3]
    with pytest.raises(RuntimeError, match="mine"), new_hdf5(tmp_path / "a.h5"):
        raise RuntimeError("mine")


def test_new_folder_appears_whole_or_not_at_all(tmp_path: Path) -> None:
    out = tmp_path / "out"

    def fails() -> None:
        with new_folder(out) as folder:
            (folder / "a").write_text("x")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fails()
    assert list(tmp_path.iterdir()) == []
    out.mkdir()
    with new_folder(out) as folder:
        (folder / "a").write_text("x")
    assert (out / "a").is_file()
    with pytest.raises(InputError, match="not an empty folder"), new_folder(out):
        pass
