"""Bags."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from cloud_transformers.render.mesh import Array, Mesh, merge
from cloud_transformers.world import palette
from cloud_transformers.world.parts import (
    box,
    cylinder,
    ellipse,
    loft,
    outline_loft,
    rod,
    rounded_box,
    sweep,
    tube,
)
from cloud_transformers.world.seeds import chance, pick


def bag(rng: np.random.Generator) -> Mesh:
    """A tote, handbag, backpack, holdall, paper bag or suitcase."""
    return pick(rng, [tote, backpack, holdall, paper_bag, suitcase], [2.5, 3, 2, 1.5, 1.5])(rng)


def _handle(width: float, rise: float, y: float, z: float, thickness: float, color: Array) -> Mesh:
    """An arch of tube from side to side in the xz plane."""
    angle = np.linspace(0, np.pi, 11)
    path = np.stack([width / 2 * np.cos(angle), np.full(11, y), z + rise * np.sin(angle) ** 0.8], axis=1)
    return tube(path, thickness, color)


def tote(rng: np.random.Generator) -> Mesh:
    width, depth, height = rng.uniform(0.28, 0.45), rng.uniform(0.1, 0.17), rng.uniform(0.22, 0.36)
    color = palette.fabric(rng)
    trim = palette.shade(color, 0.6)
    flare = rng.uniform(0.85, 1.15)
    level = np.linspace(0, 1, 7)
    belly = 1 + 0.12 * np.sin(np.pi * level) + (flare - 1) * level
    rings = []
    for scale, z in zip(belly, level, strict=True):
        ring = ellipse(24, width * scale, depth * (1.15 - 0.75 * z) * scale, 3.5)
        rings.append(np.column_stack([ring, np.full(24, z * height)]))
    inner = [ring * [0.94, 0.85, 1] + [0, 0, 0.01] for ring in rings[:0:-1]]
    parts = [loft(np.stack(rings + inner), color)]
    rise = rng.uniform(0.1, 0.24)
    for sy in (-1, 1):
        parts.append(_handle(width * rng.uniform(0.4, 0.5), rise, sy * depth * 0.2, height * 0.93, 0.009, trim))
    if chance(rng, 0.4):
        parts.append(rounded_box(width * 0.6, 0.02, height * 0.4, 0.01, trim).moved(0, -depth * 0.45, height * 0.2))
    return merge(parts)


def backpack(rng: np.random.Generator) -> Mesh:
    width, depth, height = rng.uniform(0.28, 0.36), rng.uniform(0.14, 0.22), rng.uniform(0.38, 0.52)
    color = palette.fabric(rng)
    trim = palette.fabric(rng) if chance(rng, 0.3) else palette.shade(color, 0.7)
    level = np.linspace(0, 1, 10)
    scale = np.minimum(1.0, np.sqrt(np.maximum(1 - np.maximum((level - 0.62) / 0.385, 0) ** 2.2, 0.02)))
    scale[0] = 0.9
    rings = []
    for s, z in zip(scale, level, strict=True):
        ring = ellipse(24, width * s, depth * (0.55 + 0.45 * s), 4.0)
        rings.append(np.column_stack([ring[:, 0], ring[:, 1] + 0.25 * depth * (1 - s), np.full(24, z * height)]))
    parts = [loft(np.stack(rings), color)]
    pocket = rounded_box(width * 0.75, depth * 0.45, height * rng.uniform(0.38, 0.5), 0.04, trim, 3)
    parts.append(pocket.moved(0, -depth * 0.55, height * 0.06))
    if chance(rng, 0.6):
        for sx in (-1, 1):
            parts.append(
                rounded_box(0.06, depth * 0.6, height * 0.32, 0.025, trim).moved(sx * width * 0.5, 0, height * 0.05)
            )
    strap = ellipse(8, 0.055, 0.012, 4.0)
    for sx in (-1, 1):
        t = np.linspace(0, 1, 11)
        out = depth * 0.5 + 0.075 * np.sin(np.pi * t) ** 0.7
        path = np.stack([sx * width * (0.18 + 0.14 * t), out, height * (0.92 - 0.85 * t)], axis=1)
        parts.append(sweep(path, strap, trim))
    parts.append(_handle(0.09, 0.05, depth * 0.35, height * 0.95, 0.009, trim))
    bag_mesh = merge(parts)
    return bag_mesh.turned("x", rng.uniform(-0.12, 0.05)).grounded() if chance(rng, 0.4) else bag_mesh


def holdall(rng: np.random.Generator) -> Mesh:
    length, radius = rng.uniform(0.45, 0.7), rng.uniform(0.12, 0.17)
    color = palette.fabric(rng)
    trim = palette.shade(color, 0.55)
    sag = rng.uniform(0.8, 1.0)
    t = np.linspace(-1, 1, 11)
    swell = np.maximum(1 - np.abs(t) ** 6, 0.0) ** 0.3 * 0.4 + 0.6
    rings = []
    for x, s in zip(t, swell, strict=True):
        ring = ellipse(20, 2 * radius * s, 2 * radius * s * sag, 3.0)
        rings.append(np.column_stack([np.full(20, x * length / 2), ring[:, 0], ring[:, 1] + radius * sag]))
    parts = [loft(np.stack(rings), color)]
    for sy in (-1, 1):
        span, rise = length * 0.36, rng.uniform(0.1, 0.16)
        angle = np.linspace(0, np.pi, 11)
        path = np.stack(
            [span / 2 * np.cos(angle), np.full(11, sy * radius * 0.4), 1.85 * radius * sag + rise * np.sin(angle)],
            axis=1,
        )
        parts.append(tube(path, 0.011, trim))
        for sx in (-1, 1):
            belt = [
                (sx * span / 2, sy * radius * 1.02 * np.cos(a), radius * sag * (1 + 1.02 * np.sin(a)))
                for a in np.linspace(-1.2, 1.2, 7)
            ]
            parts.append(sweep(belt, ellipse(6, 0.012, 0.04), trim))
    parts.append(box(length * 0.8, 0.012, 0.006, trim).moved(z=2 * radius * sag))
    if chance(rng, 0.5):
        parts.append(rounded_box(length * 0.5, 0.04, radius, 0.015, trim).moved(0, -radius * 1.0, radius * 0.4))
    return merge(parts)


def paper_bag(rng: np.random.Generator) -> Mesh:
    width, depth, height = rng.uniform(0.22, 0.36), rng.uniform(0.1, 0.16), rng.uniform(0.28, 0.42)
    color = palette.cardboard(rng) if chance(rng, 0.5) else palette.plastic(rng)
    corner = np.array([[-1, -1], [0, -1], [1, -1], [1, 0], [1, 1], [0, 1], [-1, 1], [-1, 0]]) / 2
    corner[[3, 7], 0] *= rng.uniform(0.75, 0.95)
    profile = np.array([(1, 0), (1, height), (0.97, height), (0.97, 0.01)])
    parts = [outline_loft(corner * [width, depth], profile, color)]
    for sy in (-1, 1):
        parts.append(
            _handle(
                width * 0.42,
                rng.uniform(0.07, 0.12),
                sy * depth * 0.47,
                height * 0.96,
                0.006,
                palette.shade(color, 0.6),
            )
        )
    return merge(parts)


def suitcase(rng: np.random.Generator) -> Mesh:
    width, depth, height = rng.uniform(0.36, 0.5), rng.uniform(0.2, 0.3), rng.uniform(0.5, 0.72)
    color, dark = palette.plastic(rng), palette.dark(rng)
    parts = [rounded_box(width, depth, height, 0.06, color, 3).moved(z=0.05)]
    for x in np.linspace(-0.35, 0.35, int(rng.integers(3, 7))):
        parts.append(
            rounded_box(0.02, depth * 1.04, height * 0.86, 0.008, palette.shade(color, 0.85), 1).moved(
                x * width, 0, 0.05 + height * 0.07
            )
        )
    for sx in (-1, 1):
        for sy in (-1, 1):
            wheel = cylinder(0.028, 0.03, dark, segments=12).turned("y", np.pi / 2)
            parts.append(wheel.moved(sx * width * 0.4 - 0.015, sy * depth * 0.35, 0.028))
    top = height + 0.05
    parts.append(_handle(0.14, 0.035, 0, top - 0.005, 0.01, dark))
    if chance(rng, 0.7):
        reach = top + rng.uniform(0.15, 0.42)
        path = [
            (-0.09, depth * 0.4, top - 0.02),
            (-0.09, depth * 0.4, reach),
            (0.09, depth * 0.4, reach),
            (0.09, depth * 0.4, top - 0.02),
        ]
        parts += [rod(a, b, 0.011, palette.metal(rng)) for a, b in pairwise(path)]
    return merge(parts)
