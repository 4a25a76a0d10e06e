"""what3d reconstruction: pictures as .png with transparent ground, viewer-centred clouds as .ply, lists."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from pathlib import Path

from cloud_transformers.cloud import PointCloud
from cloud_transformers.errors import InputError
from cloud_transformers.render.mesh import Array
from cloud_transformers.render.png import png
from cloud_transformers.world import objects, views
from cloud_transformers.world.catalogue import read_colored
from cloud_transformers.world.layouts.job import LayoutJob, part_of, write_bytes, write_text
from cloud_transformers.world.mesh_views import MeshFolder, split_of
from cloud_transformers.world.seeds import SPLIT_START, generator

NUM_VIEWS = 5
Lists = dict[str, dict[str, list[str]]]  # of identifiers, by category and split


def write_reconstruction(job: LayoutJob) -> str:
    """classes.txt, lists/{cat}/{split}.txt, points/{cat}/{id}/{0-4}.ply, renderings/{cat}/{id}/{0-4}.png.

    Meshes of the user's stand beside the world's objects, in categories with the names of their folders.
    """
    folders = MeshFolder.by_name(job.meshes)
    if taken := sorted(set(folders) & set(objects.CLASSES)):
        raise InputError(f"a folder of meshes is called {taken[0]!r}, as a class of the world; rename it")
    job.open()
    others = part_of(job.size, 8) if job.size else 0
    counts = {"train": job.size, "val": others, "test": others}
    names = (*(objects.CLASSES if job.size else ()), *folders)
    lists: Lists = {name: {split: [] for split in counts} for name in names}
    for split, count in counts.items():
        tasks = []
        for k in range(count):
            index = SPLIT_START[split] + k
            name = objects.class_of(index)
            identifier = f"{split}{k:06d}"
            lists[name][split].append(identifier)
            if not job.is_done(_last(job.root, f"{name}/{identifier}")):
                tasks.append((job.seed, index, job.root, f"{name}/{identifier}"))
        for _ in job.each(_shape, tasks, split):
            pass
    world = f"{counts['train']} training, {others} validation and {others} test objects, 5 views each"
    told = [world] if job.size else []
    told += [_write_meshes(job, name, folder, lists[name]) for name, folder in folders.items()]
    for name, splits in lists.items():
        for split, identifiers in splits.items():
            write_text(job.root / "lists" / name / f"{split}.txt", "".join(f"{each}\n" for each in identifiers))
    write_text(job.root / "classes.txt", "".join(f"{name} {name}\n" for name in lists))
    return "; ".join(told)


def _write_meshes(job: LayoutJob, name: str, folder: MeshFolder, lists: dict[str, list[str]]) -> str:
    tasks = []
    for path in folder.files():
        identifier = folder.identifier(path)
        lists[split_of(identifier)].append(identifier)
        if not job.is_done(_last(job.root, f"{name}/{identifier}")):
            tasks.append((job.seed, path, folder.up_of(path), job.root, f"{name}/{identifier}"))
    for _ in job.each(_mesh, tasks, name):
        pass
    return f"{name}: meshes " + ", ".join(f"{len(found)} for {split}" for split, found in lists.items())


def _last(root: Path, place: str) -> Path:
    """Where it is, all views are there."""
    return root / "renderings" / place / f"{NUM_VIEWS - 1}.png"


def _shape(task: tuple[int, int, Path, str]) -> None:
    seed, index, root, place = task

    def view_of(view: int) -> tuple[Array, Array]:
        sample = views.reconstruction(seed, index, view)
        return sample["layer"], sample["points"]

    _write(root, place, view_of)


def _mesh(task: tuple[int, Path, str, Path, str]) -> None:
    seed, path, up, root, place = task
    mesh, number = views.normalized(read_colored(path, up)), zlib.crc32(place.encode())
    _write(root, place, lambda view: views.pictured(mesh, generator("mesh picture", seed, number, view)))


def _write(root: Path, place: str, view_of: Callable[[int], tuple[Array, Array]]) -> None:
    from cloud_transformers.io import write

    for view in range(NUM_VIEWS):
        image, cloud = view_of(view)
        points = root / "points" / place / f"{view}.ply"
        points.parent.mkdir(parents=True, exist_ok=True)
        write(points, PointCloud(positions=cloud), encoding="binary_little_endian")
        write_bytes(root / "renderings" / place / f"{view}.png", png(image))
