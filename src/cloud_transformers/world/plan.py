"""The plan of a room: its size, its walls with openings, and where things stand without standing in each other.

The room's floor is centred on the origin, z = 0. A wall's own frame has x along the wall, the wall's face in the plane
y = 0 and the room at y < 0, just as furniture has its back at +y.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np

from cloud_transformers.render.mesh import Array, Mesh, merge
from cloud_transformers.world.parts import box

# Gives a piece of furniture by its name: made by the builder, or taken from elsewhere, see `world.catalogue`.
Stock = Callable[[str, Callable[[np.random.Generator], Mesh], np.random.Generator], Mesh]


def built(name: str, builder: Callable[[np.random.Generator], Mesh], rng: np.random.Generator) -> Mesh:
    """The usual stock: whatever is asked for is built."""
    return builder(rng)


@dataclass(frozen=True, eq=False)
class Thing:
    """One instance in a room: its mesh in room coordinates and its S3DIS class."""

    mesh: Mesh
    class_name: str
    name: str = ""  # what it is more precisely, if that is known: "cabinet", which is clutter to S3DIS


@dataclass(frozen=True)
class Opening:
    """A rectangle on a wall that a door or window fills: its middle along the wall, and its extent."""

    wall: int
    middle: float
    width: float
    low: float
    high: float


@dataclass(eq=False)
class Plan:
    width: float  # along x
    depth: float  # along y
    height: float
    things: list[Thing] = field(default_factory=list)
    openings: list[Opening] = field(default_factory=list)
    taken: list[tuple[float, float, float, float]] = field(default_factory=list)  # x0, y0, x1, y1 on the floor
    wall_taken: list[tuple[int, float, float]] = field(default_factory=list)  # wall, from, to: no picture fits there
    stock: Stock = built

    def wall_length(self, wall: int) -> float:
        return self.width if wall % 2 == 0 else self.depth

    def on_wall(self, mesh: Mesh, wall: int, along: float, gap: float = 0.0) -> Mesh:
        """A mesh from a wall's own frame (back at y = 0) to the room."""
        away = (self.depth if wall % 2 == 0 else self.width) / 2
        return mesh.moved(along, away - gap).turned("z", -wall * np.pi / 2)

    def add(self, mesh: Mesh, class_name: str, name: str = "") -> None:
        self.things.append(Thing(mesh, class_name, name or class_name))

    def rename_last(self, name: str, *, since: int) -> None:
        """Give the things added after the first `since` ones a more precise name."""
        self.things[since:] = [replace(thing, name=name) for thing in self.things[since:]]

    def is_free(self, low: Array, high: Array, margin: float = 0.05) -> bool:
        """Whether a rectangle on the floor lies inside the room and overlaps nothing that was reserved."""
        if (np.abs(low) > [self.width / 2, self.depth / 2]).any() or (
            np.abs(high) > [self.width / 2, self.depth / 2]
        ).any():
            return False
        return not any(
            low[0] - margin < x1 and high[0] + margin > x0 and low[1] - margin < y1 and high[1] + margin > y0
            for x0, y0, x1, y1 in self.taken
        )

    def reserve(self, low: Array, high: Array) -> None:
        self.taken.append((float(low[0]), float(low[1]), float(high[0]), float(high[1])))

    def wall_is_free(self, wall: int, begin: float, end: float) -> bool:
        if max(abs(begin), abs(end)) > self.wall_length(wall) / 2 - 0.05:
            return False
        return not any(w == wall and begin < b and end > a for w, a, b in self.wall_taken)

    def place_at_wall(
        self, mesh: Mesh, rng: np.random.Generator, *, tall: bool, room_in_front: float = 0.0, tries: int = 30
    ) -> tuple[Mesh, int, float] | None:
        """Stand a mesh (facing -y) against some wall where it fits: moved mesh, wall and place along it, or None.

        Tall things keep clear of windows and boards. `room_in_front` is floor kept free before it.
        """
        low, high = mesh.bounds()
        half = (high - low)[0] / 2
        for _ in range(tries):
            wall = int(rng.integers(4))
            free = self.wall_length(wall) / 2 - half - 0.03
            if free <= 0:
                continue
            along = rng.uniform(-free, free)
            if tall and not self.wall_is_free(wall, along - half, along + half):
                continue
            centred = mesh.moved(-(low + high)[0] / 2, -high[1])
            placed = self.on_wall(centred, wall, along, rng.uniform(0.01, 0.05))
            claim = centred.mapped(lambda v: np.concatenate([v, v - [0, room_in_front, 0]]))
            a, b = self.on_wall(claim, wall, along, 0.05).bounds()
            if self.is_free(a[:2], b[:2]):
                self.reserve(a[:2], b[:2])
                if tall:
                    self.wall_taken.append((wall, along - half, along + half))
                return placed, wall, along
        return None

    def place_inside(
        self, mesh: Mesh, rng: np.random.Generator, *, margin: float = 0.3, tries: int = 30
    ) -> Mesh | None:
        """Stand a mesh somewhere on the free floor, or None."""
        low, high = mesh.bounds()
        for _ in range(tries):
            spot = rng.uniform(-0.5, 0.5, 2) * (np.array([self.width, self.depth]) - (high - low)[:2] - 0.1)
            move = spot - (low + high)[:2] / 2
            if self.is_free(low[:2] + move, high[:2] + move, margin):
                self.reserve(low[:2] + move, high[:2] + move)
                return mesh.moved(move[0], move[1])
        return None

    def wall_mesh(self, wall: int, color: Array, thickness: float = 0.12) -> Mesh:
        """A wall with its openings left out."""
        half = self.wall_length(wall) / 2
        openings = sorted((o for o in self.openings if o.wall == wall), key=lambda o: o.middle)
        parts, begin = [], -half
        for opening in openings:
            left, right = opening.middle - opening.width / 2, opening.middle + opening.width / 2
            parts.append(_panel(begin, left, 0, self.height, thickness, color))
            parts.append(_panel(left, right, opening.high, self.height, thickness, color))
            if opening.low > 0:
                parts.append(_panel(left, right, 0, opening.low, thickness, color))
            begin = right
        parts.append(_panel(begin, half, 0, self.height, thickness, color))
        return self.on_wall(merge(parts), wall, 0.0)


def _panel(begin: float, end: float, low: float, high: float, thickness: float, color: Array) -> Mesh:
    return box(max(end - begin, 0.001), thickness, high - low, color).moved((begin + end) / 2, thickness / 2, low)


def surface_height(mesh: Mesh, x: float, y: float, below: float) -> float | None:
    """The highest point of a mesh above (x, y) and below a level: where something put there would come to rest."""
    a, b, c = np.moveaxis(mesh.corners(), 1, 0)
    d1, d2, p = (b - a)[:, :2], (c - a)[:, :2], np.array([x, y]) - a[:, :2]
    area = d1[:, 0] * d2[:, 1] - d1[:, 1] * d2[:, 0]
    flat = np.abs(area) > 1e-12
    safe = np.where(flat, area, 1.0)
    u = (p[:, 0] * d2[:, 1] - p[:, 1] * d2[:, 0]) / safe
    v = (d1[:, 0] * p[:, 1] - d1[:, 1] * p[:, 0]) / safe
    z = a[:, 2] + u * (b - a)[:, 2] + v * (c - a)[:, 2]
    hit = flat & (u >= 0) & (v >= 0) & (u + v <= 1) & (z < below)
    return float(z[hit].max()) if hit.any() else None
