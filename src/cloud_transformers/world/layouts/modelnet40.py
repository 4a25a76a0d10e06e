"""ModelNet40's HDF5 layout."""

from __future__ import annotations

from typing import Any

import numpy as np

from cloud_transformers.world import objects
from cloud_transformers.world.layouts.hdf5 import write_rows
from cloud_transformers.world.layouts.job import LayoutJob, part_of, write_text
from cloud_transformers.world.seeds import SPLIT_START

ROWS_PER_FILE = 2048


def write_modelnet40(job: LayoutJob) -> str:
    """ply_data_{train,test}{k}.h5 with `data`, `normal` [n, 2048, 3] and `label` [n, 1]; lists; shape_names.txt."""
    job.open()
    counts = {"train": job.size, "test": part_of(job.size, 4)}
    columns = {"data": ((2048, 3), np.float32), "normal": ((2048, 3), np.float32), "label": ((1,), np.uint8)}
    for split, count in counts.items():
        names = []
        for part, start in enumerate(range(0, count, ROWS_PER_FILE)):
            path = job.root / f"ply_data_{split}{part}.h5"
            names.append(path.name)
            if job.is_done(path):
                continue
            indices = range(start, min(start + ROWS_PER_FILE, count))
            tasks = [(job.seed, SPLIT_START[split] + index) for index in indices]
            write_rows([path], columns, len(tasks), job.each(_object, tasks, path.name))
        lines = "".join(f"data/modelnet40_ply_hdf5_2048/{name}\n" for name in names)
        write_text(job.root / f"{split}_files.txt", lines)
    write_text(job.root / "shape_names.txt", "".join(f"{name}\n" for name in objects.MODELNET_CLASSES))
    return f"{counts['train']} training and {counts['test']} test objects of {len(objects.MODELNET_CLASSES)} classes"


def _object(task: tuple[int, int]) -> list[dict[str, Any]]:
    seed, index = task
    sample = objects.sample(seed, index, classes=objects.MODELNET_CLASSES)
    return [
        {
            "data": objects.y_up(sample["points"]),
            "normal": objects.y_up(sample["normals"]),
            "label": sample["label"],
        }
    ]
