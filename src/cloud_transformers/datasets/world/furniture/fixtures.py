"""Bathroom and kitchen fixtures: sinks, toilets, bath tubs."""

from __future__ import annotations

import numpy as np

from cloud_transformers.datasets.world import palette
from cloud_transformers.datasets.world.furniture.storage import sideboard
from cloud_transformers.datasets.world.mesh import Array, Mesh, merge
from cloud_transformers.datasets.world.parts import (
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
from cloud_transformers.datasets.world.seeds import chance, pick


def tap(rng: np.random.Generator) -> Mesh:
    """A tap on z = 0 whose spout reaches towards -y: a swan neck or a short spout, with one lever or two cross handles."""
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
    reach = np.minimum(width / 2 / np.maximum(np.abs(np.cos(angle)), 1e-9), depth / 2 / np.maximum(np.abs(np.sin(angle)), 1e-9))
    rim = np.stack([reach * np.cos(angle), reach * np.sin(angle)], axis=1)
    stack = [(hole, 0.0), (rim, 0.0), (rim, -thickness), (hole, -thickness)]
    return loft(np.stack([np.column_stack([xy, np.full(len(xy), z)]) for xy, z in stack]), color, cap=False)


def sink(rng: np.random.Generator) -> Mesh:
    """A pedestal or wall-hung wash basin, a vanity, a bowl on a counter, or a kitchen sink."""
    kind = pick(rng, ["pedestal", "wall", "vanity", "vessel", "kitchen"], [3, 2, 3, 1.5, 2])
    color = palette.ceramic(rng)
    exponent = pick(rng, [2.0, 2.5, 4.0, 7.0])
    if kind in ("pedestal", "wall"):
        width, depth, height = rng.uniform(0.45, 0.65), rng.uniform(0.38, 0.5), rng.uniform(0.78, 0.9)
        drop = rng.uniform(0.14, 0.2)
        parts = [_basin(width, depth, drop, exponent, color).moved(z=height)]
        ledge = depth * 0.22
        parts.append(rounded_box(width * 0.96, ledge, drop * 0.5, 0.02, color).moved(0, depth * 0.47, height - drop * 0.5 + 0.016))
        if chance(rng, 0.4):
            parts.append(box(width * 0.96, 0.025, 0.08, color).moved(0, depth * 0.47 + ledge / 2, height))
        parts.append(tap(rng).moved(0, depth * 0.47, height + 0.015))
        if kind == "pedestal":
            level = np.linspace(0, 1, 7)
            waist = 0.085 + 0.05 * (2 * level - 0.9) ** 2
            column = lathe(np.stack([waist, level * (height - drop * 0.8)], axis=1), color)
            parts.append(column.scaled([1, 1.1, 1]).moved(0, depth * 0.12))
        else:
            metal = palette.metal(rng)
            z = height - drop
            parts.append(tube([(0, 0, z + 0.02), (0, 0, z - 0.12), (0, 0.06, z - 0.16), (0, 0.1, z - 0.1), (0, depth * 0.5, z - 0.1)], 0.02, metal))
        return merge(parts).grounded() if kind == "pedestal" else merge(parts)
    if kind == "vessel":
        width, depth, height = rng.uniform(0.8, 1.2), rng.uniform(0.45, 0.55), rng.uniform(0.75, 0.85)
        bowl = rng.uniform(0.36, 0.44)
        drop = rng.uniform(0.11, 0.15)
        wood = palette.wood(rng)
        parts = [box(width, depth, 0.05, wood).moved(z=height - 0.05)]
        parts += [box(0.04, depth, height - 0.05, wood).moved(sx * (width / 2 - 0.03)) for sx in (-1, 1)]
        parts.append(box(width * 0.95, depth * 0.9, 0.025, wood).moved(z=0.2))
        parts.append(_basin(bowl, bowl * rng.uniform(0.8, 1.0), drop, exponent, color).moved(0, -0.04, height + drop))
        parts.append(tap(rng).moved(0, depth * 0.42, height))
        return merge(parts)
    if kind == "vanity":
        width, depth, height = rng.uniform(0.6, 1.1), rng.uniform(0.45, 0.55), rng.uniform(0.76, 0.85)
        body = sideboard(rng)
        low, high = body.bounds()
        body = body.grounded().scaled(np.array([width, depth, height - 0.04]) / (high - low))
        bowl = (min(0.55, width * 0.75), depth * 0.66)
    else:
        width, depth, height = rng.uniform(0.9, 1.5), rng.uniform(0.55, 0.62), rng.uniform(0.86, 0.92)
        body = box(width * 0.98, depth * 0.94, height - 0.04, palette.wood(rng))
        fronts = max(2, round(width / 0.5))
        for k in range(fronts):
            x = -width / 2 + (k + 0.5) * width / fronts
            leaf = box(width / fronts * 0.94, 0.02, height * 0.78, palette.shade(palette.ceramic(rng), 0.9))
            knob = box(0.12, 0.02, 0.015, palette.metal(rng)).moved(x, -depth / 2 - 0.01, height * 0.75)
            body = merge([body, leaf.moved(x, -depth * 0.47 - 0.005, 0.1), knob])
        color = palette.metal(rng)
        bowl = (rng.uniform(0.36, 0.5), depth * 0.7)
        exponent = 7.0
    hole = ellipse(32, bowl[0], bowl[1], exponent)
    top = pick(rng, [palette.wood, palette.ceramic, palette.metal])(rng) if kind == "kitchen" else color
    shift = rng.uniform(-0.2, 0.2) * (width - bowl[0]) if kind == "kitchen" else 0.0
    counter = _counter_with_hole(width, depth, hole * 0.97 + [shift, -0.02], 0.04, top)
    # The body would fill the bowl: leave out its faces that lie flat just below the counter.
    bowl_mesh = _basin(bowl[0], bowl[1], rng.uniform(0.13, 0.2), exponent, color).moved(shift, -0.02, height)
    parts = [_opened(body, height - 0.12), counter.moved(z=height), bowl_mesh]
    parts.append(tap(rng).moved(shift, -0.02 + bowl[1] / 2 + 0.035, height))
    if kind == "kitchen" and width - bowl[0] > 0.5:
        x = -np.sign(shift or 1) * (width / 2 - 0.2)
        parts += [box(0.012, depth * 0.6, 0.008, palette.shade(top, 0.8)).moved(x + dx, 0, height) for dx in np.linspace(-0.12, 0.12, 6)]
    return merge(parts)


def _opened(mesh: Mesh, level: float) -> Mesh:
    """Without the horizontal faces above a level, so that a bowl can hang in from above."""
    keep = mesh.corners()[:, :, 2].min(axis=1) < level
    return Mesh(mesh.vertices, mesh.faces[keep], mesh.color[keep])


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
        levels = [(waist * 1.12, 0, 0.08), (waist, 0.05, 0.08), (waist * 0.97, height * 0.4, 0.08), (0.88, height * 0.75, 0.02), (1.0, height * 0.92, 0), (1.0, height, 0)]
    inside = [(0.74, height, -0.01), (0.66, height - 0.07, -0.01), (0.35, height - 0.17, -0.02), (0.18, height - 0.2, -0.02)]
    rings = [np.column_stack([egg * s + [0, shift], np.full(len(egg), z)]) for s, z, shift in levels + inside]
    parts = [loft(np.stack(rings), color)]
    back = length * 0.41
    if not hung:
        parts.append(rounded_box(width * 0.62, 0.2, height * 0.95, 0.04, color).moved(0, back + 0.02))
    ring = [np.column_stack([egg * s + [0, -0.01 * (s < 0.9)], np.full(len(egg), z)]) for s, z in ((1.02, 0), (1.02, 0.022), (0.7, 0.022), (0.7, 0))]
    seat = loft(np.stack([*ring, ring[0]]), seat_color, cap=False)
    lid = outline_loft(egg, [(1.03, 0.0), (1.03, 0.016), (0.85, 0.026)], seat_color)
    lid_up = chance(rng, 0.55)
    seat_up = lid_up and chance(rng, 0.25)

    def hinged(mesh: Mesh, angle: float) -> Mesh:
        return mesh.moved(y=-back + 0.03).turned("x", -angle).moved(y=back - 0.03)

    parts.append(hinged(seat, 1.68 if seat_up else 0.0).moved(z=height + 0.005))
    parts.append(hinged(lid, 1.75 if lid_up else 0.0).moved(z=height + 0.03, y=0.02 if lid_up else 0.0))
    if hung:
        panel = box(rng.uniform(0.5, 0.9), 0.12, rng.uniform(0.9, 1.15), pick(rng, [palette.ceramic, palette.wall_paint])(rng))
        parts.append(panel.moved(y=back + 0.11 + 0.05))
        parts.append(box(0.24, 0.015, 0.16, palette.metal(rng)).moved(0, back + 0.095, 0.78))
    else:
        tank_width, tank_depth, tank_height = rng.uniform(0.36, 0.46), rng.uniform(0.15, 0.2), rng.uniform(0.3, 0.42)
        y = back + 0.04 + tank_depth / 2
        z = height + (rng.uniform(0.0, 0.03) if chance(rng, 0.85) else rng.uniform(0.3, 0.5))
        tank = rounded_box(tank_width, tank_depth, tank_height, 0.03, color, 3)
        parts.append(tank.mapped(lambda v: v * np.stack([0.9 + 0.1 * v[:, 2] / tank_height] * 2 + [np.ones(len(v))], axis=1)).moved(0, y, z))
        parts.append(rounded_box(tank_width * 1.05, tank_depth * 1.1, 0.035, 0.012, color).moved(0, y, z + tank_height - 0.005))
        metal = palette.metal(rng)
        if chance(rng, 0.5):
            parts.append(cylinder(0.025, 0.015, metal).moved(0, y, z + tank_height + 0.028))
        else:
            parts.append(rod((-tank_width * 0.35, y - tank_depth / 2 - 0.02, z + tank_height * 0.8), (-tank_width * 0.15, y - tank_depth / 2 - 0.03, z + tank_height * 0.78), 0.01, metal))
        if z > height + 0.1:
            parts.append(rod((0, y, height - 0.05), (0, y, z), 0.022, color))
    return merge(parts)


def bathtub(rng: np.random.Generator) -> Mesh:
    """A free-standing tub, on feet or on the floor, sometimes with a tap."""
    length, width, height = rng.uniform(1.4, 1.8), rng.uniform(0.65, 0.8), rng.uniform(0.5, 0.62)
    color = palette.ceramic(rng)
    outline = ellipse(40, length, width, pick(rng, [2.4, 4.0, 8.0]))
    base = rng.uniform(0.75, 0.95)
    profile = [(base, 0.06), (1, height - 0.02), (1.05, height - 0.02), (1.05, height), (0.93, height), (base * 0.82, 0.14), (base * 0.6, 0.12)]
    parts = [outline_loft(outline, profile, color)]
    metal = palette.metal(rng)
    if chance(rng, 0.5):
        parts += [cylinder(0.03, 0.1, metal, top_radius=0.05).moved(sx * length * 0.32, sy * width * 0.28) for sx in (-1, 1) for sy in (-1, 1)]
    else:
        parts.append(outline_loft(outline, [(base * 0.97, 0.0), (base, 0.07)], color))
    if chance(rng, 0.7):
        parts.append(tap(rng).turned("z", np.pi / 2 * 3).moved(-length * 0.48, 0, height))
    return merge(parts)
