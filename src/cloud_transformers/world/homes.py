"""Rooms of homes: bedrooms, kitchens, bathrooms and living rooms, with beds, fitted cupboards and curtains.

Nothing of this is a class of S3DIS: it is clutter there. What it is goes into the things' names.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from cloud_transformers.render.mesh import Mesh, merge
from cloud_transformers.world import palette
from cloud_transformers.world.furnishing import ITEMS, at_wall, floor_clutter, put_on
from cloud_transformers.world.furniture import (
    fixtures,
    panels,
    seating,
    sinks,
    small,
    soft,
    storage,
    structures,
    tables,
)
from cloud_transformers.world.parts import box
from cloud_transformers.world.plan import Plan, Stock, built
from cloud_transformers.world.seeds import chance, pick
from cloud_transformers.world.shell import hang_on_walls, shell

# As `furnishing.KINDS`: width and depth in metres, and what is put in, the large things first.
HOMES: dict[str, tuple[tuple[float, float], tuple[float, float], str]] = {
    "bedroom": (
        (2.8, 5.0),
        (2.8, 4.5),
        "bed wardrobe stand dresser shelf desk chair wardrobe stand wall-shelf chair television",
    ),
    "kitchen": (
        (2.4, 5.0),
        (2.4, 5.0),
        "counter refrigerator counter dresser meeting wall-shelf cabinet chair table shelf",
    ),
    "bathroom": ((1.9, 3.2), (1.9, 3.0), "bathtub toilet sink cabinet"),
    "livingRoom": (
        (3.5, 7.5),
        (3.5, 7.0),
        "group corner sofa shelf television dresser armchair side sofa bookcase meeting wall-shelf armchair cabinet",
    ),
    "waitingRoom": (
        (4.0, 10.0),
        (3.0, 7.0),
        "group row group row sofa side coffee row shelf armchair coffee side table",
    ),
    "studio": (
        (4.5, 7.5),
        (4.0, 7.0),
        "bed counter group corner sofa desk wardrobe dresser shelf refrigerator side chair wall-shelf armchair",
    ),
}


def home(kind: str, rng: np.random.Generator, stock: Stock = built) -> Plan:
    """A room of this kind with everything in it."""
    wide, deep, furniture = HOMES[kind]
    plan = Plan(rng.uniform(*wide), rng.uniform(*deep), rng.uniform(2.3, 3.0), stock=stock)
    shell(plan, rng)
    for item in furniture.split():
        if chance(rng, 0.85):
            {**ITEMS, **_ITEMS}[item](plan, rng)
    for _ in range(int(rng.integers(2, 8))):
        floor_clutter(plan, rng)
    _curtains(plan, rng)
    hang_on_walls(plan, rng, boards=(0, 1), pictures=(0, 3))
    return plan


def _curtains(plan: Plan, rng: np.random.Generator) -> None:
    """Before some windows, drawn or half open, from above them to the sill or to the floor."""
    for opening in plan.openings:
        if opening.low == 0 or not chance(rng, 0.45):
            continue
        mesh = structures.curtain(rng)
        low, high = mesh.bounds()
        bottom = 0.05 if chance(rng, 0.6) else max(opening.low - 0.15, 0.05)
        top = min(opening.high + 0.15, plan.height - 0.05)
        width = opening.width * rng.uniform(0.6, 1.15)
        fitted = mesh.scaled([width / (high - low)[0], 1.0, (top - bottom) / (high - low)[2]]).moved(z=bottom)
        plan.add(plan.on_wall(fitted, opening.wall, opening.middle, rng.uniform(0.08, 0.2)), "clutter")


def _bed(plan: Plan, rng: np.random.Generator) -> None:
    """Its head against a wall, with cushions on it."""
    found = plan.place_at_wall(plan.stock("bed", soft.bed, rng).grounded(), rng, tall=False, room_in_front=0.1)
    if found is None:
        return
    plan.add(found[0], "clutter", "bed")
    for _ in range(int(rng.integers(0, 3))):
        before = len(plan.things)
        put_on(plan, found[0], [soft.pillow(rng).grounded()], rng, below=0.9)
        plan.rename_last("pillow", since=before)


def _row(plan: Plan, rng: np.random.Generator) -> None:
    """Seats of one make side by side along a wall, as in waiting rooms; each is a chair of its own."""
    name, builder = pick(rng, [("armchair", seating.padded_chair), ("chair", seating.chair)])
    seat = plan.stock(name, builder, rng).grounded()
    width, count = 2 * seat.bounds()[1][0] + rng.uniform(0.0, 0.15), int(rng.integers(2, 5))
    row = [seat.moved((k - (count - 1) / 2) * width) for k in range(count)]
    found = plan.place_at_wall(merge(row), rng, tall=False, room_in_front=0.4)
    if found is not None:
        _, wall, along = found
        back = seat.bounds()[1][1]
        for part in row:
            plan.add(plan.on_wall(part.moved(y=-back), wall, along, 0.03), "chair")


def _shelf(plan: Plan, rng: np.random.Generator) -> None:
    """An open shelf, full; what stands in it and on it is part of it, as those who label scans see it."""
    mesh = plan.stock("bookcase", storage.shelf, rng).grounded()
    found = plan.place_at_wall(mesh, rng, tall=True, room_in_front=0.2) if mesh.bounds()[1][2] < plan.height else None
    if found is None:
        return
    plan.add(found[0], "bookcase")
    load = [plan.stock("small thing", small.books, rng).grounded() for _ in range(int(rng.integers(2, 9)))]
    before = len(plan.things)
    for below in (0.9, 1.5, 2.2):
        put_on(plan, found[0], load, rng, below=below, kind="bookcase")
    plan.rename_last("load", since=before)


def _wall_shelf(plan: Plan, rng: np.random.Generator) -> None:
    """One to three boards on a wall with things on them."""
    width, depth, color = rng.uniform(0.6, 1.6), rng.uniform(0.18, 0.32), palette.wood(rng)
    wall = int(rng.integers(4))
    free = plan.wall_length(wall) / 2 - width / 2 - 0.1
    along = rng.uniform(-free, free) if free > 0 else 0.0
    if free <= 0 or not plan.wall_is_free(wall, along - width / 2, along + width / 2):
        return
    parts = []
    for k in range(int(rng.integers(1, 4))):
        load = storage.shelf_load(width * 0.9, depth * 0.9, 0.28, rng)
        parts += [part.moved(0, -depth / 2, 1.0 + 0.36 * k) for part in (box(width, depth, 0.025, color), *load)]
    plan.add(plan.on_wall(merge(parts).moved(z=rng.uniform(-0.1, 0.35)), wall, along, 0.01), "bookcase", "shelf")
    plan.wall_taken.append((wall, along - width / 2, along + width / 2))


def _group(plan: Plan, rng: np.random.Generator) -> None:
    """Sofas and armchairs around a low table, away from the walls."""
    table = plan.stock("coffee table", partial(tables.table, kind="coffee"), rng).grounded()
    half = table.bounds()[1][:2]
    gap = rng.uniform(0.25, 0.5)
    claim = table.scaled([*(half + gap + 0.8) / half, 1]).turned("z", pick(rng, [0.0, np.pi / 2]))
    placed = plan.place_inside(claim, rng, margin=0.0, tries=60)
    if placed is None:
        return
    x, y = placed.bounds()[0][:2] / 2 + placed.bounds()[1][:2] / 2
    turn = rng.uniform(-0.15, 0.15)
    table = table.turned("z", turn).moved(x, y)
    plan.add(table, "table")
    put_on(plan, table, [small.books(rng), small.cup(rng), small.vase(rng)][: int(rng.integers(0, 4))], rng)
    armchair = plan.stock("armchair", seating.padded_chair, rng).grounded()
    for side in range(4):
        if chance(rng, 0.3):
            continue
        length, away = (half[0], half[1]) if side % 2 == 0 else (half[1], half[0])
        sofa = plan.stock("sofa", soft.sofa, rng).grounded()
        seat, name = (sofa, "sofa") if sofa.bounds()[1][0] < length + 0.6 and chance(rng, 0.6) else (armchair, "chair")
        beside = seat.bounds()[1][0] + rng.uniform(0.02, 0.2)
        pair = name == "chair" and 2 * beside < length + 0.4
        for along in (-beside, beside) if pair else (0.0,):
            moved = seat.turned("z", rng.uniform(-0.1, 0.1)).moved(along, away + gap - seat.bounds()[0][1])
            moved = moved.turned("z", side * np.pi / 2 + turn).moved(x, y)
            if (np.abs(moved.bounds())[:, :2] < [plan.width / 2, plan.depth / 2]).all():  # the deepest do not fit
                plan.add(moved, name)


def _coffee(plan: Plan, rng: np.random.Generator) -> None:
    mesh = plan.stock("coffee table", partial(tables.table, kind="coffee"), rng).grounded()
    placed = plan.place_inside(mesh.turned("z", rng.uniform(0, 2 * np.pi)), rng, margin=0.15)
    if placed is not None:
        plan.add(placed, "table")
        put_on(plan, placed, [small.books(rng), small.plant(rng), small.cup(rng)], rng)


def _stand(plan: Plan, rng: np.random.Generator) -> None:
    """A night stand, which only some of those who label scans call a cabinet."""
    mesh = plan.stock("night stand", storage.night_stand, rng)
    name = "cabinet" if chance(rng, 0.3) else "night stand"
    at_wall(plan, mesh, "clutter", rng, [small.lamp(rng).grounded(), small.books(rng)], name=name)


def _side(plan: Plan, rng: np.random.Generator) -> None:
    """A small table beside seats: on legs, or a closed block."""
    if chance(rng, 0.7):
        mesh = tables.table(rng, "side")
    else:
        width, depth, height = rng.uniform([0.4, 0.4, 0.35], [0.75, 0.75, 0.6]).tolist()
        mesh = cupboard(width, depth, height, palette.wood(rng), rng)
    load = [small.lamp(rng).grounded(), small.books(rng), small.plant(rng), small.cup(rng)]
    at_wall(plan, mesh, "table", rng, load[: int(rng.integers(0, 5))])


def _dresser(plan: Plan, rng: np.random.Generator) -> None:
    """Drawers or doors up to the breast or above the head, full of things on top."""
    width, depth, height = rng.uniform([0.7, 0.35, 0.75], [2.2, 0.65, 1.9]).tolist()
    makers = [small.books, small.vase, small.plant, small.radio, small.bowl, small.bottle]
    load = [pick(rng, makers)(rng).grounded() for _ in range(int(rng.integers(0, 7)))]
    at_wall(plan, cupboard(width, depth, height, palette.wood(rng), rng), "clutter", rng, load, name="cabinet")


def _wardrobe(plan: Plan, rng: np.random.Generator) -> None:
    """Bought, or fitted: along much of a wall and nearly up to the ceiling."""
    if chance(rng, 0.4):
        height = rng.uniform(0.8, 0.97) * plan.height
        mesh = cupboard(rng.uniform(1.2, 3.0), rng.uniform(0.5, 0.7), height, palette.wood(rng), rng)
    else:
        mesh = plan.stock("wardrobe", storage.wardrobe, rng)
    at_wall(plan, mesh, "clutter", rng, [], name="cabinet")


def _corner(plan: Plan, rng: np.random.Generator) -> None:
    if chance(rng, 0.4):
        found = plan.place_at_wall(soft.corner_sofa(rng).grounded(), rng, tall=False, room_in_front=0.3)
        if found is not None:
            plan.add(found[0], "sofa")


def _television(plan: Plan, rng: np.random.Generator) -> None:
    mesh = plan.stock("tv stand", storage.tv_stand, rng)
    before = len(plan.things)
    at_wall(plan, mesh, "clutter", rng, [], name="cabinet")
    if len(plan.things) > before:
        stand = plan.things[-1].mesh
        before = len(plan.things)
        put_on(plan, stand, [plan.stock("display", panels.display, rng).grounded()], rng)
        plan.rename_last("display", since=before)


def _toilet(plan: Plan, rng: np.random.Generator) -> None:
    at_wall(plan, plan.stock("toilet", fixtures.toilet, rng), "clutter", rng, [], name="toilet")


def _bathtub(plan: Plan, rng: np.random.Generator) -> None:
    at_wall(plan, plan.stock("bathtub", fixtures.bathtub, rng), "clutter", rng, [])


def _refrigerator(plan: Plan, rng: np.random.Generator) -> None:
    at_wall(plan, plan.stock("refrigerator", _fridge, rng), "clutter", rng, [small.bowl(rng)])


def _counter(plan: Plan, rng: np.random.Generator) -> None:
    """Fitted cupboards along a wall, those on the floor under a worktop with a sink, others hanging above."""
    color, top = palette.wood(rng), palette.shade(palette.ceramic(rng), rng.uniform(0.3, 1.0))
    depth, height = rng.uniform(0.55, 0.65), rng.uniform(0.82, 0.93)
    widths = rng.uniform(0.4, 1.2, int(rng.integers(2, 5)))
    span = float(widths.sum())
    slab = box(span, depth + 0.03, 0.04, top)
    found = plan.place_at_wall(slab.moved(z=height), rng, tall=True, room_in_front=0.4)
    if found is None:
        return
    placed, wall, along = found
    plan.add(placed, "clutter")
    begin = along - span / 2
    hang, tall, flat = rng.uniform(1.3, 1.55), rng.uniform(0.45, 0.9), rng.uniform(0.28, 0.38)
    below: list[Mesh] = []
    above: list[Mesh] = []
    for width in widths:
        middle = begin + width / 2
        begin += width
        unit = cupboard(width, depth, height, color, rng).moved(y=-depth / 2)
        below.append(plan.on_wall(unit, wall, middle, 0.02))
        if chance(rng, 0.7) and hang + tall < plan.height:
            unit = cupboard(width, flat, tall, color, rng).moved(0, -flat / 2, hang)
            above.append(plan.on_wall(unit, wall, middle, 0.02))
    # Those who label scans mostly see one cabinet in a row of units, and now and then in all of them.
    rows = [below + above] if chance(rng, 0.2) else [below, above]
    for row in filter(None, rows):
        for unit in [merge(row)] if len(rows) == 1 or chance(rng, 0.7) else row:
            plan.add(unit, "clutter", "cabinet")
    if chance(rng, 0.7):
        basin = sinks.wall_sink(rng).grounded()
        fit = rng.uniform([0.4, 0.35, 0.15], [0.6, 0.42, 0.35]) / (basin.bounds()[1] - basin.bounds()[0])
        before = len(plan.things)
        put_on(plan, placed, [basin.scaled(fit)], rng)
        plan.rename_last("sink", since=before)
    makers = [small.bottle, small.cup, small.bowl, small.radio, small.plant, small.vase]
    put_on(plan, placed, [pick(rng, makers)(rng).grounded() for _ in range(int(rng.integers(1, 6)))], rng)


def cupboard(width: float, depth: float, height: float, color: np.ndarray, rng: np.random.Generator) -> Mesh:
    """A closed unit with doors side by side, or drawers, on its front; stands on z = 0 and faces -y."""
    front = color if chance(rng, 0.6) else palette.wood(rng)
    parts = [box(width, depth, height, color)]
    across, down = (1, int(rng.integers(2, 5))) if height < 1.2 and chance(rng, 0.25) else (1 + int(width / 0.65), 1)
    w, h = width / across, (height - 0.02) / down
    metal, y = palette.metal(rng), -depth / 2 - 0.01
    handle = h * (0.5 if down > 1 or height > 1.2 else 0.9)
    for i in range(across):
        for j in range(down):
            x, z = (i + 0.5) * w - width / 2, j * h + 0.01
            parts.append(box(w - 0.012, 0.02, h - 0.012, front).moved(x, y, z))
            parts.append(box(0.12, 0.02, 0.02, metal).moved(x, y - 0.03, z + handle))
    return merge(parts)


def _fridge(rng: np.random.Generator) -> Mesh:
    """One door above the other, handles at the side."""
    width, depth, height = rng.uniform(0.55, 0.9), rng.uniform(0.55, 0.75), rng.uniform(1.2, 1.95)
    color = pick(rng, [np.full(3, 0.93), palette.metal(rng), palette.dark(rng)])
    split = height * rng.uniform(0.3, 0.7)
    parts = [box(width, depth, height, color)]
    for low, high in ((0.06, split), (split, height)):
        parts.append(box(width - 0.01, 0.05, high - low - 0.015, color).moved(0, -depth / 2 - 0.03, low))
        parts.append(box(0.025, 0.04, 0.3, palette.metal(rng)).moved(-width * 0.42, -depth / 2 - 0.08, low + 0.1))
    return merge(parts)


_ITEMS: dict[str, Callable[[Plan, np.random.Generator], None]] = {
    "bed": _bed,
    "row": _row,
    "group": _group,
    "shelf": _shelf,
    "wall-shelf": _wall_shelf,
    "coffee": _coffee,
    "stand": _stand,
    "side": _side,
    "dresser": _dresser,
    "wardrobe": _wardrobe,
    "corner": _corner,
    "television": _television,
    "toilet": _toilet,
    "bathtub": _bathtub,
    "refrigerator": _refrigerator,
    "counter": _counter,
}
