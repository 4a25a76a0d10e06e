"""Views of single objects: partial clouds for completion, shaded pictures for reconstruction."""

from __future__ import annotations

from typing import Any

import numpy as np

from cloud_transformers.datasets.pcn import TAXONOMIES
from cloud_transformers.render.mesh import Array, Mesh
from cloud_transformers.render.meshes import cut_out
from cloud_transformers.render.raster import Camera, cast
from cloud_transformers.space.pictures import PICTURE_ANGLE, PICTURE_DISTANCE, composed
from cloud_transformers.world import objects
from cloud_transformers.world.seeds import generator

# PCN's categories by their ShapeNet (WordNet) numbers.
TAXONOMY = {name: taxonomy for taxonomy, name in TAXONOMIES.items()}
COMPLETION_CLASSES = objects.COMPLETION_CLASSES


def normalized(mesh: Mesh) -> Mesh:
    """The mesh centred on its box, whose diagonal becomes 1, as in ShapeNet: within [-0.5, 0.5] however turned."""
    low, high = mesh.bounds()
    return mesh.moved(*(-(low + high) / 2)).scaled(1 / float(np.linalg.norm(high - low)))


def camera_on_sphere(
    rng: np.random.Generator, low: float, high: float, distance: float, angle: float, size: int
) -> Camera:
    """Looking at the origin from a `distance`, anywhere around it, between the elevations `low` and `high`.

    `angle` is the field of view, all angles in degrees; a picture has `size` x `size` pixels.
    """
    azimuth, elevation = rng.uniform(0, 2 * np.pi), np.radians(rng.uniform(low, high))
    direction = [np.cos(azimuth) * np.cos(elevation), np.sin(azimuth) * np.cos(elevation), np.sin(elevation)]
    return Camera.looking(np.array(direction) * distance, np.zeros(3), angle, size)


def complete(seed: int, index: int, num_points: int = 16384, *, classes: tuple[str, ...] = COMPLETION_CLASSES) -> Array:
    """The whole surface of object `index`: float32 [num_points, 3], y up, box diagonal 1, centred.

    The `classes` take turns.
    """
    mesh = normalized(objects.build(seed, index, objects.class_of(index, classes)))
    points, _ = mesh.sample(num_points, generator("complete", seed, index))
    return objects.y_up(points).astype(np.float32)


def partial(
    seed: int, index: int, view: int = 0, max_points: int = 2048, *, classes: tuple[str, ...] = COMPLETION_CLASSES
) -> Array:
    """What a depth camera sees of object `index` in one view, back-projected: float32 [n, 3], n at most `max_points`.

    In the same coordinates as `complete`, with the same `classes`. Any integer is a view.
    """
    mesh = normalized(objects.build(seed, index, objects.class_of(index, classes)))
    rng = generator("partial view", seed, index, view)
    camera = camera_on_sphere(rng, -20, 60, rng.uniform(1.4, 2.2), 42.0, 160)
    hits = cast(mesh, camera)
    points = camera.points(np.where(hits.face >= 0, hits.depth, 0.0))[hits.face >= 0]
    chosen = rng.permutation(len(points))[:max_points]
    return objects.y_up(points[chosen]).astype(np.float32)


def completion(
    seed: int, index: int, view: int = 0, *, classes: tuple[str, ...] = COMPLETION_CLASSES
) -> dict[str, Any]:
    """Object `index` in one view, as a completion sample: `partial` [n <= 2048, 3], `complete` [16384, 3], `label` (the
    place in `classes`), `class_name`."""
    name = objects.class_of(index, classes)
    return {
        "partial": partial(seed, index, view, classes=classes),
        "complete": complete(seed, index, classes=classes),
        "label": classes.index(name),
        "class_name": name,
    }


def reconstruction(
    seed: int,
    index: int,
    view: int = 0,
    *,
    size: int = 224,
    num_points: int = 10_000,
    classes: tuple[str, ...] = objects.CLASSES,
) -> dict[str, Any]:
    """One picture of object `index` and the whole object as that picture's viewer sees it.

    `image` uint8 [size, size, 3] on white, and `layer` uint8 [size, size, 4] on nothing; `points` float32
    [num_points, 3] in the unit cube: x to the picture's right, y up, z towards the viewer, the object's centre at
    (0.5, 0.5, 0.5). The camera stands `PICTURE_DISTANCE` before it with field of view `PICTURE_ANGLE`; `project` gives
    the pixel of a point. Also `label`, the place in `classes`, and `class_name`.
    """
    name = objects.class_of(index, classes)
    mesh = normalized(objects.build(seed, index, name))
    layer, points = pictured(mesh, generator("picture", seed, index, view), size=size, num_points=num_points)
    image = composed(layer, np.full(3, 255, np.uint8))
    return {"image": image, "layer": layer, "points": points, "label": classes.index(name), "class_name": name}


def pictured(mesh: Mesh, rng: np.random.Generator, *, size: int = 224, num_points: int = 10_000) -> tuple[Array, Array]:
    """A picture of a `normalized` mesh on nothing, uint8 [size, size, 4], and its surface as that picture's viewer sees
    it, float32 [num_points, 3]; see `reconstruction`."""
    camera = camera_on_sphere(rng, -10, 50, PICTURE_DISTANCE, PICTURE_ANGLE, size)
    light = np.array([rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(0.6, 1.5)])
    points, _ = mesh.sample(num_points, rng)
    viewer = points @ camera.axes.T * [1, -1, -1] + 0.5
    return cut_out(mesh, camera, light=light), np.clip(viewer, 0, 1).astype(np.float32)


def project(points: Array, size: int = 224) -> Array:
    """Pixel coordinates [N, 2] (column, row) of the `points` [N, 3] of a `reconstruction` in its own picture, whose
    side has `size` pixels."""
    centred = (np.asarray(points, dtype=float) - 0.5) * [1, -1, 1]
    scale = size / (2 * np.tan(np.radians(PICTURE_ANGLE) / 2))
    return centred[:, :2] / (PICTURE_DISTANCE - centred[:, 2:]) * scale + size / 2
