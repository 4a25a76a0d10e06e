"""Only libraries that this user put into the cache whole are loaded; anything else is built again, or refused."""

import os
from pathlib import Path

import pytest

from cloud_transformers.native import store

needs_owners = pytest.mark.skipif(not store.HAS_OWNERS, reason="no owners of files on this system")


@pytest.fixture
def library(tmp_path: Path) -> Path:
    folder = store.own_folder(tmp_path)
    built = folder / "new"
    built.write_bytes(b"machine code")
    store.put(built, folder / "keys.so")
    return folder / "keys.so"


def test_what_was_put_whole_is_trusted(library: Path) -> None:
    assert store.is_trusted(library)
    assert not library.with_name("new").exists()


def test_what_is_not_there_is_not_trusted(library: Path) -> None:
    assert not store.is_trusted(library.with_name("other.so"))


@pytest.mark.parametrize("contents", [b"machine", b"", b"foreign code"])
def test_cut_short_or_changed(library: Path, contents: bytes) -> None:
    library.write_bytes(contents)
    assert not store.is_trusted(library)


def test_without_its_digest(library: Path) -> None:
    library.with_name("keys.so.sha256").unlink()
    assert not store.is_trusted(library)


@needs_owners
@pytest.mark.parametrize("name", ["keys.so", "keys.so.sha256"])
@pytest.mark.parametrize("mode", [0o720, 0o702])
def test_writable_by_others(library: Path, name: str, mode: int) -> None:
    library.with_name(name).chmod(mode)
    assert not store.is_trusted(library)


@needs_owners
def test_a_link_to_something_else(library: Path, tmp_path: Path) -> None:
    library.rename(tmp_path / "elsewhere.so")
    library.symlink_to(tmp_path / "elsewhere.so")
    assert not store.is_trusted(library)


@needs_owners
def test_of_another_owner(library: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)
    assert not store.is_trusted(library)


@needs_owners
def test_a_folder_of_ours_that_was_open_is_closed(tmp_path: Path) -> None:
    (tmp_path / "native").mkdir()
    (tmp_path / "native").chmod(0o777)
    assert store.own_folder(tmp_path) == tmp_path / "native"
    assert (tmp_path / "native").stat().st_mode & 0o777 == 0o700


@needs_owners
def test_beside_another_users_folder_ours_is_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "native").mkdir()
    someone = os.geteuid() + 1
    real_stat = Path.stat

    def stat(path: Path, **options: bool) -> os.stat_result:
        """As if `native` belonged to another one."""
        values = list(real_stat(path, **options))
        values[4] = someone if path.name == "native" else values[4]
        return os.stat_result(values)

    monkeypatch.setattr(Path, "stat", stat)
    assert store.own_folder(tmp_path) == tmp_path / f"native-{os.geteuid()}"


def test_without_owners_the_digest_decides(library: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "HAS_OWNERS", False)
    monkeypatch.delattr(os, "geteuid", raising=False)
    assert store.own_folder(library.parents[1]) == library.parent
    assert store.is_trusted(library)
    library.write_bytes(b"foreign code")
    assert not store.is_trusted(library)
