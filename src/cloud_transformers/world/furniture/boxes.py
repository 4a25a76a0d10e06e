"""Boxes of cardboard, wood, plastic and glass, and traffic cones."""

from __future__ import annotations

import numpy as np

from cloud_transformers.render.mesh import Mesh, merge
from cloud_transformers.world import palette
from cloud_transformers.world.parts import bar, box, ellipse, lathe, outline_loft, rounded_box
from cloud_transformers.world.seeds import chance, pick


def box_object(rng: np.random.Generator) -> Mesh:
    """A cardboard box shut or with open flaps, a crate, a plastic tub, a shoe box."""
    return pick(rng, [carton, carton, open_carton, crate, tub, lid_box], [2, 1, 4, 1.3, 1.3, 1])(rng)


def carton(rng: np.random.Generator) -> Mesh:
    width, depth, height = rng.uniform(0.25, 0.6), rng.uniform(0.2, 0.45), rng.uniform(0.15, 0.5)
    color = palette.cardboard(rng)
    tape = np.array([0.78, 0.68, 0.5])
    parts = [box(width, depth, height, color), box(width * 1.003, 0.05, height * 0.25, tape).moved(z=height * 0.755)]
    parts.append(
        box(width * 0.3, 0.004, height * 0.35, palette.linen(rng)).moved(width * 0.2, -depth / 2, height * 0.3)
    )
    if chance(rng, 0.2):
        second = rng.uniform(0.6, 0.95)
        parts.append(
            box(width * second, depth * second, height * rng.uniform(0.5, 1), palette.cardboard(rng))
            .turned("z", rng.uniform(-0.3, 0.3))
            .moved(z=height)
        )
    return merge(parts)


def open_carton(rng: np.random.Generator) -> Mesh:
    width, depth, height = rng.uniform(0.28, 0.55), rng.uniform(0.22, 0.45), rng.uniform(0.18, 0.42)
    color, t = palette.cardboard(rng), 0.006
    inside = palette.shade(color, 0.85)
    parts = [box(width, depth, t, inside)]
    parts += [box(width, t, height, color).moved(y=sy * (depth / 2 - t / 2)) for sy in (-1, 1)]
    parts += [box(t, depth, height, color).moved(x=sx * (width / 2 - t / 2)) for sx in (-1, 1)]
    flap = depth / 2
    for side in range(4):
        if chance(rng, 0.12):
            continue
        angle = rng.uniform(-0.6, 1.25)  # up-right is negative, hanging outside positive
        span, offset = (width, depth / 2) if side % 2 == 0 else (depth, width / 2)
        leaf = box(span * 0.98, flap, t, color).moved(y=-flap / 2).turned("x", angle)
        parts.append(leaf.moved(y=-offset, z=height).turned("z", side * np.pi / 2))
    if chance(rng, 0.3):
        parts.append(rounded_box(width * 0.6, depth * 0.6, height * rng.uniform(0.5, 1.1), 0.02, palette.fabric(rng)))
    return merge(parts)


def crate(rng: np.random.Generator) -> Mesh:
    width, depth, height = rng.uniform(0.35, 0.6), rng.uniform(0.25, 0.4), rng.uniform(0.2, 0.36)
    color = palette.wood(rng)
    slats = int(rng.integers(2, 5))
    plank = height / slats * 0.75
    parts = [box(width, depth, 0.012, color)]
    for k in range(slats):
        z = k * height / slats
        parts += [box(width, 0.014, plank, color).moved(0, sy * depth / 2, z) for sy in (-1, 1)]
        parts += [box(0.014, depth, plank, color).moved(sx * width / 2, 0, z) for sx in (-1, 1)]
    for sx in (-1, 1):
        for sy in (-1, 1):
            parts.append(
                box(0.03, 0.03, height, palette.shade(color, 0.85)).moved(
                    sx * (width / 2 - 0.02), sy * (depth / 2 - 0.02)
                )
            )
    return merge(parts)


def tub(rng: np.random.Generator) -> Mesh:
    """A plastic storage tub, with or without its lid."""
    width, depth, height = rng.uniform(0.35, 0.6), rng.uniform(0.28, 0.42), rng.uniform(0.18, 0.36)
    color = palette.plastic(rng)
    outline = ellipse(32, width, depth, 9.0)
    profile = [(0.88, 0), (1, height * 0.94), (1.07, height * 0.94), (1.07, height), (0.97, height), (0.86, 0.012)]
    parts = [outline_loft(outline, profile, color)]
    if chance(rng, 0.6):
        parts.append(
            outline_loft(
                outline, [(1.09, height - 0.01), (1.09, height + 0.02), (0.8, height + 0.025)], palette.plastic(rng)
            )
        )
        for sx in (-1, 1):
            parts.append(box(0.03, depth * 0.3, 0.05, palette.dark(rng)).moved(sx * width * 0.55, 0, height - 0.03))
    return merge(parts)


def lid_box(rng: np.random.Generator) -> Mesh:
    width, depth, height = rng.uniform(0.28, 0.4), rng.uniform(0.18, 0.3), rng.uniform(0.1, 0.25)
    color = palette.plastic(rng)
    lid = box(width * 1.04, depth * 1.05, 0.05, palette.shade(color, 0.8))
    if chance(rng, 0.3):
        lid = lid.turned("z", rng.uniform(-0.4, 0.4)).moved(rng.uniform(-0.06, 0.06), rng.uniform(-0.06, 0.06), 0.04)
    return merge([box(width, depth, height, color), lid.moved(z=height - 0.04)])


def glass_box(rng: np.random.Generator) -> Mesh:
    """A case of thin panes held by a frame of bars."""
    width, depth, height = rng.uniform(0.3, 0.9), rng.uniform(0.25, 0.5), rng.uniform(0.3, 0.9)
    frame = palette.metal(rng)
    x, y = width / 2, depth / 2
    feet = [(-x, -y), (x, -y), (x, y), (-x, y)]
    parts = [bar((a, b, 0), (a, b, height), 0.02, frame) for a, b in feet]
    for z in (0.0, height):
        parts += [bar((*a, z), (*b, z), 0.02, frame) for a, b in zip(feet, feet[1:] + feet[:1], strict=True)]
    parts.append(box(width, depth, height, np.array([0.75, 0.85, 0.88])))
    return merge(parts)


def cone_marker(rng: np.random.Generator) -> Mesh:
    """A traffic cone on its square foot."""
    height, radius = rng.uniform(0.35, 0.75), rng.uniform(0.1, 0.15)
    color = np.array([0.95, rng.uniform(0.3, 0.45), 0.1])
    parts = [rounded_box(radius * 2.6, radius * 2.6, 0.03, 0.01, palette.shade(color, 0.8))]
    parts.append(lathe([(radius, 0.03), (radius * 0.25, height)], color, 20))
    parts.append(
        lathe([(radius * 0.72, height * 0.38), (radius * 0.5, height * 0.65)], np.full(3, 0.95), 20, cap=False).scaled(
            [1.03, 1.03, 1]
        )
    )
    return merge(parts)
