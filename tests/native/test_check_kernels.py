"""The kernels' checks in C++ (check_kernels.cpp): at the level in use, and for aarch64 in an emulator."""

import os
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from cloud_transformers import native
from cloud_transformers.compilation import find_compiler, kernel_names, levels_of, source_file
from tests.needs import needs_compiler

CHECKS = Path(__file__).parent / "check_kernels.cpp"
CROSS_COMPILER, EMULATOR = "aarch64-linux-gnu-g++", "qemu-aarch64"
ITS_LIBRARIES = "/usr/aarch64-linux-gnu"

needs_emulator = pytest.mark.skipif(
    not (shutil.which(CROSS_COMPILER) and shutil.which(EMULATOR)),
    reason="no cross compiler or emulator for aarch64: install g++-aarch64-linux-gnu and qemu-user",
)


def agree(compiler: str, libraries: Path, *launcher: str) -> None:
    program = libraries / "check_kernels"
    subprocess.run([compiler, "-std=c++17", "-O2", str(CHECKS), "-o", str(program), "-pthread", "-ldl"], check=True)
    done = subprocess.run([*launcher, program, libraries], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "all kernels agree\n"), done.stdout[-2000:] + done.stderr


@needs_compiler
def test_at_the_level_in_use(tmp_path: Path) -> None:
    for name in kernel_names():
        shutil.copy(native.load(name).library._name, tmp_path / f"{name}.so")
    compiler = find_compiler()
    assert compiler is not None
    agree(compiler.path, tmp_path)


@needs_emulator
def test_on_aarch64(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CXX", CROSS_COMPILER)
    (level,) = levels_of("aarch64")
    compiler = find_compiler(level)
    assert compiler is not None
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(lambda name: compiler.build(source_file(name), tmp_path / f"{name}.so"), kernel_names()))
    agree(compiler.path, tmp_path, EMULATOR, "-L", ITS_LIBRARIES)
