"""Mesh: triangles with a colour each; what every part, object and room of the world is made of.

Letters: V vertices, F faces, N points. The z axis points up and lengths are metres.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cloud_transformers.space.frames import rotation_about

Array = NDArray[Any]


@dataclass(frozen=True, eq=False)
class Mesh:
    """A soup of triangles: parts may touch, overlap and be open; both sides of a face count as surface."""

    vertices: Array  # [V, 3] float64
    faces: Array  # [F, 3] int64
    color: Array  # [F, 3] in [0, 1]

    def moved(self, x: float = 0.0, y: float = 0.0, z: float = 0.0) -> Mesh:
        """By x, y and z along the axes."""
        return replace(self, vertices=self.vertices + np.array([x, y, z]))

    def turned(self, axis: str, angle: float) -> Mesh:
        """Rotated about an axis through the origin, angle in radians."""
        return replace(self, vertices=self.vertices @ rotation_about(axis, angle).T)

    def scaled(self, factor: ArrayLike) -> Mesh:
        """By one factor, or one for each axis [3], about the origin."""
        return replace(self, vertices=self.vertices * np.asarray(factor, dtype=float))

    def mapped(self, change: Callable[[Array], Array]) -> Mesh:
        """With the vertices [V, 3] sent through a function, `change`: bending, leaning, pinching."""
        return replace(self, vertices=change(self.vertices.copy()))

    def bounds(self) -> tuple[Array, Array]:
        """The lowest and the highest coordinates, [3] each."""
        return self.vertices.min(axis=0), self.vertices.max(axis=0)

    def grounded(self) -> Mesh:
        """Standing on z = 0, with the middle of its bounding box above the origin."""
        low, high = self.bounds()
        middle = (low + high) / 2
        return self.moved(-middle[0], -middle[1], -low[2])

    def corners(self) -> Array:  # [F, 3 corners, 3]
        return self.vertices[self.faces]

    def normals_and_areas(self) -> tuple[Array, Array]:
        """Of each face: its normal, of unit length [F, 3], and its area [F]."""
        a, b, c = np.moveaxis(self.corners(), 1, 0)
        cross = np.cross(b - a, c - a)
        length = np.linalg.norm(cross, axis=1)
        return cross / np.maximum(length, 1e-20)[:, None], length / 2

    def sample(self, num_points: int, rng: np.random.Generator) -> tuple[Array, Array]:
        """Points uniform by area, [num_points, 3], and the face each lies on, [num_points]."""
        _, areas = self.normals_and_areas()
        cumulative = np.cumsum(areas)
        # Stratified draws: the same density, with less clumping than independent ones.
        steps = (np.arange(num_points) + rng.uniform(size=num_points)) * (cumulative[-1] / num_points)
        face = np.minimum(np.searchsorted(cumulative, steps), len(areas) - 1)
        u, v = rng.uniform(size=(2, num_points, 1))
        outside = u + v > 1
        u, v = np.where(outside, 1 - u, u), np.where(outside, 1 - v, v)
        a, b, c = np.moveaxis(self.vertices[self.faces[face]], 1, 0)
        order = rng.permutation(num_points)
        return (a + u * (b - a) + v * (c - a))[order], face[order]


def merge(meshes: Iterable[Mesh]) -> Mesh:
    """All the triangles of some `meshes` in one, in order."""
    parts = list(meshes)
    starts = np.cumsum([0] + [len(part.vertices) for part in parts])
    return Mesh(
        np.concatenate([part.vertices for part in parts]),
        np.concatenate([part.faces + start for part, start in zip(parts, starts, strict=False)]),
        np.concatenate([part.color for part in parts]),
    )
