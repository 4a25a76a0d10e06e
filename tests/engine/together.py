"""What `test_together` runs, under torchrun and alone: two tasks, a few steps each, without dropout."""

import sys
from pathlib import Path

import numpy as np

from cloud_transformers import models
from cloud_transformers.datasets import Dataset
from cloud_transformers.engine import Protocol, RunFolder, train
from cloud_transformers.tasks import Reconstruction
from tests.engine import toy
from tests.tasks import made_up


class Pictures:
    classes = ("a", "b")

    def __len__(self) -> int:
        return 9

    def read(self, index, rng, epoch):
        return made_up.reconstruction(np.random.default_rng(index), index)


def main(folder: Path) -> None:
    options = toy.options(steps=2, checkpoint_every=1, keep=9, validate_every=1, accumulate=1)
    train(
        toy.TASK,
        lambda: models.classifier("tiny", len(toy.CLASSES), dropout=0.0),
        toy.shapes(),
        options,
        RunFolder(folder / "classification"),
        validation=Protocol.once("toy shapes", toy.TASK, toy.shapes(7, start=1000), batch_size=2),
    )
    task = Reconstruction(num_points=64, drawn=100)
    train(
        task,
        lambda: models.reconstructor("tiny"),
        Dataset(Pictures()),
        options,
        RunFolder(folder / "reconstruction"),
        validation=Protocol.once("toy pictures", task, Dataset(Pictures()), batch_size=2),
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]))
