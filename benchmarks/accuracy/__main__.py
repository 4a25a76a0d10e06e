"""Ours at an equal budget beside what a user would pick instead. One command per table:

python -m benchmarks.accuracy modelnet40 modelnet40_ply_hdf5_2048 --out RUNS
python -m benchmarks.accuracy completion ShapeNetCompletion --out RUNS
python -m benchmarks.accuracy reconstruction what3d --out RUNS
python -m benchmarks.accuracy segmentation --out RUNS                      on the embedded world, which it makes
python -m benchmarks.accuracy page                                         docs/results.md, of what is stored

    --part 1/2      every second run, for two processes at a time
    --only NAME     one model; --seeds N runs of each (default 3)
    --minutes M     of one core for each run (default 30 for modelnet40, 5 for the others: what could be paid for)
    --store FOLDER  where results go (default benchmarks/results/accuracy), a small file for each run

All models of a table have the same data, augmentation, loss, optimiser, batches and time. A killed command goes on
where it stopped: finished runs are stored, the others have a checkpoint every minute in RUNS.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import torch

from benchmarks import machine
from benchmarks.accuracy import page, store
from benchmarks.accuracy.budget import Budget, learn
from benchmarks.accuracy.classification import ModelNet40
from benchmarks.accuracy.segmentation import WorldSegmentation
from benchmarks.accuracy.shapes import CompletionTable, ReconstructionTable
from benchmarks.accuracy.table import Table
from cloud_transformers import native

TABLES: dict[str, type[Table]] = {
    each.name: each for each in (ModelNet40, CompletionTable, ReconstructionTable, WorldSegmentation)
}
LOOKED_AT = 200  # test samples that a point of a curve is measured on


def run(table: Table, name: str, seed: int, minutes: float, folders: store.Folders) -> None:
    """Train and judge one model, unless that was done."""
    if folders.result(table.name, name, minutes, seed).exists():
        return
    folder = folders.run(table.name, name, minutes, seed)
    folder.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(seed)
    model = table.build(name)
    budget = Budget(seconds=60 * minutes, seed=seed, batch_size=table.batch_size)
    done = learn(
        model, table.training(name, seed), table.loss, budget, folder, f"{name}, seed {seed}",
        look=lambda: table.score(model, LOOKED_AT),
    )  # fmt: skip
    found = table.judge(model.eval())
    clouds = done.step * table.batch_size
    facts: dict[str, Any] = {
        "seed": seed,
        "minutes": minutes,
        "parameters": sum(parameter.numel() for parameter in model.parameters()),
        "steps": done.step,
        "clouds": clouds,
        "clouds per second in training": clouds / done.spent,
        **found,
        "curve": [*done.curve, (done.spent, found[table.columns[0].name])],
    }
    store.keep(folders.result(table.name, name, minutes, seed), table.name, name, facts)


def run_simple(table: Table, folders: store.Folders) -> None:
    """The answers that need no model, unless they are known."""
    path = folders.result(table.name, "without a model", 0, 0)
    if not path.exists() and (answers := dict(table.simple_answers())):
        store.keep(path, table.name, "", {"answers": answers})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("table", choices=(*TABLES, "page"))
    parser.add_argument("data", type=Path, nargs="?", metavar="DATA", help="the folder that the table is named with")
    parser.add_argument("--out", type=Path, metavar="RUNS", help="where checkpoints are kept")
    parser.add_argument("--store", type=Path, default=store.RESULTS, metavar="FOLDER", help="where results are kept")
    parser.add_argument("--minutes", type=float, help="of one core for each run (default 30 or 5)")
    parser.add_argument("--seeds", type=int, default=3, help="runs of each model (default 3)")
    parser.add_argument("--only", metavar="NAME", help="one model")
    parser.add_argument("--part", default="1/1", metavar="I/N", help="every N-th run, beginning with the I-th")
    options = parser.parse_args()
    if options.table == "page":
        page.publish(options.store, TABLES)
        return
    kind = TABLES[options.table]
    if options.out is None or (kind.needs_data and options.data is None):
        parser.error(f"name {' and '.join(filter(None, (kind.needs_data, '--out RUNS')))}")
    if options.only not in (None, *kind.models):
        parser.error(f"--only is one of {'; '.join(kind.models)}")
    part, parts = map(int, options.part.split("/"))
    torch.set_num_threads(1)
    native.keep_freed_memory()  # as training does; it helps every model
    machine.describe()  # fails early where something is missing
    folders = store.Folders(runs=options.out, results=options.store)
    table, minutes = kind(options.data, options.out), options.minutes or kind.minutes
    if part == 1:
        run_simple(table, folders)
    jobs = [(name, seed) for seed in range(options.seeds) for name in kind.models if options.only in (None, name)]
    for name, seed in jobs[part - 1 :: parts]:
        run(table, name, seed, minutes, folders)
    print(store.text_table(kind, store.results(options.store, kind.name), minutes))


if __name__ == "__main__":
    main()
