"""Objects cut out of scanned scenes, with what stands around them: the samples of ScanObjectNN.

Each object is set into a corner of a room made for it: floor, perhaps a wall, what it stands on, neighbours. A scanner
walks past, and a box around the object is cut out of the scan, background included.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from cloud_transformers.errors import InputError
from cloud_transformers.render.mesh import Array, Mesh, merge
from cloud_transformers.render.raster import Camera
from cloud_transformers.space.frames import rotation_about
from cloud_transformers.world import objects, palette
from cloud_transformers.world.furniture import (
    bins,
    boxes,
    fixtures,
    seating,
    sinks,
    small,
    soft,
    storage,
    tables,
)
from cloud_transformers.world.objects import Builder
from cloud_transformers.world.parts import box
from cloud_transformers.world.plan import surface_height
from cloud_transformers.world.scanner import Faults, scan
from cloud_transformers.world.seeds import chance, generator, pick

VARIANTS = ("OBJ_ONLY", "OBJ_BG", "PB_T25", "PB_T25_R", "PB_T50_R", "PB_T50_RS")
BACKGROUND = -1
MIN_OWN_POINTS = 400  # below this an object counts as hidden
MIN_LEFT = 0.4  # a shifted box keeps at least this share of the object, else it is drawn again

# What is often found beside an object, in front of it, and what it stands on (None: the floor).
_BESIDE: dict[str, list[Builder]] = {
    "bag": [seating.chair, tables.desk, boxes.box_object],
    "bin": [tables.desk, storage.cabinet, seating.chair],
    "box": [storage.shelf, boxes.box_object, storage.cabinet],
    "cabinet": [storage.shelf, seating.chair, small.plant],
    "chair": [tables.table, tables.desk, seating.chair],
    "desk": [bins.bin, storage.cabinet, storage.shelf],
    "display": [small.keyboard, small.books, small.cup],
    "door": [storage.cabinet, bins.bin, small.plant],
    "shelf": [storage.cabinet, boxes.box_object, seating.chair],
    "table": [seating.chair, seating.chair, storage.cabinet],
    "bed": [storage.night_stand, small.lamp, storage.cabinet],
    "pillow": [soft.pillow, small.books],
    "sink": [bins.bin, fixtures.toilet, storage.cabinet],
    "sofa": [small.lamp, small.plant, storage.night_stand],
    "toilet": [bins.bin, sinks.sink],
}
_IN_FRONT: dict[str, list[Builder]] = {
    "desk": [seating.office_chair],
    "table": [seating.chair],
    "sofa": [lambda rng: tables.table(rng, "coffee")],
}
_SUPPORT: dict[str, list[Builder | None]] = {
    "bag": [None, None, tables.table, tables.desk],
    "box": [None, None, tables.table],
    "display": [tables.desk, tables.table, storage.tv_stand],
    "pillow": [soft.sofa, soft.bed, soft.bed, None],
}
_AT_WALL = {"bin": 0.5, "box": 0.4, "cabinet": 0.9, "desk": 0.6, "door": 1.0, "shelf": 0.9, "bed": 0.8,
            "sink": 1.0, "sofa": 0.6, "toilet": 1.0, "bag": 0.4, "chair": 0.2, "table": 0.15}  # fmt: skip


def _scene(name: str, target: Mesh, rng: np.random.Generator) -> tuple[Mesh, Array]:
    """The target in its surroundings, and the instance number of each face (the target is 0)."""
    things: list[Mesh] = []
    low, high = target.bounds()
    support = pick(rng, _SUPPORT.get(name, [None]))
    if support is not None:
        base = support(rng).grounded()
        size = base.bounds()[1]
        x, y = rng.uniform(-0.25, 0.25, 2) * size[:2]
        level = surface_height(base, float(x), float(y), 1.3)
        if level is not None and level > 0.2:
            things.append(base.moved(-x, -y, -level))
    floor = min((float(thing.bounds()[0][2]) for thing in things), default=0.0)
    top = floor if name != "display" else 0.0  # what keeps a display company stands on the desk with it
    for side in (-1, 1):
        if chance(rng, 0.55):
            other = pick(rng, _BESIDE[name])(rng).grounded().turned("z", rng.uniform(-0.4, 0.4)).grounded()
            reach = high[0] + other.bounds()[1][0] + rng.uniform(0.0, 0.35)
            things.append(other.moved(side * reach, rng.uniform(-0.2, 0.2), top if name != "pillow" else 0.0))
    if name in _IN_FRONT and chance(rng, 0.7):
        other = pick(rng, _IN_FRONT[name])(rng).grounded().turned("z", np.pi + rng.uniform(-0.5, 0.5))
        gap = rng.uniform(-0.15, 0.3) + other.bounds()[1][1]
        things.append(other.moved(rng.uniform(-0.3, 0.3), low[1] - gap, floor))
    if name in ("table", "desk", "cabinet", "shelf"):
        for maker in (small.books, small.cup, small.bottle, small.laptop)[: int(rng.integers(0, 5))]:
            spot = rng.uniform(0.8 * low[:2], 0.8 * high[:2])
            level = surface_height(target, float(spot[0]), float(spot[1]), 3.0)
            if level is not None and level > 0.3:
                things.append(maker(rng).grounded().moved(spot[0], spot[1], level))
    span = 4.0 + 2 * float(max(high[:2]))
    ground = pick(rng, [palette.wood, palette.fabric])(rng)
    things.append(box(span, span, 0.05, ground).moved(z=floor - 0.05))
    if chance(rng, _AT_WALL.get(name, 0.15)):
        paint = palette.wall_paint(rng)
        back = max(float(thing.bounds()[1][1]) for thing in [target, *things[:-1]]) if name != "door" else 0.08
        if name == "door":
            for side in (-1, 1):
                things.append(box(1.5, 0.12, 2.7, paint).moved(side * (high[0] + 0.75), 0))
            things.append(box(2 * high[0], 0.12, 2.7 - high[2], paint).moved(0, 0, high[2]))
        else:
            things.append(box(span, 0.1, 2.7, paint).moved(0, back + 0.05 + rng.uniform(0.0, 0.08), floor))
    meshes = [target, *things]
    return merge(meshes), np.repeat(np.arange(len(meshes)), [len(mesh.faces) for mesh in meshes])


def _cameras(target: Mesh, rng: np.random.Generator) -> list[Camera]:
    """A walk past the front of the object: three to five views along an arc."""
    low, high = target.bounds()
    middle, radius = (low + high) / 2, float(np.linalg.norm(high - low)) / 2
    start, sweep = rng.uniform(-1.2, 1.2), rng.uniform(0.4, 1.6)
    cameras = []
    for angle in start + sweep * np.linspace(-0.5, 0.5, int(rng.integers(3, 6))):
        distance = radius + rng.uniform(0.8, 2.0)
        eye = middle + distance * np.array([np.sin(angle), -np.cos(angle), 0.0])
        eye[2] = max(rng.uniform(1.1, 1.8), middle[2] + 0.35 * distance) if high[2] < 1.5 else rng.uniform(1.2, 1.7)
        view = 2 * np.degrees(np.arctan(radius * 1.35 / distance))
        cameras.append(Camera.looking(eye, middle, float(min(view, 110.0)), 112))
    return cameras


def cutout(
    seed: int,
    index: int,
    variant: str = "PB_T50_RS",
    *,
    num_points: int = 2048,  # N; drawn with repetition if the box has fewer
    classes: tuple[str, ...] = objects.CLASSES,
) -> dict[str, Any]:
    """Object `index` as ScanObjectNN would hold it.

    `variant`: OBJ_ONLY (the object's own points), OBJ_BG (all in its box), or a perturbed box: PB_T25 and PB_T50 shift
    it by up to 25 or 50 % of its size along each axis, R turns it about the up axis, S scales it by 0.75 to 1.25.

    Returns `data` float32 [N, 3] in metres, y up, centred on the box; `label`, the place in `classes`; `mask` int32
    [N], -1 for background and the object's instance number (0) elsewhere; `class_name`. The same index shows the same
    scan in every variant.
    """
    return cutouts(seed, index, (variant,), num_points=num_points, classes=classes)[variant]


def cutouts(
    seed: int,
    index: int,
    variants: Sequence[str],
    *,
    num_points: int = 2048,  # as for `cutout`
    classes: tuple[str, ...] = objects.CLASSES,  # take turns
) -> dict[str, dict[str, Any]]:
    """Several variants of object `index` out of one scan: variant -> what `cutout` returns for it.

    InputError for a variant that there is not.
    """
    unknown = [variant for variant in variants if variant not in VARIANTS]
    if unknown:
        raise InputError(f"the world has no ScanObjectNN variant {unknown[0]!r}; take one of {', '.join(VARIANTS)}")
    name = objects.class_of(index, classes)
    points, own = _scanned(seed, index, name)
    return {
        variant: {
            **_cut(points, own, variant, num_points, generator(f"cutout box {variant}", seed, index)),
            "label": classes.index(name),
            "class_name": name,
        }
        for variant in variants
    }


def _scanned(seed: int, index: int, name: str) -> tuple[Array, Array]:
    """The scan of an object in its surroundings: points [M, 3], and which are the object's own [M]."""
    rng = generator("cutout scene", seed, index)
    target = objects.build(seed, index, name)
    mesh, owner = _scene(name, target, rng)
    faults = Faults(noise=0.003, holes=2, hole_radius=(0.02, 0.12))
    points, face = scan(mesh, _cameras(target, rng), rng, faults)
    own = owner[face] == 0
    if own.sum() < MIN_OWN_POINTS:  # hidden behind its neighbours: look at it alone
        points, _ = scan(target, _cameras(target, rng), rng, replace(faults, holes=0))
        own = np.ones(len(points), dtype=bool)
    return points, own


def _cut(points: Array, own: Array, variant: str, num_points: int, rng: np.random.Generator) -> dict[str, Any]:
    inside, centre, turn = _perturbed_box(points, own, variant, rng)
    if variant == "OBJ_ONLY":
        inside &= own
    chosen = np.flatnonzero(inside)
    rows = rng.permutation(len(chosen))[:num_points]
    if len(rows) < num_points:  # too few: some points twice, as in the original
        rows = np.concatenate([rows, rng.integers(len(chosen), size=num_points - len(rows))])
    chosen = chosen[rows]
    data = objects.y_up((points[chosen] - centre) @ turn.T)
    return {
        "data": data.astype(np.float32),
        "mask": np.where(own[chosen], 0, BACKGROUND).astype(np.int32),
    }


def _perturbed_box(points: Array, own: Array, variant: str, rng: np.random.Generator) -> tuple[Array, Array, Array]:
    """Which points the variant's box holds [N], its centre [3], and the rotation the sample is given [3, 3]."""
    low, high = points[own].min(axis=0), points[own].max(axis=0)
    size, middle = high - low + 0.02, (low + high) / 2
    shift = {"T25": 0.25, "T50": 0.5}.get(variant[3:6], 0.0)
    angle = rng.uniform(0, 2 * np.pi) if variant.endswith(("_R", "_RS")) else 0.0
    scale = rng.uniform(0.75, 1.25) if variant.endswith("S") else 1.0
    tilt = rotation_about("z", rng.uniform(-np.pi / 6, np.pi / 6) if angle else 0.0)
    for attempt in range(20):
        centre = middle + rng.uniform(-shift, shift, 3) * size * (1 - attempt / 20)
        inside = (np.abs((points - centre) @ tilt.T) <= size / 2 * scale).all(axis=1)
        if inside[own].mean() >= MIN_LEFT:
            break
    else:
        centre, inside = middle, (np.abs(points - middle) <= size / 2).all(axis=1)
    return inside, centre, rotation_about("z", angle)
