"""A recipe on shapes in memory, whose data can kill: the process that reads them, or the command that waits for it."""

import os
import signal
from dataclasses import dataclass, replace
from pathlib import Path

from cloud_transformers.datasets import Dataset
from cloud_transformers.errors import InputError
from cloud_transformers.models import Preparation
from cloud_transformers.recipes import Recipe
from cloud_transformers.recipes.recipe import ClassifierOptions, Splits
from cloud_transformers.recipes.trials import with_seeds
from tests.engine import toy

STEPS, SAMPLES = 6, 4  # of a step, over all processes


class Shapes(toy.Shapes):
    """Kills in the third step of a training, once; or, without a file to remember it, in the first step of any."""

    def __init__(self, size: int, data: "ToyData") -> None:
        super().__init__(size)
        self.data, self.reads = data, 0

    def read(self, index, rng, epoch):
        self.reads += 1
        mark, is_first = self.data.mark, os.environ.get("RANK", "0") == "0"
        in_third_step = self.reads == 3 * SAMPLES // int(os.environ.get("WORLD_SIZE", "1"))
        if self.data.victim and is_first and (in_third_step and not Path(mark).exists() if mark else True):
            if mark:
                Path(mark).touch()
            os.kill(os.getpid() if self.data.victim == "reader" else self.data.command, signal.SIGKILL)
        if self.data.mistake:
            raise InputError("these shapes cannot be learned")
        return super().read(index, rng, epoch)


@dataclass(frozen=True, kw_only=True)
class ToyData:
    folder: str | None = None
    victim: str = ""  # "reader", "command" or nobody
    command: int = 0  # its process
    mark: str = ""  # a file that says that it has happened; without one it happens every time
    mistake: bool = False

    def splits(self, task, seed):
        return Splits(Dataset(Shapes(20, self)), toy.shapes(8, start=1000))

    def protocol(self, task, *, batch_size, workers):
        raise NotImplementedError

    def fingerprint(self):
        return {}

    def preparation(self, task, classes):
        return Preparation(task="classification", classes=tuple(classes))


def toy_recipe(**data) -> Recipe:
    training = toy.options(steps=STEPS, batch_size=SAMPLES, validate_every=3, checkpoint_every=2, device="auto")
    return Recipe(
        name="toy", data=ToyData(**data), task=toy.TASK, model=ClassifierOptions(size="tiny"), training=training
    )


def toy_trials(seeds: int = 1, **variants: Recipe):
    return with_seeds(variants, seeds, judged_by="validation")


def slower(recipe: Recipe) -> Recipe:
    return replace(recipe, training=replace(recipe.training, learning_rate=1e-4))
