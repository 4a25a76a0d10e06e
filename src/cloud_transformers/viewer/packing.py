"""A scene as the bytes that the viewer takes: a header in JSON, and arrays behind it.

The header, beside the fields of a `Scene` that it repeats:

    classes     [{name, value, color: [r, g, b]}]
    clouds      [{name, count, total, left_out, step, counts, origin, scale, arrays, scalars, mesh}]

`count` of a cloud's `total` finite points are there; the i-th is row (i * step) mod total of these. `left_out` are not
finite. `counts` are those of the classes, over all points, of `label` and `truth`. World
coordinates are origin + scale * positions. `arrays` and `scalars` say by name where an array is: {type, width, at} with
`at` in bytes from the beginning of the data, and {low, high} where whole numbers stand for a range. In `inspection`
arrays may stand anywhere, as {type, width, at, length}, and so they do in `mesh`, null or {vertices, faces}: vertices
are as positions, and faces have the numbers of three of them.

Letters: N points, K classes.
"""

from __future__ import annotations

import json
import math
import struct
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypedDict

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from cloud_transformers.viewer.scene import Scene, ShownCloud

MAGIC, ALIGNED = b"CTVIEW01", 8
GOLDEN = (math.sqrt(5) - 1) / 2


class Pane(TypedDict, total=False):
    """A cloud, and what it is coloured by; the viewer chooses what is not said."""

    cloud: int  # its place in the scene
    by: str  # "label", "truth", "error", "confidence", "color", "height", or a scalar's name


class Start(TypedDict, total=False):
    """How a scene is shown first; the viewer chooses what is not said."""

    layout: str  # "single", "side" or "blend"
    left: Pane
    right: Pane


def pack(scene: Scene, colors: NDArray[np.uint8]) -> tuple[bytes, bytes]:
    """Header, magic and length included, and data of a scene whose classes have these `colors` [K, 3]."""
    data = Data()
    header = {
        "version": 1,
        "title": scene.title,
        "up": scene.up,
        "notes": list(scene.notes),
        "classes": [
            {"name": name, "value": int(value), "color": color}
            for name, value, color in zip(
                scene.classes, scene.values or range(len(scene.classes)), colors.tolist(), strict=True
            )
        ],
        "clouds": [_packed(cloud, scene, data) for cloud in scene.clouds],
        "start": scene.start,
        "inspection": _placed(scene.inspection, data),
    }
    text = json.dumps(header, allow_nan=False).encode()
    text += b" " * (-(len(MAGIC) + 4 + len(text)) % ALIGNED)
    return MAGIC + struct.pack("<I", len(text)) + text, data.joined()


class Data:
    """Arrays one behind the other, each at a multiple of 8 bytes."""

    def __init__(self) -> None:
        self.parts: list[bytes] = []
        self.size = 0

    def add(self, values: NDArray[Any], **facts: float) -> dict[str, Any]:
        """Where the array is, with these facts about it."""
        place = {"type": str(values.dtype), "width": values.shape[1] if values.ndim == 2 else 1, "at": self.size}
        part = np.ascontiguousarray(values, values.dtype.newbyteorder("<")).tobytes()
        part += bytes(-len(part) % ALIGNED)
        self.parts.append(part)
        self.size += len(part)
        return {**place, **facts}

    def joined(self) -> bytes:
        return b"".join(self.parts)


def _placed(value: Any, data: Data) -> Any:
    """Mappings and lists of any depth, in which each array becomes the place where it is, with its length."""
    if isinstance(value, np.ndarray):
        return data.add(value, length=len(value))
    if isinstance(value, Mapping):
        return {key: _placed(each, data) for key, each in value.items()}
    return [_placed(each, data) for each in value] if isinstance(value, (list, tuple)) else value


def _packed(cloud: ShownCloud, scene: Scene, data: Data) -> dict[str, Any]:
    finite = np.flatnonzero(np.isfinite(cloud.positions).all(axis=1))
    total = len(finite)
    count, step = min(total, scene.points), golden_step(total)
    rows = finite[np.arange(count, dtype=np.int64) * step % max(total, 1)]
    positions = cloud.positions[rows].astype(np.float64)
    ends = positions if cloud.moved is None else cloud.moved[rows].astype(np.float64)
    vertices, faces = _triangles(cloud, scene.points)
    low, scale = _frame([positions, ends, vertices], scene.exact)

    def placed(points: NDArray[np.float64], **facts: int) -> dict[str, Any]:
        kind = np.float32 if scene.exact else np.uint16
        whole = points - low if scene.exact else np.rint((points - low) / scale)
        return data.add(whole.astype(kind), **facts)

    arrays = {"positions": placed(positions)}
    if cloud.moved is not None:
        arrays["moved"] = placed(ends)
    if cloud.color is not None:
        arrays["color"] = data.add(cloud.color[rows])
    for name, labels in (("label", cloud.label), ("truth", cloud.truth)):
        if labels is not None:
            small = np.uint8 if len(scene.classes) < 255 else np.uint16  # the largest stands for no label
            arrays[name] = data.add(labels[rows].astype(np.int64).astype(small))
    for name, shares in (("confidence", cloud.confidence), ("probabilities", cloud.probabilities)):
        if shares is not None:
            arrays[name] = data.add(_quantised(shares[rows], 0.0, 1.0, np.uint8), low=0.0, high=1.0)
    return {
        "name": cloud.name,
        "count": count,
        "total": total,
        "left_out": len(cloud.positions) - total,
        "step": step,
        "counts": {
            name: np.bincount(labels[finite][labels[finite] >= 0], minlength=len(scene.classes)).tolist()
            for name, labels in (("label", cloud.label), ("truth", cloud.truth))
            if labels is not None
        },
        "origin": (low + np.asarray(cloud.offset, np.float64)).tolist(),
        "scale": scale.tolist(),
        "arrays": arrays,
        "scalars": {name: _scalar(values[rows], data) for name, values in cloud.scalars.items()},
        "mesh": {"vertices": placed(vertices, length=len(vertices)), "faces": _placed(faces, data)}
        if len(faces)
        else None,
    }


def _triangles(cloud: ShownCloud, most: int) -> tuple[NDArray[np.float64], NDArray[np.uint32]]:
    """The corners [V, 3], in the coordinates of positions, and triangles [F, 3] of a cloud's mesh; none if too many."""
    if cloud.mesh is None or len(cloud.mesh[1]) > most:
        return np.empty((0, 3)), np.empty((0, 3), np.uint32)
    vertices, faces = cloud.mesh
    used, places = np.unique(faces, return_inverse=True)
    return vertices[used].astype(np.float64) - cloud.offset, places.reshape(-1, 3).astype(np.uint32)


def golden_step(total: int) -> int:
    """A step through `total` rows that visits each once, and whose every beginning is spread evenly over them.

    Beginnings are even if the fraction step / total is far from all simpler fractions, as the golden ratio is: if
    Euclid's algorithm takes out no number many times at once.
    """
    middle = round(total * GOLDEN)
    candidates = [step for step in range(middle - 32, middle + 33) if 0 < step < total and math.gcd(step, total) == 1]
    return min(candidates, key=lambda step: (_largest_quotient(total, step), abs(step - middle)), default=1)


def _largest_quotient(large: int, small: int) -> int:
    largest = 0
    while small:
        largest, large, small = max(largest, large // small), small, large % small
    return largest


def _frame(points: Sequence[NDArray[np.float64]], exact: bool) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The lowest coordinates, and the size of a step of 16 bits along each axis."""
    filled = [each for each in points if len(each)]
    if not filled:
        return np.zeros(3), np.ones(3)
    low = np.min([each.min(axis=0) for each in filled], axis=0)
    high = np.max([each.max(axis=0) for each in filled], axis=0)
    return low, np.ones(3) if exact else np.maximum(high - low, 1e-12) / 65535


def _scalar(values: NDArray[Any], data: Data) -> dict[str, Any]:
    numbers = values.astype(np.float64)
    finite = numbers[np.isfinite(numbers)]
    low, high = (float(finite.min()), float(finite.max())) if len(finite) else (0.0, 0.0)
    return data.add(_quantised(numbers, low, high, np.uint16), low=low, high=high)


def _quantised(values: NDArray[Any], low: float, high: float, kind: Any) -> NDArray[Any]:
    """From 0 to the largest number of a type of whole numbers; what is not finite is at the lower end."""
    share = (np.nan_to_num(values.astype(np.float64), nan=low) - low) / max(high - low, 1e-300)
    return np.rint(share.clip(0, 1) * np.iinfo(kind).max).astype(kind)
