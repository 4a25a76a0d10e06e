"""The machine's C++ compiler: which one, what it builds for, how it is called."""

import os
import shutil
import subprocess
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from cloud_transformers.compilation.levels import NATIVE, Level

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


class CompilationFailed(RuntimeError):
    """The compiler rejected a source; the message is its own."""


@dataclass(frozen=True)
class Compiler:
    path: str
    flags: tuple[str, ...]
    predefined: str  # its predefined macros under these flags: they name its version and every CPU feature it may use

    def build(self, source: Path, target: Path, *more_flags: str) -> None:
        _run(self.path, *self.flags, str(source), "-o", str(target), *more_flags)

    @property
    def version(self) -> str:
        return _run(self.path, "--version").partition("\n")[0]


def find_compiler(level: Level = NATIVE) -> Compiler | None:
    """The compiler that the environment variable CXX names, else the first of c++, g++ and clang++ on the PATH.

    One that does not know the level's flags is none.
    """
    names = (os.environ["CXX"],) if os.environ.get("CXX") else CANDIDATES
    return _first_that_works(names, os.environ.get("PATH"), level)


@lru_cache
def _first_that_works(names: tuple[str, ...], search_path: str | None, level: Level) -> Compiler | None:
    for path in filter(None, (shutil.which(name, path=search_path) for name in names)):
        for level_flags in level.flag_choices:
            flags = (*FLAGS, *level_flags)
            try:
                return Compiler(path, flags, _run(path, *flags, "-dM", "-E", "-x", "c++", os.devnull))
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
