"""The machine's C++ compiler: which one, what it builds for, how it is called."""

import os
import shutil
import subprocess
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

CANDIDATES = ("c++", "g++", "clang++")

# Not -ffast-math: it would let the compiler assume that there are no NaNs, which masks and diverging runs do have.
# Contraction to fused multiply-add and the absence of errno and traps are all that the loops need to vectorise.
FLAGS = (
    "-std=c++17",
    "-O3",
    "-fPIC",
    "-shared",
    "-pthread",
    "-fno-math-errno",
    "-fno-trapping-math",
    "-ffp-contract=fast",
)
CPU_FLAGS = ("-march=native", "-mcpu=native", "")  # the first that the compiler knows


class CompilationFailed(RuntimeError):
    """The compiler rejected a source; the message is its own."""


@dataclass(frozen=True)
class Compiler:
    path: str
    flags: tuple[str, ...]
    predefined: str  # its predefined macros under these flags: they name its version and every CPU feature it may use

    def build(self, source: Path, target: Path) -> None:
        _run(self.path, *self.flags, str(source), "-o", str(target))

    @property
    def version(self) -> str:
        return _run(self.path, "--version").partition("\n")[0]


@lru_cache
def find_compiler(search_path: str | None = None) -> Compiler | None:
    """The compiler that the environment variable CXX names, else the first of c++, g++ and clang++ on the PATH."""
    names = (os.environ["CXX"],) if os.environ.get("CXX") else CANDIDATES
    for name in names:
        path = shutil.which(name, path=search_path)
        for cpu_flag in CPU_FLAGS if path else ():
            flags = (*FLAGS, *([cpu_flag] if cpu_flag else []))
            try:
                return Compiler(path, flags, _run(path, *flags, "-dM", "-E", "-x", "c++", os.devnull))  # type: ignore[arg-type]
            except CompilationFailed:
                continue
    return None


def _run(*command: str) -> str:
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
    except OSError as error:
        raise CompilationFailed(f"{command[0]}: {error}") from error
    if done.returncode != 0:
        raise CompilationFailed(f"{' '.join(command)} failed:\n{done.stderr.strip()}")
    return done.stdout
