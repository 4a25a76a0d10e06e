"""Caches are complete or absent, whoever else is building them."""

import multiprocessing
import os
import time
from pathlib import Path

import numpy as np
import pytest

from cloud_transformers import cache
from cloud_transformers.cache import cache_root, cached_folder, fingerprint
from cloud_transformers.errors import InputError


@pytest.fixture(autouse=True)
def _own_cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLOUDT_CACHE", str(tmp_path_factory.mktemp("cache")))


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


def test_what_an_older_version_prepared_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CLOUDT_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(cache.sys, "platform", "darwin")
    monkeypatch.setattr(cache.platformdirs, "user_cache_path", lambda *_, **__: tmp_path / "Library")
    prepared = tmp_path / "cloud-transformers" / "kind" / "key"
    prepared.mkdir(parents=True)
    assert cached_folder("kind", "key", lambda folder: None) == prepared
    assert cached_folder("kind", "other", lambda folder: None) == tmp_path / "Library" / "kind" / "other"


def test_no_folder_named_like_the_sign_for_home_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CLOUDT_CACHE")
    monkeypatch.setattr(cache.platformdirs, "user_cache_path", lambda *_, **__: Path("~/.cache"))
    with pytest.raises(InputError, match="name a folder in CLOUDT_CACHE"):
        cache_root()
