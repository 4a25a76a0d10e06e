"""The best constant answer, and the answer of who only remembers."""

from dataclasses import replace

import numpy as np
import pytest

from cloud_transformers.datasets import Dataset, ReconstructionSample
from cloud_transformers.engine import Protocol
from cloud_transformers.errors import InputError
from cloud_transformers.recipes import recipe
from cloud_transformers.recipes.baselines import best_constant, nearest_picture
from cloud_transformers.recipes.recipe import Splits
from tests.tasks import made_up


class Shapes:
    """Three shapes; the second is what every picture of the test split shows."""

    classes = ("a",)

    def __init__(self, numbers):
        self.numbers = numbers

    def __len__(self):
        return len(self.numbers)

    def read(self, index, rng, epoch):
        cloud = made_up.cloud(np.random.default_rng(self.numbers[index]), 50)
        image = np.full((40, 40, 3), 60 * self.numbers[index], np.uint8)
        return ReconstructionSample(name="x", image=image, cloud=cloud, category="a", id="x", view=0)


class Data:
    folder = None

    def splits(self, task, seed):
        return Splits(Dataset(Shapes([0, 1, 2])))

    def protocol(self, task, **options):
        return Protocol.once("toy", task, Dataset(Shapes([1, 1])))


def test_it_is_the_training_shape_that_serves_best():
    toy = replace(recipe("reconstruction", "tiny"), data=Data())
    score = best_constant(toy, threshold=0.01)
    assert score.value == 1.0
    assert score.num_samples == 2
    assert best_constant(toy, threshold=0.01, candidates=1).value < 0.5
    with pytest.raises(InputError, match="baseline of reconstruction"):
        best_constant(recipe("completion", "tiny"))


def test_the_nearest_picture_brings_its_shape():
    toy = replace(recipe("reconstruction", "tiny"), data=Data())
    score = nearest_picture(toy, threshold=0.01)
    assert score.value == 1.0
    assert score.num_samples == 2
    with pytest.raises(InputError, match="baseline of reconstruction"):
        nearest_picture(recipe("completion", "tiny"))
