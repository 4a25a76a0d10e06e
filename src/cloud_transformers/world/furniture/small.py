"""Small things: what lies on tables and floors."""

from __future__ import annotations

import numpy as np

from cloud_transformers.render.mesh import Mesh, merge
from cloud_transformers.world import palette
from cloud_transformers.world.parts import arc, box, cylinder, lathe, rod, rounded_box, sheet, tube
from cloud_transformers.world.seeds import chance


def bottle(rng: np.random.Generator) -> Mesh:
    r, h = rng.uniform(0.03, 0.045), rng.uniform(0.2, 0.33)
    neck = rng.uniform(0.3, 0.45)
    shoulder = rng.uniform(0.55, 0.72)
    profile = [
        (0.9, 0),
        (1, 0.03),
        (1, shoulder),
        (neck, shoulder + 0.15),
        (neck, 0.93),
        (neck * 1.2, 0.94),
        (neck * 1.2, 1),
    ]
    return lathe([(a * r, b * h) for a, b in profile], palette.plastic(rng))


def bowl(rng: np.random.Generator) -> Mesh:
    r, h = rng.uniform(0.07, 0.15), rng.uniform(0.04, 0.1)
    profile = [(0.45, 0), (0.45, 0.08), (0.8, 0.4), (1, 1), (0.95, 1), (0.75, 0.45), (0.4, 0.15), (0.05, 0.12)]
    return lathe([(a * r, b * h) for a, b in profile], palette.plastic(rng), 24)


def cup(rng: np.random.Generator) -> Mesh:
    r, h = rng.uniform(0.035, 0.05), rng.uniform(0.07, 0.12)
    color, foot = palette.plastic(rng), rng.uniform(0.65, 1.0)
    body = lathe([(foot * r, 0), (r, h), (0.9 * r, h), (foot * 0.88 * r, 0.008)], color)
    handle = tube(arc((r * 0.92, 0, h * 0.52), h * 0.28, -np.pi / 2, np.pi / 2, "xz"), 0.006, color)
    return merge([body, handle])


def vase(rng: np.random.Generator) -> Mesh:
    r, h = rng.uniform(0.06, 0.12), rng.uniform(0.2, 0.45)
    level = np.linspace(0, 1, 12)
    turn, belly, lip = rng.uniform(3.5, 6.0), rng.uniform(0.15, 0.35), rng.uniform(0.0, 0.3)
    swell = 0.62 + belly * np.sin(turn * level + rng.uniform(-0.6, 0.8)) + lip * level**6
    outer = np.stack([np.maximum(swell, 0.2) * r, level * h], axis=1)
    inner = outer[:3:-1] * [0.9, 1.0]
    return lathe(np.concatenate([outer, inner]), palette.plastic(rng), 24)


def flower_pot(rng: np.random.Generator) -> Mesh:
    r, h = rng.uniform(0.08, 0.18), rng.uniform(0.14, 0.3)
    color = np.array([0.7, 0.38, 0.25]) if chance(rng, 0.5) else palette.plastic(rng)
    profile = [(0.65, 0), (0.95, 0.8), (1.05, 0.8), (1.05, 1), (0.93, 1), (0.9, 0.88), (0.01, 0.86)]
    return lathe([(a * r, b * h) for a, b in profile], color, 24)


def plant(rng: np.random.Generator) -> Mesh:
    """Leaves on bent stems out of a pot."""
    pot = flower_pot(rng)
    top, spread = pot.bounds()[1][2] * 0.85, rng.uniform(0.15, 0.4)
    green = np.array([rng.uniform(0.12, 0.3), rng.uniform(0.4, 0.6), rng.uniform(0.1, 0.25)])
    tall, long = rng.uniform(0.2, 0.8), rng.uniform(0.12, 0.3)
    parts = [pot]
    for _ in range(int(rng.integers(12, 26))):
        angle, out, rise = rng.uniform(0, 2 * np.pi), rng.uniform(0.2, 1) * spread, rng.uniform(0.4, 1) * tall
        t = np.linspace(0, 1, 5)
        stem = np.stack([out * t**1.5, 0 * t, top + rise * (1 - (1 - t) ** 1.6)], axis=1)
        u = np.linspace(0, 1, 6)
        half = rng.uniform(0.25, 0.35) * long * np.sin(np.pi * (0.05 + 0.95 * u)) ** 0.8
        mid = np.stack([stem[-1, 0] + long * u, 0 * u, stem[-1, 2] - long * 0.6 * u**2 + 0.1 * long * u], axis=1)
        leaf = np.stack(
            [mid + np.outer(half * s, [0, 1, 0]) + np.outer(abs(s) * half, [0, 0, 0.25]) for s in (-1, 0, 1)]
        )
        shade = palette.shade(green, rng.uniform(0.7, 1.3))
        parts.append(merge([tube(stem, 0.006, green, segments=5), sheet(leaf, shade)]).turned("z", angle))
    return merge(parts)


def lamp(rng: np.random.Generator) -> Mesh:
    """A table or floor lamp with a shade."""
    floor = chance(rng, 0.5)
    h, r = (
        (rng.uniform(1.3, 1.7), rng.uniform(0.14, 0.24)) if floor else (rng.uniform(0.35, 0.6), rng.uniform(0.1, 0.18))
    )
    metal = palette.metal(rng)
    foot = lathe([(r * 0.75, 0), (r * 0.75, 0.015), (0.02, 0.035)], metal)
    drop = r * rng.uniform(1.0, 1.6)
    shade_color = np.array([0.95, 0.9, 0.75]) if chance(rng, 0.6) else palette.fabric(rng)
    top = r * rng.uniform(0.45, 0.95)
    shade = lathe([(r, h - drop), (top, h), (top * 0.97, h), (r * 0.97, h - drop)], shade_color, 24, cap=False)
    if floor or chance(rng, 0.5):
        stem = cylinder(0.012, h - drop * 0.4, metal)
    else:
        level = np.linspace(0, 1, 9)
        stem = lathe(
            np.stack([0.02 + 0.45 * r * np.sin(np.pi * level) ** 2, level * (h - drop)], axis=1), palette.plastic(rng)
        )
        stem = merge([stem, cylinder(0.012, h - drop * 0.4, metal)])
    return merge([foot, stem, shade])


def keyboard(rng: np.random.Generator) -> Mesh:
    w, d = rng.uniform(0.36, 0.46), rng.uniform(0.12, 0.16)
    color = palette.dark(rng) if chance(rng, 0.6) else palette.ceramic(rng)
    parts = [rounded_box(w, d, 0.02, 0.006, color, 1)]
    for row in range(5):
        y = d * (0.36 - 0.18 * row)
        keys = 14 if row < 4 else 7
        for k in range(keys):
            x = (k + 0.5) / keys - 0.5
            parts.append(
                box(w * 0.8 / keys, d * 0.13, 0.008, palette.shade(color, 1.25), taper=0.85).moved(
                    x * w * 0.94, y, 0.019
                )
            )
    return merge(parts).turned("x", 0.05).grounded()


def laptop(rng: np.random.Generator) -> Mesh:
    w = rng.uniform(0.29, 0.38)
    d, color = w * rng.uniform(0.64, 0.72), palette.metal(rng)
    base = merge(
        [
            rounded_box(w, d, 0.016, 0.005, color, 1),
            box(w * 0.86, d * 0.45, 0.004, palette.dark(rng)).moved(0, d * 0.14, 0.015),
        ]
    )
    base = merge([base, box(w * 0.3, d * 0.26, 0.003, palette.shade(color, 0.8)).moved(0, -d * 0.3, 0.015)])
    lid = merge(
        [
            rounded_box(w, d, 0.008, 0.003, color, 1).moved(y=-d / 2),
            box(w * 0.92, d * 0.88, 0.002, palette.dark(rng)).moved(0, -d / 2, -0.002),
        ]
    )
    return merge([base, lid.turned("x", -rng.uniform(1.5, 2.1)).moved(y=d / 2, z=0.018)])


def books(rng: np.random.Generator) -> Mesh:
    """A pile of books or papers."""
    parts, z = [], 0.0
    for _ in range(int(rng.integers(1, 6))):
        thick = rng.uniform(0.012, 0.05)
        parts.append(
            box(rng.uniform(0.14, 0.22), rng.uniform(0.2, 0.3), thick, palette.plastic(rng))
            .turned("z", rng.uniform(-0.3, 0.3))
            .moved(z=z)
        )
        z += thick
    return merge(parts)


def computer(rng: np.random.Generator) -> Mesh:
    """A desktop computer's case."""
    w, d, h = rng.uniform(0.16, 0.22), rng.uniform(0.38, 0.48), rng.uniform(0.36, 0.48)
    color = palette.dark(rng)
    parts = [
        rounded_box(w, d, h, 0.01, color, 1),
        box(w * 0.8, 0.006, h * 0.5, palette.shade(color, 1.6)).moved(0, -d / 2, h * 0.4),
    ]
    return merge(parts)


def radio(rng: np.random.Generator) -> Mesh:
    w, d, h = rng.uniform(0.2, 0.4), rng.uniform(0.07, 0.12), rng.uniform(0.12, 0.2)
    color, dark = palette.plastic(rng), palette.dark(rng)
    parts = [rounded_box(w, d, h, 0.015, color)]
    for x in (-0.28, 0.28) if chance(rng, 0.6) else (-0.22,):
        speaker = lathe([(h * 0.3, 0), (h * 0.3, 0.012), (h * 0.1, 0.004)], dark, 20).turned("x", np.pi / 2)
        parts.append(speaker.moved(x * w, -d / 2, h * 0.45))
    parts.append(box(w * 0.3, 0.006, h * 0.18, palette.ceramic(rng)).moved(0, -d / 2, h * 0.65))
    for x in (-0.1, 0.1):
        parts.append(cylinder(0.012, 0.02, dark).turned("x", np.pi / 2).moved(x * w, -d / 2, h * 0.3))
    parts.append(
        rod(
            (w * 0.42, d * 0.3, h),
            (w * rng.uniform(0.3, 0.9), d * 0.3, h * rng.uniform(1.7, 2.4)),
            0.004,
            palette.metal(rng),
        )
    )
    parts.append(
        tube(arc((0, 0, h - 0.01), w * 0.35, 0, np.pi, "xz") * [1, 1, 1], 0.008, dark).mapped(
            lambda v: np.stack([v[:, 0], v[:, 1], h + (v[:, 2] - h) * 0.5], axis=1)
        )
    )
    return merge(parts)


def console(rng: np.random.Generator) -> Mesh:
    """A game console: a flat box with slots, lying or upright."""
    w, d, h = rng.uniform(0.26, 0.34), rng.uniform(0.2, 0.27), rng.uniform(0.05, 0.09)
    color = palette.dark(rng) if chance(rng, 0.6) else palette.ceramic(rng)
    parts = [rounded_box(w, d, h, 0.015, color)]
    parts.append(box(w * 0.5, 0.006, 0.008, palette.shade(color, 0.6)).moved(-w * 0.1, -d / 2, h * 0.6))
    parts.append(cylinder(0.012, 0.006, palette.metal(rng)).turned("x", np.pi / 2).moved(w * 0.4, -d / 2, h * 0.5))
    parts += [
        box(0.005, d * 0.6, 0.006, palette.shade(color, 0.7)).moved(x * w, 0, h) for x in np.linspace(0.1, 0.4, 6)
    ]
    mesh = merge(parts)
    return mesh.turned("y", np.pi / 2).grounded() if chance(rng, 0.3) else mesh
