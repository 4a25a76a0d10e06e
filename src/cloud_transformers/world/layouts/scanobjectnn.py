"""ScanObjectNN: main_split and main_split_nobg."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from cloud_transformers.datasets.scanobjectnn import path_of
from cloud_transformers.world.cutouts import cutouts
from cloud_transformers.world.layouts.hdf5 import write_rows
from cloud_transformers.world.layouts.job import LayoutJob, part_of
from cloud_transformers.world.seeds import SPLIT_START

WRITTEN = ("PB_T50_RS", "OBJ_BG", "OBJ_ONLY")


def write_scanobjectnn(job: LayoutJob) -> str:
    """{training,test}_objectdataset*.h5 with `data` [n, 2048, 3], `label` [n], `mask` [n, 2048].

    One scan of each object serves all variants. The original perturbs each object five times for PB_T50_RS; here
    every row is another object, because the world has no lack of them.
    """
    job.open()
    counts = {"train": job.size, "test": part_of(job.size, 4)}
    for split, count in counts.items():
        paths = {variant: path_of(job.root, split, variant, "main_split", True) for variant in WRITTEN}
        missing = {variant: path for variant, path in paths.items() if not job.is_done(path)}
        if not missing:
            continue
        tasks = [(job.seed, SPLIT_START[split] + k, tuple(missing)) for k in range(count)]
        _write(missing, job, tasks, split)
    return f"{counts['train']} training and {counts['test']} test objects in {len(WRITTEN)} variants"


def _write(paths: dict[str, Path], job: LayoutJob, tasks: list[tuple[int, int, tuple[str, ...]]], split: str) -> None:
    columns = {"data": ((2048, 3), np.float32), "label": ((), np.int32), "mask": ((2048,), np.int32)}
    write_rows(list(paths.values()), columns, len(tasks), job.each(_objects, tasks, f"{split} objects"))


def _objects(task: tuple[int, int, tuple[str, ...]]) -> list[dict[str, Any]]:
    seed, index, variants = task
    return list(cutouts(seed, index, variants).values())
