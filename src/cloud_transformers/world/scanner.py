"""A scanner in software: what it sees from where it stands, with the faults of a real one.

Rays go out at equal steps of angle, so that density falls with distance and with slant, and whatever stands behind
something is not seen. Each ray is moved a little within its pixel, its range gets noise, slanting and dark surfaces
return fewer rays, and patches are lost. Depth cameras see only so far, and where a pixel lies on an edge they may
answer with a depth between what is before the edge and what is behind it: a flying pixel.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from cloud_transformers.render.mesh import Array, Mesh
from cloud_transformers.render.raster import Camera, cast


@dataclass(frozen=True, kw_only=True)
class Faults:
    """How imperfect the scanner is; lengths in metres. `Faults(...)` with zeros is a perfect one."""

    noise: float = 0.002  # standard deviation of the range, close by
    noise_per_metre: float = 0.0008
    noise_per_square_metre: float = 0.0  # times the squared distance: how the noise of depth cameras grows
    reach: float = np.inf  # nothing farther away is seen, and ever less from four fifths of it on
    flying: float = 0.0  # share of the pixels on an edge that fly
    slant_loss: bool = True  # rays that graze a surface return less often
    dark_loss: float = 0.4  # share of rays that black surfaces swallow
    holes: int = 4  # patches lost per station
    hole_radius: tuple[float, float] = (0.05, 0.3)


PERFECT = Faults(noise=0.0, noise_per_metre=0.0, slant_loss=False, dark_loss=0.0, holes=0)


def around(position: ArrayLike, resolution: int) -> list[Camera]:
    """Six square cameras that see everything around a position."""
    eye = np.asarray(position, dtype=float)
    directions = np.concatenate([np.eye(3), -np.eye(3)])
    return [Camera.looking(eye, eye + direction, 90.0, resolution) for direction in directions]


def scan(mesh: Mesh, cameras: list[Camera], rng: np.random.Generator, faults: Faults) -> tuple[Array, Array]:
    """All that these cameras see of a mesh: points [N, 3], and the face each lies on [N]."""
    normals, _ = mesh.normals_and_areas()
    offsets = np.einsum("fi,fi->f", normals, mesh.vertices[mesh.faces[:, 0]])
    brightness = mesh.color.mean(axis=1)
    seen = [_look(mesh, camera, normals, offsets, brightness, rng, faults) for camera in cameras]
    points = np.concatenate([points for points, _ in seen])
    face = np.concatenate([face for _, face in seen])
    if faults.holes and len(points):
        keep = np.ones(len(points), dtype=bool)
        for _ in range(faults.holes):
            centre, radius = points[rng.integers(len(points))], rng.uniform(*faults.hole_radius)
            keep &= ((points - centre) ** 2).sum(axis=1) > radius**2
        points, face = points[keep], face[keep]
    return points, face


def _look(
    mesh: Mesh, camera: Camera, normals: Array, offsets: Array, brightness: Array,
    rng: np.random.Generator, faults: Faults,
) -> tuple[Array, Array]:  # fmt: skip
    hits = cast(mesh, camera)
    row, column = np.nonzero(hits.face >= 0)
    face, depth = hits.face[row, column], hits.depth[row, column]
    x, y = camera.slopes()
    local = np.stack([x[column], y[row], np.ones(len(row))], axis=1)
    local[:, :2] += rng.uniform(-0.5, 0.5, (len(row), 2)) * (2 * camera.spread / camera.width)
    ray = local @ camera.axes
    normal = normals[face]
    slant = np.einsum("ni,ni->n", normal, ray)
    with np.errstate(divide="ignore", invalid="ignore"):
        moved = (offsets[face] - normal @ camera.position) / slant
    # Far off the pixel's own depth the moved ray has slid along a surface seen edge-on: keep the pixel's.
    depth = np.where(np.abs(moved / depth - 1) < 0.03, moved, depth)
    length = np.linalg.norm(ray, axis=1)
    if faults.flying:
        depth = _with_flying_pixels(depth, hits.depth, row, column, faults.flying, rng)
    keep = rng.uniform(size=len(row)) < length**-3.0  # a flat image has more pixels per angle at its border
    if faults.slant_loss:
        keep &= rng.uniform(size=len(row)) < np.abs(slant) / length * 6 + 0.1
    keep &= rng.uniform(size=len(row)) > faults.dark_loss * np.maximum(0.4 - brightness[face], 0) / 0.4
    if np.isfinite(faults.reach):
        keep &= rng.uniform(0.8, 1.0, len(row)) * faults.reach > depth * length
    ray, depth, length, face = ray[keep], depth[keep], length[keep], face[keep]
    distance = depth * length
    spread = faults.noise + faults.noise_per_metre * distance + faults.noise_per_square_metre * distance**2
    distance = distance + rng.standard_normal(len(distance)) * spread
    return camera.position + ray * (distance / length)[:, None], face


def _with_flying_pixels(
    depth: Array, image: Array, row: Array, column: Array, share: float, rng: np.random.Generator
) -> Array:  # fmt: skip
    """The depths [N] of pixels of a depth image, some of those at the rim of what is in front somewhere behind it."""
    beside = image[row, np.minimum(column + 1, image.shape[1] - 1)]
    on_edge = np.isfinite(beside) & (beside > 1.05 * depth + 0.03)
    flies = on_edge & (rng.uniform(size=len(depth)) < share)
    return np.where(flies, depth + rng.uniform(size=len(depth)) * np.where(flies, beside - depth, 0.0), depth)
