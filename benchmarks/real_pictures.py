"""Reconstruction of pictures that others rendered, with weights that never saw such.

Public clouds often stand as their author's program had them, not as the picture's viewer sees them, and nobody says
where the camera stood. Here it is found: of all sides around its front, that from which the cloud's outline agrees best
with the picture's. Answers and truth are then compared in the viewer's frame, both centred on their boxes,
whose diagonal becomes 1: no picture tells the size of a thing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from scipy.ndimage import binary_closing
from tqdm import tqdm

from cloud_transformers.datasets.what3d import what3d
from cloud_transformers.metrics import ShapeDistances
from cloud_transformers.predict import Predictor
from cloud_transformers.space.frames import up_rotation

CLOSE = 0.05  # of the diagonal of an object's box
AGREE = 0.75  # the least overlap of outlines, of one: below it the side is not known
CANDIDATES = 100  # training shapes, of which the best constant answer is one
POINTS = 2048  # of each cloud
YAWS, RISES, DISTANCES = range(-60, 61, 5), range(-5, 41, 5), (1.3, 2.2)  # degrees, degrees, diagonals of the box
_SIDE = 40  # pixels of an outline
_SEEN = 16  # how much a pixel's brightest channel differs from the ground's, at least

Array = NDArray[Any]


@dataclass(frozen=True, eq=False)
class Shown:
    """A picture [h, w, 3], and the cloud on it as its viewer sees it, in its box of diagonal 1."""

    image: Array
    points: Array  # [N, 3]
    overlap: float  # of both outlines


def reconstruction(folder: Path, weights: str = "reconstructor-small", *, up: str, front: str) -> Scores:
    predictor = Predictor.load(weights, task="reconstruction")
    test = _shown(folder, "val", up, front)
    known = [each for each in test if each.overlap >= AGREE]
    truths = torch.from_numpy(np.stack([each.points for each in known]))
    answers = [_boxed(predictor(each.image).positions) for each in tqdm(known, unit="picture")]
    train = [each for each in _shown(folder, "train", up, front, CANDIDATES) if each.overlap >= AGREE]
    constant = max(
        (_scores([each.points] * len(known), truths) for each in tqdm(train, unit="constant answer")),
        key=lambda scores: scores[0],
    )
    yield f"pictures whose side is known, of {len(test)}", len(known)
    for name, scores in (("ours", _scores(answers, truths)), ("the best constant answer", constant)):
        yield f"F@5 % of {name}", scores[0]
        yield f"CD-L2 of {name}, in 1e-4 of the box's diagonal squared", scores[1]


Scores = Iterator[tuple[str, float]]


def _scores(answers: Sequence[Array], truths: torch.Tensor) -> tuple[float, float]:
    between = [
        ShapeDistances.between(torch.from_numpy(answer)[None], truth[None])
        for answer, truth in zip(answers, truths, strict=True)
    ]
    close = np.mean([float(each.f_score(CLOSE)) for each in between])
    return float(close), 1e4 * float(np.mean([float(each.chamfer_l2()) for each in between]))


def _shown(folder: Path, split: str, up: str, front: str, most: int | None = None) -> list[Shown]:
    samples = what3d(folder, split, views="all")
    turn = _toward_viewer(up, front)
    found = []
    for number in tqdm(range(min(most or len(samples), len(samples))), unit="side"):
        sample = samples[number]
        points = _boxed(sample.cloud.positions) @ turn.T
        outline = _outline(np.argwhere(_object(sample.image))[:, ::-1])
        sides = [_turn(yaw, rise) for yaw in YAWS for rise in RISES]
        rated = [
            (_overlap(_seen(points @ side.T, distance), outline), k)
            for k, side in enumerate(sides)
            for distance in DISTANCES
        ]
        overlap, best = max(rated)
        found.append(Shown(sample.image, _boxed(points @ sides[best].T), overlap))
    return found


def _toward_viewer(up: str, front: str) -> Array:
    """[3, 3]: to x to the right, y up, z towards who stands before the side `front` of things whose top is `up`."""
    upward, toward = (up_rotation(axis, "z").T @ [0, 0, 1] for axis in (up, front))
    return np.stack([np.cross(upward, toward), upward, toward])


def _turn(yaw: float, rise: float) -> Array:
    """[3, 3]: what a viewer sees who walked `yaw` degrees to the right and climbed by `rise`."""
    a, b = np.radians(-yaw), np.radians(rise)
    walked = np.array([[np.cos(a), 0, np.sin(a)], [0, 1, 0], [-np.sin(a), 0, np.cos(a)]])
    climbed = np.array([[1, 0, 0], [0, np.cos(b), -np.sin(b)], [0, np.sin(b), np.cos(b)]])
    return np.asarray(climbed @ walked)


def _seen(points: Array, distance: float) -> Array:
    """The outline of points before a camera."""
    depth = distance - points[:, 2]
    return _outline(np.stack([points[:, 0] / depth, -points[:, 1] / depth], axis=1))


def _object(image: Array) -> Array:
    """[h, w]: which pixels differ from what is along the picture's edge."""
    edge = np.concatenate([image[0], image[-1], image[:, 0], image[:, -1]])
    return np.asarray(np.abs(image.astype(int) - np.median(edge, axis=0)).max(axis=-1) > _SEEN)


def _outline(pixels: Array) -> Array:
    """[_SIDE, _SIDE]: where there is one of the `pixels` [N, 2], at any place and scale, small gaps closed."""
    low, size = pixels.min(axis=0), float(np.ptp(pixels, axis=0).max())
    column, row = np.round((pixels - low) / max(size, 1e-9) * (_SIDE - 1)).astype(int).T
    grid = np.zeros((_SIDE, _SIDE), bool)
    grid[row, column] = True
    return np.asarray(binary_closing(grid))


def _overlap(one: Array, other: Array) -> float:
    return float((one & other).sum() / (one | other).sum())


def _boxed(points: Array) -> Array:
    """Drawn alike from every cloud, its box centred, with diagonal 1."""
    drawn = np.random.default_rng(0).permutation(len(points))[:POINTS]
    low, high = points.min(axis=0), points.max(axis=0)
    return np.asarray((points[drawn] - (low + high) / 2) / np.linalg.norm(high - low), np.float32)
