"""Cabinets and shelves, and the books and boxes that stand on shelves."""

from __future__ import annotations

import numpy as np

from cloud_transformers.render.mesh import Array, Mesh, merge
from cloud_transformers.world import palette
from cloud_transformers.world.furniture.legs import four_legs
from cloud_transformers.world.furniture.tables import drawer_stack
from cloud_transformers.world.parts import bar, box, cylinder, rod, rounded_box
from cloud_transformers.world.seeds import chance, pick


def cabinet(rng: np.random.Generator) -> Mesh:
    """A wardrobe, sideboard, dresser, night stand, filing cabinet or TV bench."""
    return pick(rng, [wardrobe, sideboard, dresser, night_stand, filing_cabinet, tv_stand], [3, 3, 2, 2, 2, 1])(rng)


def _hollow(width: float, depth: float, height: float, color: Array) -> list[Mesh]:
    """Five boards: sides, bottom, top and back, open to the front."""
    t = 0.02
    return [
        box(t, depth, height, color).moved(-width / 2 + t / 2),
        box(t, depth, height, color).moved(width / 2 - t / 2),
        box(width, depth, t, color),
        box(width, depth, t, color).moved(z=height - t),
        box(width, t, height, color).moved(y=depth / 2 - t / 2),
    ]


def _doors(width: float, depth: float, height: float, count: int, color: Array, rng: np.random.Generator) -> list[Mesh]:
    """A row of doors on the front, with handles; frames, panels or plain, one perhaps ajar."""
    parts: list[Mesh] = []
    leaf, knob = width / count, palette.metal(rng)
    style = pick(rng, ["plain", "frame", "slats"])
    long_handle = chance(rng, 0.6)
    ajar = int(rng.integers(count)) if chance(rng, 0.25) else -1
    for k in range(count):
        hinge = -1 if k % 2 == 0 else 1
        door = [rounded_box(leaf * 0.97, 0.02, height * 0.98, 0.004, color, 1).moved(z=height * 0.01)]
        if style == "frame":
            for sx in (-1, 1):
                door.append(
                    box(leaf * 0.12, 0.014, height * 0.97, color).moved(sx * leaf * 0.42, -0.016, height * 0.015)
                )
            for level in (0.015, 0.9):
                door.append(box(leaf * 0.95, 0.014, height * 0.085, color).moved(0, -0.016, height * level))
        elif style == "slats":
            for level in np.linspace(0.1, 0.9, 9):
                door.append(box(leaf * 0.8, 0.02, height * 0.04, color).moved(0, -0.014, height * level))
        x, middle = -hinge * leaf * 0.4, height * rng.uniform(0.5, 0.55)
        if long_handle:
            length = min(0.12, height * 0.2)
            door.append(rod((x, -0.045, middle - length), (x, -0.045, middle + length), 0.008, knob, segments=6))
            for z in (-length * 0.8, length * 0.8):
                door.append(rod((x, -0.01, middle + z), (x, -0.045, middle + z), 0.006, knob, segments=6))
        else:
            door.append(rounded_box(0.032, 0.04, 0.032, 0.014, knob, 1).moved(x, -0.028, middle))
        whole = merge(door)
        if k == ajar:
            angle = rng.uniform(0.3, 1.7)
            whole = whole.moved(-hinge * leaf / 2).turned("z", hinge * angle).moved(hinge * leaf / 2)
        parts.append(whole.moved(-width / 2 + (k + 0.5) * leaf, -depth / 2 - 0.011))
    return parts


def _on_feet(parts: list[Mesh], width: float, depth: float, color: Array, rng: np.random.Generator) -> Mesh:
    style = pick(rng, ["plinth", "legs", "none"], [2, 2, 1])
    if style == "none":
        return merge(parts)
    lift = rng.uniform(0.05, 0.09) if style == "plinth" else rng.uniform(0.1, 0.22)
    if style == "plinth":
        foot = box(width * 0.95, depth * 0.9, lift, palette.shade(color, 0.7))
    else:
        foot = four_legs(width * 0.95, depth * 0.9, lift, 0.04, color, rng)
    return merge([foot, *(part.moved(z=lift) for part in parts)])


def wardrobe(rng: np.random.Generator) -> Mesh:
    width, depth, height = rng.uniform(0.7, 1.7), rng.uniform(0.45, 0.62), rng.uniform(1.6, 2.15)
    color = palette.wood(rng)
    front = color if chance(rng, 0.6) else palette.wood(rng)
    parts = _hollow(width, depth, height, color)
    doors = max(2, round(width / 0.5))
    base = 0.0
    if chance(rng, 0.35):
        base = rng.uniform(0.25, 0.45)
        parts.append(drawer_stack(width * 0.98, depth, base, 2, color, front, rng))
    parts += [part.moved(z=base) for part in _doors(width, depth, height - base, doors, front, rng)]
    if chance(rng, 0.4):
        parts.append(box(width + 0.06, depth + 0.04, 0.05, color).moved(z=height))
    return _on_feet(parts, width, depth, color, rng)


def sideboard(rng: np.random.Generator) -> Mesh:
    width, depth, height = rng.uniform(0.8, 1.6), rng.uniform(0.35, 0.5), rng.uniform(0.55, 1.0)
    color = palette.wood(rng)
    front = color if chance(rng, 0.6) else palette.wood(rng)
    parts = [*_hollow(width, depth, height, color), box(width * 0.97, depth * 0.9, 0.02, color).moved(z=height / 2)]
    if chance(rng, 0.5):
        share = rng.uniform(0.3, 0.45) * width
        side = pick(rng, [-1, 1])
        stack = drawer_stack(share, depth, height * 0.98, int(rng.integers(3, 5)), color, front, rng)
        parts.append(stack.moved(side * (width - share) / 2))
        rest = width - share
        doors = _doors(rest, depth, height, max(1, round(rest / 0.45)), front, rng)
        parts += [part.moved(-side * share / 2) for part in doors]
    else:
        parts += _doors(width, depth, height, max(2, round(width / 0.45)), front, rng)
    parts.append(box(width + 0.03, depth + 0.03, 0.025, color).moved(z=height))
    return _on_feet(parts, width, depth, color, rng)


def dresser(rng: np.random.Generator) -> Mesh:
    width, depth, height = rng.uniform(0.7, 1.4), rng.uniform(0.4, 0.52), rng.uniform(0.7, 1.2)
    color = palette.wood(rng)
    columns = 2 if width > 1.0 else 1
    parts: list[Mesh] = []
    rows = int(rng.integers(3, 6))
    for k in range(columns):
        stack = drawer_stack(width / columns, depth, height, rows, color, palette.shade(color, 1.08), rng)
        parts.append(stack.moved((k - (columns - 1) / 2) * width / columns))
    parts.append(box(width + 0.03, depth + 0.03, 0.025, color).moved(z=height))
    return _on_feet(parts, width, depth, color, rng)


def night_stand(rng: np.random.Generator) -> Mesh:
    width, depth, height = rng.uniform(0.38, 0.55), rng.uniform(0.35, 0.45), rng.uniform(0.38, 0.55)
    color = palette.wood(rng)
    parts: list[Mesh]
    if chance(rng, 0.5):  # an open compartment below one drawer
        parts = _hollow(width, depth, height, color)
        drawer = drawer_stack(width * 0.97, depth, height * 0.4, 1, color, palette.shade(color, 1.08), rng)
        parts.append(drawer.moved(z=height * 0.57))
    else:
        parts = [drawer_stack(width, depth, height, int(rng.integers(2, 4)), color, palette.shade(color, 1.08), rng)]
    parts.append(box(width + 0.02, depth + 0.03, 0.02, color).moved(z=height))
    return _on_feet(parts, width, depth, color, rng)


def filing_cabinet(rng: np.random.Generator) -> Mesh:
    rows = int(rng.integers(2, 6))
    color = palette.metal(rng) if chance(rng, 0.7) else palette.plastic(rng)
    return drawer_stack(
        rng.uniform(0.38, 0.48), rng.uniform(0.5, 0.62), rows * rng.uniform(0.28, 0.33), rows, color,
        palette.shade(color, 1.1), rng,
    )  # fmt: skip


def tv_stand(rng: np.random.Generator) -> Mesh:
    width, depth, height = rng.uniform(1.1, 1.9), rng.uniform(0.35, 0.45), rng.uniform(0.3, 0.5)
    color = palette.wood(rng)
    parts = _hollow(width, depth, height, color)
    bays = int(rng.integers(2, 4))
    for k in range(1, bays):
        parts.append(box(0.02, depth, height, color).moved(-width / 2 + k * width / bays))
    for k in range(bays):
        x = -width / 2 + (k + 0.5) * width / bays
        if chance(rng, 0.5):
            parts += [p.moved(x) for p in _doors(width / bays, depth, height, 1, palette.shade(color, 1.08), rng)]
        else:
            parts.append(box(width / bays, depth * 0.9, 0.018, color).moved(x, 0, height * 0.5))
    return _on_feet(parts, width, depth, color, rng)


def book_row(width: float, depth: float, height: float, rng: np.random.Generator) -> list[Mesh]:
    """Books upright along x, some leaning, on z = 0, centred; at most this deep and high."""
    parts: list[Mesh] = []
    x = -width / 2
    while True:
        thick, tall = rng.uniform(0.015, 0.05), height * rng.uniform(0.6, 0.95)
        if x + thick > width / 2:
            return parts
        deep = depth * rng.uniform(0.6, 0.9)
        book = box(thick, deep, tall, palette.plastic(rng)).moved(x + thick / 2, -0.02 + (depth - deep) / 2)
        parts.append(book)
        x += thick + (rng.uniform(0.02, 0.1) if chance(rng, 0.12) else 0.001)


def shelf_load(width: float, depth: float, height: float, rng: np.random.Generator) -> list[Mesh]:
    """What stands on one shelf board: books, boxes, a vase, or nothing."""
    kind = pick(rng, ["books", "boxes", "vase", "none", "stack"], [4, 2, 1, 3, 1])
    if kind == "books":
        share = rng.uniform(0.3, 1.0)
        return [
            part.moved((1 - share) * width / 2 * pick(rng, [-1, 1]))
            for part in book_row(width * share, depth, height, rng)
        ]
    if kind == "boxes":
        parts = []
        count = int(rng.integers(1, 3))
        for k in range(count):
            w = width / count * rng.uniform(0.5, 0.85)
            tall = height * rng.uniform(0.4, 0.8)
            x = -width / 2 + (k + 0.5) * width / count
            parts.append(rounded_box(w, depth * 0.8, tall, 0.01, palette.cardboard(rng), 1).moved(x))
        return parts
    if kind == "vase":
        r = min(0.06, depth * 0.3, width * 0.3)
        return [
            cylinder(
                r, height * rng.uniform(0.4, 0.7), palette.plastic(rng), top_radius=r * rng.uniform(0.5, 1.2)
            ).moved(rng.uniform(-0.3, 0.3) * width)
        ]
    if kind == "stack":
        return [
            box(min(0.2, width * 0.6), depth * 0.7, 0.03, palette.plastic(rng))
            .turned("z", rng.uniform(-0.1, 0.1))
            .moved(z=0.031 * k)
            for k in range(int(rng.integers(2, 5)))
        ]
    return []


def shelf(rng: np.random.Generator) -> Mesh:
    """A book case, cube shelf, metal rack or ladder shelf, empty or in use."""
    kind = pick(rng, ["bookcase", "cubes", "rack", "ladder"], [4, 2, 2, 1])
    loaded = chance(rng, 0.6)
    if kind == "bookcase":
        return bookcase(rng, loaded=loaded)
    parts: list[Mesh] = []
    if kind == "cubes":
        rows, columns, cell = int(rng.integers(2, 6)), int(rng.integers(2, 5)), rng.uniform(0.3, 0.4)
        depth, color = rng.uniform(0.28, 0.4), palette.wood(rng)
        for k in range(columns + 1):
            parts.append(box(0.03, depth, rows * cell + 0.03, color).moved((k - columns / 2) * cell))
        for k in range(rows + 1):
            parts.append(box(columns * cell, depth, 0.03, color).moved(z=k * cell))
        if loaded:
            for row in range(rows):
                for column in range(columns):
                    load = shelf_load(cell * 0.85, depth, cell * 0.85, rng)
                    x = (column + 0.5 - columns / 2) * cell
                    parts += [part.moved(x, 0, row * cell + 0.03) for part in load]
        return merge(parts)
    width, depth, height = rng.uniform(0.6, 1.3), rng.uniform(0.3, 0.5), rng.uniform(1.3, 2.0)
    boards = int(rng.integers(4, 7))
    frame, board = palette.metal(rng), pick(rng, [palette.metal, palette.wood])(rng)
    lean = depth * 0.6 if kind == "ladder" else 0.0
    for sx in (-1, 1):
        for sy in (-1, 1):
            top = (sx * width / 2, sy * depth / 2 + (lean if sy < 0 else 0), height)
            parts.append(bar((sx * width / 2, sy * depth / 2, 0), top, 0.035, frame))
    for level in np.linspace(0.06, 0.97, boards) * height:
        d = depth - lean * level / height
        parts.append(box(width, d, 0.025, board).moved(0, (depth - d) / 2, level))
        if loaded and level < height * 0.9:
            load = shelf_load(width * 0.9, d * 0.9, height / boards * 0.75, rng)
            parts += [part.moved(0, (depth - d) / 2, level + 0.025) for part in load]
    if kind == "rack" and chance(rng, 0.6):
        for sx in (-1, 1):
            parts.append(
                rod((sx * width / 2, -depth / 2, 0.1), (sx * width / 2, depth / 2, height * 0.9), 0.006, frame)
            )
    return merge(parts)


def bookcase(rng: np.random.Generator, *, loaded: bool = True) -> Mesh:
    width, depth, height = rng.uniform(0.6, 1.2), rng.uniform(0.24, 0.36), rng.uniform(0.9, 2.1)
    color, t = palette.wood(rng), rng.uniform(0.018, 0.035)
    parts = [box(t, depth, height, color).moved(sx * (width / 2 - t / 2)) for sx in (-1, 1)]
    if chance(rng, 0.7):
        parts.append(box(width, 0.01, height, palette.shade(color, 0.85)).moved(y=depth / 2 - 0.005))
    boards = max(3, round(height / rng.uniform(0.28, 0.42)) + 1)
    bays = 2 if width > 0.9 and chance(rng, 0.5) else 1
    if bays == 2:
        parts.append(box(t, depth * 0.95, height, color))
    levels = np.linspace(0.05, height - t, boards)
    pitch = levels[1] - levels[0]
    for k, level in enumerate(levels):
        parts.append(box(width - 2 * t, depth * 0.97, t, color).moved(z=level))
        if loaded and k < boards - 1:
            for bay in range(bays):
                span = (width - 2 * t) / bays
                load = shelf_load(span * 0.95, depth * 0.9, pitch - t, rng)
                parts += [part.moved((bay - (bays - 1) / 2) * span, 0, level + t) for part in load]
    return merge(parts)
