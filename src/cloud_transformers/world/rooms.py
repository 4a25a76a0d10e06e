"""Furnished rooms with the 13 S3DIS classes, as a scanner standing in them would see them."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from cloud_transformers.cloud import PointCloud
from cloud_transformers.render.mesh import Array, Mesh, merge
from cloud_transformers.world.furnishing import KINDS, furnished
from cloud_transformers.world.plan import Plan
from cloud_transformers.world.scanner import Faults, around, scan
from cloud_transformers.world.seeds import generator, pick

CLASSES = (
    "ceiling", "floor", "wall", "beam", "column", "window", "door",
    "table", "chair", "sofa", "bookcase", "board", "clutter",
)  # fmt: skip
NUM_AREAS = 6
_KIND_WEIGHTS = {"office": 5, "conferenceRoom": 2, "lounge": 2, "hallway": 2}  # the other kinds: 1


@dataclass(frozen=True, eq=False)
class RoomMesh:
    """A furnished room before it is scanned; `thing` and `label` are per face of its `mesh`."""

    kind: str  # what the room is: see `kind_of`
    mesh: Mesh
    thing: Array  # [F] which instance
    label: Array  # [F] its place in CLASSES
    plan: Plan  # its ground, walls and things


def area_of(index: int) -> int:
    """The area of room `index`: rooms are dealt out to the areas 1 to 6 in turn; Area 5 is the test."""
    return index % NUM_AREAS + 1


def kind_of(seed: int, index: int) -> str:
    """What room `index` is: office, conferenceRoom, hallway..."""
    return pick(generator("room kind", seed, index), list(KINDS), [_KIND_WEIGHTS.get(kind, 1) for kind in KINDS])


def build(seed: int, index: int) -> RoomMesh:
    """Room `index` itself, with its floor centred on the origin."""
    kind = kind_of(seed, index)
    return assembled(kind, furnished(kind, generator("room", seed, index)))


def assembled(kind: str, plan: Plan) -> RoomMesh:
    """All things of a plan in one mesh; `kind` is what people call such a room."""
    sizes = [len(thing.mesh.faces) for thing in plan.things]
    labels = [CLASSES.index(thing.class_name) for thing in plan.things]
    return RoomMesh(
        kind=kind,
        mesh=merge(thing.mesh for thing in plan.things),
        thing=np.repeat(np.arange(len(sizes)), sizes),
        label=np.repeat(labels, sizes),
        plan=plan,
    )


def room(seed: int, index: int, *, max_points: int = 150_000, resolution: int = 200) -> PointCloud:
    """Room `index`, scanned from several stations.

    Fields: `color` uint8 [N, 3], `label` uint8 [N] (the place in `CLASSES`), `instance` int32 [N] (which thing; unique
    in the room). z is up, metres, each room at its own place in its area. Metadata: `kind`, `area` (1 to 6), `index`.
    `resolution` is the number of rays across a quarter turn; more than `max_points` are thinned, crowded places first.

    >>> room = ct.world.rooms.room(seed=0, index=0, max_points=500, resolution=12)
    >>> len(room), room.metadata["area"], sorted(room.fields)
    (500, 1, ['color', 'instance', 'label'])
    """
    cloud = surveyed(build(seed, index), generator("room scan", seed, index), max_points, resolution)
    return replace(cloud, metadata={**cloud.metadata, "area": area_of(index), "index": index})


def surveyed(built: RoomMesh, rng: np.random.Generator, max_points: int, resolution: int) -> PointCloud:
    """The room `built`, scanned from several stations, somewhere in its area.

    `max_points` and `resolution` are as in `room`. Metadata: `kind`.
    """
    cameras = [camera for station in _stations(built.plan, rng) for camera in around(station, resolution)]
    points, face = scan(built.mesh, cameras, rng, Faults(holes=int(rng.integers(3, 12))))
    keep = through_glass(built, face, 0.55, rng)
    points, face = points[keep], face[keep]
    if len(points) > max_points:
        chosen = _evened_choice(points, max_points, rng)
        points, face = points[chosen], face[chosen]
    cloud = labelled(built, points, face, rng)
    place = np.round(rng.uniform(-20, 20, 3) * [1, 1, 0.1], 3)
    return replace(cloud, positions=(points + place).astype(np.float32))


def through_glass(built: RoomMesh, face: Array, share: float, rng: np.random.Generator) -> Array:
    """Which rays come back, by the `face` [N] of the room `built` that each met: of those at windows this `share`."""
    glass = built.label[face] == CLASSES.index("window")
    return ~glass | (rng.uniform(size=len(face)) < share)


def labelled(built: RoomMesh, points: Array, face: Array, rng: np.random.Generator) -> PointCloud:
    """`points` [N, 3] that lie on the faces `face` [N] of the room `built`, with colours, labels and instances."""
    return PointCloud(
        positions=points.astype(np.float32),
        fields={
            "color": _colors(built, points, face, rng),
            "label": built.label[face].astype(np.uint8),
            "instance": built.thing[face].astype(np.int32),
        },
        metadata={"kind": built.kind},
    )


def _evened_choice(points: Array, count: int, rng: np.random.Generator) -> Array:
    """Indices of `count` points, drawn without replacement and less often where many lie in one 6 cm cell.

    Close to a station a scan is a hundred times denser than in the corners; surveyors thin it before they use it.
    """
    cell = np.floor((points - points.min(axis=0)) / 0.06).astype(np.int64)
    sides = cell.max(axis=0) + 1
    key = (cell[:, 0] * sides[1] + cell[:, 1]) * sides[2] + cell[:, 2]
    crowd = np.bincount(key)[key]
    # The smallest exponential waiting times are a weighted draw without replacement; the weight is crowd ** -0.7.
    waiting = rng.standard_exponential(len(points)) * crowd**0.7
    return np.argpartition(waiting, count - 1)[:count]


def _stations(plan: Plan, rng: np.random.Generator) -> list[Array]:
    """Three to five places for the tripod, on free floor where possible and apart from each other."""
    count = int(np.clip(round(plan.width * plan.depth / 7), 3, 5))
    half = np.array([plan.width, plan.depth]) / 2 - 0.35
    spots: list[Array] = []
    for _ in range(count):
        candidates = rng.uniform(-half, half, (24, 2))
        free = [spot for spot in candidates if plan.is_free(spot - 0.15, spot + 0.15)] or list(candidates)
        # The farthest from those already chosen covers most of what they cannot see.
        spots.append(max(free, key=lambda spot: min((float(np.hypot(*(spot - s[:2]))) for s in spots), default=0.0)))
        spots[-1] = np.array([*spots[-1], rng.uniform(1.35, 1.75)])
    return spots


def _colors(built: RoomMesh, points: Array, face: Array, rng: np.random.Generator) -> Array:
    """Face colours with lamp light, patterned floors, stains and sensor noise; uint8 [N, 3]."""
    normals, _ = built.mesh.normals_and_areas()
    light = 0.78 + 0.22 * np.abs(normals[face] @ np.array([0.3, 0.45, 0.84]))
    color = np.clip(built.mesh.color[face], 0, 1) * light[:, None]
    floor = built.label[face] == CLASSES.index("floor")
    x, y = points[floor, 0], points[floor, 1]
    pattern = pick(rng, ["carpet", "tiles", "planks"])
    if pattern == "tiles":
        side = rng.uniform(0.3, 0.6)
        seam = (np.abs(x / side % 1 - 0.5) > 0.47) | (np.abs(y / side % 1 - 0.5) > 0.47)
        color[floor] *= np.where(seam, 0.75, 1.0)[:, None]
    elif pattern == "planks":
        plank = np.floor(y / 0.14)
        color[floor] *= (0.9 + 0.12 * np.sin(plank * 12.9898 + np.floor(x / 0.9 + plank * 0.37) * 78.233))[:, None]
    else:
        color[floor] *= rng.uniform(0.85, 1.1, (int(floor.sum()), 1))
    waves = rng.uniform(0.4, 2.5, (4, 3))
    stain = sum(np.sin(points @ wave + phase) for wave, phase in zip(waves, rng.uniform(0, 6.3, 4), strict=True))
    color = color * (1 + 0.02 * np.asarray(stain))[:, None] * rng.uniform(0.85, 1.08)
    color = color + rng.standard_normal((len(color), 3)) * 0.012
    return np.round(np.clip(color, 0, 1) * 255).astype(np.uint8)
