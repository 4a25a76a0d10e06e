"""what3d reconstruction: pictures as .png, viewer-centred clouds as .ply, lists."""

from __future__ import annotations

from pathlib import Path

from cloud_transformers.cloud import PointCloud
from cloud_transformers.render.png import png
from cloud_transformers.world import objects, views
from cloud_transformers.world.layouts.job import LayoutJob, part_of, write_bytes, write_text
from cloud_transformers.world.seeds import SPLIT_START

NUM_VIEWS = 5


def write_reconstruction(job: LayoutJob) -> str:
    """classes.txt, lists/{cat}/{split}.txt, points/{cat}/{id}/{0-4}.ply, renderings/{cat}/{id}/{0-4}.png."""
    job.open()
    counts = {"train": job.size, "val": part_of(job.size, 8), "test": part_of(job.size, 8)}
    lists: dict[str, dict[str, list[str]]] = {name: {split: [] for split in counts} for name in objects.CLASSES}
    for split, count in counts.items():
        tasks = []
        for k in range(count):
            index = SPLIT_START[split] + k
            name = objects.class_of(index)
            identifier = f"{split}{k:06d}"
            lists[name][split].append(identifier)
            last = job.root / "renderings" / name / identifier / f"{NUM_VIEWS - 1}.png"
            if not job.is_done(last):
                tasks.append((job.seed, index, job.root, f"{name}/{identifier}"))
        for _ in job.each(_shape, tasks, split):
            pass
    for name, splits in lists.items():
        for split, identifiers in splits.items():
            write_text(job.root / "lists" / name / f"{split}.txt", "".join(f"{each}\n" for each in identifiers))
    write_text(job.root / "classes.txt", "".join(f"{name} {name}\n" for name in objects.CLASSES))
    return f"{counts['train']} training, {counts['val']} validation and {counts['test']} test objects, 5 views each"


def _shape(task: tuple[int, int, Path, str]) -> None:
    from cloud_transformers.io import write

    seed, index, root, place = task
    for view in range(NUM_VIEWS):
        sample = views.reconstruction(seed, index, view)
        points = root / "points" / place / f"{view}.ply"
        points.parent.mkdir(parents=True, exist_ok=True)
        write(points, PointCloud(positions=sample["points"]), encoding="binary_little_endian")
        write_bytes(root / "renderings" / place / f"{view}.png", png(sample["image"]))
