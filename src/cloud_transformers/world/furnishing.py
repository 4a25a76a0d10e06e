"""Furnishing a plan: shell, openings, boards, groups of furniture and clutter, by kind of room."""

from __future__ import annotations

from functools import partial

import numpy as np

from cloud_transformers.render.mesh import Mesh, merge
from cloud_transformers.world.furniture import (
    bags,
    bins,
    boxes,
    panels,
    seating,
    sinks,
    small,
    soft,
    storage,
    tables,
)
from cloud_transformers.world.plan import Plan, Stock, built, surface_height
from cloud_transformers.world.seeds import chance, pick
from cloud_transformers.world.shell import hang_on_walls, shell

# Of each kind: its width and depth in metres, from and to, and what is put in, the large things first.
KINDS: dict[str, tuple[tuple[float, float], tuple[float, float], str]] = {
    "office": ((3.2, 5.5), (3.2, 5.0), "desk desk sofa bookcase table cabinet bookcase chair chair"),
    "conferenceRoom": ((4.5, 7.0), (4.0, 6.0), "meeting sofa cabinet chair chair bookcase chair"),
    "lounge": ((4.5, 7.0), (4.0, 6.0), "sofa sofa meeting bookcase cabinet armchair armchair"),
    "hallway": ((6.0, 9.0), (1.9, 2.6), "bookcase sofa cabinet chair chair table"),
    "copyRoom": ((3.0, 4.5), (3.0, 4.5), "cabinet cabinet bookcase table bookcase"),
    "storage": ((2.8, 4.5), (2.8, 4.5), "bookcase bookcase cabinet cabinet boxes boxes table"),
    "openspace": ((6.5, 9.0), (5.5, 7.0), "meeting desk desk desk desk sofa bookcase cabinet bookcase"),
    "pantry": ((3.5, 5.5), (3.2, 4.5), "sink cabinet meeting chair bookcase"),
}


def furnished(kind: str, rng: np.random.Generator, stock: Stock = built) -> Plan:
    """A room of this kind with everything in it."""
    wide, deep, furniture = KINDS[kind]
    plan = Plan(rng.uniform(*wide), rng.uniform(*deep), rng.uniform(2.5, 3.4), stock=stock)
    shell(plan, rng)
    for item in furniture.split():
        if chance(rng, 0.9):
            ITEMS[item](plan, rng)
    for _ in range(int(rng.integers(2, 6))):
        floor_clutter(plan, rng)
    hang_on_walls(plan, rng)
    return plan


def put_on(
    plan: Plan, support: Mesh, things: list[Mesh], rng: np.random.Generator, below: float = 1.0, kind: str = "clutter"
) -> None:
    """Lay small things on top of a placed mesh, apart from each other; their class is `kind`."""
    low, high = support.bounds()
    used: list[np.ndarray] = []
    for thing in things:
        size = thing.bounds()[1] - thing.bounds()[0]
        radius = float(np.hypot(size[0], size[1])) / 2
        for _ in range(6):
            spot = rng.uniform(
                low[:2] + radius * 0.8, np.maximum(high[:2] - radius * 0.8, low[:2] + radius * 0.8 + 1e-6)
            )
            if any(np.hypot(*(spot - other[:2])) < radius + other[2] for other in used):
                continue
            level = surface_height(support, float(spot[0]), float(spot[1]), below)
            if level is None or level < 0.3:
                continue
            used.append(np.array([*spot, radius]))
            plan.add(thing.moved(spot[0], spot[1], level), kind)
            break


def desk_things(rng: np.random.Generator, stock: Stock = built) -> list[Mesh]:
    makers = [
        panels.display,
        small.laptop,
        small.books,
        small.cup,
        small.keyboard,
        small.lamp,
        small.bottle,
        small.plant,
    ]
    count = int(rng.integers(2, 6))
    things = [
        stock("small thing", maker, rng).grounded()
        for maker in (pick(rng, makers, [3, 2, 3, 2, 2, 0.6, 1, 0.6]) for _ in range(count))
    ]
    things = [thing for thing in things if (thing.bounds()[1] < [0.5, 0.5, 0.75]).all()]
    return [thing.turned("z", rng.uniform(-0.4, 0.4)) for thing in things]


def _desk(plan: Plan, rng: np.random.Generator) -> None:
    """A desk with its drawers towards the wall's side or turned about, a chair before it and things on it."""
    found = plan.place_at_wall(plan.stock("desk", tables.desk, rng).grounded(), rng, tall=False, room_in_front=0.7)
    if found is None:
        return
    mesh, wall, along = found
    plan.add(mesh, "table", "desk")
    local = mesh.turned("z", wall * np.pi / 2)
    front = local.bounds()[0][1]
    kind, builder = ("office chair", seating.office_chair) if chance(rng, 0.7) else ("chair", seating.chair)
    chair = plan.stock(kind, builder, rng)
    chair = chair.turned("z", np.pi + rng.uniform(-0.6, 0.6)).grounded()
    seat = chair.moved(along + rng.uniform(-0.15, 0.15), front - 0.12 + rng.uniform(-0.1, 0.1))
    plan.add(seat.turned("z", -wall * np.pi / 2), "chair")
    put_on(plan, mesh, desk_things(rng, plan.stock), rng)
    if chance(rng, 0.5):
        computer = small.computer(rng).moved(along + rng.uniform(-0.25, 0.25), (local.bounds()[1][1] + front) / 2 + 0.1)
        plan.add(computer.turned("z", -wall * np.pi / 2), "clutter")


def _meeting(plan: Plan, rng: np.random.Generator) -> None:
    """A table on the free floor with chairs of one make around it, some pulled out or missing."""
    roomy = min(plan.width, plan.depth) > 4
    placed = None
    for kind in ("meeting" if roomy else "dining", "dining", "round", "round"):  # a smaller one if that does not fit
        table = (
            plan.stock("table", partial(tables.table, kind=kind), rng)
            .grounded()
            .turned("z", pick(rng, [0.0, np.pi / 2]))
        )
        half = table.bounds()[1][:2]
        claim = table.scaled([*(half + 0.45) / half, 1])
        if (claim.bounds()[1][:2] * 2 < [plan.width, plan.depth]).all():
            placed = plan.place_inside(claim, rng, margin=0.0, tries=60)
        if placed is not None:
            break
    else:
        return
    x, y = placed.bounds()[0][:2] / 2 + placed.bounds()[1][:2] / 2
    table = table.moved(x, y)
    plan.add(table, "table")
    chair = plan.stock("chair", seating.chair, rng).grounded()
    for side in range(4):
        length, away = (half[0], half[1]) if side % 2 == 0 else (half[1], half[0])
        count = max(1, int(2 * length / 0.75))
        for k in range(count):
            if chance(rng, 0.25):
                continue
            along = ((k + 0.5) / count - 0.5) * 2 * length
            pulled = away + rng.uniform(0.0, 0.25)
            seat = chair.turned("z", rng.uniform(-0.25, 0.25)).moved(along, pulled)  # faces -y, towards the table
            plan.add(seat.turned("z", side * np.pi / 2).moved(x, y), "chair")
    put_on(plan, table, desk_things(rng, plan.stock), rng)


def _sofa(plan: Plan, rng: np.random.Generator) -> None:
    found = plan.place_at_wall(plan.stock("sofa", soft.sofa, rng).grounded(), rng, tall=False, room_in_front=0.5)
    if found is None:
        return
    mesh, wall, along = found
    plan.add(mesh, "sofa")
    if chance(rng, 0.6):
        table = plan.stock("coffee table", partial(tables.table, kind="coffee"), rng).grounded()
        front = mesh.turned("z", wall * np.pi / 2).bounds()[0][1]
        placed = table.moved(along, front - 0.55).turned("z", -wall * np.pi / 2)
        low, high = placed.bounds()
        if (np.maximum(np.abs(low), np.abs(high))[:2] < [plan.width / 2, plan.depth / 2]).all():
            plan.add(placed, "table")
            plan.reserve(low[:2], high[:2])
            put_on(plan, placed, [small.books(rng), small.cup(rng), small.bowl(rng)], rng)


def at_wall(
    plan: Plan, mesh: Mesh, class_name: str, rng: np.random.Generator, load: list[Mesh], *, name: str = ""
) -> None:
    """Stand a mesh against a wall, if there is room, with a load of small things on it."""
    mesh = mesh.grounded()
    if mesh.bounds()[1][2] > plan.height - 0.05:
        return
    found = plan.place_at_wall(mesh, rng, tall=mesh.bounds()[1][2] > 0.8, room_in_front=0.2)
    if found is not None:
        plan.add(found[0], class_name, name)
        put_on(plan, found[0], load, rng, below=1.4)


def _bookcase(plan: Plan, rng: np.random.Generator) -> None:
    mesh = plan.stock("bookcase", storage.bookcase, rng).grounded()
    if chance(rng, 0.4):  # two or three of the same side by side
        width = 2 * mesh.bounds()[1][0]
        mesh = merge([mesh.moved(k * width) for k in range(int(rng.integers(2, 4)))]).grounded()
    at_wall(plan, mesh, "bookcase", rng, [])


def _cabinet(plan: Plan, rng: np.random.Generator) -> None:
    mesh = plan.stock("cabinet", storage.cabinet, rng)
    at_wall(plan, mesh, "clutter", rng, [small.plant(rng), small.books(rng), small.vase(rng)], name="cabinet")


def _sink(plan: Plan, rng: np.random.Generator) -> None:
    at_wall(plan, plan.stock("sink", sinks.sink, rng), "clutter", rng, [], name="sink")


def _table(plan: Plan, rng: np.random.Generator) -> None:
    at_wall(plan, plan.stock("table", tables.table, rng), "table", rng, desk_things(rng, plan.stock))


def _chair(plan: Plan, rng: np.random.Generator) -> None:
    mesh = plan.stock("chair", seating.chair, rng).grounded().turned("z", rng.uniform(0, 2 * np.pi))
    placed = plan.place_inside(mesh, rng, margin=0.1)
    if placed is not None:
        plan.add(placed, "chair")


def _armchair(plan: Plan, rng: np.random.Generator) -> None:
    mesh = plan.stock("armchair", seating.padded_chair, rng).grounded().turned("z", rng.uniform(0, 2 * np.pi))
    placed = plan.place_inside(mesh, rng)
    if placed is not None:
        plan.add(placed, "chair")


def floor_clutter(plan: Plan, rng: np.random.Generator) -> None:
    makers = [bins.bin, boxes.box_object, bags.bag, small.plant, small.lamp, small.computer]
    maker = pick(rng, makers, [3, 3, 2, 1, 1, 1])
    mesh = maker(rng).grounded()
    if chance(rng, 0.6):
        found = plan.place_at_wall(mesh, rng, tall=False)
        placed = None if found is None else found[0]
    else:
        placed = plan.place_inside(mesh.turned("z", rng.uniform(0, 6.3)), rng, margin=0.05)
    if placed is not None:
        plan.add(placed, "clutter", {bins.bin: "bin", boxes.box_object: "box", bags.bag: "bag"}.get(maker, ""))


def _boxes(plan: Plan, rng: np.random.Generator) -> None:
    for _ in range(int(rng.integers(2, 5))):
        box = boxes.box_object(rng)
        at_wall(plan, box, "clutter", rng, [boxes.carton(rng)] if chance(rng, 0.5) else [], name="box")


ITEMS = {
    "desk": _desk,
    "meeting": _meeting,
    "sofa": _sofa,
    "bookcase": _bookcase,
    "cabinet": _cabinet,
    "sink": _sink,
    "table": _table,
    "chair": _chair,
    "armchair": _armchair,
    "boxes": _boxes,
}
