"""Legs and bases that tables, chairs, cabinets and sofas stand on."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from cloud_transformers.render.mesh import Array, Mesh, merge
from cloud_transformers.world.parts import bar, cylinder, lathe, rod, tube
from cloud_transformers.world.seeds import chance, pick


def four_legs(
    width: float, depth: float, height: float, thickness: float, color: Array, rng: np.random.Generator
) -> Mesh:
    """Four legs below a top of this size, all of one style: square, round, tapered, splayed or turned."""
    style = pick(rng, ["square", "round", "tapered", "splayed", "turned"], [3, 2, 2, 2, 1])
    splay = rng.uniform(0.03, 0.1) if style == "splayed" else 0.0
    parts = []
    x, y = width / 2 - thickness, depth / 2 - thickness
    for sx, sy in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
        top = (sx * x * (1 - splay), sy * y * (1 - splay), height)
        foot = (sx * x * (1 + splay), sy * y * (1 + splay), 0.0)
        if style == "square":
            parts.append(bar(foot, top, thickness, color))
        elif style in ("round", "splayed"):
            parts.append(rod(foot, top, thickness / 2, color))
        else:
            low, knob = (0.3, 0.5) if style == "tapered" else (0.35, 0.62)
            profile = [(low, 0.0), (knob, 0.6), (0.35 if style == "turned" else 0.5, 0.7), (0.6, 0.85), (0.6, 1.0)]
            rows = [(radius * thickness, level * height) for radius, level in profile]
            parts.append(lathe(rows, color, 10).moved(sx * x, sy * y))
    if chance(rng, 0.25) and style in ("square", "round") and height > 0.3:
        level = height * rng.uniform(0.15, 0.4)
        for sx in (-1, 1):
            parts.append(bar((sx * x, -y, level), (sx * x, y, level), thickness * 0.6, color))
        parts.append(bar((-x, 0, level), (x, 0, level), thickness * 0.6, color))
    return merge(parts)


def sled_legs(width: float, depth: float, height: float, thickness: float, color: Array) -> Mesh:
    """Two closed frames of bent tube, left and right."""
    parts = []
    for sx in (-1, 1):
        x, y = sx * (width / 2 - thickness), depth / 2 - thickness
        corners = [(x, -y, height), (x, -y, thickness), (x, y, thickness), (x, y, height)]
        parts += [bar(a, b, thickness, color) for a, b in pairwise(corners)]
    return merge(parts)


def pedestal(radius: float, height: float, color: Array, rng: np.random.Generator) -> Mesh:
    """One column on a flat, domed or trumpet-shaped foot."""
    column = rng.uniform(0.08, 0.2) * radius + 0.02
    style = pick(rng, ["disc", "tulip", "cross"])
    if style == "disc":
        return merge([cylinder(radius, 0.025, color, segments=24), cylinder(column, height, color)])
    if style == "tulip":
        level = np.linspace(0, 1, 9)
        swell = column + (radius - column) * (1 - level) ** 4 + 0.5 * radius * np.maximum(level - 0.8, 0) ** 1.5
        return lathe(np.stack([swell, level * height], axis=1), color, 20)
    feet = []
    for k in range(4):
        angle = k * np.pi / 2 + np.pi / 4
        tip = (radius * np.cos(angle), radius * np.sin(angle), 0.03)
        feet.append(bar((0, 0, 0.08), tip, 0.05, color))
    return merge([cylinder(column, height, color), *feet])


def star_base(radius: float, height: float, color: Array, dark: Array, rng: np.random.Generator) -> Mesh:
    """The five-armed base of an office chair, with castors and a gas lift."""
    parts = [cylinder(0.028, height - 0.09, color, segments=12).moved(z=0.09), cylinder(0.05, 0.08, dark).moved(z=0.07)]
    arms = int(pick(rng, [5, 5, 5, 4]))
    turn = rng.uniform(0, np.pi)
    for k in range(arms):
        angle = turn + 2 * np.pi * k / arms
        c, s = np.cos(angle), np.sin(angle)
        parts.append(bar((0.03 * c, 0.03 * s, 0.11), (radius * c, radius * s, 0.075), 0.04, color, 0.03))
        wheel = cylinder(0.03, 0.04, dark, segments=10).turned("x", np.pi / 2).moved(y=0.02, z=0.03)
        parts.append(wheel.turned("z", rng.uniform(0, np.pi)).moved(radius * c, radius * s))
    return merge(parts)


def cantilever(width: float, depth: float, height: float, back_height: float, color: Array) -> Mesh:
    """The bent steel tube of a Freischwinger: floor loop, front uprights, seat rails and back uprights in one line."""
    x, y = width / 2, depth / 2
    side = [(y, 0.02), (-y + 0.05, 0.02), (-y, 0.06), (-y, height - 0.05), (-y + 0.05, height)]
    side += [(y - 0.05, height), (y, height + 0.06), (y + 0.07, back_height)]
    path = [(-x, a, b) for a, b in reversed(side)] + [(x, a, b) for a, b in side]
    return tube(path, 0.013, color)
