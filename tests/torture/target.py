"""What is fuzzed: sound samples, a way to damage them, and the function that reads the result."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from cloud_transformers.io.limits import FREE_BYTES
from tests.torture.mutate import mutate, mutate_json
from tests.torture.shells import Shell


@dataclass(frozen=True)
class Target:
    samples: list[bytes]
    suffixes: list[str]
    read: Callable[[Path], object]
    shell: Shell | None = None  # damages what is inside; half of all mutants are made so
    is_named: bool = True  # whether a complaint must name the file
    seconds: float = 1.0  # of this process's own work: what else the machine does is no file's fault
    free_bytes: int = FREE_BYTES  # what a file may take beside a multiple of its size

    def mutant(self, generator: np.random.Generator) -> tuple[str, bytes]:
        """A suffix and the content of a damaged file."""
        suffix = self.suffixes[generator.integers(len(self.suffixes))]
        if self.shell is not None and generator.random() < 0.5:
            return suffix, self.shell(self.samples, generator)
        return suffix, mutate(self.samples, generator)


def of_files(paths: list[Path], read: Callable[[Path], object], shell: Shell | None = None) -> Target:
    return Target([path.read_bytes() for path in paths], sorted({path.suffix for path in paths}), read, shell)


def of_json(texts: list[str], suffix: str, read: Callable[[Path], object]) -> Target:
    def absurd(samples: list[bytes], generator: np.random.Generator) -> bytes:
        return mutate_json(texts[generator.integers(len(texts))], generator).encode()

    return Target([text.encode() for text in texts], [suffix], read, absurd)
