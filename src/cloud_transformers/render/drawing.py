"""Pictures of clouds: points as small squares, near ones over far ones.

Letters: N points, s picture side.
"""

from __future__ import annotations

import base64
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from cloud_transformers.cloud import PointCloud
from cloud_transformers.render.pictures import png

# Colours that stay apart for most kinds of colour vision; labels beyond the last start again.
PALETTE = np.array(
    [
        [0, 114, 178], [230, 159, 0], [0, 158, 115], [204, 121, 167], [213, 94, 0], [86, 180, 233], [240, 228, 66],
        [120, 94, 240], [100, 143, 60], [160, 80, 60], [60, 60, 60], [170, 170, 170], [255, 176, 200],
    ],
    np.uint8,
)  # fmt: skip
UNKNOWN = np.array([200, 200, 200], np.uint8)


def draw(
    cloud: PointCloud, field: str | None = None, *, up: Literal["y", "z"] = "z", side: int = 200
) -> NDArray[np.uint8]:  # [s, s, 3]
    """The cloud from above its front right, filling the picture; `field` holds labels or colours."""
    picture = np.full((side, side, 3), 255, np.uint8)
    finite: NDArray[np.bool_] = np.asarray(np.isfinite(cloud.positions).all(axis=1))
    points = cloud.positions[finite].astype(np.float64)
    if not len(points):
        return picture
    if up == "y":
        points = points[:, [0, 2, 1]] * [1, -1, 1]
    turned = (points - (points.min(0) + points.max(0)) / 2) @ _view().T
    reach = max(np.abs(turned[:, :2]).max(), 1e-9)
    place = np.rint((turned[:, :2] / reach * 0.47 + 0.5) * (side - 1)).astype(int)
    depth = turned[:, 2]
    colors = _colors(cloud, field, depth, finite)
    wide = 2 if len(points) > 2000 else 3
    for row in np.argsort(depth, kind="stable"):
        x, y = place[row]
        picture[max(side - wide - y, 0) : side - y, x : x + wide] = colors[row]
    return picture


def as_uri(picture: NDArray[np.uint8]) -> str:
    """The picture as the address of an <img>, so that a page needs no other file."""
    return f"data:image/png;base64,{base64.b64encode(png(picture)).decode()}"


def _view() -> NDArray[np.float64]:
    """Rows: to the right, up, towards the viewer; z is up in the cloud."""
    turn, tilt = np.deg2rad(35), np.deg2rad(25)
    right = np.array([np.cos(turn), np.sin(turn), 0])
    toward = np.array([np.sin(turn) * np.cos(tilt), -np.cos(turn) * np.cos(tilt), np.sin(tilt)])
    return np.stack([right, np.cross(toward, right), toward])


def _colors(
    cloud: PointCloud, field: str | None, depth: NDArray[np.float64], finite: NDArray[np.bool_]
) -> NDArray[np.uint8]:
    if field is None:
        spread = max(float(np.ptp(depth)), 1e-9)
        light = 0.35 + 0.65 * (depth - depth.min()) / spread
        return (PALETTE[0] * light[:, None]).astype(np.uint8)
    values = cloud.fields[field][finite]
    if values.ndim == 2:
        return values.astype(np.uint8) if values.dtype == np.uint8 else (255 * values.clip(0, 1)).astype(np.uint8)
    return label_colors(values)


def label_colors(labels: NDArray[Any]) -> NDArray[np.uint8]:  # [N] -> [N, 3]
    """The colour of each label; negative ones are not known."""
    return np.where(labels[:, None] >= 0, PALETTE[labels % len(PALETTE)], UNKNOWN)
