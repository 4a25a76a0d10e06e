"""Contact sheets: pictures of many samples at once, to see with one's own eyes what the world is made of.

python -m cloud_transformers.world.contact_sheets docs/images/world
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from cloud_transformers.cloud import PointCloud
from cloud_transformers.render import Picture
from cloud_transformers.render.cameras import object_camera, z_up
from cloud_transformers.render.clouds import painted
from cloud_transformers.render.colors import BLUE, SAND, by_height, label_colors
from cloud_transformers.render.mesh import Mesh
from cloud_transformers.render.meshes import shaded
from cloud_transformers.render.png import png
from cloud_transformers.render.raster import Camera
from cloud_transformers.render.sheets import side_by_side, tiled
from cloud_transformers.world import cutouts, objects, rooms, scans, views
from cloud_transformers.world.seeds import generator


def portrait(mesh: Mesh, size: int, angle: float, elevation: float = 0.4) -> Picture:
    """A shaded picture of one object from its front (-y), turned by an angle in radians, filling the frame."""
    low, high = mesh.bounds()
    middle, radius = (low + high) / 2, float(np.linalg.norm(high - low)) / 2
    direction = np.array([np.sin(angle) * np.cos(elevation), -np.cos(angle) * np.cos(elevation), np.sin(elevation)])
    camera = Camera.looking(middle + direction * radius * 3.6, middle, 33.0, size)
    return shaded(mesh, camera)


def object_sheet(class_name: str, seed: int, count: int, columns: int = 6, size: int = 150) -> Picture:
    pictures = []
    for index in range(count):
        angle = generator("portrait", seed, index).uniform(0.25, 0.9) * (1 if index % 2 else -1)
        pictures.append(portrait(objects.build(seed, index, class_name), size, angle))
    return tiled(pictures, columns)


def dollhouse(seed: int, index: int, size: int = 300) -> Picture:
    """A room from above with its ceiling taken off."""
    built = rooms.build(seed, index)
    lifted = np.isin(built.label, [rooms.CLASSES.index(name) for name in ("ceiling", "beam")])
    lifted |= built.mesh.corners()[:, :, 2].min(axis=1) > built.plan.height - 0.3
    lifted |= built.mesh.corners()[:, :, 1].max(axis=1) < -built.plan.depth / 2 + 0.06  # the wall before the camera
    lifted &= built.label != rooms.CLASSES.index("floor")
    mesh = Mesh(built.mesh.vertices, built.mesh.faces[~lifted], built.mesh.color[~lifted])
    reach = max(built.plan.width, built.plan.depth)
    camera = Camera.looking([0.1 * reach, -1.35 * reach, 1.6 * reach], [0, 0, 0.5], 40.0, size)
    return shaded(mesh, camera)


def scanned_room(cloud: PointCloud, size: int = 300) -> Picture:
    """The scan of a room from above, ceiling and beams left out, in its own colours left and by class right."""
    label = cloud.fields["label"]
    low, high = cloud.positions.min(axis=0), cloud.positions.max(axis=0)
    shown = ~np.isin(label, [rooms.CLASSES.index(name) for name in ("ceiling", "beam")])
    shown &= (cloud.positions[:, 2] < high[2] - 0.4) & (cloud.positions[:, 1] > low[1] + 0.3)
    points = cloud.positions[shown] - (low + high) / 2 * [1, 1, 0] - [0, 0, low[2]]
    reach = float(max((high - low)[:2]))
    camera = Camera.looking([0.1 * reach, -1.35 * reach, 1.6 * reach], [0, 0, 0.5], 40.0, size)
    paints = (cloud.fields["color"][shown], label_colors(label[shown]))
    return side_by_side([painted(points, colors, camera, wide=2) for colors in paints], gap=0)


def cutout_sheet(seed: int, variant: str, size: int = 150) -> Picture:
    """One cut-out of each class: the object blue, the background sand."""
    pictures = []
    for index in range(len(objects.CLASSES)):
        sample = cutouts.cutout(seed, index, variant)
        points = z_up(sample["data"])
        colors = np.where((sample["mask"] >= 0)[:, None], BLUE, SAND)
        pictures.append(painted(points, colors, object_camera(points, size), wide=2))
    return tiled(pictures, 5)


def completion_sheet(seed: int, size: int = 150) -> Picture:
    """Partial views above, complete clouds below, one column for each of the eight categories."""
    rows: list[list[Picture]] = [[], []]
    for index in range(len(objects.COMPLETION_CLASSES)):
        sample = views.completion(seed, index)
        whole = z_up(sample["complete"])
        camera = object_camera(whole, size)
        for row, points in zip(rows, (z_up(sample["partial"]), whole[:6000]), strict=True):
            colors = by_height(points, whole[:, 2].min(), whole[:, 2].max())
            row.append(painted(points, colors, camera, wide=2))
    return tiled(rows[0] + rows[1], len(rows[0]))


def main(folder: Path, seed: int = 0) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name in objects.CLASSES:
        (folder / f"{name}.png").write_bytes(png(object_sheet(name, seed, 12)))
    extra = [name for name in objects.MODELNET_CLASSES if name not in objects.CLASSES] + ["vessel"]
    pictures = [portrait(objects.build(seed, k, name), 92, 0.6) for name in extra for k in range(3)]
    (folder / "modelnet.png").write_bytes(png(tiled(pictures, 12)))
    for variant in ("OBJ_BG", "PB_T50_RS"):
        (folder / f"cutouts_{variant.lower()}.png").write_bytes(png(cutout_sheet(seed, variant)))
    (folder / "completion.png").write_bytes(png(completion_sheet(seed)))
    pictures = [views.reconstruction(seed, index)["image"] for index in range(len(objects.CLASSES))]
    (folder / "reconstruction.png").write_bytes(png(tiled([picture[::2, ::2] for picture in pictures], 5)))
    (folder / "rooms.png").write_bytes(png(tiled([dollhouse(seed, k) for k in range(6)], 3)))
    (folder / "room_scans.png").write_bytes(png(tiled([scanned_room(rooms.room(seed, k), 260) for k in range(2)], 1)))
    (folder / "scans.png").write_bytes(png(tiled([scanned_room(scans.scan(seed, k), 260) for k in range(6)], 2)))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
