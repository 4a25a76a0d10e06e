"""Pictures in, clouds out."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

import cloud_transformers as ct
from cloud_transformers.errors import InputError
from tests.predict.conftest import PREPARATIONS


@pytest.fixture
def predictor(weights: dict[str, Path]) -> Any:
    return ct.Predictor.load(weights["reconstruction"], batch_size=2)


@pytest.fixture
def picture() -> NDArray[np.uint8]:
    return np.random.default_rng(0).integers(0, 256, (50, 50, 3), np.uint8)


def test_a_file_and_an_array_are_the_same(predictor: Any, picture: NDArray[np.uint8], tmp_path: Path) -> None:
    Image.fromarray(picture).save(tmp_path / "a.png")
    cloud = predictor(picture)
    assert cloud.positions.shape == (80, 3)
    assert (cloud.positions > 0).all()
    assert (cloud.positions < 1).all()
    for same in (tmp_path / "a.png", str(tmp_path / "a.png"), picture / np.float32(255)):
        assert (predictor(same).positions == cloud.positions).all()


def test_an_answer_depends_on_its_picture_and_seed_alone(predictor: Any, picture: NDArray[np.uint8]) -> None:
    pictures = [picture, 255 - picture, picture[::-1]]
    for one, other in zip(pictures, predictor.many(pictures, seed=3), strict=True):
        np.testing.assert_allclose(predictor(one, seed=3).positions, other.positions, atol=1e-5)
    assert (predictor(picture, seed=3).positions != predictor(picture, seed=4).positions).any()


def test_grey_and_transparent_pictures(predictor: Any, picture: NDArray[np.uint8]) -> None:
    grey = picture[..., 0]
    assert (predictor(grey).positions == predictor(np.stack([grey] * 3, axis=2)).positions).all()
    clear = np.concatenate([picture, np.zeros((50, 50, 1), np.uint8)], axis=2)
    assert (predictor(clear).positions == predictor(np.full_like(picture, 255)).positions).all()


def test_transparency_is_lost_where_it_was_in_training(weights: dict[str, Path], picture: NDArray[np.uint8]) -> None:
    preparation = replace(PREPARATIONS["reconstruction"], alpha="dropped")
    released = ct.Predictor.load(weights["reconstruction"], preparation=preparation)
    clear = np.concatenate([picture, np.zeros((50, 50, 1), np.uint8)], axis=2)
    assert (released(clear).positions == released(picture).positions).all()


def test_a_picture_is_made_square_with_white_and_that_is_said(predictor: Any, picture: NDArray[np.uint8]) -> None:
    wide = predictor(picture[10:40])
    framed = picture.copy()
    framed[:10], framed[40:] = 255, 255
    assert (wide.positions == predictor(framed).positions).all()
    assert wide.metadata["notes"] == ("50 x 30 pixels are not square: white was added around them",)
    assert predictor(framed).metadata["notes"] == ()


def test_up_and_scale(predictor: Any, picture: NDArray[np.uint8]) -> None:
    x, y, z = (predictor(picture).positions - 0.5).T
    turned = predictor(picture, up="z", scale=3).positions / 3 - 0.5
    np.testing.assert_allclose(turned, np.stack([x, -z, y], axis=1), atol=1e-5)


@pytest.mark.parametrize(
    ("bad", "sentence"),
    [
        (np.zeros((5, 5, 2)), r"\[h, w, 3\]"),
        (np.zeros((0, 0, 3), np.uint8), "without pixels"),
        (np.full((5, 5, 3), 7.0), r"floats must lie in \[0, 1\]"),
        (np.full((5, 5, 3), np.nan), r"floats must lie in \[0, 1\]"),
        (np.zeros((5, 5, 3), np.int64), "uint8"),
        ("nowhere.png", "no such file"),
    ],
)
def test_mistakes(predictor: Any, bad: Any, sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        predictor(bad)
