"""Tables and desks."""

from __future__ import annotations

import numpy as np

from cloud_transformers.render.mesh import Array, Mesh, merge
from cloud_transformers.world import palette
from cloud_transformers.world.furniture.legs import four_legs, pedestal, sled_legs
from cloud_transformers.world.parts import bar, box, ellipse, outline_loft, rod, rounded_box
from cloud_transformers.world.seeds import chance, pick


def slab(width: float, depth: float, thickness: float, exponent: float, color: Array) -> Mesh:
    """A flat top of superelliptic outline: round (2) to nearly square (20)."""
    return outline_loft(ellipse(32, width, depth, exponent), [(1, 0), (1, thickness)], color)


def table(rng: np.random.Generator, kind: str | None = None) -> Mesh:
    """Dining, coffee, side, bar or meeting table: round, oval, square or long."""
    kind = kind or pick(rng, ["dining", "round", "coffee", "side", "bar", "meeting"], [4, 3, 3, 1.5, 1, 2])
    low, high = {
        "dining": (0.7, 0.78), "round": (0.7, 0.78), "coffee": (0.32, 0.48), "side": (0.45, 0.6),
        "bar": (0.95, 1.1), "meeting": (0.7, 0.76),
    }[kind]  # fmt: skip
    height = rng.uniform(low, high)
    size = {
        "dining": (1.1, 1.9), "round": (0.8, 1.3), "coffee": (0.7, 1.2), "side": (0.4, 0.6),
        "bar": (0.5, 0.75), "meeting": (1.6, 2.6),
    }[kind]  # fmt: skip
    width = rng.uniform(*size)
    depth = width if kind in ("round", "side", "bar") else width * rng.uniform(0.45, 0.8)
    depth = min(depth, 1.3)
    top = pick(rng, [palette.wood, palette.wood, palette.plastic])(rng)
    frame = top if chance(rng, 0.5) else pick(rng, [palette.metal, palette.wood])(rng)
    thickness = rng.uniform(0.02, 0.06)
    is_round = kind == "round" or chance(rng, 0.25)
    under = height - thickness
    parts = []
    if is_round:
        parts.append(slab(width, depth, thickness, pick(rng, [2.0, 2.0, 3.0]), top).moved(z=under))
        reach = 0.7
    else:
        parts.append(rounded_box(width, depth, thickness, rng.uniform(0.003, 0.02), top).moved(z=under))
        reach = 0.96
    style = pick(rng, ["legs", "pedestal", "sled", "trestle", "cross"], [5, 3 if width < 1.4 else 0, 1.2, 1, 1])
    if style == "legs":
        parts.append(four_legs(width * reach, depth * reach, under, rng.uniform(0.04, 0.085), frame, rng))
        if chance(rng, 0.6) and not is_round:  # the apron below the top
            drop = rng.uniform(0.05, 0.1)
            for y in (-1, 1):
                parts.append(box(width * 0.88, 0.02, drop, frame).moved(0, y * depth * 0.43, under - drop))
                parts.append(box(0.02, depth * 0.86, drop, frame).moved(y * width * 0.44, 0, under - drop))
        if kind in ("coffee", "side") and chance(rng, 0.5):
            parts.append(slab(width * 0.8, depth * 0.8, 0.02, 8.0, top).moved(z=height * 0.3))
    elif style == "pedestal":
        parts.append(pedestal(width * rng.uniform(0.25, 0.36), under, frame, rng))
    elif style == "sled":
        parts.append(sled_legs(width * reach * 0.9, depth * reach * 0.9, under, 0.05, frame))
    elif style == "trestle":
        for sx in (-1, 1):
            x = sx * width * 0.33
            parts.append(box(0.06, 0.1, under, frame).moved(x))
            parts.append(box(0.07, depth * 0.75, 0.06, frame).moved(x))
            parts.append(box(0.07, depth * 0.65, 0.05, frame).moved(x, 0, under - 0.05))
        parts.append(bar((-width * 0.33, 0, under * 0.35), (width * 0.33, 0, under * 0.35), 0.06, frame))
    else:
        reach_y = depth * 0.38
        for x in (-width * 0.36, width * 0.36):
            parts.append(bar((x, -reach_y, 0.0), (x, reach_y, under), 0.05, frame))
            parts.append(bar((x, reach_y, 0.0), (x, -reach_y, under), 0.05, frame))
        parts.append(rod((-width * 0.36, 0, under / 2), (width * 0.36, 0, under / 2), 0.02, frame))
    return merge(parts)


def drawer_stack(
    width: float, depth: float, height: float, count: int, color: Array, front: Array, rng: np.random.Generator
) -> Mesh:
    """A block of drawers with fronts, gaps and handles facing -y; one may stand open."""
    knob = palette.metal(rng)
    handle = pick(rng, ["bar", "knob", "groove"])
    parts = [box(width, depth, height, color)]
    pitch = height / count
    opened = int(rng.integers(count)) if chance(rng, 0.12) else -1
    for k in range(count):
        out = rng.uniform(0.1, 0.4) * depth if k == opened else 0.0
        face = -depth / 2 - 0.012 - out
        middle = (k + 0.5) * pitch
        if k == opened:
            side = pitch * 0.7
            for x in (-width * 0.44, width * 0.44):
                parts.append(box(0.012, out, side, color).moved(x, face + out / 2, k * pitch + 0.03))
            parts.append(box(width * 0.88, out, 0.01, color).moved(0, face + out / 2, k * pitch + 0.03))
        parts.append(
            rounded_box(width * 0.96, 0.022, pitch * 0.93, 0.005, front, 1).moved(0, face, k * pitch + 0.035 * pitch)
        )
        if handle == "bar":
            w = width * rng.uniform(0.2, 0.21)
            parts.append(rod((-w, face - 0.035, middle), (w, face - 0.035, middle), 0.007, knob, segments=6))
            for x in (-w, w):
                parts.append(rod((x, face, middle), (x, face - 0.035, middle), 0.006, knob, segments=6))
        elif handle == "knob":
            for x in (-0.22, 0.22) if width > 0.6 else (0.0,):
                parts.append(
                    rounded_box(0.03, 0.03, 0.03, 0.012, knob, 1).moved(x * width, face - 0.025, middle - 0.015)
                )
        else:
            parts.append(
                box(width * 0.4, 0.02, 0.015, palette.shade(front, 0.5)).moved(0, face - 0.008, middle + pitch * 0.3)
            )
    return merge(parts)


def desk(rng: np.random.Generator) -> Mesh:
    """A work desk: drawers, a modesty panel, an L-shaped return, a hutch or a raised shelf for the monitor."""
    width, depth, height = rng.uniform(1.1, 1.8), rng.uniform(0.55, 0.8), rng.uniform(0.71, 0.77)
    top = pick(rng, [palette.wood, palette.wood, palette.plastic])(rng)
    body = top if chance(rng, 0.6) else palette.wood(rng)
    thickness = rng.uniform(0.02, 0.04)
    under = height - thickness
    parts = [rounded_box(width, depth, thickness, 0.006, top, 1).moved(z=under)]
    style = pick(rng, ["one", "both", "panels", "steel"], [4, 3, 2, 2])
    side = rng.uniform(0.32, 0.42)
    sides = {"one": [pick(rng, [-1, 1])], "both": [-1, 1]}.get(style, [])
    for sx in sides:
        lift = pick(rng, [0.0, 0.06, 0.12])
        stack = drawer_stack(
            side, depth * 0.92, under - lift, int(rng.integers(2, 5)), body, palette.shade(body, 1.06), rng
        )
        parts.append(stack.moved(sx * (width / 2 - side / 2 - 0.02), 0, lift))
        if lift:
            for y in (-depth * 0.4, depth * 0.4):
                parts.append(box(side * 0.9, 0.03, lift, body).moved(sx * (width / 2 - side / 2 - 0.02), y))
    open_sides = [sx for sx in (-1, 1) if sx not in sides]
    frame = palette.metal(rng)
    for sx in open_sides:
        if style == "steel" or (style == "one" and chance(rng, 0.5)):
            for y in (-1, 1):
                parts.append(
                    bar(
                        (sx * (width / 2 - 0.06), y * depth * 0.42, 0),
                        (sx * (width / 2 - 0.06), y * depth * 0.42, under),
                        0.045,
                        frame,
                    )
                )
            parts.append(
                bar(
                    (sx * (width / 2 - 0.06), -depth * 0.42, 0.04),
                    (sx * (width / 2 - 0.06), depth * 0.42, 0.04),
                    0.04,
                    frame,
                )
            )
        else:
            parts.append(box(0.03, depth * 0.95, under, body).moved(sx * (width / 2 - 0.025)))
    if style == "steel":
        hung = drawer_stack(0.38, depth * 0.6, 0.16, 1, body, palette.shade(body, 1.08), rng)
        parts.append(hung.moved(pick(rng, [-1, 1]) * width * 0.28, 0, under - 0.16))
    if chance(rng, 0.75):
        drop = rng.uniform(0.25, 0.6) * height
        parts.append(box(width * 0.96, 0.018, drop, body).moved(0, depth * 0.4, under - drop))
    extra = pick(rng, ["none", "hutch", "riser", "return", "tray"], [2, 1.5, 1.2, 1.6, 1])
    if extra == "hutch":
        tall, d = rng.uniform(0.4, 0.65), rng.uniform(0.22, 0.3)
        y = depth / 2 - d / 2
        for x in np.linspace(-1, 1, int(rng.integers(2, 5))):
            parts.append(box(0.02, d, tall, body).moved(x * (width / 2 - 0.012), y, height))
        for level in (tall * rng.uniform(0.45, 0.6), tall):
            parts.append(box(width, d, 0.022, body).moved(0, y, height + level - 0.02))
        parts.append(box(width, 0.012, tall, body).moved(0, depth / 2 - 0.006, height))
    elif extra == "riser":
        w = width * rng.uniform(0.35, 0.6)
        parts.append(box(w, 0.24, 0.02, body).moved(0, depth / 2 - 0.14, height + 0.1))
        for sx in (-1, 1):
            parts.append(box(0.02, 0.24, 0.1, body).moved(sx * (w / 2 - 0.01), depth / 2 - 0.14, height))
    elif extra == "return":
        length, w, sx = rng.uniform(0.5, 0.9), rng.uniform(0.42, 0.55), pick(rng, [-1, 1])
        x, y = sx * (width / 2 - w / 2), -depth / 2 - length / 2
        parts.append(rounded_box(w, length, thickness, 0.006, top, 1).moved(x, y, under))
        parts.append(box(w * 0.95, 0.03, under, body).moved(x, y - length / 2 + 0.03))
    elif extra == "tray":
        parts.append(box(width * 0.36, 0.3, 0.018, body).moved(0, -depth / 2 + 0.06, under - 0.09))
        for sx in (-1, 1):
            parts.append(box(0.015, 0.25, 0.09, body).moved(sx * width * 0.18, -depth / 2 + 0.12, under - 0.09))
    return merge(parts)
