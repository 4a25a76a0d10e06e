"""Larger things that only the ModelNet layout needs: stairs, tents, mantels, hoods, curtains."""

from __future__ import annotations

import numpy as np

from cloud_transformers.render.mesh import Mesh, merge
from cloud_transformers.world import palette
from cloud_transformers.world.parts import bar, box, ellipse, ellipsoid, loft, rod, sheet, tube
from cloud_transformers.world.seeds import chance


def curtain(rng: np.random.Generator) -> Mesh:
    w, h = rng.uniform(0.8, 1.8), rng.uniform(1.6, 2.3)
    color = palette.fabric(rng)
    u = np.linspace(0, 1, 41)
    folds, depth = rng.uniform(4, 9), rng.uniform(0.03, 0.07)
    gap = rng.uniform(0.0, 0.25) if chance(rng, 0.5) else 0.0
    parts = [rod((-w * 0.55, 0, h), (w * 0.55, 0, h), 0.015, palette.metal(rng))]
    for side in (-1, 1):
        rows = []
        for z in np.linspace(0, 1, 6):
            pull = 1 - gap * np.sin(np.pi * z) ** 2
            x = side * (w / 2 - u * (w / 2 * (1 - gap)) * pull)
            rows.append(np.stack([x, depth * np.sin(2 * np.pi * folds * u + 0.4 * z), np.full_like(u, z * h)], axis=1))
        parts.append(sheet(np.stack(rows), color))
    return merge(parts)


def stairs(rng: np.random.Generator) -> Mesh:
    steps, w = int(rng.integers(4, 11)), rng.uniform(0.7, 1.2)
    rise, run, color = rng.uniform(0.15, 0.2), rng.uniform(0.22, 0.3), palette.wood(rng)
    solid = chance(rng, 0.5)
    parts = []
    for k in range(steps):
        tall = (k + 1) * rise if solid else 0.04
        parts.append(box(w, run, tall, color).moved(0, k * run, 0 if solid else (k + 1) * rise - 0.04))
    if not solid:
        parts += [bar((s * w / 2, 0, 0.1), (s * w / 2, steps * run, steps * rise), 0.2, color, 0.04) for s in (-1, 1)]
    if chance(rng, 0.5):
        rail = palette.metal(rng)
        for s in (-1, 1):
            parts += [
                rod((s * w / 2, k * run, (k + 1) * rise), (s * w / 2, k * run, (k + 1) * rise + 0.85), 0.014, rail)
                for k in range(0, steps, 2)
            ]
            parts.append(
                rod((s * w / 2, 0, rise + 0.85), (s * w / 2, (steps - 1) * run, steps * rise + 0.85), 0.025, rail)
            )
    return merge(parts).grounded()


def tent(rng: np.random.Generator) -> Mesh:
    w, d, h = rng.uniform(1.4, 2.4), rng.uniform(1.8, 2.8), rng.uniform(1.0, 1.6)
    color = palette.fabric(rng)
    if chance(rng, 0.5):  # a ridge tent with an open front
        u = np.linspace(-1, 1, 9)
        sag = np.abs(np.sin(np.pi * u)) * 0.06
        rows = [
            np.stack([u * w / 2, np.full(9, y), h * (1 - np.abs(u)) * (1 - sag)], axis=1)
            for y in np.linspace(-d / 2, d / 2, 5)
        ]
        back = [rows[-1], rows[-1] * [1, 1, 0]]
        flap = np.array([[(-w / 2, -d / 2, 0), (0, -d / 2, h)], [(-w * 0.55, -d * 0.68, 0), (-0.05, -d / 2, h * 0.98)]])
        return merge(
            [
                sheet(np.stack(rows), color),
                sheet(np.stack(back), palette.shade(color, 0.8)),
                sheet(flap, palette.shade(color, 1.1)),
            ]
        )
    dome = ellipsoid(w, d, 2 * h, color, rings=11).moved(z=-h)
    keep = dome.corners()[:, :, 2].min(axis=1) > -0.05
    poles = [
        tube(
            [(sx * w / 2 * np.cos(a), sy * d / 2 * np.cos(a), h * np.sin(a) * 1.01) for a in np.linspace(0, np.pi, 13)],
            0.012,
            palette.dark(rng),
        )
        for sx, sy in ((0.72, 0.72), (0.72, -0.72))
    ]
    return merge([Mesh(dome.vertices.clip([-9, -9, 0], 9), dome.faces[keep], dome.color[keep]), *poles])


def mantel(rng: np.random.Generator) -> Mesh:
    """The frame of a fireplace."""
    w, h, d = rng.uniform(1.1, 1.6), rng.uniform(1.0, 1.25), rng.uniform(0.2, 0.35)
    post, color = rng.uniform(0.15, 0.26), palette.ceramic(rng) if chance(rng, 0.5) else palette.wood(rng)
    parts = [box(post, d, h * 0.95, color).moved(s * (w - post) / 2) for s in (-1, 1)]
    parts.append(box(w, d, h * 0.22, color).moved(z=h * 0.75))
    parts.append(box(w + 0.16, d + 0.1, 0.06, color).moved(z=h))
    parts.append(box(w + 0.08, d + 0.05, 0.04, color).moved(z=h * 0.96))
    parts += [box(post + 0.04, d + 0.04, 0.12, color).moved(s * (w - post) / 2) for s in (-1, 1)]
    if chance(rng, 0.5):
        parts.append(box(w - post, 0.03, h * 0.8, palette.dark(rng)).moved(y=d * 0.45))
    return merge(parts)


def range_hood(rng: np.random.Generator) -> Mesh:
    w, d = rng.uniform(0.6, 0.95), rng.uniform(0.45, 0.55)
    color = palette.metal(rng)
    neck, rise = rng.uniform(0.22, 0.32), rng.uniform(0.2, 0.35)
    square = ellipse(4, 2**0.5, 2**0.5) @ np.array([[1, 1], [-1, 1]]) / 2**0.5
    rows = [
        (w, d, 0.0, 0.0),
        (w, d, 0.06, 0.0),
        (neck, neck, 0.06 + rise, d / 2 - neck / 2),
        (neck, neck, rise + rng.uniform(0.5, 0.8), d / 2 - neck / 2),
    ]
    return loft(np.stack([np.column_stack([square * [a, b] + [0, y], np.full(4, z)]) for a, b, z, y in rows]), color)
