"""Bags, bins and boxes."""

from __future__ import annotations

import numpy as np

from cloud_transformers.datasets.world import palette
from cloud_transformers.datasets.world.mesh import Array, Mesh, merge
from cloud_transformers.datasets.world.parts import (
    arc,
    bar,
    box,
    cylinder,
    ellipse,
    ellipsoid,
    lathe,
    loft,
    outline_loft,
    rod,
    rounded_box,
    sweep,
    tube,
)
from cloud_transformers.datasets.world.seeds import chance, pick


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
            parts.append(rounded_box(0.06, depth * 0.6, height * 0.32, 0.025, trim).moved(sx * width * 0.5, 0, height * 0.05))
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
        path = np.stack([span / 2 * np.cos(angle), np.full(11, sy * radius * 0.4) , 1.85 * radius * sag + rise * np.sin(angle)], axis=1)
        parts.append(tube(path, 0.011, trim))
        for sx in (-1, 1):
            belt = [(sx * span / 2, sy * radius * 1.02 * np.cos(a), radius * sag * (1 + 1.02 * np.sin(a))) for a in np.linspace(-1.2, 1.2, 7)]
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
        parts.append(_handle(width * 0.42, rng.uniform(0.07, 0.12), sy * depth * 0.47, height * 0.96, 0.006, palette.shade(color, 0.6)))
    return merge(parts)


def suitcase(rng: np.random.Generator) -> Mesh:
    width, depth, height = rng.uniform(0.36, 0.5), rng.uniform(0.2, 0.3), rng.uniform(0.5, 0.72)
    color, dark = palette.plastic(rng), palette.dark(rng)
    parts = [rounded_box(width, depth, height, 0.06, color, 3).moved(z=0.05)]
    for x in np.linspace(-0.35, 0.35, int(rng.integers(3, 7))):
        parts.append(rounded_box(0.02, depth * 1.04, height * 0.86, 0.008, palette.shade(color, 0.85), 1).moved(x * width, 0, 0.05 + height * 0.07))
    for sx in (-1, 1):
        for sy in (-1, 1):
            wheel = cylinder(0.028, 0.03, dark, segments=12).turned("y", np.pi / 2)
            parts.append(wheel.moved(sx * width * 0.4 - 0.015, sy * depth * 0.35, 0.028))
    top = height + 0.05
    parts.append(_handle(0.14, 0.035, 0, top - 0.005, 0.01, dark))
    if chance(rng, 0.7):
        reach = top + rng.uniform(0.15, 0.42)
        path = [(-0.09, depth * 0.4, top - 0.02), (-0.09, depth * 0.4, reach), (0.09, depth * 0.4, reach), (0.09, depth * 0.4, top - 0.02)]
        parts += [rod(a, b, 0.011, palette.metal(rng)) for a, b in zip(path, path[1:], strict=False)]
    return merge(parts)


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
    color = pick(rng, [np.array([0.15, 0.35, 0.2]), np.array([0.2, 0.3, 0.55]), np.array([0.3, 0.3, 0.32]), palette.plastic(rng)])
    outline = ellipse(28, width, depth, 8.0)
    parts = [outline_loft(outline, [(0.78, 0.04), (1.0, height * 0.95), (1.06, height * 0.95), (1.06, height), (0.96, height)], color)]
    lid = rounded_box(width * 1.08, depth * 1.06, 0.07, 0.03, palette.shade(color, 0.85)).moved(y=-depth / 2)
    angle = rng.uniform(0.3, 1.9) if chance(rng, 0.3) else 0.0
    parts.append(lid.turned("x", -angle).moved(y=depth / 2, z=height))
    parts.append(rod((-width * 0.4, depth * 0.6, height * 0.96), (width * 0.4, depth * 0.6, height * 0.96), 0.018, color))
    for sx in (-1, 1):
        parts.append(rod((sx * width * 0.38, depth * 0.5, height * 0.95), (sx * width * 0.38, depth * 0.6, height * 0.96), 0.018, color))
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


def box_object(rng: np.random.Generator) -> Mesh:
    """A cardboard box shut or with open flaps, a crate, a plastic tub, a shoe box."""
    return pick(rng, [carton, carton, open_carton, crate, tub, lid_box], [2, 1, 4, 1.3, 1.3, 1])(rng)


def carton(rng: np.random.Generator) -> Mesh:
    width, depth, height = rng.uniform(0.25, 0.6), rng.uniform(0.2, 0.45), rng.uniform(0.15, 0.5)
    color = palette.cardboard(rng)
    tape = np.array([0.78, 0.68, 0.5])
    parts = [box(width, depth, height, color), box(width * 1.003, 0.05, height * 0.25, tape).moved(z=height * 0.755)]
    parts.append(box(width * 0.3, 0.004, height * 0.35, palette.linen(rng)).moved(width * 0.2, -depth / 2, height * 0.3))
    if chance(rng, 0.2):
        second = rng.uniform(0.6, 0.95)
        parts.append(box(width * second, depth * second, height * rng.uniform(0.5, 1), palette.cardboard(rng)).turned("z", rng.uniform(-0.3, 0.3)).moved(z=height))
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
            parts.append(box(0.03, 0.03, height, palette.shade(color, 0.85)).moved(sx * (width / 2 - 0.02), sy * (depth / 2 - 0.02)))
    return merge(parts)


def tub(rng: np.random.Generator) -> Mesh:
    """A plastic storage tub, with or without its lid."""
    width, depth, height = rng.uniform(0.35, 0.6), rng.uniform(0.28, 0.42), rng.uniform(0.18, 0.36)
    color = palette.plastic(rng)
    outline = ellipse(32, width, depth, 9.0)
    profile = [(0.88, 0), (1, height * 0.94), (1.07, height * 0.94), (1.07, height), (0.97, height), (0.86, 0.012)]
    parts = [outline_loft(outline, profile, color)]
    if chance(rng, 0.6):
        parts.append(outline_loft(outline, [(1.09, height - 0.01), (1.09, height + 0.02), (0.8, height + 0.025)], palette.plastic(rng)))
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


def cone_marker(rng: np.random.Generator) -> Mesh:
    """A traffic cone on its square foot."""
    height, radius = rng.uniform(0.35, 0.75), rng.uniform(0.1, 0.15)
    color = np.array([0.95, rng.uniform(0.3, 0.45), 0.1])
    parts = [rounded_box(radius * 2.6, radius * 2.6, 0.03, 0.01, palette.shade(color, 0.8))]
    parts.append(lathe([(radius, 0.03), (radius * 0.25, height)], color, 20))
    parts.append(lathe([(radius * 0.72, height * 0.38), (radius * 0.5, height * 0.65)], np.full(3, 0.95), 20, cap=False).scaled([1.03, 1.03, 1]))
    return merge(parts)


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


