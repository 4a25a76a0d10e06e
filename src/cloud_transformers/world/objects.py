"""Single objects: the 15 ScanObjectNN classes, ModelNet's 40 and PCN's 8.

`build` gives a mesh, `sample` a cloud drawn from its surface. Object `index` of a seed never depends on the others.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from cloud_transformers.errors import InputError
from cloud_transformers.render.mesh import Array, Mesh
from cloud_transformers.world.furniture import (
    bags,
    bins,
    boxes,
    figures,
    fixtures,
    panels,
    seating,
    sinks,
    small,
    soft,
    storage,
    structures,
    tables,
    vehicles,
)
from cloud_transformers.world.seeds import generator

Builder = Callable[[np.random.Generator], Mesh]

BUILDERS: dict[str, Builder] = {
    "bag": bags.bag,
    "bin": bins.bin,
    "box": boxes.box_object,
    "cabinet": storage.cabinet,
    "chair": seating.chair,
    "desk": tables.desk,
    "display": panels.display,
    "door": panels.door,
    "shelf": storage.shelf,
    "table": tables.table,
    "bed": soft.bed,
    "pillow": soft.pillow,
    "sink": sinks.sink,
    "sofa": soft.sofa,
    "toilet": fixtures.toilet,
}
CLASSES = tuple(BUILDERS)  # ScanObjectNN's order: a class's place is its label

# ModelNet40's classes in its (alphabetical) order.
MODELNET_BUILDERS: dict[str, Builder] = {
    "airplane": vehicles.airplane,
    "bathtub": fixtures.bathtub,
    "bed": soft.bed,
    "bench": seating.bench,
    "bookshelf": storage.bookcase,
    "bottle": small.bottle,
    "bowl": small.bowl,
    "car": vehicles.car,
    "chair": seating.chair,
    "cone": boxes.cone_marker,
    "cup": small.cup,
    "curtain": structures.curtain,
    "desk": tables.desk,
    "door": panels.door,
    "dresser": storage.dresser,
    "flower_pot": small.flower_pot,
    "glass_box": boxes.glass_box,
    "guitar": figures.guitar,
    "keyboard": small.keyboard,
    "lamp": small.lamp,
    "laptop": small.laptop,
    "mantel": structures.mantel,
    "monitor": panels.display,
    "night_stand": storage.night_stand,
    "person": figures.person,
    "piano": figures.piano,
    "plant": small.plant,
    "radio": small.radio,
    "range_hood": structures.range_hood,
    "sink": sinks.sink,
    "sofa": soft.sofa,
    "stairs": structures.stairs,
    "stool": seating.stool,
    "table": tables.table,
    "tent": structures.tent,
    "toilet": fixtures.toilet,
    "tv_stand": storage.tv_stand,
    "vase": small.vase,
    "wardrobe": storage.wardrobe,
    "xbox": small.console,
}
MODELNET_CLASSES = tuple(MODELNET_BUILDERS)

# PCN's eight categories in its order, under the names that its lists give them.
COMPLETION_BUILDERS: dict[str, Builder] = {
    "airplane": vehicles.airplane,
    "cabinet": storage.cabinet,
    "car": vehicles.car,
    "chair": seating.chair,
    "lamp": small.lamp,
    "sofa": soft.sofa,
    "table": tables.table,
    "vessel": vehicles.boat,
}
COMPLETION_CLASSES = tuple(COMPLETION_BUILDERS)

_ALL_BUILDERS = {**COMPLETION_BUILDERS, **MODELNET_BUILDERS, **BUILDERS}


def class_of(index: int, classes: tuple[str, ...] = CLASSES) -> str:
    """The class of object `index`: `classes` take turns, so that any run of indices is balanced."""
    return classes[index % len(classes)]


def build(seed: int, index: int, class_name: str | None = None) -> Mesh:
    """The mesh of object `index`, in metres, standing on z = 0 and facing -y.

    Without a `class_name` it is the object's turn in `CLASSES`. Names from `MODELNET_CLASSES` and
    `COMPLETION_CLASSES` work as well; InputError for others.
    """
    name = class_of(index) if class_name is None else class_name
    builder = _ALL_BUILDERS.get(name)
    if builder is None:
        raise InputError(f"the world has no class {name!r}; take one of: {', '.join(sorted(_ALL_BUILDERS))}")
    return builder(generator(f"object {name}", seed, index)).grounded()


def sample(
    seed: int,
    index: int,
    num_points: int = 2048,
    *,
    classes: tuple[str, ...] = CLASSES,
    normalize: bool = True,
) -> dict[str, Any]:
    """Object `index` as points uniform on its surface.

    Returns `points` float32 [N, 3], `normals` float32 [N, 3], `color` uint8 [N, 3], `label` (the place in `classes`)
    and `class_name`. z is up. With `normalize` the cloud is centred and fills the unit sphere, else it is in metres.

    >>> found = ct.world.objects.sample(seed=0, index=4, num_points=100)
    >>> found["class_name"], found["points"].shape
    ('chair', (100, 3))
    """
    name = class_of(index, classes)
    mesh = build(seed, index, name)
    points, face = mesh.sample(num_points, generator("object points", seed, index))
    normals, _ = mesh.normals_and_areas()
    if normalize:
        points = unit_sphere(points)
    return {
        "points": points.astype(np.float32),
        "normals": normals[face].astype(np.float32),
        "color": np.round(np.clip(mesh.color[face], 0, 1) * 255).astype(np.uint8),
        "label": classes.index(name),
        "class_name": name,
    }


def unit_sphere(points: Array) -> Array:
    """The `points` [N, 3] centred on their mean, scaled so that the farthest is at distance 1."""
    centred = points - points.mean(axis=0)
    return centred / max(float(np.linalg.norm(centred, axis=1).max()), 1e-12)


def y_up(points: Array) -> Array:
    """The `points` [..., 3] from the world's z-up axes to y up, as ScanObjectNN, ModelNet and ShapeNet have it:
    (x, y, z) -> (x, z, -y)."""
    return np.stack([points[..., 0], points[..., 2], -points[..., 1]], axis=-1)
