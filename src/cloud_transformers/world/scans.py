"""Rooms as they really come: homes and offices, scanned by hand, with the effects of doing so.

`rooms` shows the same world as a surveyor's tripod would.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np

from cloud_transformers.cloud import PointCloud
from cloud_transformers.world import objects, rooms
from cloud_transformers.world.exposure import exposed
from cloud_transformers.world.furnishing import KINDS, furnished
from cloud_transformers.world.handheld import Habits, fused, scanned, walk
from cloud_transformers.world.homes import HOMES, home
from cloud_transformers.world.plan import Stock, Thing, built
from cloud_transformers.world.seeds import chance, generator, pick
from cloud_transformers.world.shell import partitions

TRIPOD_SHARE = 0.25  # of the scans are not made by hand
MAX_POINTS = 60_000
_SEAT_FOR_ONE = 1.15  # metres: a wider one is a sofa

_CLASS_OF = {"bookcase": "shelf"}  # names of things -> classes of objects, where they differ


def build(seed: int, index: int, stock: Stock = built) -> rooms.RoomMesh:
    """Room `index` itself, two times in three of a home; `stock` makes its furniture."""
    rng = generator("scan room", seed, index)
    at_home = chance(rng, 2 / 3)
    kind = pick(rng, list(HOMES if at_home else KINDS))
    plan = home(kind, rng, stock) if at_home else furnished(kind, rng, stock)
    partitions(plan, rng)
    plan.things[:] = [_as_scans_are_labelled(thing) for thing in plan.things]
    return rooms.assembled(kind, plan)


def _as_scans_are_labelled(thing: Thing) -> Thing:
    """A seat for one is a chair to those who label scans, however soft it is. Rooms of `rooms` keep what they say."""
    low, high = thing.mesh.bounds()
    is_for_one = thing.class_name == "sofa" and (high - low)[:2].max() <= _SEAT_FOR_ONE
    return replace(thing, class_name="chair", name="chair") if is_for_one else thing


def scan(seed: int, index: int, *, stock: Stock = built, max_points: int = MAX_POINTS) -> PointCloud:
    """Room `index`, scanned by hand; now and then from a tripod.

    Fields: `color` uint8 [N, 3], all `exposure.GREY` where there are none, `label` uint8 [N] (the place in
    `rooms.CLASSES`), `instance` int32 [N]. Metres, z up but for a tilt. Metadata: `kind`, and `names`: what each
    instance is. `stock` is where furniture comes from, see `catalogue`.

    >>> cloud = ct.world.scans.scan(seed=0, index=1, max_points=500)
    >>> len(cloud), sorted(cloud.fields)
    (500, ['color', 'instance', 'label'])
    """
    built_room = build(seed, index, stock)
    rng = generator("scan", seed, index)
    metadata = {"kind": built_room.kind, "names": tuple(thing.name for thing in built_room.plan.things)}
    if chance(rng, TRIPOD_SHARE):
        cloud = rooms.surveyed(built_room, rng, max_points=max_points, resolution=200)
    else:
        habits = Habits.drawn(rng, built_room.plan.height)
        points, face = scanned(built_room.mesh, walk(built_room.plan, habits, rng), habits, rng)
        keep = rooms.through_glass(built_room, face, habits.glass, rng)
        cloud = fused(rooms.labelled(built_room, points[keep], face[keep], rng), habits, rng, max_points)
    color = exposed(cloud.fields["color"], cloud.positions, rng)
    return PointCloud(positions=cloud.positions, fields={**cloud.fields, "color": color}, metadata=metadata)


def objects_in(
    cloud: PointCloud, rng: np.random.Generator, *, most: int = 2, least_points: int = 200
) -> list[tuple[str, int, PointCloud]]:
    """The things of a scan, `cloud`, that belong to `objects.CLASSES`: class, instance, cut-out with surroundings.

    A cut-out is a box around the thing, with a margin of 2 to 15 cm on each side, and everything in it; the field
    `mask` is 1 on the thing and 0 elsewhere. What lies farthest out of the thing, one point in a hundred on each side,
    has no say in the box: it may fly. At most `most` of a class, none with fewer than `least_points`.
    """
    names, instance = cloud.metadata["names"], cloud.fields["instance"]
    counts = np.bincount(instance, minlength=len(names))
    found: list[tuple[str, int, PointCloud]] = []
    taken: Counter[str] = Counter()
    for number in rng.permutation(len(names)).tolist():
        name = _CLASS_OF.get(names[number], names[number])
        if name not in objects.CLASSES or counts[number] < least_points or taken[name] == most:
            continue
        taken[name] += 1
        own = instance == number
        low, high = np.percentile(cloud.positions[own], (1, 99), axis=0)
        margin = rng.uniform(0.02, 0.15)
        near = np.flatnonzero(((cloud.positions >= low - margin) & (cloud.positions <= high + margin)).all(axis=1))
        cut = PointCloud(positions=cloud.positions[near], fields={"mask": own[near].astype(np.uint8)})
        found.append((name, number, cut))
    return found
