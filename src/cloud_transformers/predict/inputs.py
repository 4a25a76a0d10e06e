"""What users hand over, made into something a model can be asked about, with everything said that was done to it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cloud_transformers.cloud import PointCloud
from cloud_transformers.cloud.coordinates import choose_offset, finite_rows, split
from cloud_transformers.errors import InputError

FEWEST = 5  # points: of fewer, an answer would be a guess


@dataclass(frozen=True, eq=False, kw_only=True)
class Given:
    """A cloud of some finite points, not all at one place; `rows` are their places among the points that came."""

    name: str
    cloud: PointCloud
    rows: NDArray[np.int64]  # [N]
    num_given: int
    notes: tuple[str, ...] = ()


def take(cloud: PointCloud | NDArray[Any], name: str = "the cloud") -> Given:
    """A PointCloud, or an array [N, 3] of coordinates of any size.

    Points with a NaN or infinite coordinate are left out, which is noted. A cloud of next to no points, or with all of
    them at one place, has no shape and is refused.
    """
    world, offset, fields, metadata = unpack_input(cloud, name)
    num_given = len(world)
    if not num_given:
        raise InputError(f"{name}: holds no points")
    notes = []
    rows = np.arange(num_given)
    finite = finite_rows(world)
    if finite is not None:
        rows = np.flatnonzero(finite)
        if not len(rows):
            raise InputError(f"{name}: all of its {num_given:,} points have a NaN or infinite coordinate")
        world, fields = world[rows], {key: values[rows] for key, values in fields.items()}
    left_out = num_given - len(rows) + int(metadata.get("non_finite", 0))
    if left_out:
        points = "point was" if left_out == 1 else "points were"
        notes.append(f"{left_out:,} {points} left out: a coordinate is NaN or infinite")
    if offset is None:
        offset = choose_offset(world)
        world = split(world, offset, name)
    positions = np.ascontiguousarray(world, np.float32)
    if len(positions) < FEWEST:
        holds = "a single point" if len(positions) == 1 else f"{len(positions)} points"
        raise InputError(f"{name}: holds {holds}, too few to tell a shape by; a few hundred are a good start")
    if (positions == positions[0]).all():
        raise InputError(f"{name}: all of its {len(positions):,} points lie at one place, which has no shape")
    kept = PointCloud(positions=positions, fields=fields, offset=offset, metadata=metadata)
    return Given(name=name, cloud=kept, rows=rows, num_given=num_given, notes=tuple(notes))


def unpack_input(
    cloud: PointCloud | NDArray[Any], name: str
) -> tuple[NDArray[Any], NDArray[np.float64] | None, dict[str, NDArray[Any]], dict[str, Any]]:
    if isinstance(cloud, PointCloud):
        return cloud.positions, cloud.offset, dict(cloud.fields), dict(cloud.metadata)
    if isinstance(cloud, (str, bytes)) or hasattr(cloud, "__fspath__"):
        raise InputError(f"{cloud!r} names a file: read it first, with cloud_transformers.read(path)")
    points = np.asarray(cloud)
    if points.ndim != 2 or points.shape[1] != 3 or points.dtype.kind not in "iuf":
        raise InputError(
            f"{name}: must be a PointCloud or an array [N, 3] of numbers, not {points.dtype} {list(points.shape)}; "
            "colours and other fields go into a PointCloud"
        )
    points = points.astype(np.float64) if points.dtype != np.float32 else points
    return points, None, {}, {}


def few_points(num: int, wanted: int) -> tuple[str, ...]:
    """The note that is due when a model was trained with more points than there are."""
    if num >= wanted:
        return ()
    return (f"has {num:,} points where the model wants {wanted:,}: some were taken more than once",)
