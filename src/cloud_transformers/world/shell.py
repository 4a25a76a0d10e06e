"""The shell of a room: floor, ceiling, walls, openings, columns and beams, and what hangs on walls and ceiling."""

from __future__ import annotations

import numpy as np

from cloud_transformers.render.mesh import Array, merge
from cloud_transformers.world import palette
from cloud_transformers.world.furniture import panels
from cloud_transformers.world.parts import box, cylinder
from cloud_transformers.world.plan import Opening, Plan
from cloud_transformers.world.seeds import chance, pick


def shell(plan: Plan, rng: np.random.Generator) -> None:
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


def _column(plan: Plan, rng: np.random.Generator, paint: Array) -> None:
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
        if free <= 0:
            continue
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
                fins = [
                    box(0.05, 0.08, 0.5, np.full(3, 0.92)).moved(x, -0.07, 0.12)
                    for x in np.arange(-width * 0.4, width * 0.4, 0.07)
                ]
                plan.add(plan.on_wall(merge(fins), wall, along), "clutter")


def partitions(plan: Plan, rng: np.random.Generator) -> None:
    """Walls that begin at a wall and end in the room, seen from both sides; now and then no higher than a counter."""
    color = next(thing.mesh.color[0] for thing in plan.things if thing.class_name == "wall")
    for _ in range(int(rng.integers(0, 3))):
        height = rng.uniform(0.9, 1.5) if chance(rng, 0.2) else plan.height
        mesh = box(rng.uniform(0.08, 0.25), rng.uniform(0.5, 2.2), height, color)
        found = plan.place_at_wall(mesh, rng, tall=True)
        if found is not None:
            plan.add(found[0], "wall")


def hang_on_walls(
    plan: Plan, rng: np.random.Generator, boards: tuple[int, int] = (1, 3), pictures: tuple[int, int] = (2, 5)
) -> None:
    """Boards where a wall is free, then pictures and clocks, from and to how many, and lamps on the ceiling."""
    for _ in range(int(rng.integers(boards[0], boards[1] + 1))):
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
    for _ in range(int(rng.integers(pictures[0], pictures[1] + 1))):
        wall, width = int(rng.integers(4)), rng.uniform(0.12, 0.7)
        along = rng.uniform(-0.5, 0.5) * (plan.wall_length(wall) - width - 0.2)
        if plan.wall_is_free(wall, along - width / 2, along + width / 2):
            if chance(rng, 0.25):
                mesh = cylinder(0.15, 0.04, palette.plastic(rng), segments=24).turned("x", np.pi / 2).moved(z=2.1)
            else:
                mesh = box(width, 0.03, width * rng.uniform(0.7, 1.4), palette.plastic(rng)).moved(
                    0, -0.016, rng.uniform(1.1, 1.6)
                )
            plan.add(plan.on_wall(mesh, wall, along), "clutter")
            plan.wall_taken.append((wall, along - width / 2, along + width / 2))
    columns, rows = max(1, round(plan.width / 2.2)), max(1, round(plan.depth / 2.2))
    shape = pick(rng, [(1.2, 0.2), (0.6, 0.6), (0.25, 0.25)])
    for i in range(columns):
        for j in range(rows):
            x, y = ((i + 0.5) / columns - 0.5) * plan.width, ((j + 0.5) / rows - 0.5) * plan.depth
            light = box(*shape, 0.05, np.full(3, 0.98)).moved(x, y, plan.height - 0.05)
            plan.add(light, "clutter")
