"""Waste bins."""

from __future__ import annotations

import numpy as np

from cloud_transformers.render.mesh import Mesh, merge
from cloud_transformers.world import palette
from cloud_transformers.world.parts import (
    box,
    cylinder,
    ellipse,
    ellipsoid,
    lathe,
    outline_loft,
    rod,
    rounded_box,
    tube,
)
from cloud_transformers.world.seeds import chance, pick


def bin(rng: np.random.Generator) -> Mesh:
    """A waste bin: open, with a pedal, swing or dome lid, a wheelie bin, or a wire basket."""
    return pick(rng, [open_bin, lidded_bin, wheelie_bin, wire_basket], [3, 4, 2, 1.5])(rng)


def open_bin(rng: np.random.Generator) -> Mesh:
    radius, height = rng.uniform(0.11, 0.19), rng.uniform(0.25, 0.55)
    color = palette.plastic(rng) if chance(rng, 0.7) else palette.metal(rng)
    outline = ellipse(28, 2, 2 * rng.uniform(0.7, 1.0), pick(rng, [2.0, 2.0, 6.0]))
    foot = rng.uniform(0.68, 0.95)
    lip = 1.06 if chance(rng, 0.6) else 1.0
    profile = [(foot, 0), (1, 0.96), (lip, 0.965), (lip, 1.0), (0.95, 1.0), (foot * 0.94, 0.03)]
    parts = [outline_loft(outline, [(s * radius, z * height) for s, z in profile], color)]
    if chance(rng, 0.4):  # a liner pulled over the rim
        rim = [(0.96, 0.9), (1.02, 1.02), (1.08, 1.0), (1.07, rng.uniform(0.78, 0.9))]
        bag_color = pick(rng, [palette.dark, palette.linen])(rng)
        parts.append(outline_loft(outline, [(s * radius, z * height) for s, z in rim], bag_color, cap=False))
    if chance(rng, 0.5):
        for _ in range(int(rng.integers(2, 6))):
            size = rng.uniform(0.06, 0.1)
            paper = ellipsoid(size, size, size, palette.linen(rng), rings=5)
            x, y = rng.uniform(-0.45, 0.45, 2) * radius
            parts.append(paper.moved(x, y, height * rng.uniform(0.6, 0.88)))
    return merge(parts)


def lidded_bin(rng: np.random.Generator) -> Mesh:
    radius, height = rng.uniform(0.13, 0.2), rng.uniform(0.38, 0.75)
    color = palette.metal(rng) if chance(rng, 0.5) else palette.plastic(rng)
    dark = palette.dark(rng)
    exponent = pick(rng, [2.0, 2.0, 5.0, 8.0])
    outline = ellipse(28, 2, 2 * rng.uniform(0.75, 1.0), exponent)
    foot = rng.uniform(0.85, 1.0)
    body = [(foot, 0), (1, 1), (0.95, 1), (foot * 0.95, 0.03)]
    parts = [outline_loft(outline, [(s * radius, z * height) for s, z in body], color)]
    parts.append(outline_loft(outline, [(1.03 * foot * radius, 0), (1.03 * foot * radius, 0.03)], dark))
    style = pick(rng, ["dome", "flat", "swing"])
    if style == "dome":
        dome = [(np.cos(a) * radius * 1.03, 0.55 * np.sin(a) * radius) for a in np.linspace(0, np.pi / 2, 7)]
        lid = outline_loft(outline, [(1.03 * radius, -0.03), *dome], palette.shade(color, 0.85))
    elif style == "flat":
        lid = outline_loft(outline, [(1.04 * radius, -0.02), (1.04 * radius, 0.02), (0.9 * radius, 0.035)], dark)
    else:
        hood = [(1.03, 0), (1.0, 0.06), (0.75, 0.2), (0.7, 0.2)]
        lid = outline_loft(outline, [(s * radius, z) for s, z in hood], palette.shade(color, 0.8), cap=False)
        flap = box(radius * 1.35, radius * 1.25, 0.012, dark).turned("x", rng.uniform(-0.5, 0.5))
        lid = merge([lid, flap.moved(z=0.17)])
    if style != "swing" and chance(rng, 0.35):
        back = radius * 0.95
        lid = lid.moved(y=-back).turned("x", -rng.uniform(0.5, 1.4)).moved(y=back)
    parts.append(lid.moved(z=height))
    if chance(rng, 0.7) and style != "swing":
        parts.append(box(0.08, 0.06, 0.015, dark).moved(0, -radius * 1.0, 0.02))
    return merge(parts)


def wheelie_bin(rng: np.random.Generator) -> Mesh:
    width, height = rng.uniform(0.46, 0.58), rng.uniform(0.85, 1.05)
    depth = width * rng.uniform(0.95, 1.2)
    color = pick(
        rng, [np.array([0.15, 0.35, 0.2]), np.array([0.2, 0.3, 0.55]), np.array([0.3, 0.3, 0.32]), palette.plastic(rng)]
    )
    outline = ellipse(28, width, depth, 8.0)
    parts = [
        outline_loft(
            outline, [(0.78, 0.04), (1.0, height * 0.95), (1.06, height * 0.95), (1.06, height), (0.96, height)], color
        )
    ]
    lid = rounded_box(width * 1.08, depth * 1.06, 0.07, 0.03, palette.shade(color, 0.85)).moved(y=-depth / 2)
    angle = rng.uniform(0.3, 1.9) if chance(rng, 0.3) else 0.0
    parts.append(lid.turned("x", -angle).moved(y=depth / 2, z=height))
    parts.append(
        rod((-width * 0.4, depth * 0.6, height * 0.96), (width * 0.4, depth * 0.6, height * 0.96), 0.018, color)
    )
    for sx in (-1, 1):
        parts.append(
            rod(
                (sx * width * 0.38, depth * 0.5, height * 0.95),
                (sx * width * 0.38, depth * 0.6, height * 0.96),
                0.018,
                color,
            )
        )
        wheel = cylinder(0.1, 0.05, palette.dark(rng), segments=18).turned("y", np.pi / 2)
        parts.append(wheel.moved(sx * width * 0.45 - 0.025, depth * 0.42, 0.1))
    return merge(parts)


def wire_basket(rng: np.random.Generator) -> Mesh:
    radius, height, color = rng.uniform(0.12, 0.16), rng.uniform(0.26, 0.36), palette.metal(rng)
    foot = radius * rng.uniform(0.7, 0.85)
    parts = [lathe([(foot, 0), (foot, 0.012)], color)]
    for level in np.linspace(0.12, 1, 6):
        r = foot + (radius - foot) * level
        ring = np.column_stack([ellipse(20, 2 * r, 2 * r), np.full(20, level * height)])
        parts.append(tube(ring, 0.007 if level == 1 else 0.004, color, segments=5, loop=True))
    for angle in np.linspace(0, 2 * np.pi, 18, endpoint=False):
        c, s = np.cos(angle), np.sin(angle)
        parts.append(rod((foot * c, foot * s, 0), (radius * c, radius * s, height), 0.004, color, segments=4))
    return merge(parts)
