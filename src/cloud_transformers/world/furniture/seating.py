"""Chairs and stools."""

from __future__ import annotations

import numpy as np

from cloud_transformers.render.mesh import Array, Mesh, merge
from cloud_transformers.world import palette
from cloud_transformers.world.furniture.legs import cantilever, four_legs, pedestal, sled_legs, star_base
from cloud_transformers.world.parts import bar, box, cylinder, loft, rod, rounded_box, sheet, tube
from cloud_transformers.world.seeds import chance, pick


def chair(rng: np.random.Generator) -> Mesh:
    """A dining, office, shell, cantilever or padded arm chair."""
    build = pick(rng, [dining_chair, office_chair, shell_chair, cantilever_chair, padded_chair], [4, 3, 2, 1.5, 1.5])
    return build(rng)


def _leaning(mesh: Mesh, hinge_y: float, hinge_z: float, angle: float) -> Mesh:
    return mesh.moved(y=-hinge_y, z=-hinge_z).turned("x", -angle).moved(y=hinge_y, z=hinge_z)


def _arms(width: float, depth: float, seat: float, color: Array, rng: np.random.Generator) -> Mesh:
    height, thickness = seat + rng.uniform(0.18, 0.25), rng.uniform(0.03, 0.05)
    length = depth * rng.uniform(0.7, 0.95)
    parts = []
    for sx in (-1, 1):
        x = sx * (width / 2 + thickness / 2)
        parts.append(rounded_box(thickness * 1.4, length, 0.03, 0.012, color).moved(x, depth / 2 - length / 2, height))
        for y in (depth / 2 - length * 0.85, depth / 2 - 0.06):
            parts.append(bar((x, y, seat - 0.03), (x, y, height), thickness * 0.7, color))
    return merge(parts)


def _back(width: float, height: float, style: str, color: Array, soft: Array, rng: np.random.Generator) -> list[Mesh]:
    """A back rest standing on z = 0 in the plane y = 0, before it is leaned."""
    thickness = rng.uniform(0.022, 0.035)
    x = width / 2 - thickness
    if style == "panel":
        low = rng.uniform(0.0, 0.45) * height
        panel = rounded_box(width, thickness, height - low, 0.04, color).moved(z=low)
        posts = [bar((sx * x * 0.8, 0, 0), (sx * x * 0.8, 0, height * 0.8), thickness, color) for sx in (-1, 1)]
        return [panel, *posts] if low > 0.05 else [panel]
    parts = [bar((sx * x, 0, 0), (sx * x, 0, height), thickness * 1.2, color) for sx in (-1, 1)]
    if style == "padded":
        parts.append(rounded_box(width * 0.9, 0.06, height * 0.6, 0.03, soft).moved(z=height * 0.35))
    elif style == "ladder":
        for level in np.linspace(0.35, 0.95, int(rng.integers(2, 6))) * height:
            parts.append(bar((-x, 0, level), (x, 0, level), 0.055, color, 0.015).moved())
    else:
        parts.append(bar((-x, 0, height - 0.03), (x, 0, height - 0.03), 0.06, color, 0.03))
        parts.append(bar((-x, 0, height * 0.25), (x, 0, height * 0.25), 0.03, color))
        count = int(rng.integers(3, 8))
        for position in np.linspace(-x, x, count + 2)[1:-1]:
            if style == "slats":
                parts.append(bar((position, 0, height * 0.25), (position, 0, height), 0.012, color, 0.6 * x / count))
            else:
                parts.append(rod((position, 0, height * 0.25), (position, 0, height), 0.008, color, segments=6))
    return parts


def dining_chair(rng: np.random.Generator) -> Mesh:
    width, depth = rng.uniform(0.38, 0.52), rng.uniform(0.38, 0.5)
    seat, back = rng.uniform(0.42, 0.48), rng.uniform(0.35, 0.6)
    frame, soft = palette.wood(rng), palette.fabric(rng)
    parts = [four_legs(width, depth, seat - 0.02, rng.uniform(0.03, 0.05), frame, rng)]
    if chance(rng, 0.4):
        parts.append(rounded_box(width, depth, rng.uniform(0.05, 0.09), 0.025, soft).moved(z=seat - 0.02))
    elif chance(rng, 0.25):
        parts.append(cylinder(max(width, depth) / 2, 0.03, frame, segments=24).moved(z=seat - 0.02))
    else:
        parts.append(rounded_box(width, depth, 0.03, 0.012, frame).moved(z=seat - 0.02))
    style = pick(rng, ["panel", "ladder", "slats", "spindles", "padded"])
    for part in _back(width * rng.uniform(0.85, 1.0), back, style, frame, soft, rng):
        parts.append(_leaning(part.moved(y=depth / 2 - 0.02, z=seat), depth / 2, seat, rng.uniform(0.05, 0.05) + 0.1))
    if chance(rng, 0.3):
        parts.append(_arms(width, depth, seat, frame, rng))
    return merge(parts)


def office_chair(rng: np.random.Generator) -> Mesh:
    width, depth, seat = rng.uniform(0.44, 0.54), rng.uniform(0.42, 0.52), rng.uniform(0.43, 0.56)
    soft, dark, frame = palette.fabric(rng), palette.dark(rng), pick(rng, [palette.metal, palette.dark])(rng)
    soft = dark if chance(rng, 0.4) else soft
    parts = [star_base(rng.uniform(0.28, 0.34), seat, frame, dark, rng)]
    parts.append(rounded_box(width, depth, rng.uniform(0.06, 0.1), 0.04, soft, 3).moved(z=seat - 0.03))
    height, gap = rng.uniform(0.35, 0.75), rng.uniform(0.03, 0.18)
    curve = rng.uniform(0.02, 0.08)
    grid = 7
    u, v = np.meshgrid(np.linspace(-1, 1, grid), np.linspace(0, 1, grid), indexing="ij")
    half = width / 2 * (0.95 - rng.uniform(0, 0.35) * v**2)
    front = np.stack(
        [u * half, depth / 2 - curve * u**2 + 0.12 * v + 0.03 * np.sin(3 * v), seat + gap + v * height], -1
    )
    rear = front + np.array([0, rng.uniform(0.02, 0.06), 0])
    rim = [np.concatenate([f, r[::-1]]) for f, r in zip(front, rear, strict=True)]
    parts.append(loft(np.stack(rim), soft))
    bend = (0.0, depth / 2 + 0.1, seat + 0.01)
    parts.append(bar((0, depth / 2 - 0.12, seat - 0.02), bend, 0.06, frame, 0.025))
    parts.append(bar(bend, (0, depth / 2 + 0.17, seat + gap + height * 0.45), 0.06, frame, 0.025))
    if chance(rng, 0.35):
        parts.append(
            rounded_box(width * 0.55, 0.07, 0.16, 0.03, soft).moved(y=depth / 2 + 0.13, z=seat + gap + height + 0.03)
        )
    if chance(rng, 0.65):
        level = seat + rng.uniform(0.18, 0.24)
        for sx in (-1, 1):
            x = sx * (width / 2 + 0.03)
            parts.append(rounded_box(0.07, rng.uniform(0.24, 0.3), 0.03, 0.012, dark).moved(x, 0.02, level))
            parts.append(tube([(sx * width / 4, 0.05, seat), (x, 0.05, seat + 0.02), (x, 0.05, level)], 0.018, frame))
    return merge(parts)


def shell_chair(rng: np.random.Generator) -> Mesh:
    """One curved shell for seat and back, on four legs, a sled or a pedestal."""
    width, depth, seat = rng.uniform(0.44, 0.56), rng.uniform(0.42, 0.5), rng.uniform(0.42, 0.46)
    shell, frame = palette.plastic(rng), pick(rng, [palette.metal, palette.wood])(rng)
    back = rng.uniform(0.3, 0.45)
    v = np.linspace(0, 1, 13)
    along = np.where(v < 0.5, -depth / 2 + depth * 1.8 * v, depth * 0.4 + 0.16 * (2 * v - 1))
    up = seat + np.where(v < 0.5, -0.03 * np.sin(2 * np.pi * v), 0) + back * np.maximum(2 * v - 0.85, 0) ** 1.3
    u = np.linspace(-1, 1, 11)
    wrap = rng.uniform(0.03, 0.14)
    half = width / 2 * (1 - 0.25 * np.maximum(2 * v - 1, 0) ** 2)
    grid = np.empty((len(v), len(u), 3))
    grid[..., 0] = half[:, None] * u
    grid[..., 1] = along[:, None] - (wrap * np.maximum(2 * v - 0.8, 0))[:, None] * u**2
    grid[..., 2] = up[:, None] + wrap * 0.9 * np.sin(np.pi * np.minimum(v + 0.1, 1))[:, None] * u**4
    thick = grid - np.array([0, -0.008, 0.015])
    parts = [sheet(grid, shell), sheet(thick, shell)]
    legs = pick(rng, ["four", "sled", "pedestal", "star"])
    if legs == "four":
        parts.append(four_legs(width * 0.85, depth * 0.85, seat - 0.03, 0.028, frame, rng))
    elif legs == "sled":
        parts.append(sled_legs(width * 0.8, depth * 0.9, seat - 0.03, 0.02, frame))
    elif legs == "star":
        parts.append(star_base(0.28, seat - 0.02, frame, palette.dark(rng), rng))
    else:
        parts.append(pedestal(0.24, seat - 0.03, frame, rng))
    return merge(parts)


def cantilever_chair(rng: np.random.Generator) -> Mesh:
    width, depth, seat = rng.uniform(0.42, 0.5), rng.uniform(0.42, 0.5), rng.uniform(0.43, 0.47)
    back, soft = seat + rng.uniform(0.36, 0.48), palette.fabric(rng)
    parts = [cantilever(width, depth, seat, back, palette.metal(rng))]
    parts.append(rounded_box(width, depth, 0.045, 0.02, soft).moved(z=seat))
    pad = rounded_box(width, 0.04, (back - seat) * rng.uniform(0.4, 0.85), 0.018, soft)
    low, high = pad.bounds()
    parts.append(pad.turned("x", -0.18).moved(y=depth / 2 + 0.02, z=back - (high - low)[2]))
    return merge(parts)


def padded_chair(rng: np.random.Generator) -> Mesh:
    """A small upholstered arm chair on wooden legs."""
    width, depth, seat = rng.uniform(0.55, 0.68), rng.uniform(0.52, 0.62), rng.uniform(0.36, 0.44)
    soft, frame = palette.fabric(rng), palette.wood(rng)
    parts = [four_legs(width, depth, seat - 0.1, 0.04, frame, rng)]
    parts.append(rounded_box(width, depth, 0.16, 0.05, soft, 3).moved(z=seat - 0.12))
    height = rng.uniform(0.38, 0.6)
    back = rounded_box(width, 0.13, height, 0.055, palette.shade(soft, 0.95), 3).moved(
        y=depth / 2 - 0.05, z=seat - 0.02
    )
    parts.append(_leaning(back, depth / 2, seat, rng.uniform(0.08, 0.25)))
    if chance(rng, 0.7):
        arm = rng.uniform(0.14, 0.24)
        for sx in (-1, 1):
            side = rounded_box(0.1, depth * 0.95, arm + 0.1, 0.045, soft, 3)
            parts.append(side.moved(sx * (width / 2 + 0.02), 0, seat - 0.1))
    return merge(parts)


def stool(rng: np.random.Generator) -> Mesh:
    """A seat without a back: round or square, low or bar height."""
    height, radius = pick(rng, [rng.uniform(0.4, 0.5), rng.uniform(0.6, 0.78)]), rng.uniform(0.15, 0.21)
    seat, frame = pick(rng, [palette.wood, palette.fabric, palette.plastic])(rng), palette.wood(rng)
    if chance(rng, 0.3):
        base = pedestal(radius * 1.15, height, palette.metal(rng), rng)
    else:
        base = four_legs(radius * 1.7, radius * 1.7, height, 0.035, frame, rng)
    if chance(rng, 0.6):
        top = cylinder(radius, rng.uniform(0.03, 0.09), seat, segments=24)
    else:
        top = rounded_box(2 * radius, 2 * radius, 0.05, 0.02, seat)
    return merge([base, top.moved(z=height - 0.005)])


def bench(rng: np.random.Generator) -> Mesh:
    """A long seat of slats or a plank, with or without a back."""
    width, depth, height = rng.uniform(0.9, 1.6), rng.uniform(0.32, 0.42), rng.uniform(0.4, 0.48)
    color = palette.wood(rng)
    parts = [sled_legs(width * 0.85, depth, height, 0.05, palette.metal(rng))]
    if chance(rng, 0.5):
        parts.append(box(width, depth, 0.04, color).moved(z=height))
    else:
        for y in np.linspace(-depth / 2 + 0.04, depth / 2 - 0.04, 4):
            parts.append(box(width, 0.06, 0.03, color).moved(y=y, z=height))
    if chance(rng, 0.6):
        for level in (0.18, 0.32, 0.46):
            parts.append(
                box(width, 0.025, 0.09, color).turned("x", -0.15).moved(y=depth / 2 + level / 6, z=height + level)
            )
        for sx in (-1, 1):
            x = sx * width * 0.4
            parts.append(bar((x, depth / 2, height), (x, depth / 2 + 0.1, height + 0.55), 0.04, color))
    return merge(parts)
