"""Rooms scanned by hand, and the objects in them, in folders as `own-segmentation` and `own-classification` take them.

scans           {train,val,test}/ROOM.ply: x y z, colour, label, instance
scanned-objects {train,val,test}/CLASS/ROOM_INSTANCE.ply: x y z, mask (1 on the object, 0 on what is around it)

and a `dataset.toml` that names the classes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from cloud_transformers.cloud import PointCloud
from cloud_transformers.io import write
from cloud_transformers.world import objects, rooms, scans
from cloud_transformers.world.catalogue import Catalogue
from cloud_transformers.world.layouts.job import LayoutJob, part_of, write_text
from cloud_transformers.world.plan import Stock, built
from cloud_transformers.world.seeds import SPLIT_START, generator


@dataclass(frozen=True)
class Task:
    """One room to scan and to write."""

    seed: int
    index: int
    folder: Path  # of its split
    name: str
    stock: Stock  # where its furniture comes from

    @property
    def mark(self) -> Path:
        """An empty file, there once all files of the room are; hidden, so that nobody takes it for a cloud."""
        return self.folder / ".made" / self.name

    def scan(self) -> PointCloud:
        return scans.scan(self.seed, self.index, stock=self.stock)


def write_scans(job: LayoutJob) -> str:
    """A scan in each file."""
    return _write_rooms(job, "segmentation", rooms.CLASSES, _write_scan)


def write_scanned_objects(job: LayoutJob) -> str:
    """A folder for each class, an object with its surroundings in each file; of a room at most two of a class."""
    return _write_rooms(job, "classification", objects.CLASSES, _write_objects)


def _write_rooms(job: LayoutJob, task: str, classes: Sequence[str], write_room: Callable[[Task], None]) -> str:
    stock = Catalogue(job.meshes) if job.meshes else built
    job.open()
    names = "".join(f"{name} = {number}\n" for number, name in enumerate(classes))
    crops = "crops = 8\n" if task == "segmentation" else ""
    write_text(job.root / "dataset.toml", f'task = "{task}"\n{crops}\n[classes]\n{names}')
    counts = {"train": job.size, "val": part_of(job.size, 16), "test": part_of(job.size, 8)}
    tasks = [
        Task(job.seed, SPLIT_START[split] + k, job.root / split, f"{k:05d}", stock)
        for split, count in counts.items()
        for k in range(count)
    ]
    for _ in job.each(write_room, [each for each in tasks if not job.is_done(each.mark)], "scans"):
        pass
    return ", ".join(f"{count} {split} scans" for split, count in counts.items())


def _write_scan(task: Task) -> None:
    _write(task.folder / f"{task.name}.ply", replace(task.scan(), metadata={}))
    write_text(task.mark, "")


def _write_objects(task: Task) -> None:
    rng = generator("scanned objects", task.seed, task.index)
    for class_name, instance, cut in scans.objects_in(task.scan(), rng):
        _write(task.folder / class_name / f"{task.name}_{instance}.ply", cut)
    write_text(task.mark, "")


def _write(path: Path, cloud: PointCloud) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    write(path, cloud)
