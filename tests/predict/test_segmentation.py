"""Regions through a segmenter: batches must not show."""

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from cloud_transformers import models
from cloud_transformers.cloud import PointCloud
from cloud_transformers.errors import InputError
from cloud_transformers.models import Preparation
from cloud_transformers.predict.batches import Batches
from cloud_transformers.predict.segmentation import SegmentationPredictor

CLASSES = ("floor", "wall", "chair")


@pytest.fixture(scope="module")
def model() -> models.Segmenter:
    torch.manual_seed(3)
    return models.segmenter("tiny", num_classes=len(CLASSES))


def predictor(model: models.Segmenter, batch_size: int = 8) -> SegmentationPredictor:
    preparation = Preparation(task="segmentation", classes=CLASSES, region="block", features=("color",))
    return SegmentationPredictor(model, preparation, device=torch.device("cpu"), batches=Batches(batch_size))


def regions(*lengths: int) -> tuple[list[NDArray[np.float32]], list[NDArray[np.float32]]]:
    rng = np.random.default_rng(1)
    return [rng.random((n, 3), np.float32) for n in lengths], [rng.random((n, 3), np.float32) for n in lengths]


def test_answers_do_not_depend_on_the_batch(model: models.Segmenter) -> None:
    positions, features = regions(50, 0, 300, 1, 120, 120)
    alone = [
        predictor(model).score_regions([place], [feature])[0]
        for place, feature in zip(positions, features, strict=True)
    ]
    for batch_size in (1, 2, 6):
        together = predictor(model, batch_size).score_regions(positions, features)
        for one, other in zip(alone, together, strict=True):
            assert other.dtype == np.float32
            np.testing.assert_allclose(one, other, atol=1e-5)
    for answer, place in zip(alone, positions, strict=True):
        assert answer.shape == (len(place), len(CLASSES))


@pytest.mark.parametrize(
    "message", ["CUDA out of memory. Tried", "[enforce fail] DefaultCPUAllocator: not enough memory"]
)
def test_batches_halve_when_memory_runs_out(model: models.Segmenter, message: str) -> None:
    positions, features = regions(*[20] * 7)
    wanted = predictor(model).score_regions(positions, features)
    small = predictor(model, 7)
    score, sizes = small._score, []

    def short_of_memory(some):  # type: ignore[no-untyped-def]
        sizes.append(len(some))
        if len(some) > 2:
            raise RuntimeError(message)
        return score(some)

    small._score = short_of_memory  # type: ignore[method-assign]
    for one, other in zip(wanted, small.score_regions(positions, features), strict=True):
        np.testing.assert_allclose(one, other, atol=1e-5)
    assert sizes == [7, 3, 1, 1, 1, 1, 1, 1, 1]


def test_one_region_too_many_is_one_sentence(model: models.Segmenter) -> None:
    small = predictor(model, 2)

    def never_enough(some):  # type: ignore[no-untyped-def]
        raise MemoryError

    small._score = never_enough  # type: ignore[method-assign]
    with pytest.raises(InputError, match="memory ran out for a single input"):
        small.score_regions(*regions(5, 5))


def test_other_errors_are_not_taken_for_memory(model: models.Segmenter) -> None:
    small = predictor(model, 2)

    def broken(some):  # type: ignore[no-untyped-def]
        raise RuntimeError("shapes do not fit")

    small._score = broken  # type: ignore[method-assign]
    with pytest.raises(RuntimeError, match="shapes do not fit"):
        small.score_regions(*regions(5, 5))


def test_features_of_another_width_are_named(model: models.Segmenter) -> None:
    positions, features = regions(5, 5)
    with pytest.raises(ValueError, match=r"region 1 .*features \[n, 3\]"):
        predictor(model).score_regions(positions, [features[0], features[1][:, :2]])


def test_the_answer_s_points_lie_where_the_input_s_did(model: models.Segmenter) -> None:
    rng = np.random.default_rng(0)
    world = rng.random((200, 3)) + 47.3
    rounded = world.astype(np.float32)
    cloud = PointCloud(
        positions=rounded,
        fields={"color": rng.integers(0, 255, (200, 3), np.uint8)},
        residual=(world - rounded).astype(np.float32),
    )
    np.testing.assert_array_equal(predictor(model)(cloud).cloud.world, cloud.world)
