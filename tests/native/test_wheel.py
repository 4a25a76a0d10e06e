"""A wheel, installed where there is no compiler and nothing can be written, runs at full speed and answers the same.

The wheel is made on the spot, with kernels of the processor's best level alone and hardly optimised, to save time;
CLOUDT_TEST_WHEEL names a finished one, as `make wheel` does.
"""

import os
import re
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

from cloud_transformers import io
from cloud_transformers.compilation import best_level, find_compiler, kernel_names
from cloud_transformers.world import rooms
from tests.native.programs import quick_compiler
from tests.needs import needs_compiler
from tests.sharing import made_once

pytestmark = [
    needs_compiler,
    pytest.mark.skipif(sys.platform == "win32", reason="the environment is laid out as on Linux and macOS"),
]

ROOT = Path(__file__).parents[2]

SAME_ANSWERS = """
import torch
import cloud_transformers as ct
from cloud_transformers import native
from cloud_transformers.ops import use_backend

torch.manual_seed(0)
model = ct.models.segmenter("tiny", num_classes=13).eval()
cloud = torch.rand(1, 500, 3), torch.rand(1, 500, 3)
answers = {}
for backend in ("native", "reference"):
    with use_backend(backend), torch.no_grad():
        answers[backend] = model(*cloud)
torch.testing.assert_close(answers["native"], answers["reference"], rtol=1e-3, atol=1e-4)
print(ct.__file__)
print({(native.load(name).level, native.load(name).origin) for name in ("keys", "norm", "transform")})
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if ready := os.environ.get("CLOUDT_TEST_WHEEL"):
        return Path(ready).absolute()
    compiler = find_compiler(best_level())
    assert compiler is not None
    quick = quick_compiler(tmp_path_factory.mktemp("compiler"), compiler)
    out = made_once(
        tmp_path_factory,
        "wheel",
        lambda folder: subprocess.run(
            [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)],
            cwd=ROOT,
            env={**os.environ, "CLOUDT_WHEEL_LEVELS": best_level().name, "CXX": quick},
            check=True,
            capture_output=True,
        ),
    )
    (path,) = out.glob("*.whl")
    return path


class Place:
    """A new environment that sees the packages of this one, but not this checkout."""

    def __init__(self, folder: Path, wheel: Path) -> None:
        venv.create(folder, with_pip=False)
        self.folder, self.bin = folder, folder / "bin"
        pip = [sys.executable, "-m", "pip", "--python", str(self.bin / "python"), "--disable-pip-version-check"]
        subprocess.run([*pip, "install", "--quiet", "--no-deps", "--no-index", str(wheel)], check=True)
        (site_packages,) = folder.glob("lib/python*/site-packages")
        others = [path for path in sys.path if path.endswith("site-packages")]
        (site_packages / "others.pth").write_text("\n".join(others) + "\n")

    def run(self, program: str, *arguments: str | Path, **environment: str) -> subprocess.CompletedProcess[str]:
        """With no compiler on the PATH, and a home and a cache that cannot be made, not even by root."""
        nowhere = str(Path(os.devnull) / "home")
        return subprocess.run(
            [self.bin / program, *arguments],
            cwd=self.folder,
            env={"PATH": str(self.bin), "HOME": nowhere, "OMP_NUM_THREADS": "2", **environment},
            capture_output=True,
            text=True,
            check=False,
        )


@pytest.fixture(scope="module")
def place(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Place:
    return Place(tmp_path_factory.mktemp("place"), wheel)


def test_it_holds_every_kernel_and_is_bound_to_the_platform_alone(wheel: Path) -> None:
    tag = wheel.stem.split("-")[2:]
    assert tag[:2] == ["py3", "none"]
    assert tag[2] != "any"
    names = zipfile.ZipFile(wheel).namelist()
    for name in kernel_names():
        assert any(f"native/prebuilt/{best_level().name}/{name}-" in path for path in names), name


def test_answers_are_the_references_at_the_best_level(place: Place) -> None:
    done = place.run("python", "-c", SAME_ANSWERS)
    assert done.returncode == 0, done.stderr
    file, kinds = done.stdout.splitlines()
    assert Path(file).is_relative_to(place.folder)
    assert kinds == str({(best_level().name, "from the wheel")})


def test_doctor_names_level_and_origin(place: Place) -> None:
    text = place.run("cloudt", "doctor").stdout
    assert f"{best_level().name}, from the wheel\n" in text
    assert re.search(r"compiler +none\n", text), text


def test_a_room_is_segmented_natively(place: Place) -> None:
    room = place.folder / "room.ply"
    io.write(room, rooms.room(99, 0, max_points=5000))
    done = place.run("cloudt", "segment", room, "-o", place.folder / "labelled.ply", CLOUDT_BACKEND="native")
    assert done.returncode == 0, done.stderr
    assert "label" in io.read(place.folder / "labelled.ply").fields


def test_sources_that_changed_are_not_served_by_old_machine_code(place: Place) -> None:
    (source,) = place.folder.glob("lib/python*/site-packages/cloud_transformers/csrc/keys.cpp")
    before = source.read_bytes()
    try:
        source.write_bytes(before + b"// changed\n")
        done = place.run("python", "-c", "from cloud_transformers import native; native.load('keys')")
    finally:
        source.write_bytes(before)
    assert "NativeUnavailable: no C++ compiler was found" in done.stderr
