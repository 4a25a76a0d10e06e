"""Bathroom fixtures: toilets and bath tubs."""

from __future__ import annotations

import numpy as np

from cloud_transformers.render.mesh import Array, Mesh, merge
from cloud_transformers.world import palette
from cloud_transformers.world.furniture.sinks import tap
from cloud_transformers.world.parts import box, cylinder, ellipse, loft, outline_loft, rod, rounded_box
from cloud_transformers.world.seeds import chance, pick


def _egg(width: float, length: float, points: int = 32) -> Array:
    """The outline of a toilet seat: round in front (-y), flatter behind."""
    outline = ellipse(points, width, length)
    behind = outline[:, 1] > 0
    outline[behind] = ellipse(points, width, length, 3.2)[behind] * [1.0, 0.82]
    return outline


def toilet(rng: np.random.Generator) -> Mesh:
    """Close-coupled with a tank, or hung on a wall panel; seat and lid up or down."""
    color = palette.ceramic(rng)
    seat_color = color if chance(rng, 0.75) else pick(rng, [palette.wood, palette.dark])(rng)
    width, length, height = rng.uniform(0.35, 0.4), rng.uniform(0.44, 0.54), rng.uniform(0.38, 0.45)
    egg = _egg(width, length)
    hung = chance(rng, 0.25)
    if hung:
        rise = height - rng.uniform(0.3, 0.34)
        levels = [(0.5, rise, 0.1), (0.8, rise + 0.06, 0.06), (1.0, height * 0.8, 0), (1.0, height, 0)]
    else:
        waist = rng.uniform(0.5, 0.62)
        levels = [
            (waist * 1.12, 0, 0.08),
            (waist, 0.05, 0.08),
            (waist * 0.97, height * 0.4, 0.08),
            (0.88, height * 0.75, 0.02),
            (1.0, height * 0.92, 0),
            (1.0, height, 0),
        ]
    inside = [
        (0.74, height, -0.01),
        (0.66, height - 0.07, -0.01),
        (0.35, height - 0.17, -0.02),
        (0.18, height - 0.2, -0.02),
    ]
    rings = [np.column_stack([egg * s + [0, shift], np.full(len(egg), z)]) for s, z, shift in levels + inside]
    parts = [loft(np.stack(rings), color)]
    back = length * 0.41
    if not hung:
        parts.append(rounded_box(width * 0.62, 0.2, height * 0.95, 0.04, color).moved(0, back + 0.02))
    ring = [
        np.column_stack([egg * s + [0, -0.01 * (s < 0.9)], np.full(len(egg), z)])
        for s, z in ((1.02, 0), (1.02, 0.022), (0.7, 0.022), (0.7, 0))
    ]
    seat = loft(np.stack([*ring, ring[0]]), seat_color, cap=False)
    lid = outline_loft(egg, [(1.03, 0.0), (1.03, 0.016), (0.85, 0.026)], seat_color)
    lid_up = chance(rng, 0.55)
    seat_up = lid_up and chance(rng, 0.25)

    def hinged(mesh: Mesh, angle: float) -> Mesh:
        return mesh.moved(y=-back + 0.03).turned("x", -angle).moved(y=back - 0.03)

    parts.append(hinged(seat, 1.68 if seat_up else 0.0).moved(z=height + 0.005))
    parts.append(hinged(lid, 1.75 if lid_up else 0.0).moved(z=height + 0.03, y=0.02 if lid_up else 0.0))
    if hung:
        panel = box(
            rng.uniform(0.5, 0.9), 0.12, rng.uniform(0.9, 1.15), pick(rng, [palette.ceramic, palette.wall_paint])(rng)
        )
        parts.append(panel.moved(y=back + 0.11 + 0.05))
        parts.append(box(0.24, 0.015, 0.16, palette.metal(rng)).moved(0, back + 0.095, 0.78))
    else:
        tank_width, tank_depth, tank_height = rng.uniform(0.36, 0.46), rng.uniform(0.15, 0.2), rng.uniform(0.3, 0.42)
        y = back + 0.04 + tank_depth / 2
        z = height + (rng.uniform(0.0, 0.03) if chance(rng, 0.85) else rng.uniform(0.3, 0.5))
        tank = rounded_box(tank_width, tank_depth, tank_height, 0.03, color, 3)
        parts.append(
            tank.mapped(
                lambda v: v * np.stack([0.9 + 0.1 * v[:, 2] / tank_height] * 2 + [np.ones(len(v))], axis=1)
            ).moved(0, y, z)
        )
        parts.append(
            rounded_box(tank_width * 1.05, tank_depth * 1.1, 0.035, 0.012, color).moved(0, y, z + tank_height - 0.005)
        )
        metal = palette.metal(rng)
        if chance(rng, 0.5):
            parts.append(cylinder(0.025, 0.015, metal).moved(0, y, z + tank_height + 0.028))
        else:
            parts.append(
                rod(
                    (-tank_width * 0.35, y - tank_depth / 2 - 0.02, z + tank_height * 0.8),
                    (-tank_width * 0.15, y - tank_depth / 2 - 0.03, z + tank_height * 0.78),
                    0.01,
                    metal,
                )
            )
        if z > height + 0.1:
            parts.append(rod((0, y, height - 0.05), (0, y, z), 0.022, color))
    return merge(parts)


def bathtub(rng: np.random.Generator) -> Mesh:
    """A free-standing tub, on feet or on the floor, sometimes with a tap."""
    length, width, height = rng.uniform(1.4, 1.8), rng.uniform(0.65, 0.8), rng.uniform(0.5, 0.62)
    color = palette.ceramic(rng)
    outline = ellipse(40, length, width, pick(rng, [2.4, 4.0, 8.0]))
    base = rng.uniform(0.75, 0.95)
    profile = [
        (base, 0.06),
        (1, height - 0.02),
        (1.05, height - 0.02),
        (1.05, height),
        (0.93, height),
        (base * 0.82, 0.14),
        (base * 0.6, 0.12),
    ]
    parts = [outline_loft(outline, profile, color)]
    metal = palette.metal(rng)
    if chance(rng, 0.5):
        parts += [
            cylinder(0.03, 0.1, metal, top_radius=0.05).moved(sx * length * 0.32, sy * width * 0.28)
            for sx in (-1, 1)
            for sy in (-1, 1)
        ]
    else:
        parts.append(outline_loft(outline, [(base * 0.97, 0.0), (base, 0.07)], color))
    if chance(rng, 0.7):
        parts.append(tap(rng).turned("z", np.pi / 2 * 3).moved(-length * 0.48, 0, height))
    return merge(parts)
