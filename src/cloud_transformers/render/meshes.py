"""Shaded pictures of meshes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from cloud_transformers.render import Picture
from cloud_transformers.render.mesh import Array, Mesh
from cloud_transformers.render.raster import Camera, cast


def shaded(
    mesh: Mesh, camera: Camera, *, light: Array | None = None, background: float = 1.0, smooth: int = 2
) -> Picture:
    """A picture [H, W, 3] of a mesh: a lamp near the camera, light from above, `smooth` x `smooth` rays per pixel.

    `light` [3] points to another lamp; `background` is a grey from 0 to 1.
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
    # The last row stands for the background: a pixel that meets no face has face -1.
    colors = np.concatenate([colors, np.full((1, 3), background)]).astype(np.float32)
    steps = [(y, x) for y in range(smooth) for x in range(smooth)]
    total = sum(colors[face[y::smooth, x::smooth]] for y, x in steps)
    return np.round(np.asarray(total) * (255 / len(steps))).astype(np.uint8)
