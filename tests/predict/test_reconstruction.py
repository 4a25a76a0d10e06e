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


@pytest.fixture
def framing(weights: dict[str, Path]) -> Any:
    return ct.Predictor.load(
        weights["reconstruction"], preparation=replace(PREPARATIONS["reconstruction"], framed=True)
    )


def shown(picture: NDArray[np.uint8], ground: int, place: tuple[int, int], shape: tuple[int, int]) -> NDArray[np.uint8]:
    """The picture as a dark object on a larger one."""
    larger = np.full((*shape, 3), ground, np.uint8)
    larger[place[0] : place[0] + len(picture), place[1] : place[1] + picture.shape[1]] = picture // 4
    return larger


@pytest.mark.parametrize("ground", [255, 190, 120])
@pytest.mark.parametrize(("place", "shape"), [((10, 30), (120, 120)), ((0, 0), (90, 200)), ((250, 3), (300, 53))])
def test_objects_on_any_plain_ground_are_seen_alike(
    framing: Any, picture: NDArray[np.uint8], ground: int, place: tuple[int, int], shape: tuple[int, int]
) -> None:
    """The answer is the same cloud, where and as large as the picture shows the object."""
    usual = framing(shown(picture, 255, (10, 10), (70, 70)))
    cloud = framing(shown(picture, ground, place, shape))
    side = max(shape)
    view = 4 * np.tan(np.radians(15.5))  # of a picture, where the object stands

    def of_picture(shown_at: tuple[int, int], seen_in: tuple[int, int]) -> NDArray[np.float64]:
        row, column = (at + 25 - size / 2 for at, size in zip(shown_at, seen_in, strict=True))
        return view * np.array([column, -row, 0]) / max(seen_in)

    expected = (usual.positions - 0.5 - of_picture((10, 10), (70, 70))) * (70 / side) + of_picture(place, shape) + 0.5
    np.testing.assert_allclose(cloud.positions, expected, atol=0.02 * 70 / side)
    assert cloud.metadata["notes"] == (() if ground == 255 else ("its ground, of one colour, was made white",))


def test_transparency_frames_too(framing: Any, picture: NDArray[np.uint8]) -> None:
    placed = shown(picture, 255, (10, 30), (120, 120))
    cover = np.zeros((120, 120, 1), np.uint8)
    cover[10:60, 30:80] = 255
    layer = np.concatenate([placed, cover], axis=2)
    layer[..., :3][cover[..., 0] == 0] = 77  # a colour that nobody sees
    np.testing.assert_allclose(framing(layer).positions, framing(placed).positions, atol=1e-5)
    large = np.repeat(np.repeat(layer, 20, axis=0), 20, axis=1)
    np.testing.assert_allclose(framing(large).positions, framing(layer).positions, atol=0.02)


def test_grounds_of_many_colours_stay(framing: Any, predictor: Any, picture: NDArray[np.uint8]) -> None:
    cloud = framing(picture)
    assert (cloud.positions == predictor(picture).positions).all()
    assert "several colours" in cloud.metadata["notes"][0]
    assert "nothing but its ground" in framing(np.full_like(picture, 80)).metadata["notes"][0]
