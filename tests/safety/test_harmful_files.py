"""Files made to do harm: refused before they take memory, and never followed to other files."""

import os
import sys
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest

import cloud_transformers as ct
from cloud_transformers import io
from cloud_transformers.cli import main
from cloud_transformers.datasets.hdf5 import Column, Hdf5Rows
from cloud_transformers.errors import InputError
from cloud_transformers.io import limits
from cloud_transformers.io.images import read_image
from tests.safety.harmful import REFUSED, SWELLING

needs_pipes = pytest.mark.skipif(sys.platform == "win32", reason="this system has no such files")


@pytest.fixture
def strict(monkeypatch: pytest.MonkeyPatch) -> None:
    """What small files may take is little, too: otherwise harm would have to be 64 MB large."""
    monkeypatch.setattr(limits, "FREE_BYTES", 1 << 17)


@pytest.mark.usefixtures("strict")
@pytest.mark.parametrize("name", SWELLING)
def test_what_swells_is_refused(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    SWELLING[name](path)
    for read in (io.read, lambda path: list(io.read_chunks(path, 1000)), lambda path: io.read_shape(path, 10)):
        with pytest.raises(InputError, match=rf"{name}: .*more than 40 times its size.*--max-expand"):
            read(path)
    assert main(["info", str(path)]) == 2


@pytest.mark.usefixtures("strict")
def test_more_can_be_allowed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "zeros.zip"
    SWELLING["zeros.zip"](path)
    assert len(io.read(path, max_expand=10_000)) == 100_000
    assert main(["info", str(path), "--max-expand", "10000"]) == 0
    assert "100,000" in capsys.readouterr().out
    with pytest.raises(InputError, match="max_expand must be"):
        io.read(path, max_expand=float("inf"))


@pytest.mark.parametrize("name", REFUSED)
def test_what_takes_long_is_refused(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    REFUSED[name](path)
    with pytest.raises(InputError, match=name):
        io.read(path, vertices=True, max_expand=1e6)


def test_materials_do_not_matter(tmp_path: Path) -> None:
    corners = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n"
    (tmp_path / "plain.obj").write_text(corners + "f 1 2 3\nf 1 2 4\nf 2 3 4\n")
    (tmp_path / "many.obj").write_text(corners + "usemtl a\nf 1 2 3\n  usemtl b\nf 1 2 4\nusemtl a\nf 2 3 4\n")
    plain, many = (io.read(tmp_path / name, sample=100) for name in ("plain.obj", "many.obj"))
    assert np.array_equal(plain.positions, many.positions)


@needs_pipes
def test_pipes_and_devices(tmp_path: Path) -> None:
    (tmp_path / "zero.ply").symlink_to("/dev/zero")
    os.mkfifo(tmp_path / "pipe.xyz")
    os.mkfifo(tmp_path / "pipe.png")
    for name in ("zero.ply", "pipe.xyz"):
        for read in (io.read, io.is_mesh, lambda path: io.read_chunks(path, 10)):
            with pytest.raises(InputError, match="pipe or a device"):
                read(tmp_path / name)
    with pytest.raises(InputError, match="no such file"):
        read_image(tmp_path / "pipe.png")


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    """A file that whoever sends the others cannot read."""
    h5py = pytest.importorskip("h5py")
    with h5py.File(tmp_path / "secret.h5", "w") as file:
        file["positions"] = np.ones((4, 3), np.float32)
        file["label"] = np.ones(4, np.uint8)
    return tmp_path / "secret.h5"


@pytest.mark.parametrize("kind", ["external link", "soft link", "external storage", "virtual"])
def test_hdf5_does_not_lead_to_other_files(tmp_path: Path, secret: Path, kind: str) -> None:
    import h5py

    path = tmp_path / "sent.h5"
    with h5py.File(path, "w") as file:
        file["label"] = np.zeros(4, np.uint8)
        if kind == "external link":
            file["positions"] = h5py.ExternalLink(str(secret), "positions")
        elif kind == "soft link":
            file["elsewhere"] = h5py.ExternalLink(str(secret), "/")
            file["positions"] = h5py.SoftLink("/elsewhere/positions")
        elif kind == "external storage":
            file.create_dataset("positions", (4, 3), "f4", external=[(str(secret), 0, 48)])
        else:
            layout = h5py.VirtualLayout((4, 3), "f4")
            layout[:] = h5py.VirtualSource(str(secret), "positions", (4, 3))
            file.create_virtual_dataset("positions", layout)
    with pytest.raises(InputError, match="not followed"):
        io.read(path)
    with pytest.raises(InputError, match="not followed"):
        Hdf5Rows([path], [Column("positions", (3,), "f4")], lambda rows: [], check_version="1")
    assert main(["convert", str(path), str(tmp_path / "out.ply")]) == 2
    assert not (tmp_path / "out.ply").exists()


def test_programs_are_not_started_for_pictures(tmp_path: Path) -> None:
    """Pillow would run Ghostscript for an EPS file, whatever it is called."""
    path = tmp_path / "picture.png"
    path.write_bytes(b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n%%EndComments\nshowpage\n%%EOF\n")
    with pytest.raises(InputError, match=r"not a readable picture \(cannot identify"):
        read_image(path)


@pytest.mark.parametrize("size", [(1, 60_000), (60_000, 1), (13_000, 13_000)])
def test_large_pictures_are_refused_before_they_are_decoded(tmp_path: Path, size: tuple[int, int]) -> None:
    from PIL import Image

    path = tmp_path / "large.png"
    Image.new("1", size).save(path)
    with pytest.raises(InputError, match="a side of at most 10,000"):
        read_image(path)


@pytest.mark.parametrize(
    "text",
    [
        "classes = " + "[" * 5000,
        "val = " + "9" * 5000,
        f"{'.'.join('a' * 20_000)} = 1",
        "[splits]\nseed = 1" + "0" * 30,
    ],
    ids=["nested", "digits", "dots", "seed"],
)
def test_a_folder_s_settings(tmp_path: Path, text: str) -> None:
    from cloud_transformers.datasets.folder.config import read_config

    (tmp_path / "dataset.toml").write_text(text)
    with pytest.raises(InputError, match=r"dataset\.toml: not TOML"):
        read_config(tmp_path)


@pytest.mark.parametrize(
    "text", ['{"recipe": ' + "[" * 5000, '{"recipe": "scanobjectnn", "training": {"steps": 1e999}}', "1" * 5000]
)
def test_a_run_s_configuration(tmp_path: Path, text: str, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "configuration.json").write_text(text)
    assert main(["train", str(tmp_path / "configuration.json"), "--out", str(tmp_path / "run")]) == 2
    assert "configuration.json: is not JSON" in capsys.readouterr().err


@pytest.mark.parametrize("suffix", [".pth", ".safetensors"])
def test_damaged_weights(tmp_path: Path, suffix: str) -> None:
    import torch

    from cloud_transformers.checkpoints import read_state_dict, write_safetensors

    whole = tmp_path / f"whole{suffix}"
    tensors = {"a": torch.arange(12.0), "b": torch.ones(3, 3)}
    if suffix == ".pth":
        torch.save(tensors, whole)
    else:
        write_safetensors(whole, tensors, {"note": "none"})
    data, rng = whole.read_bytes(), np.random.default_rng(0)
    for number in range(300):
        damaged = bytearray(data)
        for at in rng.integers(0, len(data), 1 + number % 5):
            damaged[at] = rng.integers(256)
        path = tmp_path / f"damaged{suffix}"
        path.write_bytes(damaged[: rng.integers(len(data))] if number % 7 == 0 else damaged)
        with suppress(InputError):  # anything else that is raised is a mistake of ours
            read_state_dict(path)


def test_what_a_killed_process_left_is_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from cloud_transformers import temporary

    ct.write(tmp_path / "first.ply", ct.PointCloud(positions=np.zeros((1, 3), np.float32)))
    dead = 2**22 + 1  # above the highest number that Linux gives
    own = temporary.temporary_path(tmp_path / "cloud.laz")
    names = [own.name.replace(f"-{os.getpid()}-", f"-{dead}-"), own.name, ".cloud.laz", ".cloud.0123-1-01234567.laz"]
    for name in names:
        (tmp_path / name).write_bytes(b"part")
    temporary.temporary_folder(tmp_path / "run").rename(tmp_path / f".run.{temporary._place()}-{dead}-abcdefgh")
    monkeypatch.setattr(temporary, "_swept", set())
    ct.write(tmp_path / "second.ply", ct.PointCloud(positions=np.zeros((1, 3), np.float32)))
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([*names[1:], "first.ply", "second.ply"])
