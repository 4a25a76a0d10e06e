"""Work for workers that needs no model: squares of numbers, and ways to die of them."""

import os
import signal
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from cloud_transformers.errors import InputError


@dataclass(frozen=True)
class Squares:
    """A number -> its square, and numbers -> theirs. `deadly` ones kill the worker, as often as `deaths` says."""

    folder: Path  # in which every try leaves a line
    deadly: tuple[int, ...] = ()
    deaths: int = 1000
    wrong: tuple[int, ...] = ()
    mistake: str = ""  # why the work cannot even be opened

    def __call__(self) -> Callable[[int | tuple[int, ...]], int | list[int]]:
        if self.mistake:
            raise InputError(self.mistake)
        return lambda item: [self.square(each) for each in item] if isinstance(item, tuple) else self.square(item)

    def square(self, number: int) -> int:
        with (self.folder / str(number)).open("a") as file:
            file.write(f"{os.getpid()}\n")
        if number in self.deadly and self.tries(number) <= self.deaths:
            os.kill(os.getpid(), signal.SIGKILL)
        if number in self.wrong:
            raise InputError(f"{number} is wrong")
        return number**2

    def tries(self, number: int) -> int:
        return len((self.folder / str(number)).read_text().splitlines())
