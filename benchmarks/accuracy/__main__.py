"""ModelNet40 at an equal budget: the `small` classifier beside PointNet, PointNet++, DGCNN and PointNeXt-S.

python -m benchmarks.accuracy modelnet40_ply_hdf5_2048 --out RUNS                  all of it; a killed one goes on
python -m benchmarks.accuracy modelnet40_ply_hdf5_2048 --out RUNS --part 1/2       every second run, for two at a time
python -m benchmarks.accuracy modelnet40_ply_hdf5_2048 --out RUNS --only DGCNN --seeds 1 --minutes 2

Every run has 1024 points, the same augmentation, loss, optimiser and batches, and --minutes of one core. Finished runs
are in RUNS/NAME-SEED/result.json, and the table of all of them is printed at the end and written to RUNS/accuracy.json.
"""

from __future__ import annotations

import argparse
import re
from pathlib import Path
from typing import Any

import numpy as np
import torch

from benchmarks import machine
from benchmarks.accuracy.budget import Budget, judge, learn
from benchmarks.accuracy.rivals import MODELS
from cloud_transformers.decoding import read_object
from cloud_transformers.engine.run import write_json
from cloud_transformers.recipes import recipe, with_settings


def run(name: str, seed: int, data: Path, minutes: float, out: Path) -> None:
    folder = out / f"{re.sub('[^a-z0-9+]+', '-', name.lower())}-{seed}"
    if (folder / "result.json").exists():
        return
    folder.mkdir(parents=True, exist_ok=True)
    experiment = with_settings(recipe("modelnet40", "small"), {"folder": str(data)})
    training = experiment.data.splits(experiment.task, seed).train
    protocol = experiment.data.protocol(experiment.task, batch_size=32, workers=0)
    torch.manual_seed(seed)
    model = MODELS[name](len(training.classes))
    label = f"{name}, seed {seed}"
    spent = learn(model, training, Budget(seconds=60 * minutes, seed=seed), folder, label)
    found = judge(model, protocol.passes[0].dataset, label)
    facts = {
        "model": name,
        "seed": seed,
        "minutes": minutes,
        "parameters": sum(parameter.numel() for parameter in model.parameters()),
        "clouds per second in training": spent["clouds"] / spent["seconds"],
        **spent,
        **found,
        "machine": machine.describe(),
    }
    write_json(folder / "result.json", facts)


def table(results: list[dict[str, Any]]) -> str:
    lines = [
        f"{'':26}{'OA':>14}{'mAcc':>14}{'parameters':>12}{'trained on':>12}{'clouds/s':>10}{'evaluated':>11}{'runs':>6}"
    ]
    for name in MODELS:
        rows = [row for row in results if row["model"] == name]
        if rows:
            scores = "".join(f"{_spread([row[score] for row in rows]):>14}" for score in ("OA", "mAcc"))
            speeds = [
                np.mean([row[f"clouds per second in {when}"] for row in rows]) for when in ("training", "evaluation")
            ]
            clouds = np.mean([row["clouds"] for row in rows])
            lines.append(
                f"{name:26}{scores}{rows[0]['parameters']:>12,}{clouds:>12,.0f}{speeds[0]:>10.0f}{speeds[1]:>11.0f}"
                f"{len(rows):>6}"
            )
    return "\n".join(lines)


def _spread(values: list[float]) -> str:
    return f"{np.mean(values):.1f} ± {np.std(values, ddof=1):.1f}" if len(values) > 1 else f"{values[0]:.1f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, metavar="DATA", help="modelnet40_ply_hdf5_2048")
    parser.add_argument("--out", type=Path, required=True, metavar="RUNS", help="where runs are kept")
    parser.add_argument("--minutes", type=float, default=30, help="of one core for each run (default 30)")
    parser.add_argument("--seeds", type=int, default=3, help="runs of each model (default 3)")
    parser.add_argument("--only", choices=MODELS, help="one model")
    parser.add_argument("--part", default="1/1", metavar="I/N", help="every N-th run, beginning with the I-th")
    options = parser.parse_args()
    part, parts = map(int, options.part.split("/"))
    torch.set_num_threads(1)
    jobs = [(name, seed) for seed in range(options.seeds) for name in MODELS if options.only in (None, name)]
    for name, seed in jobs[part - 1 :: parts]:
        run(name, seed, options.data, options.minutes, options.out)
    results = [read_object(path) for path in sorted(options.out.glob("*/result.json"))]
    write_json(options.out / "accuracy.json", {"results": results})
    print(table(results))


if __name__ == "__main__":
    main()
