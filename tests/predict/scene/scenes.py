"""Scenes and scorers whose right answers are known."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cloud_transformers.cloud import PointCloud
from cloud_transformers.models import Preparation
from cloud_transformers.predict.scene.budget import Budget

AMPLE = Budget(16 << 30)


def prepared(region: Any = "block", **changes: Any) -> Preparation:
    told: dict[str, Any] = {
        "task": "segmentation",
        "classes": ("low", "middle", "high"),
        "up": "z",
        "region": region,
        "extent": 1.0,
        "points": 256,
        "features": ("color",) if region == "block" else ("color", "height"),
    }
    return Preparation(**(told | changes))


class ByHeight:
    """Three classes by height above the floor, and sure of it in a way that depends on the place in the region."""

    def __init__(self) -> None:
        self.regions: list[tuple[NDArray[Any], NDArray[Any]]] = []

    def __call__(
        self, positions: Sequence[NDArray[Any]], features: Sequence[NDArray[Any]]
    ) -> list[NDArray[np.float32]]:
        self.regions += zip(positions, features, strict=True)
        answers = []
        for places, channels in zip(positions, features, strict=True):
            height = channels[:, 3] if channels.shape[1] == 4 else places[:, 2]
            sure = 0.6 + 0.3 * np.exp(-np.square(places[:, :2]).sum(axis=1))
            answer = np.repeat((1 - sure)[:, None] / 2, 3, axis=1)
            answer[np.arange(len(places)), classes_by_height(height)] = sure
            answers.append(np.log(answer).astype(np.float32))
        return answers


def classes_by_height(height: NDArray[Any]) -> NDArray[np.int64]:
    return np.digitize(height, [0.5, 1.5])


def room(num_points: int, seed: int = 0, width: float = 6.0, depth: float = 4.0) -> PointCloud:
    """Points on floor, walls and ceiling, and nowhere near a height at which the class changes."""
    rng = np.random.default_rng(seed)
    places = rng.uniform(0, 1, (num_points, 3)) * [width, depth, 2.5]
    side = rng.integers(0, 4, num_points)
    places[side == 0, 2] = 0
    places[side == 1, 2] = 2.5
    places[side == 2, 0] = 0
    places[side == 3, 1] = 0
    near = np.abs(places[:, 2:] - [0.5, 1.5]).min(axis=1) < 0.1
    places[near, 2] = 0
    places[0] = 0
    return PointCloud(
        positions=places.astype(np.float32),
        fields={"color": rng.integers(1, 256, (num_points, 3)).astype(np.uint8), "time": rng.uniform(size=num_points)},
    )
