"""What `test_together` runs, under torchrun and alone: two tasks, a few steps each, without dropout."""

import sys
from pathlib import Path

import numpy as np
import torch

from cloud_transformers import models
from cloud_transformers.datasets import Dataset
from cloud_transformers.engine import Protocol, RunFolder, train
from cloud_transformers.losses.chamfer import chamfer
from cloud_transformers.tasks import Reconstruction, Term
from tests.engine import toy
from tests.tasks import made_up


class Pictures:
    classes = ("a", "b")

    def __len__(self) -> int:
        return 9

    def read(self, index, rng, epoch):
        return made_up.reconstruction(np.random.default_rng(index), index)


class ByChamfer(Reconstruction):
    """EMD's partners may change with the last digit of a prediction, and the loss with them: this one does not jump."""

    def counts(self, batch):
        return {"Chamfer": float(len(batch))}

    def loss(self, prediction, batch, step):
        forth, back = chamfer(prediction, batch.cloud)
        return {"Chamfer": Term((forth + back).mean())}


def main(folder: Path, statistics: str = "all") -> None:
    # Steps so small that the last digits of a gradient, of which Adam's first step takes the sign, decide nothing.
    options = toy.options(
        steps=2, checkpoint_every=1, keep=9, validate_every=1, accumulate=1, learning_rate=1e-9, statistics=statistics
    )
    model = train(
        toy.TASK,
        lambda: models.classifier("tiny", len(toy.CLASSES), dropout=0.0),
        toy.shapes(),
        options,
        RunFolder(folder / "classification"),
        validation=Protocol.once("toy shapes", toy.TASK, toy.shapes(7, start=1000), batch_size=2),
    )
    if statistics == "own":
        mine = torch.cat([buffer.flatten().double() for buffer in model.buffers()])
        everyone = [torch.empty_like(mine) for _ in range(torch.distributed.get_world_size())]
        torch.distributed.all_gather(everyone, mine)
        assert torch.equal(*everyone), "processes keep different statistics"
        return
    task = ByChamfer(num_points=64, drawn=100)
    train(
        task,
        lambda: models.reconstructor("tiny"),
        Dataset(Pictures()),
        options,
        RunFolder(folder / "reconstruction"),
        validation=Protocol.once("toy pictures", task, Dataset(Pictures()), batch_size=2),
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:])
