"""Shaded pictures of meshes, which points of a cloud a camera sees, and PNG files.

The PNG writer is a dozen lines over zlib, so that making data needs no imaging library.
"""

from __future__ import annotations

import struct
import zlib
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from cloud_transformers.render.mesh import Array, Mesh
from cloud_transformers.render.raster import Camera, cast


def shaded(
    mesh: Mesh, camera: Camera, *, light: Array | None = None, background: float = 1.0, smooth: int = 2
) -> NDArray[np.uint8]:
    """A picture [H, W, 3] of a mesh: a lamp near the camera, light from above, `smooth` x `smooth` rays per pixel."""
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


def foremost(points: Array, camera: Camera, wide: int = 1) -> NDArray[np.int64]:  # [H, W]
    """The nearest point under every pixel, each point being a square of `wide` pixels; -1 where there is none."""
    pixel, depth = camera.project(points)
    column, row = np.floor(pixel - (wide - 1) / 2).astype(int).T
    far_first = np.argsort(-depth, kind="stable")
    far_first = far_first[depth[far_first] > 0]
    y, x = (step.reshape(-1) for step in np.mgrid[:wide, :wide])
    # Point by point, so that a later, nearer one covers all squares before it.
    rows = (row[far_first, None] + y).reshape(-1)
    columns = (column[far_first, None] + x).reshape(-1)
    inside = (columns >= 0) & (columns < camera.width) & (rows >= 0) & (rows < camera.height)
    seen = np.full((camera.height, camera.width), -1, np.int64)
    seen[rows[inside], columns[inside]] = np.repeat(far_first, wide * wide)[inside]
    return seen


def png(picture: NDArray[np.uint8]) -> bytes:
    """A picture [H, W, 3] or [H, W, 4] as the bytes of a PNG file."""
    H, W, channels = picture.shape
    rows = picture.reshape(H, W * channels)
    # Filter 2 (difference to the row above) packs shaded pictures a third smaller than none.
    above = np.concatenate([np.zeros((1, W * channels), dtype=np.uint8), rows[:-1]])
    lines = np.concatenate([np.full((H, 1), 2, dtype=np.uint8), rows - above], axis=1)
    header = struct.pack(">IIBBBBB", W, H, 8, {3: 2, 4: 6}[channels], 0, 0, 0)
    chunks = [(b"IHDR", header), (b"IDAT", zlib.compress(lines.tobytes(), 6)), (b"IEND", b"")]
    body = b"".join(
        struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data)) for name, data in chunks
    )
    return b"\x89PNG\r\n\x1a\n" + body
