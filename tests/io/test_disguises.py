"""Files whose name does not say what they are: packed, under another suffix, or without one."""

from __future__ import annotations

import gzip
import zipfile
from pathlib import Path

import numpy as np
import pytest

from cloud_transformers import io
from cloud_transformers.cli import main
from cloud_transformers.errors import InputError
from tests.io.samples import small_cloud


@pytest.mark.parametrize("suffix", [".ply", ".pcd", ".las", ".laz", ".csv", ".npy"])
def test_gzip_around_any_format(suffix: str, tmp_path: Path) -> None:
    io.write(tmp_path / f"a{suffix}", small_cloud())
    (tmp_path / f"b{suffix}.gz").write_bytes(gzip.compress((tmp_path / f"a{suffix}").read_bytes()))
    expected = io.read(tmp_path / f"a{suffix}")
    assert io.read(tmp_path / f"b{suffix}.gz") == expected
    parts = list(io.read_chunks(tmp_path / f"b{suffix}.gz", 15))
    np.testing.assert_allclose(np.concatenate([part.world for part in parts]), expected.world, rtol=0, atol=1e-7)


def test_zip_around_one_file(tmp_path: Path) -> None:
    io.write(tmp_path / "a.ply", small_cloud())
    with zipfile.ZipFile(tmp_path / "b.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.write(tmp_path / "a.ply", "deep/inside.ply")
        archive.writestr("readme.pdf", "about it")
        archive.writestr("__MACOSX/deep/._inside.ply", "what macOS adds")
    assert io.read(tmp_path / "b.zip") == io.read(tmp_path / "a.ply")
    with zipfile.ZipFile(tmp_path / "c.zip", "w") as archive:
        archive.write(tmp_path / "a.ply", "one.ply")
        archive.write(tmp_path / "a.ply", "two.ply")
    with pytest.raises(InputError, match=r"c\.zip: holds 2 files that can be read \(one\.ply, two\.ply\); unpack it"):
        io.read(tmp_path / "c.zip")


def test_what_is_wrong_inside_names_the_file_that_was_given(tmp_path: Path) -> None:
    (tmp_path / "a.xyz.gz").write_bytes(gzip.compress(b"1 2 3\n1 2\n"))
    with pytest.raises(InputError, match=r"a\.xyz\.gz: line 2 has 2 values where 3 belong") as caught:
        io.read(tmp_path / "a.xyz.gz")
    assert caught.value.path == str(tmp_path / "a.xyz.gz")
    (tmp_path / "b.xyz.gz").write_bytes(gzip.compress(b"1 2 3\n" * 100)[:-9])
    with pytest.raises(InputError, match=r"b\.xyz\.gz: unpacking it failed"):
        io.read(tmp_path / "b.xyz.gz")


@pytest.mark.parametrize("suffix", [".ply", ".pcd", ".las", ".npy", ".h5"])
@pytest.mark.parametrize("disguise", [".txt", ".cloud", ""])
def test_content_counts_more_than_the_suffix(suffix: str, disguise: str, tmp_path: Path) -> None:
    io.write(tmp_path / f"a{suffix}", small_cloud())
    expected = io.read(tmp_path / f"a{suffix}")
    (tmp_path / f"a{suffix}").rename(tmp_path / f"scan{disguise}")
    assert io.read(tmp_path / f"scan{disguise}") == expected
    assert main(["info", str(tmp_path / f"scan{disguise}")]) == 0


def test_an_existing_target_does_not_decide_its_format(tmp_path: Path) -> None:
    io.write(tmp_path / "a.las", small_cloud())
    (tmp_path / "a.las").rename(tmp_path / "a.ply")
    io.write(tmp_path / "a.ply", small_cloud())
    assert (tmp_path / "a.ply").read_bytes().startswith(b"ply\n")
