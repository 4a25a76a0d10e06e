"""Caches are complete or absent, whoever else is building them."""

import multiprocessing
import os
import time
from pathlib import Path

import numpy as np
import pytest

from cloud_transformers.cache import cache_root, cached_folder, fingerprint
from cloud_transformers.errors import InputError
from cloud_transformers.files import new_folder


def test_built_once_and_only_when_complete() -> None:
    calls = []

    def fails(folder: Path) -> None:
        (folder / "half").write_text("x")
        raise RuntimeError("power cut")

    def build(folder: Path) -> None:
        calls.append(folder)
        (folder / "whole").write_text("x")

    with pytest.raises(RuntimeError):
        cached_folder("kind", "key", fails)
    assert list((cache_root() / "kind").iterdir()) == []
    for _ in range(2):
        assert (cached_folder("kind", "key", build) / "whole").is_file()
    assert len(calls) == 1


def _slow_build(folder: Path) -> None:
    for part in range(5):
        np.save(folder / f"{part}.npy", np.full(100, os.getpid()))
        time.sleep(0.02)


def _build_and_look(_: int) -> list[int]:
    folder = cached_folder("kind", "shared", _slow_build)
    return [int(np.load(folder / f"{part}.npy")[0]) for part in range(5)]


def test_processes_that_build_at_the_same_time_agree() -> None:
    with multiprocessing.get_context("spawn").Pool(3) as pool:
        results = pool.map(_build_and_look, range(3))
    assert len({tuple(result) for result in results}) == 1
    assert len(set(results[0])) == 1  # all parts by the same builder
    assert [path.name for path in (cache_root() / "kind").iterdir()] == ["shared"]


def test_fingerprint_sees_files_and_parameters(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_text("one")
    before = fingerprint([path], cell=0.04)
    assert fingerprint([path], cell=0.04) == before
    assert fingerprint([path], cell=0.05) != before
    assert fingerprint([], cell=0.04) != before
    os.utime(path, ns=(1, 1))
    assert fingerprint([path], cell=0.04) != before


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
