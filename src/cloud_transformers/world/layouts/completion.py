"""PCN completion: partial and complete clouds as .pcd, and PCN.json."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from cloud_transformers.cloud import PointCloud
from cloud_transformers.world import objects, views
from cloud_transformers.world.layouts.job import LayoutJob, part_of, write_text
from cloud_transformers.world.seeds import SPLIT_START

NUM_VIEWS = {"train": 8, "val": 1, "test": 1}


def write_completion(job: LayoutJob) -> str:
    """{split}/partial/{taxonomy}/{id}/%02d.pcd, {split}/complete/{taxonomy}/{id}.pcd, PCN.json."""
    job.open()
    counts = {"train": job.size, "val": part_of(job.size, 8), "test": part_of(job.size, 8)}
    lists: dict[str, dict[str, list[str]]] = {name: {split: [] for split in counts} for name in views.TAXONOMY}
    for split, count in counts.items():
        tasks = []
        for k in range(count):
            index = SPLIT_START[split] + k
            name = objects.class_of(index, views.COMPLETION_CLASSES)
            identifier = f"{split}{k:06d}"
            lists[name][split].append(identifier)
            # The complete cloud is written last: where it is, the views are there as well.
            complete = job.root / split / "complete" / views.TAXONOMY[name] / f"{identifier}.pcd"
            partial = job.root / split / "partial" / views.TAXONOMY[name] / identifier
            if not job.is_done(complete):
                tasks.append((job.seed, index, NUM_VIEWS[split], partial, complete))
        for _ in job.each(_shape, tasks, split):
            pass
    entries = [{"taxonomy_id": views.TAXONOMY[name], "taxonomy_name": name, **splits} for name, splits in lists.items()]
    write_text(job.root / "PCN.json", json.dumps(entries, indent=1) + "\n")
    return f"{counts['train']} training, {counts['val']} validation and {counts['test']} test objects of 8 categories"


def _shape(task: tuple[int, int, int, Path, Path]) -> None:
    seed, index, num_views, partial, complete = task
    for view in range(num_views):
        _write_pcd(partial / f"{view:02d}.pcd", views.partial(seed, index, view))
    _write_pcd(complete, views.complete(seed, index))


def _write_pcd(path: Path, points: NDArray[np.float32]) -> None:
    from cloud_transformers.io import write

    path.parent.mkdir(parents=True, exist_ok=True)
    write(path, PointCloud(positions=points), encoding="binary")
