"""Parametric parts. Nearly all are lofts: a stack of rings of points joined by triangles.

Lengths in metres. Unless a part says otherwise it is centred on the origin in x and y and stands on z = 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np
from numpy.typing import ArrayLike

from cloud_transformers.render.mesh import Array, Mesh


@cache
def _loft_faces(num_rings: int, num_points: int, closed: bool, cap: bool) -> Array:
    ring, point = np.meshgrid(
        np.arange(num_rings - 1), np.arange(num_points if closed else num_points - 1), indexing="ij"
    )
    a, b = ring * num_points + point, ring * num_points + (point + 1) % num_points
    c, d = a + num_points, b + num_points
    faces = [np.stack([a, b, d], axis=-1).reshape(-1, 3), np.stack([a, d, c], axis=-1).reshape(-1, 3)]
    if cap:
        edge = np.arange(num_points)
        following = (edge + 1) % num_points
        bottom, top = num_rings * num_points, num_rings * num_points + 1
        last = (num_rings - 1) * num_points
        faces.append(np.stack([following, edge, np.full_like(edge, bottom)], axis=-1))
        faces.append(np.stack([last + edge, last + following, np.full_like(edge, top)], axis=-1))
    return np.concatenate(faces)


def loft(rings: ArrayLike, color: ArrayLike, *, closed: bool = True, cap: bool = True) -> Mesh:
    """Rings [S, P, 3] joined one to the next. `closed` joins the ends of each ring; `cap` closes first and last."""
    stack = np.asarray(rings, dtype=float)
    S, P, _ = stack.shape
    vertices = stack.reshape(-1, 3)
    if cap:
        vertices = np.concatenate([vertices, stack[[0, -1]].mean(axis=1)])
    faces = _loft_faces(S, P, closed, cap)
    return Mesh(vertices, faces, np.broadcast_to(np.asarray(color, dtype=float), (len(faces), 3)))


def ellipse(num_points: int, width: float = 2.0, depth: float = 2.0, exponent: float = 2.0) -> Array:
    """A superellipse [P, 2]: exponent 2 is round, 4 a rounded square, 1 a diamond."""
    angle = np.linspace(0, 2 * np.pi, num_points, endpoint=False)
    c, s = np.cos(angle), np.sin(angle)
    power = 2.0 / exponent
    x, y = np.sign(c) * np.abs(c) ** power, np.sign(s) * np.abs(s) ** power
    return np.stack([x * width / 2, y * depth / 2], axis=1)


def outline_loft(outline: Array, profile: ArrayLike, color: ArrayLike, *, cap: bool = True) -> Mesh:
    """An outline [P, 2] carried along a profile of (scale, z) rows: vases, bowls, bins. Scale may shrink and grow."""
    rows = np.asarray(profile, dtype=float)
    xy = rows[:, None, :1] * outline[None]
    z = np.broadcast_to(rows[:, None, 1:2], (*xy.shape[:2], 1))
    return loft(np.concatenate([xy, z], axis=2), color, cap=cap)


def lathe(profile: ArrayLike, color: ArrayLike, segments: int = 20, *, cap: bool = True) -> Mesh:
    """A profile of (radius, z) rows turned about the z axis."""
    return outline_loft(ellipse(segments), profile, color, cap=cap)


def cylinder(
    radius: float, height: float, color: ArrayLike, *, top_radius: float | None = None, segments: int = 16
) -> Mesh:
    return lathe([(radius, 0), (radius if top_radius is None else top_radius, height)], color, segments)


_BOX_CORNERS = np.array([[x, y, z] for z in (0, 1) for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))]) * [0.5, 0.5, 1.0]
_BOX_FACES = np.array(
    [
        [[0, 2, 1], [0, 3, 2], [4, 5, 6], [4, 6, 7], [0, 1, 5], [0, 5, 4]],
        [[1, 2, 6], [1, 6, 5], [2, 3, 7], [2, 7, 6], [3, 0, 4], [3, 4, 7]],
    ]
).reshape(12, 3)


def box(width: float, depth: float, height: float, color: ArrayLike, *, taper: float = 1.0) -> Mesh:
    """A plain box; `taper` scales its top in x and y."""
    vertices = _BOX_CORNERS * [width, depth, height]
    vertices[4:, :2] *= taper
    return Mesh(vertices, _BOX_FACES, np.broadcast_to(np.asarray(color, dtype=float), (12, 3)))


def rounded_box(width: float, depth: float, height: float, radius: float, color: ArrayLike, steps: int = 2) -> Mesh:
    """A box with rounded edges and corners."""
    half = np.array([width, depth, height]) / 2
    radius = min(radius, 0.98 * float(half.min()))
    arc = np.linspace(0, np.pi / 2, steps + 1)
    angle = np.concatenate([quarter * np.pi / 2 + arc for quarter in range(4)])
    signs = np.repeat([[1, 1], [-1, 1], [-1, -1], [1, -1]], steps + 1, axis=0)
    corner = signs * (half[:2] - radius)
    direction = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    latitude = np.concatenate([arc - np.pi / 2, arc])
    xy = corner[None] + radius * np.cos(latitude)[:, None, None] * direction[None]
    level = np.repeat([radius, height - radius], steps + 1) + radius * np.sin(latitude)
    z = np.broadcast_to(level[:, None, None], (*xy.shape[:2], 1))
    return loft(np.concatenate([xy, z], axis=2), color)


def ellipsoid(
    width: float, depth: float, height: float, color: ArrayLike, *, exponent: float = 2.0, rings: int = 9
) -> Mesh:
    """A super-ellipsoid: exponent 2 is round, larger ones boxier."""
    latitude = np.linspace(-np.pi / 2, np.pi / 2, rings)
    power = 2.0 / exponent
    scale = np.maximum(np.cos(latitude), 0) ** power
    level = (np.sign(np.sin(latitude)) * np.abs(np.sin(latitude)) ** power + 1) * height / 2
    return outline_loft(ellipse(2 * rings, width, depth, exponent), np.stack([scale, level], axis=1), color)


def cushion(width: float, depth: float, height: float, color: ArrayLike, *, pinch: float = 0.06, grid: int = 9) -> Mesh:
    """A soft pillow: thick in the middle, thin at the seam, its sides drawn in between the corners by `pinch`."""
    line = np.sin(np.linspace(-np.pi / 2, np.pi / 2, grid))
    u, v = np.meshgrid(line, line, indexing="ij")
    thickness = ((1 - u**2) * (1 - v**2)) ** 0.5
    blunt = 1 - 0.07 * (u * v) ** 4  # corners of cloth are round
    x = u * (1 - pinch * (1 - v**2)) * blunt * width / 2
    y = v * (1 - pinch * (1 - u**2)) * blunt * depth / 2
    sides = [np.stack([x, y, (1 + sign * thickness) * height / 2], axis=-1) for sign in (-1, 1)]
    lower, upper = (loft(side, color, closed=False, cap=False) for side in sides)
    faces = np.concatenate([lower.faces, upper.faces + len(lower.vertices)])
    return Mesh(np.concatenate([lower.vertices, upper.vertices]), faces, np.repeat(lower.color[:1], len(faces), axis=0))


def sheet(points: ArrayLike, color: ArrayLike) -> Mesh:
    """An open surface through a grid of points [S, P, 3]: blankets, curtains, chair shells."""
    return loft(points, color, closed=False, cap=False)


def tube(path: ArrayLike, radius: float, color: ArrayLike, *, segments: int = 8, loop: bool = False) -> Mesh:
    """A round tube along a path [K, 3] in place; `loop` joins its end to its start."""
    return sweep(path, ellipse(segments, 2 * radius, 2 * radius), color, loop=loop)


def sweep(path: ArrayLike, outline: Array, color: ArrayLike, *, loop: bool = False) -> Mesh:
    """An outline [P, 2] carried along a path [K, 3] in place, with as little twist as the path allows."""
    line = np.asarray(path, dtype=float)
    if loop:
        line = np.concatenate([line, line[:1]])
        tangent = np.roll(line[:-1], -1, axis=0) - np.roll(line[:-1], 1, axis=0)
        tangent = np.concatenate([tangent, tangent[:1]])
    else:
        tangent = np.gradient(line, axis=0)
    tangent /= np.maximum(np.linalg.norm(tangent, axis=1, keepdims=True), 1e-12)
    side = np.empty_like(line)
    start = np.eye(3)[np.argmin(np.abs(tangent[0]))]
    for k, direction in enumerate(tangent):  # carry the side vector along, made square to each tangent
        start = start - direction * (start @ direction)
        start /= max(float(np.linalg.norm(start)), 1e-12)
        side[k] = start
    up = np.cross(tangent, side)
    rings = line[:, None] + outline[None, :, :1] * side[:, None] + outline[None, :, 1:] * up[:, None]
    return loft(rings, color, cap=not loop)


def rod(start: Sequence[float], end: Sequence[float], radius: float, color: ArrayLike, *, segments: int = 8) -> Mesh:
    """A straight round bar between two points."""
    return tube([start, end], radius, color, segments=segments)


def bar(start: Sequence[float], end: Sequence[float], width: float, color: ArrayLike, depth: float = 0.0) -> Mesh:
    """A straight square bar between two points."""
    square = ellipse(4, width * 2**0.5, (depth or width) * 2**0.5) @ np.array([[1, 1], [-1, 1]]) / 2**0.5
    return sweep([start, end], square, color)


def arc(center: Sequence[float], radius: float, begin: float, end: float, plane: str, steps: int = 9) -> Array:
    """Points on a circle arc in the xy, xz or yz plane, angles in radians: paths for handles and taps."""
    angle = np.linspace(begin, end, steps)
    points = np.tile(np.asarray(center, dtype=float), (steps, 1))
    points[:, "xyz".index(plane[0])] += radius * np.cos(angle)
    points[:, "xyz".index(plane[1])] += radius * np.sin(angle)
    return points
