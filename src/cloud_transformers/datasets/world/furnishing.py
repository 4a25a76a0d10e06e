"""Furnishing a plan: shell, openings, boards, groups of furniture and clutter, by kind of room."""

from __future__ import annotations

import numpy as np

from cloud_transformers.datasets.world import palette
from cloud_transformers.datasets.world.furniture import containers, fixtures, panels, seating, small, soft, storage, tables
from cloud_transformers.datasets.world.mesh import Mesh, merge
from cloud_transformers.datasets.world.parts import box, cylinder
from cloud_transformers.datasets.world.plan import Opening, Plan, surface_height
from cloud_transformers.datasets.world.seeds import chance, pick

# Sizes in metres (x, y) and what is put in, roughly in order of size so that the large things find a place first.
KINDS: dict[str, tuple[tuple[float, float], tuple[float, float], list[str]]] = {
    "office": ((3.2, 5.5), (3.2, 5.0), ["desk", "desk", "sofa", "bookcase", "table", "cabinet", "bookcase", "chair", "chair"]),
    "conferenceRoom": ((4.5, 7.0), (4.0, 6.0), ["meeting", "sofa", "cabinet", "chair", "chair", "bookcase", "chair"]),
    "lounge": ((4.5, 7.0), (4.0, 6.0), ["sofa", "sofa", "meeting", "bookcase", "cabinet", "armchair", "armchair"]),
    "hallway": ((6.0, 9.0), (1.9, 2.6), ["bookcase", "sofa", "cabinet", "chair", "chair", "table"]),
    "copyRoom": ((3.0, 4.5), (3.0, 4.5), ["cabinet", "cabinet", "bookcase", "table", "bookcase"]),
    "storage": ((2.8, 4.5), (2.8, 4.5), ["bookcase", "bookcase", "cabinet", "cabinet", "boxes", "boxes", "table"]),
    "openspace": ((6.5, 9.0), (5.5, 7.0), ["meeting", "desk", "desk", "desk", "desk", "sofa", "bookcase", "cabinet", "bookcase"]),
    "pantry": ((3.5, 5.5), (3.2, 4.5), ["sink", "cabinet", "meeting", "chair", "bookcase"]),
}  # fmt: skip


def furnished(kind: str, rng: np.random.Generator) -> Plan:
    """A room of this kind with everything in it."""
    wide, deep, furniture = KINDS[kind]
    plan = Plan(rng.uniform(*wide), rng.uniform(*deep), rng.uniform(2.5, 3.4))
    _shell(plan, rng)
    for item in furniture:
        if chance(rng, 0.9):
            _FURNISH[item](plan, rng)
    for _ in range(int(rng.integers(2, 6))):
        _floor_clutter(plan, rng)
    _on_walls(plan, rng)
    return plan


def _shell(plan: Plan, rng: np.random.Generator) -> None:
    """Floor, ceiling, walls, doors, windows, boards, columns and beams."""
    _openings(plan, rng)
    paint = palette.wall_paint(rng)
    accent = palette.wall_paint(rng) if chance(rng, 0.4) else paint
    size = (plan.width + 0.24, plan.depth + 0.24)
    plan.add(box(*size, 0.1, palette.wood(rng) if chance(rng, 0.4) else palette.fabric(rng)).moved(z=-0.1), "floor")
    plan.add(box(*size, 0.1, np.full(3, rng.uniform(0.82, 0.97))).moved(z=plan.height), "ceiling")
    special = int(rng.integers(4))
    for wall in range(4):
        plan.add(plan.wall_mesh(wall, accent if wall == special else paint), "wall")
    if chance(rng, 0.4):
        for _ in range(int(rng.integers(1, 3))):
            _column(plan, rng, paint)
    if chance(rng, 0.5):
        drop, width = rng.uniform(0.15, 0.4), rng.uniform(0.15, 0.35)
        color = palette.shade(paint, rng.uniform(0.85, 1.0))
        along_x = chance(rng, 0.5)
        span, reach = (plan.width, plan.depth) if along_x else (plan.depth, plan.width)
        for place in np.linspace(-0.5, 0.5, int(rng.integers(1, 4)) + 2)[1:-1]:
            beam = box(span, width, drop, color).moved(0, place * reach, plan.height - drop)
            plan.add(beam if along_x else beam.turned("z", np.pi / 2), "beam")


def _column(plan: Plan, rng: np.random.Generator, paint: np.ndarray) -> None:
    width, color = rng.uniform(0.25, 0.5), palette.shade(paint, rng.uniform(0.85, 1.05))
    if chance(rng, 0.6):
        mesh = box(width, width * rng.uniform(0.6, 1.0), plan.height, color)
    else:
        mesh = cylinder(width / 2, plan.height, color, segments=24)
    if chance(rng, 0.7):
        found = plan.place_at_wall(mesh, rng, tall=True)
        placed = None if found is None else found[0]
    else:
        placed = plan.place_inside(mesh, rng, margin=0.6)
    if placed is not None:
        plan.add(placed, "column")


def _openings(plan: Plan, rng: np.random.Generator) -> None:
    for _ in range(1 if max(plan.width, plan.depth) < 5.5 else int(rng.integers(1, 4))):
        leaves = 2 if chance(rng, 0.12) else 1
        leaf, high = rng.uniform(0.75, 0.95), rng.uniform(2.0, 2.15)
        span = leaf * leaves + 0.2
        wall = int(rng.integers(4))
        free = plan.wall_length(wall) / 2 - span / 2 - 0.1
        along = rng.uniform(-free, free)
        if not plan.wall_is_free(wall, along - span / 2, along + span / 2):
            continue
        mesh = panels.door_in_frame(rng, leaf=leaf, height=high, leaves=leaves, ajar=chance(rng, 0.35))
        mesh = mesh.turned("z", np.pi) if chance(rng, 0.3) else mesh  # some open into the room, some out of it
        plan.add(plan.on_wall(mesh.moved(y=0.05), wall, along), "door")
        plan.openings.append(Opening(wall, along, leaf * leaves + 0.16, 0.0, high + 0.08))
        plan.wall_taken.append((wall, along - span / 2, along + span / 2))
        zone = plan.on_wall(box(span, 1.0, 1.0, np.zeros(3)).moved(y=-0.5), wall, along)
        plan.reserve(zone.bounds()[0][:2], zone.bounds()[1][:2])
    outer = int(rng.integers(4))
    for wall in (outer, (outer + 1) % 4) if chance(rng, 0.3) else (outer,):
        if chance(rng, 0.2):
            continue
        sill, high = pick(rng, [rng.uniform(0.8, 1.1), 0.15]), rng.uniform(2.0, 2.35)
        length = plan.wall_length(wall)
        count = max(1, int(length / rng.uniform(1.8, 3.0)))
        width = min(length / count * rng.uniform(0.55, 0.85), 2.4)
        for k in range(count):
            along = -length / 2 + (k + 0.5) * length / count
            if not plan.wall_is_free(wall, along - width / 2 - 0.05, along + width / 2 + 0.05):
                continue
            plan.add(plan.on_wall(panels.window(rng, width, high - sill).moved(0, 0.06, sill), wall, along), "window")
            plan.openings.append(Opening(wall, along, width, sill, high))
            plan.wall_taken.append((wall, along - width / 2 - 0.05, along + width / 2 + 0.05))
            if sill > 0.7 and chance(rng, 0.5):
                fins = [box(0.05, 0.08, 0.5, np.full(3, 0.92)).moved(x, -0.07, 0.12) for x in np.arange(-width * 0.4, width * 0.4, 0.07)]
                plan.add(plan.on_wall(merge(fins), wall, along), "clutter")


def _on_walls(plan: Plan, rng: np.random.Generator) -> None:
    """Boards where a wall is free, then pictures, clocks, switches, and lamps on the ceiling."""
    for _ in range(int(rng.integers(1, 4))):
        wall, width = int(rng.integers(4)), rng.uniform(1.0, 2.6)
        if width > plan.wall_length(wall) - 0.3:
            continue
        for _ in range(6):
            free = plan.wall_length(wall) / 2 - width / 2 - 0.08
            along = rng.uniform(-free, free)
            if plan.wall_is_free(wall, along - width / 2, along + width / 2):
                mesh = panels.board(rng, width, rng.uniform(0.9, 1.25)).moved(z=rng.uniform(0.85, 1.05))
                plan.add(plan.on_wall(mesh, wall, along), "board")
                plan.wall_taken.append((wall, along - width / 2, along + width / 2))
                break
    for _ in range(int(rng.integers(2, 6))):
        wall, width = int(rng.integers(4)), rng.uniform(0.12, 0.7)
        along = rng.uniform(-0.5, 0.5) * (plan.wall_length(wall) - width - 0.2)
        if plan.wall_is_free(wall, along - width / 2, along + width / 2):
            if chance(rng, 0.25):
                mesh = cylinder(0.15, 0.04, palette.plastic(rng), segments=24).turned("x", np.pi / 2).moved(z=2.1)
            else:
                mesh = box(width, 0.03, width * rng.uniform(0.7, 1.4), palette.plastic(rng)).moved(0, -0.016, rng.uniform(1.1, 1.6))
            plan.add(plan.on_wall(mesh, wall, along), "clutter")
            plan.wall_taken.append((wall, along - width / 2, along + width / 2))
    columns, rows = max(1, round(plan.width / 2.2)), max(1, round(plan.depth / 2.2))
    shape = pick(rng, [(1.2, 0.2), (0.6, 0.6), (0.25, 0.25)])
    for i in range(columns):
        for j in range(rows):
            x, y = ((i + 0.5) / columns - 0.5) * plan.width, ((j + 0.5) / rows - 0.5) * plan.depth
            light = box(*shape, 0.05, np.full(3, 0.98)).moved(x, y, plan.height - 0.05)
            plan.add(light, "clutter")


def _put_on(plan: Plan, support: Mesh, things: list[Mesh], rng: np.random.Generator, below: float = 1.0) -> None:
    """Lay small things on top of a placed mesh, apart from each other, as clutter."""
    low, high = support.bounds()
    used: list[np.ndarray] = []
    for thing in things:
        size = thing.bounds()[1] - thing.bounds()[0]
        radius = float(np.hypot(size[0], size[1])) / 2
        for _ in range(6):
            spot = rng.uniform(low[:2] + radius * 0.8, np.maximum(high[:2] - radius * 0.8, low[:2] + radius * 0.8 + 1e-6))
            if any(np.hypot(*(spot - other[:2])) < radius + other[2] for other in used):
                continue
            level = surface_height(support, float(spot[0]), float(spot[1]), below)
            if level is None or level < 0.3:
                continue
            used.append(np.array([*spot, radius]))
            plan.add(thing.moved(spot[0], spot[1], level), "clutter")
            break


def _desk_things(rng: np.random.Generator) -> list[Mesh]:
    makers = [panels.display, small.laptop, small.books, small.cup, small.keyboard, small.lamp, small.bottle, small.plant]
    count = int(rng.integers(2, 6))
    things = [maker(rng).grounded() for maker in (pick(rng, makers, [3, 2, 3, 2, 2, 0.6, 1, 0.6]) for _ in range(count))]
    things = [thing for thing in things if (thing.bounds()[1] < [0.5, 0.5, 0.75]).all()]
    return [thing.turned("z", rng.uniform(-0.4, 0.4)) for thing in things]


def _desk(plan: Plan, rng: np.random.Generator) -> None:
    """A desk with its drawers towards the wall's side or turned about, a chair before it and things on it."""
    found = plan.place_at_wall(tables.desk(rng).grounded(), rng, tall=False, room_in_front=0.7)
    if found is None:
        return
    mesh, wall, along = found
    plan.add(mesh, "table")
    local = mesh.turned("z", wall * np.pi / 2)
    front = local.bounds()[0][1]
    chair = seating.office_chair(rng) if chance(rng, 0.7) else seating.chair(rng)
    chair = chair.turned("z", np.pi + rng.uniform(-0.6, 0.6)).grounded()
    seat = chair.moved(along + rng.uniform(-0.15, 0.15), front - 0.12 + rng.uniform(-0.1, 0.1))
    plan.add(seat.turned("z", -wall * np.pi / 2), "chair")
    _put_on(plan, mesh, _desk_things(rng), rng)
    if chance(rng, 0.5):
        computer = small.computer(rng).moved(along + rng.uniform(-0.25, 0.25), (local.bounds()[1][1] + front) / 2 + 0.1)
        plan.add(computer.turned("z", -wall * np.pi / 2), "clutter")


def _meeting(plan: Plan, rng: np.random.Generator) -> None:
    """A table on the free floor with chairs of one make around it, some pulled out or missing."""
    roomy = min(plan.width, plan.depth) > 4
    table = tables.table(rng, pick(rng, ["dining", "round", "meeting" if roomy else "dining"])).grounded()
    table = table.turned("z", pick(rng, [0.0, np.pi / 2]))
    half = table.bounds()[1][:2]
    claim = table.mapped(lambda v: v * [(half[0] + 0.45) / half[0], (half[1] + 0.45) / half[1], 1])
    if (claim.bounds()[1][:2] * 2 > [plan.width, plan.depth]).any():
        return
    placed = plan.place_inside(claim, rng, margin=0.0)
    if placed is None:
        return
    x, y = placed.bounds()[0][:2] / 2 + placed.bounds()[1][:2] / 2
    table = table.moved(x, y)
    plan.add(table, "table")
    chair = seating.chair(rng).grounded()
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
    _put_on(plan, table, _desk_things(rng), rng)


def _sofa(plan: Plan, rng: np.random.Generator) -> None:
    found = plan.place_at_wall(soft.sofa(rng).grounded(), rng, tall=False, room_in_front=0.5)
    if found is None:
        return
    mesh, wall, along = found
    plan.add(mesh, "sofa")
    if chance(rng, 0.6):
        table = tables.table(rng, "coffee").grounded()
        front = mesh.turned("z", wall * np.pi / 2).bounds()[0][1]
        placed = table.moved(along, front - 0.55).turned("z", -wall * np.pi / 2)
        low, high = placed.bounds()
        if (np.maximum(np.abs(low), np.abs(high))[:2] < [plan.width / 2, plan.depth / 2]).all():
            plan.add(placed, "table")
            plan.reserve(low[:2], high[:2])
            _put_on(plan, placed, [small.books(rng), small.cup(rng), small.bowl(rng)], rng)


def _at_wall(plan: Plan, mesh: Mesh, class_name: str, rng: np.random.Generator, load: list[Mesh]) -> None:
    mesh = mesh.grounded()
    if mesh.bounds()[1][2] > plan.height - 0.05:
        return
    found = plan.place_at_wall(mesh, rng, tall=mesh.bounds()[1][2] > 0.8, room_in_front=0.2)
    if found is not None:
        plan.add(found[0], class_name)
        _put_on(plan, found[0], load, rng, below=1.4)


def _bookcase(plan: Plan, rng: np.random.Generator) -> None:
    mesh = storage.bookcase(rng).grounded()
    if chance(rng, 0.4):  # two or three of the same side by side
        width = 2 * mesh.bounds()[1][0]
        mesh = merge([mesh.moved(k * width) for k in range(int(rng.integers(2, 4)))]).grounded()
    _at_wall(plan, mesh, "bookcase", rng, [])


def _cabinet(plan: Plan, rng: np.random.Generator) -> None:
    _at_wall(plan, storage.cabinet(rng), "clutter", rng, [small.plant(rng), small.books(rng), small.vase(rng)])


def _sink(plan: Plan, rng: np.random.Generator) -> None:
    _at_wall(plan, fixtures.sink(rng), "clutter", rng, [])


def _table(plan: Plan, rng: np.random.Generator) -> None:
    _at_wall(plan, tables.table(rng), "table", rng, _desk_things(rng))


def _chair(plan: Plan, rng: np.random.Generator) -> None:
    placed = plan.place_inside(seating.chair(rng).grounded().turned("z", rng.uniform(0, 2 * np.pi)), rng, margin=0.1)
    if placed is not None:
        plan.add(placed, "chair")


def _armchair(plan: Plan, rng: np.random.Generator) -> None:
    mesh = seating.padded_chair(rng).grounded().turned("z", rng.uniform(0, 2 * np.pi))
    placed = plan.place_inside(mesh, rng)
    if placed is not None:
        plan.add(placed, "chair")


def _floor_clutter(plan: Plan, rng: np.random.Generator) -> None:
    makers = [containers.bin, containers.box_object, containers.bag, small.plant, small.lamp, small.computer]
    mesh = pick(rng, makers, [3, 3, 2, 1, 1, 1])(rng).grounded()
    if chance(rng, 0.6):
        found = plan.place_at_wall(mesh, rng, tall=False)
        placed = None if found is None else found[0]
    else:
        placed = plan.place_inside(mesh.turned("z", rng.uniform(0, 6.3)), rng, margin=0.05)
    if placed is not None:
        plan.add(placed, "clutter")


def _boxes(plan: Plan, rng: np.random.Generator) -> None:
    for _ in range(int(rng.integers(2, 5))):
        _at_wall(plan, containers.box_object(rng), "clutter", rng, [containers.carton(rng)] if chance(rng, 0.5) else [])


_FURNISH = {
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
