"""PCN completion: partial and complete clouds as .pcd, and PCN.json."""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cloud_transformers.cloud import PointCloud
from cloud_transformers.errors import InputError
from cloud_transformers.render.mesh import Array
from cloud_transformers.world import mesh_views, objects, views
from cloud_transformers.world.layouts.job import LayoutJob, part_of, write_text
from cloud_transformers.world.mesh_views import MeshFolder, split_of
from cloud_transformers.world.seeds import SPLIT_START

NUM_VIEWS = {"train": 8, "val": 1, "test": 1}


def write_completion(job: LayoutJob) -> str:
    """{split}/partial/{taxonomy}/{id}/%02d.pcd, {split}/complete/{taxonomy}/{id}.pcd, PCN.json.

    Meshes of the user's stand beside the world's objects, under the names of their folders and files.
    """
    folders = MeshFolder.by_name(job.meshes)
    job.open()
    others = part_of(job.size, 8) if job.size else 0
    counts = {"train": job.size, "val": others, "test": others}
    lists: dict[str, dict[str, Any]] = {
        taxonomy: {"taxonomy_id": taxonomy, "taxonomy_name": name, **{split: [] for split in counts}}
        for name, taxonomy in views.TAXONOMY.items()
        if job.size
    }
    for split, count in counts.items():
        tasks = []
        for k in range(count):
            index = SPLIT_START[split] + k
            taxonomy = views.TAXONOMY[objects.class_of(index, views.COMPLETION_CLASSES)]
            identifier = f"{split}{k:06d}"
            lists[taxonomy][split].append(identifier)
            place = _Place(job.root, split, taxonomy, identifier)
            if not job.is_done(place.complete):
                tasks.append((job.seed, index, place))
        for _ in job.each(_shape, tasks, split):
            pass
    told = [*_write_meshes(job, folders, lists)]  # before the lists are written, which it fills
    write_text(job.root / "PCN.json", json.dumps(list(lists.values()), indent=1) + "\n")
    world = f"{job.size} training, {others} validation and {others} test objects of 8 categories" if job.size else ""
    return "; ".join(filter(None, (world, *told)))


def _write_meshes(job: LayoutJob, folders: dict[str, MeshFolder], lists: dict[str, dict[str, Any]]) -> Iterator[str]:
    """What was written of each folder."""
    for name, folder in folders.items():
        entry = lists[name] = {"taxonomy_id": name, "taxonomy_name": name, **{split: [] for split in NUM_VIEWS}}
        tasks = []
        for path in folder.files():
            identifier = folder.identifier(path)
            split = split_of(identifier)
            entry[split].append(identifier)
            place = _Place(job.root, split, name, identifier)
            if not job.is_done(place.complete):
                tasks.append((job.seed, folder, path, place))
        for _ in job.each(_mesh, tasks, name):
            pass
        counts = ", ".join(f"{len(entry[split])} for {split}" for split in NUM_VIEWS)
        yield f"{name}: meshes {counts}"


@dataclass(frozen=True)
class _Place:
    """Where the files of a shape belong."""

    root: Path
    split: str
    taxonomy: str
    identifier: str

    @property
    def complete(self) -> Path:
        return self.root / self.split / "complete" / self.taxonomy / f"{self.identifier}.pcd"

    def write(self, partial: Callable[[int], Array], complete: Array) -> None:
        """The complete cloud is written last: where it is, the views are there as well."""
        folder = self.root / self.split / "partial" / self.taxonomy / self.identifier
        for view in range(NUM_VIEWS[self.split]):
            _write_pcd(folder / f"{view:02d}.pcd", partial(view))
        _write_pcd(self.complete, complete)


def _shape(task: tuple[int, int, _Place]) -> None:
    seed, index, place = task
    place.write(lambda view: views.partial(seed, index, view), views.complete(seed, index))


def _mesh(task: tuple[int, MeshFolder, Path, _Place]) -> None:
    seed, folder, path, place = task
    mesh, number = folder.read(path), zlib.crc32(place.identifier.encode())
    complete = mesh_views.complete(mesh, seed, number)
    try:
        place.write(lambda view: mesh_views.partial(mesh, seed, number, view), complete)
    except InputError as error:
        raise InputError(str(error), path=path) from error


def _write_pcd(path: Path, points: Array) -> None:
    from cloud_transformers.io import write

    path.parent.mkdir(parents=True, exist_ok=True)
    write(path, PointCloud(positions=points), encoding="binary")
