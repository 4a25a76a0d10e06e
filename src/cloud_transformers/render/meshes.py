"""Shaded pictures of meshes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from cloud_transformers.render import Picture
from cloud_transformers.render.mesh import Array, Mesh
from cloud_transformers.render.raster import Camera, cast
from cloud_transformers.space.pictures import composed


def shaded(mesh: Mesh, camera: Camera, *, light: Array | None = None, smooth: int = 2) -> Picture:
    """A picture [H, W, 3] of a mesh on white; `camera`, `light` and `smooth` are those of `cut_out`."""
    return composed(cut_out(mesh, camera, light=light, smooth=smooth), np.full(3, 255, np.uint8))


def cut_out(mesh: Mesh, camera: Camera, *, light: Array | None = None, smooth: int = 2) -> Picture:
    """A picture [H, W, 4] of a mesh on nothing: a lamp near the camera, light from above, `smooth` x `smooth` rays per
    pixel.

    `light` [3] points to another lamp. The last channel is the share of a pixel's rays that meet the mesh; where none
    does, the first three are white.
    """
    fine = replace(camera, height=camera.height * smooth, width=camera.width * smooth)
    face = cast(mesh, fine).face
    normals, _ = mesh.normals_and_areas()
    lamp = np.array([-0.35, -0.45, 0.85]) @ camera.axes * [1, 1, 0] + [0, 0, 1.2] if light is None else light
    lamp = lamp / np.linalg.norm(lamp)
    toward_camera = camera.position - mesh.corners().mean(axis=1)
    facing = np.sign(np.einsum("fi,fi->f", normals, toward_camera))[:, None] * normals  # both sides are lit
    glance = np.abs(facing @ camera.axes[2])
    amount = 0.5 + 0.42 * np.maximum(facing @ lamp, 0) + 0.28 * glance
    colors = np.clip(mesh.color * amount[:, None], 0, 1)
    # The last row stands for rays that meet no face, whose number is -1: no colour, no cover.
    covering = np.concatenate([np.append(colors, np.ones((len(colors), 1)), axis=1), np.zeros((1, 4))])
    steps = [(y, x) for y in range(smooth) for x in range(smooth)]
    total = np.asarray(sum(covering.astype(np.float32)[face[y::smooth, x::smooth]] for y, x in steps))
    hits = total[..., 3:]
    color = np.where(hits > 0, total[..., :3] / np.maximum(hits, 1), 1)
    return np.round(255 * np.concatenate([color, hits / len(steps)], axis=-1)).astype(np.uint8)
