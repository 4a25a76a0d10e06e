"""Persons, guitars and pianos: the last of the ModelNet classes."""

from __future__ import annotations

import numpy as np

from cloud_transformers.render.mesh import Mesh, merge
from cloud_transformers.world import palette
from cloud_transformers.world.parts import (
    bar,
    box,
    cylinder,
    ellipsoid,
    lathe,
    outline_loft,
    rod,
    rounded_box,
    tube,
)
from cloud_transformers.world.seeds import chance, pick


def person(rng: np.random.Generator) -> Mesh:
    """Standing, walking, waving or sitting; in trousers or a skirt."""
    tall = rng.uniform(1.5, 1.9)
    build = rng.uniform(0.88, 1.15)
    skin = np.array([0.88, 0.68, 0.55]) * rng.uniform(0.45, 1.05)
    shirt, trousers, hair = palette.fabric(rng), palette.fabric(rng), palette.shade(palette.wood(rng), 0.5)
    hip, shoulder = 0.5 * tall, 0.81 * tall
    pose = pick(rng, ["stand", "walk", "sit"], [4, 3, 1])
    parts = [
        ellipsoid(0.36 * build, 0.23 * build, shoulder - hip + 0.14, shirt, exponent=2.8, rings=11).moved(z=hip - 0.06)
    ]
    parts.append(cylinder(0.055, 0.12, skin).moved(z=shoulder - 0.01))
    parts.append(ellipsoid(0.16, 0.2, 0.24, skin, exponent=2.2).moved(z=shoulder + 0.06))
    parts.append(ellipsoid(0.175, 0.2, 0.17, hair).moved(0, 0.02, shoulder + 0.16))
    stride = rng.uniform(0.25, 0.5) if pose == "walk" else 0.04
    thigh, shin = 0.245 * tall, 0.245 * tall
    for side in (-1, 1):
        x = side * 0.09 * build
        swing = side * stride
        knee = (x, -thigh * np.sin(swing), hip - thigh * np.cos(swing))
        bend = swing - (0.35 if swing < 0 and pose == "walk" else 0.05)
        if pose == "sit":
            knee, bend = (x * 1.4, -thigh, hip + 0.02), 0.0
        ankle = (knee[0], knee[1] - shin * np.sin(bend), knee[2] - shin * np.cos(bend))
        parts.append(tube([(x, 0, hip + 0.02), knee], 0.085 * build, trousers, segments=10))
        parts.append(tube([knee, ankle], 0.058 * build, trousers, segments=10))
        parts.append(
            ellipsoid(0.15 * build, 0.15 * build, 0.15 * build, trousers, rings=7).moved(
                *knee[:2], knee[2] - 0.075 * build
            )
        )
        foot = rounded_box(0.09, 0.25, 0.08, 0.03, palette.dark(rng))
        parts.append(foot.moved(ankle[0], ankle[1] - 0.05, ankle[2] - 0.08))
        raise_arm = chance(rng, 0.2)
        top = np.array([side * 0.2 * build, 0, shoulder - 0.05])
        out, ahead = (rng.uniform(1.6, 2.7) if raise_arm else rng.uniform(0.08, 0.35)), -swing * 0.8
        upper = top + 0.17 * tall * np.array([side * np.sin(out), -np.sin(ahead), -np.cos(out)])
        turn = out + rng.uniform(0.0, 0.5) if raise_arm else out * 0.5
        hand = upper + 0.16 * tall * np.array([side * np.sin(turn), -np.sin(ahead) - 0.25, -np.cos(turn)])
        parts.append(tube([top, upper], 0.05 * build, shirt, segments=10))
        parts.append(tube([upper, hand], 0.04 * build, skin, segments=10))
        parts.append(ellipsoid(0.08, 0.08, 0.11, skin, rings=7).moved(hand[0], hand[1], hand[2] - 0.07))
        cap = 0.13 * build
        parts.append(ellipsoid(cap, cap, cap, shirt, rings=7).moved(top[0], top[1], top[2] - 0.06))
    if pose != "sit" and chance(rng, 0.25):
        parts.append(lathe([(0.24 * build, hip - 0.35), (0.15 * build, hip + 0.12)], trousers, 18))
    return merge(parts)


def guitar(rng: np.random.Generator) -> Mesh:
    """Acoustic or electric, upright, its strings towards -y."""
    electric = chance(rng, 0.4)
    color = palette.plastic(rng) if electric else palette.wood(rng)
    body, half = rng.uniform(0.38, 0.5), rng.uniform(0.16, 0.21)
    waist = rng.uniform(0.58, 0.72)
    s = np.linspace(0, np.pi, 25)
    along = (1 - np.cos(s)) / 2
    width = np.interp(along, [0, 0.08, 0.27, 0.55, 0.8, 0.93, 1], [0, 0.75, 1.0, waist, 0.78, 0.62, 0.0]) * half
    width = np.convolve(np.pad(width, 2, mode="edge"), np.ones(5) / 5, "valid") * (np.sin(s) > 1e-9)
    right = np.stack([width, along * body - body * 0.55], axis=1)
    outline = np.concatenate([right, (right * [-1, 1])[-2:0:-1]])
    if electric and chance(rng, 0.6):  # two horns
        horn = (outline[:, 1] > body * 0.28) & (np.abs(outline[:, 0]) > 0.5 * half)
        outline[horn] += np.stack([np.sign(outline[horn, 0]) * 0.02, np.full(horn.sum(), 0.07)], axis=1)
    deep = 0.045 if electric else rng.uniform(0.085, 0.115)
    parts = [outline_loft(outline, [(0.97, 0), (1, 0.012), (1, deep - 0.012), (0.97, deep)], color)]
    neck = rng.uniform(0.42, 0.52)
    start = body * 0.25
    wood = palette.shade(palette.wood(rng), 0.7)
    parts.append(box(0.055, neck + 0.1, 0.024, wood).moved(0, start + neck / 2, deep))
    head = start + neck + 0.05
    parts.append(box(0.08, 0.16, 0.02, color, taper=0.95).turned("x", -0.15).moved(0, head + 0.08, deep - 0.01))
    for k in range(3):
        for sx in (-1, 1):
            y = head + 0.04 + 0.045 * k
            parts.append(rod((sx * 0.03, y, deep), (sx * 0.065, y, deep), 0.008, palette.metal(rng)))
    parts.append(box(0.13, 0.03, 0.016, wood).moved(0, -body * 0.28, deep))
    if electric:
        parts += [box(0.09, 0.035, 0.014, palette.dark(rng)).moved(0, y, deep) for y in (-0.02, -0.1)]
    else:
        parts.append(cylinder(0.048, 0.004, palette.dark(rng), segments=20).moved(0, body * 0.08, deep))
    return merge(parts).turned("x", np.pi / 2)


def piano(rng: np.random.Generator) -> Mesh:
    """Upright or grand, with keys, pedals and legs; sometimes with its stool."""
    color = palette.dark(rng) if chance(rng, 0.6) else palette.wood(rng)
    width = rng.uniform(1.42, 1.55)
    ivory, black = np.full(3, 0.93), np.full(3, 0.1)
    parts = []
    if chance(rng, 0.5):
        height, depth, shelf = rng.uniform(1.05, 1.3), rng.uniform(0.32, 0.42), 0.66
        parts.append(rounded_box(width, depth, height, 0.015, color))
        parts.append(box(width + 0.04, depth + 0.06, 0.03, color).moved(z=height))
        parts.append(box(width, 0.32, 0.1, color).moved(0, -depth / 2 - 0.15, shelf - 0.1))
        front = -depth / 2 - 0.2
        for sx in (-1, 1):
            parts.append(box(0.07, 0.32, 0.17, color).moved(sx * (width / 2 - 0.035), -depth / 2 - 0.15, shelf - 0.05))
            parts.append(
                bar(
                    (sx * (width / 2 - 0.05), front - 0.04, 0),
                    (sx * (width / 2 - 0.05), front - 0.04, shelf - 0.1),
                    0.07,
                    color,
                )
            )
        parts.append(box(0.6, 0.02, 0.22, color).turned("x", -0.25).moved(0, -depth / 2 - 0.03, shelf + 0.2))
        pedal_y = -depth / 2 - 0.05
    else:
        length, shelf = rng.uniform(1.5, 2.4), 0.72
        tail = np.linspace(0, np.pi / 2, 12)
        curve = np.stack([width * (0.5 - 0.72 * np.sin(tail) ** 1.6), 0.62 * length * np.sin(tail) ** 0.8], axis=1)
        rim = [(-width / 2, -0.1), (width / 2, -0.1), (width / 2, length * 0.3), (-width / 2, length * 0.6)]
        outline = np.concatenate([rim, curve[2:]])
        around = np.arctan2(outline[:, 1] - length * 0.3, outline[:, 0] + width * 0.12)
        outline = outline[np.argsort(around)] - [0, length * 0.35]
        parts.append(outline_loft(outline, [(1, shelf - 0.05), (1, shelf + 0.25)], color))
        lid = (
            outline_loft(outline, [(1, 0), (1, 0.02)], color)
            .moved(x=width / 2)
            .turned("y", -rng.uniform(0.5, 0.75))
            .moved(x=-width / 2)
        )
        parts.append(lid.moved(z=shelf + 0.26))
        front = -length * 0.35 - 0.2
        parts.append(box(width, 0.28, 0.1, color).moved(0, front, shelf - 0.08))
        for x, y in ((-0.42 * width, front + 0.15), (0.42 * width, front + 0.15), (-0.2 * width, length * 0.42)):
            parts.append(lathe([(0.045, 0), (0.06, shelf * 0.3), (0.09, shelf - 0.04)], color, 12).moved(x, y))
        parts.append(rod((width * 0.3, 0, shelf + 0.25), (width * 0.2, 0, shelf + 0.7), 0.015, color))
        parts.append(box(0.6, 0.02, 0.22, color).turned("x", -0.3).moved(0, front + 0.3, shelf + 0.26))
        parts.append(box(0.2, 0.05, shelf, color).moved(0, front + 0.4))
        pedal_y = front + 0.3
    keys = 26
    for k in range(keys):
        x = (k + 0.5) / keys - 0.5
        parts.append(box(width * 0.86 / keys * 0.92, 0.15, 0.02, ivory).moved(x * width * 0.86, front, shelf + 0.002))
        if k % 7 not in (2, 6):
            parts.append(
                box(0.014, 0.09, 0.02, black).moved((x + 0.5 / keys) * width * 0.86, front + 0.03, shelf + 0.02)
            )
    parts += [
        rod((x, pedal_y, 0.06), (x, pedal_y - 0.12, 0.05), 0.014, np.array([0.8, 0.65, 0.3])) for x in (-0.07, 0, 0.07)
    ]
    if chance(rng, 0.4):
        seat = [rounded_box(0.55, 0.33, 0.08, 0.02, black).moved(z=0.42)]
        seat += [
            bar((sx * 0.22, sy * 0.12, 0), (sx * 0.22, sy * 0.12, 0.42), 0.04, color)
            for sx in (-1, 1)
            for sy in (-1, 1)
        ]
        parts.append(merge(seat).moved(y=front - 0.5))
    return merge(parts)
