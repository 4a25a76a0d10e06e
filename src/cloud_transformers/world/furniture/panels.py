"""Displays and doors; boards and windows for rooms."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from cloud_transformers.render.mesh import Array, Mesh, merge
from cloud_transformers.world import palette
from cloud_transformers.world.parts import (
    bar,
    box,
    cylinder,
    ellipse,
    loft,
    outline_loft,
    rod,
    rounded_box,
    tube,
)
from cloud_transformers.world.seeds import chance, pick


def _screen(
    width: float, height: float, thickness: float, curve: float, frame: Array, rng: np.random.Generator
) -> Mesh:
    """A flat panel with bezel and a bulge behind, its lower edge on z = 0, facing -y; `curve` bows it."""
    bezel = rng.uniform(0.008, 0.025)
    parts = [rounded_box(width, thickness, height, 0.008, frame, 1)]
    picture = palette.dark(rng) if chance(rng, 0.6) else palette.plastic(rng)
    parts.append(
        box(width - 2 * bezel, 0.004, height - 2.5 * bezel, picture).moved(0, -thickness / 2 - 0.001, bezel * 1.4)
    )
    if chance(rng, 0.6):
        hump = rounded_box(width * 0.6, thickness * 1.4, height * 0.5, 0.015, frame, 1)
        parts.append(hump.moved(0, thickness * 0.9, height * 0.15))
    if curve:
        grid = np.linspace(-1, 1, 9)
        front = np.array(
            [
                [(x * width / 2, -thickness / 2, z), (x * width / 2, thickness / 2, z)]
                for z in (0.0, height)
                for x in grid
            ]
        )
        strip = front.reshape(2, 9, 2, 3)
        rings = [np.concatenate([strip[0, k], strip[1, k, ::-1]]) for k in range(9)]
        parts[0] = loft(np.stack(rings), frame)
        parts[1] = loft(np.stack([ring * [0.97, 1.2, 0.94] + [0, -0.003, 0.03 * height] for ring in rings]), picture)
    mesh = merge(parts)
    if not curve:
        return mesh

    def bow(v: Array) -> Array:
        v[:, 1] += curve * (0.35 - (2 * v[:, 0] / width) ** 2)
        return v

    return mesh.mapped(bow)


def display(rng: np.random.Generator) -> Mesh:
    """A monitor, a television on feet, on an arm or on a trolley, or an old tube monitor."""
    kind = pick(rng, ["monitor", "tv", "arm", "crt", "all-in-one"], [5, 3, 1, 1.3, 1])
    frame = palette.dark(rng) if chance(rng, 0.75) else palette.metal(rng)
    if kind == "crt":
        return _tube_monitor(rng, frame)
    if kind == "tv":
        width = rng.uniform(0.8, 1.4)
        height, thickness = width * 0.57, rng.uniform(0.03, 0.07)
        parts = [_screen(width, height, thickness, 0.0, frame, rng).moved(z=0.07)]
        if chance(rng, 0.5):
            for sx in (-1, 1):
                x = sx * width * rng.uniform(0.3, 0.32)
                parts.append(bar((x, 0, 0.08), (x + sx * 0.03, -0.13, 0.01), 0.022, frame))
                parts.append(bar((x, 0, 0.08), (x + sx * 0.03, 0.13, 0.01), 0.022, frame))
        else:
            parts.append(rounded_box(width * 0.4, 0.24, 0.018, 0.008, frame, 1))
            parts.append(box(width * 0.12, 0.04, 0.12, frame))
        return merge(parts)
    width = rng.uniform(0.42, 0.82)
    height = width * pick(rng, [0.75, 0.6, 0.58, 0.45])
    thickness, lift = rng.uniform(0.02, 0.05), rng.uniform(0.07, 0.17)
    curve = rng.uniform(0.03, 0.06) if width > 0.65 and chance(rng, 0.4) else 0.0
    tilt = rng.uniform(-0.12, 0.08)
    screen = _screen(width, height, thickness, curve, frame, rng).turned("x", -tilt).moved(y=-0.05, z=lift)
    if kind == "arm":
        z = lift + height / 2
        arm = [(0, 0.02, z), (rng.uniform(-0.15, 0.15), 0.2, z), (0, 0.3, z - 0.1), (0, 0.3, 0.03)]
        parts = [tube([a, b], 0.018, frame) for a, b in pairwise(arm)]
        return merge([screen, *parts, box(0.1, 0.1, 0.03, frame).moved(0, 0.3)])
    stand = pick(rng, ["plate", "round", "vee", "ring"])
    neck = bar((0, 0.03, 0.01), (0, 0.0, lift + height * 0.45), rng.uniform(0.04, 0.09), frame, 0.025)
    if kind == "all-in-one":
        neck = bar((0, 0.12, 0.0), (0, 0.0, lift + height * 0.3), width * 0.3, frame, 0.015)
    parts = [screen, neck]
    if stand == "plate":
        parts.append(
            rounded_box(width * rng.uniform(0.3, 0.5), rng.uniform(0.16, 0.22), 0.015, 0.007, frame, 1).moved(y=0.01)
        )
    elif stand == "round":
        radius = rng.uniform(0.1, 0.14)
        parts.append(outline_loft(ellipse(28, 2.4 * radius, 2 * radius), [(1, 0), (1, 0.01), (0.3, 0.025)], frame))
    elif stand == "vee":
        for sx in (-1, 1):
            parts.append(bar((0, 0.05, 0.012), (sx * width * 0.3, -0.14, 0.008), 0.03, frame, 0.016))
        parts.append(bar((0, 0.05, 0.012), (0, 0.12, 0.008), 0.03, frame, 0.016))
    else:
        loop = np.column_stack([ellipse(24, width * 0.45, 0.2, 3.0), np.full(24, 0.012)])
        parts.append(tube(loop, 0.011, frame, loop=True))
        parts.append(bar((0, 0.1, 0.012), (0, 0.02, 0.03), 0.04, frame))
    if kind == "all-in-one":
        parts.append(
            rounded_box(width, thickness, 0.06, 0.006, palette.shade(frame, 1.5), 1).moved(0, -0.05, lift - 0.06)
        )
    return merge(parts)


def _tube_monitor(rng: np.random.Generator, frame: Array) -> Mesh:
    width = rng.uniform(0.36, 0.55)
    height, depth = width * rng.uniform(0.78, 0.88), width * rng.uniform(0.8, 1.0)
    color = np.array([0.8, 0.77, 0.68]) if chance(rng, 0.5) else frame
    square = ellipse(28, width, height, 9.0)
    rows = [(0.86, 0.012), (0.9, -0.02), (1.0, -0.02), (1.0, 0.1), (0.92, 0.13), (0.62, depth * 0.8), (0.55, depth)]
    rings = [np.column_stack([square[:, 0] * s, np.full(28, y), square[:, 1] * s]) for s, y in rows]
    parts = [loft(np.stack(rings), color)]
    glass = [
        np.column_stack([square[:, 0] * s, np.full(28, y), square[:, 1] * s])
        for s, y in ((0.87, 0.0), (0.6, -0.012), (0.2, -0.018))
    ]
    parts.append(loft(np.stack(glass), palette.dark(rng)))
    body = merge(parts).moved(y=-depth * 0.4, z=height / 2 + 0.06)
    foot = merge([cylinder(width * 0.32, 0.02, color), cylinder(width * 0.18, 0.07, color)])
    return merge([body, foot])


def door(rng: np.random.Generator) -> Mesh:
    """A door leaf in its frame, shut or ajar: plain, panelled, glazed or double, with handle or knob."""
    double = chance(rng, 0.18)
    leaf = rng.uniform(0.7, 0.95)
    return door_in_frame(rng, leaf=leaf, height=rng.uniform(1.95, 2.15), leaves=2 if double else 1)


def door_in_frame(
    rng: np.random.Generator, *, leaf: float, height: float, leaves: int = 1, ajar: bool | None = None
) -> Mesh:
    """The door of this leaf width and height, centred on x = 0 in the plane y = 0."""
    color = pick(rng, [palette.wood, palette.wood, palette.wall_paint, palette.metal])(rng)
    trim = color if chance(rng, 0.5) else palette.wood(rng)
    width, jamb = leaf * leaves, rng.uniform(0.05, 0.1)
    wall = rng.uniform(0.1, 0.18)
    parts = [box(jamb, wall, height + jamb, trim).moved(sx * (width + jamb) / 2) for sx in (-1, 1)]
    parts.append(box(width, wall, jamb, trim).moved(z=height))
    style = pick(rng, ["plain", "panels", "glazed", "louvre"], [2, 4, 2, 1])
    rows, columns = int(rng.integers(2, 4)), int(rng.integers(1, 3))
    handle = pick(rng, ["lever", "knob", "bar"], [4, 2, 1])
    for k in range(leaves):
        hinge = -1 if k == 0 else 1
        mesh = _leaf(leaf, height, style, rows, columns, handle, -hinge, color, rng)
        swing = chance(rng, 0.55) if ajar is None else ajar
        if swing:
            mesh = (
                mesh.moved(x=-hinge * leaf / 2).turned("z", hinge * rng.uniform(0.15, 1.75)).moved(x=hinge * leaf / 2)
            )
        parts.append(mesh.moved(x=hinge * leaf / 2 if leaves == 2 else 0.0))
    return merge(parts)


def _leaf(
    width: float, height: float, style: str, rows: int, columns: int, handle: str, side: int, color: Array,
    rng: np.random.Generator,
) -> Mesh:  # fmt: skip
    thickness = 0.04
    parts: list[Mesh] = []
    margin = width * 0.14
    edges_x = np.linspace(-width / 2 + margin, width / 2 - margin, columns + 1)
    edges_z = np.linspace(margin * 1.4, height - margin, rows + 1)
    if style == "glazed":
        pane = np.array([0.72, 0.82, 0.86])
        parts += [box(margin, thickness, height, color).moved(sx * (width - margin) / 2) for sx in (-1, 1)]
        for z in edges_z:
            parts.append(
                box(width, thickness, margin * (1.4 if z == edges_z[0] else 0.8), color).moved(
                    z=z - (margin * 1.4 if z == edges_z[0] else 0)
                )
            )
        for x in edges_x[1:-1]:
            parts.append(box(0.05, thickness, height, color).moved(x))
        parts.append(box(width * 0.9, 0.008, height * 0.95, pane))
    else:
        parts.append(box(width, thickness, height, color))
    if style == "panels":
        for x0, x1 in pairwise(edges_x):
            for z0, z1 in pairwise(edges_z):
                w, h = (x1 - x0) * 0.86, (z1 - z0) * 0.9
                panel = box(w, thickness + 0.03, h, palette.shade(color, 0.92))
                parts.append(panel.moved((x0 + x1) / 2, 0, z0))
    elif style == "louvre":
        for z in np.arange(margin * 1.5, height - margin, 0.06):
            parts.append(box(width * 0.72, thickness + 0.03, 0.035, palette.shade(color, 0.9)).moved(z=z))
    metal = palette.metal(rng)
    x, z = side * (width / 2 - 0.07), rng.uniform(0.95, 1.08)
    for sy in (-1, 1):
        y = sy * (thickness / 2 + 0.055)
        if handle == "lever":
            parts.append(rod((x, 0, z), (x, y, z), 0.011, metal))
            parts.append(rod((x + side * 0.01, y, z), (x - side * 0.12, y, z), 0.011, metal))
            parts.append(box(0.045, thickness + 0.012, 0.2, metal).moved(x, 0, z - 0.12))
        elif handle == "knob":
            parts.append(rod((x, 0, z), (x, y, z), 0.012, metal))
            parts.append(rounded_box(0.058, 0.05, 0.058, 0.024, metal).moved(x, y, z - 0.029))
        else:
            parts.append(rod((x, y, z - 0.35), (x, y, z + 0.35), 0.014, metal))
            parts += [rod((x, 0, z + dz), (x, y, z + dz), 0.01, metal) for dz in (-0.3, 0.3)]
    return merge(parts)


def board(rng: np.random.Generator, width: float, height: float) -> Mesh:
    """A white, green or cork board with frame and tray, its back in the plane y = 0, its lower edge on z = 0."""
    surface = pick(rng, [np.full(3, 0.95), np.full(3, 0.92), np.array([0.16, 0.32, 0.24]), np.array([0.7, 0.52, 0.34])])
    frame = palette.metal(rng)
    parts = [box(width, 0.02, height, surface).moved(y=-0.012)]
    parts += [box(0.025, 0.035, height, frame).moved(sx * width / 2, -0.018) for sx in (-1, 1)]
    parts += [box(width, 0.035, 0.025, frame).moved(0, -0.018, z) for z in (0.0, height - 0.025)]
    if chance(rng, 0.7):
        parts.append(box(width * 0.6, 0.07, 0.015, frame).moved(0, -0.05, -0.01))
    return merge(parts)


def window(rng: np.random.Generator, width: float, height: float) -> Mesh:
    """Frame, panes, mullions and sill, the panes in the plane y = 0, its lower edge on z = 0."""
    frame = pick(rng, [np.full(3, 0.93), palette.wood(rng), palette.metal(rng)])
    sky = np.array([0.62, 0.75, 0.88]) * rng.uniform(0.85, 1.1)
    parts = [box(width, 0.012, height, np.clip(sky, 0, 1))]
    columns = max(1, round(width / rng.uniform(0.6, 1.0)))
    for x in np.linspace(-width / 2, width / 2, columns + 1):
        parts.append(box(0.055, 0.07, height, frame).moved(x))
    for z in [0.0, height - 0.05, *([height * rng.uniform(0.6, 0.75)] if chance(rng, 0.5) else [])]:
        parts.append(box(width, 0.07, 0.05, frame).moved(z=z))
    parts.append(box(width + 0.1, 0.22, 0.03, frame).moved(0, -0.1, -0.03))
    if chance(rng, 0.35):
        drop = height * rng.uniform(0.2, 0.7)
        for z in np.arange(height - drop, height, 0.06):
            parts.append(box(width * 0.97, 0.035, 0.008, np.full(3, 0.85)).turned("x", 0.5).moved(0, -0.06, z))
    return merge(parts)
