"""A z-buffer in numpy: which triangle does each pixel's ray meet first, and how far away.

Written by hand because nothing light does it: the libraries that cast rays bring hundreds of megabytes or a GPU, and
a loop over triangles in Python is a hundred times too slow. Triangles become spans of pixels, row by row, all at once;
edges are tested in homogeneous form, so that triangles reaching behind the camera need no clipping.

Letters: F faces, H rows, W columns of the image.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from cloud_transformers.render.mesh import Array, Mesh

NEAR = 1e-3
MAX_SPAN_PIXELS = 4_000_000  # pixels expanded at once: bounds the memory to about 100 MB


@dataclass(frozen=True, eq=False)
class Camera:
    """A pinhole camera. `axes` has the rows right, down, forward; `spread` is the tangent of half the field of view."""

    position: Array  # [3]
    axes: Array  # [3, 3]
    spread: float
    height: int  # in pixels
    width: int  # in pixels

    @staticmethod
    def looking(position: ArrayLike, target: ArrayLike, field_of_view: float, size: int) -> Camera:
        """A square camera of `size` pixels a side looking at a target, upright unless it looks straight up or down.

        `field_of_view` is in degrees.
        """
        eye = np.asarray(position, dtype=float)
        forward = np.asarray(target, dtype=float) - eye
        forward = forward / np.linalg.norm(forward)
        up = np.array([0.0, 1.0, 0.0]) if abs(forward[2]) > 0.999 else np.array([0.0, 0.0, 1.0])
        right = np.cross(forward, up)
        right /= np.linalg.norm(right)
        axes = np.stack([right, np.cross(forward, right), forward])
        return Camera(eye, axes, float(np.tan(np.radians(field_of_view) / 2)), size, size)

    def slopes(self) -> tuple[Array, Array]:
        """Of each column and each row of pixels: the ray's offset to the right and down per unit of depth."""
        x = (np.arange(self.width) + 0.5 - self.width / 2) * (2 * self.spread / self.width)
        y = (np.arange(self.height) + 0.5 - self.height / 2) * (2 * self.spread / self.width)
        return x, y

    def points(self, depth: Array, shift: Array | None = None) -> Array:
        """World positions [H, W, 3] at a depth image [H, W]; `shift` [H, W, 2] moves each ray within its pixel."""
        x, y = self.slopes()
        rays = np.ones((*depth.shape, 3))
        rays[..., 0], rays[..., 1] = x[None, :], y[:, None]
        if shift is not None:
            rays[..., :2] += shift * (2 * self.spread / self.width)
        return (rays * depth[..., None]) @ self.axes + self.position

    def project(self, points: Array) -> tuple[Array, Array]:
        """Pixel coordinates [N, 2] (column, row; a pixel's centre at +0.5) and depths [N] of world points [N, 3]."""
        local = (points - self.position) @ self.axes.T
        depth = local[:, 2]
        scale = self.width / (2 * self.spread)
        middle = np.array([self.width, self.height]) / 2
        return local[:, :2] / depth[:, None] * scale + middle, depth


@dataclass(frozen=True, eq=False)
class Hits:
    """What each pixel sees: depth along the camera's axis (infinite where nothing is), and the face (-1: nothing)."""

    depth: Array  # [H, W]
    face: Array  # [H, W]


def cast(mesh: Mesh, camera: Camera) -> Hits:
    """The nearest face of a mesh under every pixel of a camera.

    Both sides of a face count; of two at the same depth the later one wins.
    """
    H, W = camera.height, camera.width
    inverse = np.zeros(H * W)
    face = np.full(H * W, -1, dtype=np.int64)
    local = (mesh.vertices - camera.position) @ camera.axes.T
    corners = local[mesh.faces]
    kept, first_row, last_row = _rows_touched(corners, camera)
    a, b, c = np.moveaxis(corners[kept], 1, 0)
    edges = np.stack([np.cross(b, c), np.cross(c, a), np.cross(a, b)], axis=1)  # [F, 3 edges, 3]
    determinant = np.einsum("fi,fi->f", a, edges[:, 0])
    solid = np.abs(determinant) > 1e-14  # seen edge-on, a face covers no pixel
    kept, first_row, last_row = kept[solid], first_row[solid], last_row[solid]
    edges, determinant = edges[solid], determinant[solid]
    signed = edges * np.sign(determinant)[:, None, None]
    plane = edges.sum(axis=1) / determinant[:, None]  # 1 / depth = plane . ray

    count = last_row - first_row + 1
    owner = np.repeat(np.arange(len(kept)), count)
    row = np.arange(len(owner)) - np.repeat(np.cumsum(count) - count, count) + first_row[owner]
    column_slopes, row_slopes = camera.slopes()
    start, stop = _spans(signed[owner], row_slopes[row], camera)
    filled = stop >= start
    owner, row, start, length = owner[filled], row[filled], start[filled], (stop - start + 1)[filled]

    ends = np.cumsum(length)
    cuts = np.searchsorted(ends, np.arange(MAX_SPAN_PIXELS, (ends[-1] if len(ends) else 0) + 1, MAX_SPAN_PIXELS))
    for part in np.split(np.arange(len(owner)), cuts):
        n = length[part]
        total = int(n.sum())
        if total == 0:
            continue
        span = np.repeat(part, n)
        column = np.arange(total) - np.repeat(np.cumsum(n) - n, n) + start[span]
        base = plane[owner[part], 1] * row_slopes[row[part]] + plane[owner[part], 2]
        value = np.repeat(plane[owner[part], 0], n) * column_slopes[column] + np.repeat(base, n)
        pixel = row[span] * W + column
        np.maximum.at(inverse, pixel, value)
        front = value == inverse[pixel]
        face[pixel[front]] = kept[owner[span[front]]]
    with np.errstate(divide="ignore"):
        depth = np.where(face >= 0, 1 / inverse, np.inf)
    return Hits(depth.reshape(H, W), face.reshape(H, W))


def _rows_touched(corners: Array, camera: Camera) -> tuple[Array, Array, Array]:
    """The faces that may be seen, with the first and last pixel row of each (clipped at the near plane)."""
    z = corners[..., 2]
    reach = camera.spread * z
    aspect = camera.height / camera.width
    outside = (z < NEAR).all(axis=1)
    outside |= (corners[..., 0] > reach).all(axis=1) | (corners[..., 0] < -reach).all(axis=1)
    outside |= (corners[..., 1] > reach * aspect).all(axis=1) | (corners[..., 1] < -reach * aspect).all(axis=1)
    kept = np.flatnonzero(~outside)
    y, z = corners[kept, :, 1], z[kept]
    slope = y / np.maximum(z, NEAR)
    low, high = slope.min(axis=1), slope.max(axis=1)
    crossing = np.flatnonzero((z < NEAR).any(axis=1))
    if len(crossing):
        y, z = y[crossing], z[crossing]
        y2, z2 = np.roll(y, -1, axis=1), np.roll(z, -1, axis=1)
        gap = np.where(z2 == z, 1.0, z2 - z)
        cut = (y + (y2 - y) * (NEAR - z) / gap) / NEAR
        crosses = (z < NEAR) != (z2 < NEAR)
        front = np.where(z >= NEAR, y / np.maximum(z, NEAR), np.nan)
        every = np.concatenate([np.where(crosses, cut, np.nan), front], axis=1)
        low[crossing], high[crossing] = np.nanmin(every, axis=1), np.nanmax(every, axis=1)
    scale = camera.width / (2 * camera.spread)
    limit = camera.height
    first = np.ceil(np.clip(low * scale + limit / 2 - 0.5, 0, limit)).astype(np.int64)
    last = np.floor(np.clip(high * scale + limit / 2 - 0.5, -1, limit - 1)).astype(np.int64)
    some = last >= first
    return kept[some], first[some], last[some]


def _spans(edges: Array, slope: Array, camera: Camera) -> tuple[Array, Array]:
    """First and last pixel column of each face in one row: where all three edge functions are positive."""
    low = np.full(len(edges), -camera.spread)
    high = np.full(len(edges), camera.spread)
    for k in range(3):
        gain = edges[:, k, 0]
        rest = edges[:, k, 1] * slope + edges[:, k, 2]
        with np.errstate(divide="ignore", invalid="ignore"):
            cut = -rest / gain
        low = np.where(gain > 0, np.maximum(low, cut), low)
        high = np.where(gain < 0, np.minimum(high, cut), high)
        high = np.where((gain == 0) & (rest < 0), -np.inf, high)
    scale = camera.width / (2 * camera.spread)
    limit = camera.width
    start = np.ceil(np.clip(low * scale + limit / 2 - 0.5, 0, limit)).astype(np.int64)
    stop = np.floor(np.clip(high * scale + limit / 2 - 0.5, -1, limit - 1)).astype(np.int64)
    return start, stop
