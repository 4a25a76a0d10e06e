"""A hand-held depth camera carried through a room: what it sees, misses and distorts.

Nobody holds a camera still, looks at the ceiling for long, or walks into every corner. So views are limited and point
slightly down, walls end where nobody looked higher, each view is registered a little beside the one before, and what
comes out is a fused surface: averaged, smoothed, bent. `Habits` are drawn for each scan.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from cloud_transformers.cloud import PointCloud
from cloud_transformers.render.mesh import Array, Mesh
from cloud_transformers.render.raster import Camera
from cloud_transformers.space.frames import rotation_about
from cloud_transformers.space.subsample import grid_subsample
from cloud_transformers.world.plan import Plan
from cloud_transformers.world.scanner import Faults, scan
from cloud_transformers.world.seeds import chance

FIELD_OF_VIEW = 75.0  # degrees: wider than a phone's, since a view stands for a sweep of the hand
RESOLUTION = 128  # pixels across a view


@dataclass(frozen=True, kw_only=True)
class Habits:
    """How one scan was made; lengths in metres, angles in degrees."""

    stands: int = 5  # places where the person stood
    pitch: float = -10.0  # where the camera points on average; below the horizon is negative
    skipped: float = 0.2  # share of the views around a stand that were left out
    top: float = np.inf  # nothing above it was scanned
    noise: float = 0.002  # times the squared distance
    flying: float = 0.1  # share of the pixels on edges
    reach: float = 4.0
    drift: float = 0.004  # of a view against the one before, along each axis
    turn: float = 0.15  # likewise, about the up axis
    bend: float = 0.008  # how far the fused surface lies off the true one, in waves
    cell: float = 0.02  # of the grid in which views are fused
    tilt: float = 0.0  # of the whole scan against the true vertical
    glass: float = 0.4  # share of the rays that windows return
    strays: int = 0  # points below the floor, where there is nothing

    @staticmethod
    def drawn(rng: np.random.Generator, height: float) -> Habits:
        """Those of someone at random, in a room of this height."""
        return Habits(
            stands=int(rng.integers(4, 9)),
            pitch=rng.triangular(-35, -15, 16),
            skipped=rng.uniform(0.0, 0.3),
            top=rng.uniform(1.0, 2.2) if chance(rng, 0.35) else height - 0.02 if chance(rng, 0.3) else np.inf,
            noise=rng.uniform(0.0005, 0.004),
            flying=rng.uniform(0.0, 0.2),
            reach=rng.uniform(2.8, 5.0),
            drift=rng.uniform(0.0, 0.008),
            turn=rng.uniform(0.0, 0.3),
            bend=rng.uniform(0.0, 0.015),
            cell=rng.uniform(0.016, 0.03),
            tilt=min(abs(rng.normal(0, 2.0)), 7.0),
            glass=rng.uniform(0.25, 1.0),
            strays=int(rng.integers(1, 12)) if chance(rng, 0.2) else 0,
        )


def walk(plan: Plan, habits: Habits, rng: np.random.Generator) -> list[Camera]:
    """The views of a walk from stand to stand, each looking around in steps of 60 degrees with some left out."""
    half = np.array([plan.width, plan.depth]) / 2 - 0.4
    cameras = []
    for _ in range(habits.stands):
        candidates = rng.uniform(-half, half, (12, 2))
        spot = next((spot for spot in candidates if plan.is_free(spot - 0.15, spot + 0.15)), candidates[0])
        eye = np.array([*spot, rng.uniform(1.1, 1.7)])
        start = rng.uniform(0, 360)
        for k in range(6):
            if chance(rng, habits.skipped):
                continue
            yaw, pitch = np.radians(start + 60 * k), np.radians(habits.pitch + rng.normal(0, 9))
            ahead = np.array([np.cos(yaw) * np.cos(pitch), np.sin(yaw) * np.cos(pitch), np.sin(pitch)])
            cameras.append(Camera.looking(eye, eye + ahead, FIELD_OF_VIEW, RESOLUTION))
    return cameras


def scanned(mesh: Mesh, cameras: list[Camera], habits: Habits, rng: np.random.Generator) -> tuple[Array, Array]:
    """All that the views show of a mesh, registered one after the other: points [N, 3] and the face of each [N]."""
    faults = Faults(
        noise=0.001,
        noise_per_metre=0.0,
        noise_per_square_metre=habits.noise,
        reach=habits.reach,
        flying=habits.flying,
        holes=1,
        hole_radius=(0.03, 0.25),
    )
    points, faces = [], []
    offset, angle = np.zeros(3), 0.0
    for camera in cameras:
        seen, face = scan(mesh, [camera], rng, faults)
        turned = (seen - camera.position) @ rotation_about("z", np.radians(angle)).T + camera.position
        points.append(turned + offset)
        faces.append(face)
        # Loops are closed now and then, so errors do not grow for ever.
        offset, angle = 0.8 * offset + rng.normal(0, 1, 3) * habits.drift, 0.8 * angle + rng.normal(0, 1) * habits.turn
    return np.concatenate(points), np.concatenate(faces)


def bent(points: Array, habits: Habits, rng: np.random.Generator) -> Array:
    """The points moved in waves of 0.3 to 2 m, as a fused surface lies beside the true one."""
    moved = points.copy()
    for _ in range(4):
        wave = rng.normal(0, 1, 3)
        wave *= 2 * np.pi / rng.uniform(0.3, 2.0) / np.linalg.norm(wave)
        moved += np.sin(points @ wave + rng.uniform(0, 6.3))[:, None] * rng.normal(0, habits.bend / 2, 3)
    return moved


def fused(cloud: PointCloud, habits: Habits, rng: np.random.Generator, max_points: int) -> PointCloud:
    """What all views together give: cut at the top, bent, averaged in a grid, thinned, and set up askew.

    Every field keeps to its point; the grid takes the mean of colours and the most frequent label.
    """
    cloud = cloud.select(np.flatnonzero(cloud.positions[:, 2] <= habits.top))
    positions = bent(cloud.positions.astype(np.float64), habits, rng)
    positions[:, 2] = np.minimum(positions[:, 2], habits.top)
    cloud, _ = grid_subsample(replace(cloud, positions=positions.astype(np.float32)), habits.cell)
    cloud = cloud.select(rng.permutation(len(cloud))[:max_points])
    positions = cloud.positions.astype(np.float64)
    strays = rng.integers(len(cloud), size=habits.strays) if len(cloud) else np.zeros(0, np.int64)
    positions[strays, 2] = positions[:, 2].min(initial=0.0) - rng.uniform(0.05, 0.5, len(strays))
    axis, angle = rng.uniform(0, 2 * np.pi), np.radians(habits.tilt)
    lean = rotation_about("z", axis) @ rotation_about("x", angle) @ rotation_about("z", -axis)
    return replace(cloud, positions=(positions @ lean.T).astype(np.float32))
