"""Sinks: wash basins and kitchen sinks, with their taps."""

from __future__ import annotations

import numpy as np

from cloud_transformers.render.mesh import Array, Mesh, merge
from cloud_transformers.world import palette
from cloud_transformers.world.furniture.storage import sideboard
from cloud_transformers.world.parts import (
    box,
    cylinder,
    ellipse,
    lathe,
    loft,
    outline_loft,
    rod,
    rounded_box,
    tube,
)
from cloud_transformers.world.seeds import chance, pick


def sink(rng: np.random.Generator) -> Mesh:
    """A pedestal or wall-hung wash basin, a vanity, a bowl on a counter, or a kitchen sink."""
    return pick(rng, [pedestal_sink, wall_sink, vessel_sink, vanity, kitchen_sink], [3, 2, 1.5, 3, 2])(rng)


def tap(rng: np.random.Generator) -> Mesh:
    """A tap on z = 0 whose spout reaches towards -y: a swan neck or a short
    spout, with one lever or two cross handles."""
    color = palette.shade(palette.metal(rng), 1.1)
    radius, rise = rng.uniform(0.011, 0.016), rng.uniform(0.08, 0.3)
    reach = rng.uniform(0.1, 0.17)
    parts = [cylinder(radius * 1.9, 0.02, color)]
    angle = np.linspace(0, np.pi * rng.uniform(0.75, 1.0), 9)
    neck = [(0, -reach / 2 * (1 - np.cos(a)), rise + reach / 2 * np.sin(a)) for a in angle]
    parts.append(tube([(0, 0, 0), (0, 0, rise * 0.5), *neck], radius, color))
    if chance(rng, 0.5):
        for sx in (-1, 1):
            x = sx * rng.uniform(0.07, 0.09)
            parts.append(cylinder(radius * 1.3, 0.045, color).moved(x))
            parts.append(rod((x - 0.028, 0, 0.05), (x + 0.028, 0, 0.05), 0.007, color))
            parts.append(rod((x, -0.028, 0.05), (x, 0.028, 0.05), 0.007, color))
    else:
        parts.append(rod((0, 0, rise * 0.6), (0.07, 0.01, rise * 0.6 + 0.04), 0.009, color))
    return merge(parts)


def _basin(width: float, depth: float, drop: float, exponent: float, color: Array) -> Mesh:
    """An open bowl hanging below z = 0: rim, outer wall, inner wall and bottom."""
    outline = ellipse(32, width, depth, exponent)
    profile = [(0.35, -drop), (0.72, -drop * 0.92), (0.95, -drop * 0.35), (1.0, 0.0), (1.0, 0.015)]
    profile += [(0.9, 0.015), (0.86, -drop * 0.3), (0.66, -drop * 0.8), (0.1, -drop * 0.88)]
    return outline_loft(outline, profile, color)


def _counter_with_hole(width: float, depth: float, hole: Array, thickness: float, color: Array) -> Mesh:
    """A slab whose middle is cut out along an outline [P, 2]: top and bottom rings plus the outer rim, top at z = 0."""
    angle = np.arctan2(hole[:, 1], hole[:, 0])
    reach = np.minimum(
        width / 2 / np.maximum(np.abs(np.cos(angle)), 1e-9), depth / 2 / np.maximum(np.abs(np.sin(angle)), 1e-9)
    )
    rim = np.stack([reach * np.cos(angle), reach * np.sin(angle)], axis=1)
    for corner in np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * [width / 2, depth / 2]:
        rim[np.argmin(((rim - corner) ** 2).sum(axis=1))] = corner  # no ray hits a corner by itself
    stack = [(hole, 0.0), (rim, 0.0), (rim, -thickness), (hole, -thickness)]
    return loft(np.stack([np.column_stack([xy, np.full(len(xy), z)]) for xy, z in stack]), color, cap=False)


def _opened(mesh: Mesh, level: float) -> Mesh:
    """Without the horizontal faces above a level, so that a bowl can hang in from above."""
    keep = mesh.corners()[:, :, 2].min(axis=1) < level
    return Mesh(mesh.vertices, mesh.faces[keep], mesh.color[keep])


def _wash_basin(height: float, rng: np.random.Generator) -> tuple[Mesh, Array, float, float]:
    """A basin with its ledge and tap, its rim at a height; also its colour, its depth and its drop."""
    color, exponent = palette.ceramic(rng), pick(rng, [2.0, 2.5, 4.0, 7.0])
    width, depth, drop = rng.uniform(0.45, 0.65), rng.uniform(0.38, 0.5), rng.uniform(0.14, 0.2)
    ledge = depth * 0.22
    parts = [_basin(width, depth, drop, exponent, color).moved(z=height)]
    rim = rounded_box(width * 0.96, ledge, drop * 0.5, 0.02, color)
    parts.append(rim.moved(0, depth * 0.47, height - drop * 0.5 + 0.016))
    if chance(rng, 0.4):
        parts.append(box(width * 0.96, 0.025, 0.08, color).moved(0, depth * 0.47 + ledge / 2, height))
    parts.append(tap(rng).moved(0, depth * 0.47, height + 0.015))
    return merge(parts), color, depth, drop


def pedestal_sink(rng: np.random.Generator) -> Mesh:
    height = rng.uniform(0.78, 0.9)
    basin, color, depth, drop = _wash_basin(height, rng)
    level = np.linspace(0, 1, 7)
    waist = 0.085 + 0.05 * (2 * level - 0.9) ** 2
    column = lathe(np.stack([waist, level * (height - drop * 0.8)], axis=1), color)
    return merge([basin, column.scaled([1, 1.1, 1]).moved(0, depth * 0.12)])


def wall_sink(rng: np.random.Generator) -> Mesh:
    """Hung on the wall, with the trap of its drain below. It stands at its working height above z = 0."""
    height = rng.uniform(0.78, 0.9)
    basin, _, depth, drop = _wash_basin(height, rng)
    z = height - drop
    trap = [(0, 0, z + 0.02), (0, 0, z - 0.12), (0, 0.06, z - 0.16), (0, 0.1, z - 0.1), (0, depth * 0.5, z - 0.1)]
    return merge([basin, tube(trap, 0.02, palette.metal(rng))])


def vessel_sink(rng: np.random.Generator) -> Mesh:
    """A bowl standing on an open counter."""
    width, depth, height = rng.uniform(0.8, 1.2), rng.uniform(0.45, 0.55), rng.uniform(0.75, 0.85)
    bowl, drop = rng.uniform(0.36, 0.44), rng.uniform(0.11, 0.15)
    wood = palette.wood(rng)
    parts = [box(width, depth, 0.05, wood).moved(z=height - 0.05)]
    parts += [box(0.04, depth, height - 0.05, wood).moved(sx * (width / 2 - 0.03)) for sx in (-1, 1)]
    parts.append(box(width * 0.95, depth * 0.9, 0.025, wood).moved(z=0.2))
    basin = _basin(bowl, bowl * rng.uniform(0.8, 1.0), drop, pick(rng, [2.0, 2.5, 4.0, 7.0]), palette.ceramic(rng))
    parts.append(basin.moved(0, -0.04, height + drop))
    parts.append(tap(rng).moved(0, depth * 0.42, height))
    return merge(parts)


def _set_in(
    body: Mesh, width: float, depth: float, height: float, bowl: tuple[float, float], exponent: float, shift: float,
    color: Array, top: Array, rng: np.random.Generator,
) -> Mesh:  # fmt: skip
    """A bowl let into a counter on a body, with a tap behind it; the bowl is moved along x by `shift`."""
    hole = ellipse(32, bowl[0], bowl[1], exponent)
    counter = _counter_with_hole(width, depth, hole * 0.97 + [shift, -0.02], 0.04, top)
    basin = _basin(bowl[0], bowl[1], rng.uniform(0.13, 0.2), exponent, color).moved(shift, -0.02, height)
    spout = tap(rng).moved(shift, -0.02 + bowl[1] / 2 + 0.035, height)
    # The body's own top would show inside the bowl.
    return merge([_opened(body, height - 0.12), counter.moved(z=height), basin, spout])


def vanity(rng: np.random.Generator) -> Mesh:
    """A wash basin on a bathroom cabinet."""
    width, depth, height = rng.uniform(0.6, 1.1), rng.uniform(0.45, 0.55), rng.uniform(0.76, 0.85)
    body = sideboard(rng)
    low, high = body.bounds()
    body = body.grounded().scaled(np.array([width, depth, height - 0.04]) / (high - low))
    bowl, color = (min(0.55, width * 0.75), depth * 0.66), palette.ceramic(rng)
    return _set_in(body, width, depth, height, bowl, pick(rng, [2.0, 2.5, 4.0, 7.0]), 0.0, color, color, rng)


def kitchen_sink(rng: np.random.Generator) -> Mesh:
    """A square steel bowl in a kitchen counter, with a draining board where there is space."""
    width, depth, height = rng.uniform(0.9, 1.5), rng.uniform(0.55, 0.62), rng.uniform(0.86, 0.92)
    parts = [box(width * 0.98, depth * 0.94, height - 0.04, palette.wood(rng))]
    fronts, front = max(2, round(width / 0.5)), palette.shade(palette.ceramic(rng), 0.9)
    for k in range(fronts):
        x = -width / 2 + (k + 0.5) * width / fronts
        leaf = box(width / fronts * 0.94, 0.02, height * 0.78, front)
        parts.append(leaf.moved(x, -depth * 0.47 - 0.005, 0.1))
        parts.append(box(0.12, 0.02, 0.015, palette.metal(rng)).moved(x, -depth / 2 - 0.01, height * 0.75))
    bowl = (rng.uniform(0.36, 0.5), depth * 0.7)
    shift = rng.uniform(-0.2, 0.2) * (width - bowl[0])
    top = pick(rng, [palette.wood, palette.ceramic, palette.metal])(rng)
    whole = [_set_in(merge(parts), width, depth, height, bowl, 7.0, shift, palette.metal(rng), top, rng)]
    if width - bowl[0] > 0.5:
        x = -np.sign(shift) * (width / 2 - 0.2)
        groove = box(0.012, depth * 0.6, 0.008, palette.shade(top, 0.8))
        whole += [groove.moved(x + dx, 0, height) for dx in np.linspace(-0.12, 0.12, 6)]
    return merge(whole)
