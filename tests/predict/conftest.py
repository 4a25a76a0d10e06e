"""Weight files of tiny models with new weights: their answers are nonsense, and every rule holds for nonsense too."""

from pathlib import Path

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from cloud_transformers import models
from cloud_transformers.models import Preparation

CLASSES = ("bag", "bin", "box", "cabinet", "chair")
PREPARATIONS = {
    "segmentation": Preparation(
        task="segmentation", classes=("floor", "wall"), up="z", region="block", points=64, features=("color",)
    ),
    "classification": Preparation(task="classification", classes=CLASSES, up="y", points=64, data="nothing"),
    "completion": Preparation(task="completion", up="y", extent=1.0, points=48, scale=2.0, num_points=96),
    "reconstruction": Preparation(task="reconstruction", up="y", num_points=40, passes=2, pixels=32),
}


@pytest.fixture(scope="session")
def weights(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Task -> weight file."""
    torch.manual_seed(5)
    folder = tmp_path_factory.mktemp("weights")
    made = {
        "segmentation": models.segmenter("tiny", num_classes=2),
        "classification": models.classifier("tiny", num_classes=len(CLASSES)),
        "completion": models.completer("tiny"),
        "reconstruction": models.reconstructor("tiny"),
    }
    files = {}
    for task, model in made.items():
        files[task] = folder / f"{task}.safetensors"
        models.save(model, files[task], preparation=PREPARATIONS[task])
    return files


@pytest.fixture
def points() -> NDArray[np.float32]:
    """A lopsided cloud of 200 points, more than the models take."""
    rng = np.random.default_rng(2)
    return (rng.random((200, 3)) ** 2 * [1, 2, 0.5]).astype(np.float32)
