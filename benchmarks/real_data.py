"""Weights on real data that training never saw, beside answers that need no model.

python -m benchmarks.real_data segmentation SCANS              SCANS/*.ply, colours, NYU40 labels, metres, z up
python -m benchmarks.real_data classification OBJECTS          OBJECTS/CLASS/*.ply, z up
python -m benchmarks.real_data completion VIEWS [--up z]       VIEWS/val/partial/... and complete/..., PCN's layout
python -m benchmarks.real_data reconstruction PICTURES [--up z] [--front -y]     what3d's layout, its split `val`

With --weights NAME others than the task's usual ones. The first two take --turns N: the mean of N looks, turned about
the up axis in between; the first takes --adapt SHARE, as `cloudt segment` does.

Such data may not be shipped, so bring your own in these layouts; docs/real_data.md says which were used.
"""

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import torch
from tqdm import tqdm

from benchmarks.real_pictures import Scores, reconstruction
from cloud_transformers.cloud import PointCloud
from cloud_transformers.datasets.pcn import pcn
from cloud_transformers.io import read
from cloud_transformers.metrics import ShapeDistances
from cloud_transformers.predict import Predictor

# What NYU40 calls the classes that the segmenter knows.
SEGMENTS = {
    1: "wall", 2: "floor", 5: "chair", 6: "sofa", 7: "table", 8: "door", 9: "window", 10: "bookcase", 14: "table",
    15: "bookcase", 22: "ceiling",
}  # fmt: skip
# Names of folders that stand for a class of the classifier under another name.
OBJECTS = {"television": "display", "bookshelf": "shelf", "shelves": "shelf"}
CLOSE = 0.02  # of the diagonal of the partial cloud's box


def segmentation(folder: Path, weights: str = "segmenter-small", **settings: Any) -> Scores:
    predictor = Predictor.load(weights, task="segmentation")
    hits, totals = np.zeros(len(predictor.classes)), np.zeros(len(predictor.classes))
    for path in tqdm(sorted(folder.glob("*.ply")), unit="scan"):
        scan = read(path)
        known = np.isin(scan.fields["label"], list(SEGMENTS))
        truth = np.array([predictor.classes.index(SEGMENTS[value]) for value in scan.fields["label"][known]])
        answers = predictor(scan, **settings).labels[known]
        totals += np.bincount(truth, minlength=len(totals))
        hits += np.bincount(truth[answers == truth], minlength=len(hits))
    present = totals > 0
    points = int(totals.sum())
    yield f"OA over {points:,} points of {present.sum()} shared classes, in %", 100 * hits.sum() / points
    yield "mean class accuracy, in %", 100 * float(np.mean(hits[present] / totals[present]))
    yield f"OA of calling everything {predictor.classes[totals.argmax()]}, in %", 100 * totals.max() / points
    for number in np.flatnonzero(present):
        yield f"accuracy of {predictor.classes[number]}, in %", 100 * hits[number] / totals[number]


def classification(folder: Path, weights: str = "classifier-small", **settings: Any) -> Scores:
    predictor = Predictor.load(weights, task="classification")
    named = [(OBJECTS.get(path.parent.name, path.parent.name), path) for path in sorted(folder.glob("*/*.ply"))]
    objects = [(name, path) for name, path in named if name in predictor.classes]
    answers = predictor.many([read(path) for _, path in tqdm(objects, unit="object")], **settings)
    right = np.array([name == answer.label for (name, _), answer in zip(objects, answers, strict=True)])
    names = np.array([name for name, _ in objects])
    classes, counts = np.unique(names, return_counts=True)
    yield f"OA over {len(objects)} objects of {len(classes)} shared classes, in %", 100 * float(right.mean())
    yield f"OA of calling everything {classes[counts.argmax()]}, in %", 100 * counts.max() / len(objects)
    for name in classes:
        yield f"right of {(names == name).sum()} x {name}", float(right[names == name].sum())


def completion(folder: Path, weights: str = "completer-small", *, up: str) -> Scores:
    predictor = Predictor.load(weights, task="completion")
    found: dict[str, list[tuple[float, float]]] = {"ours": [], "the input itself": []}
    for sample in tqdm(pcn(folder, "val"), unit="view"):
        partial, complete = sample.partial, sample.complete
        unit = float(np.linalg.norm(np.ptp(partial.positions, axis=0)))
        for name, cloud in (("ours", predictor(partial, up=up)), ("the input itself", partial)):
            between = ShapeDistances.between(_batch(cloud, unit), _batch(complete, unit))
            found[name].append((float(between.chamfer_l2()), float(between.f_score(CLOSE))))
    for name, scores in found.items():
        chamfer, close = np.mean(scores, axis=0)
        yield f"CD-L2 of {name}, {len(scores)} views, in 1e-4 of the partial cloud's diagonal squared", 1e4 * chamfer
        yield f"F@2 % of {name}", close


def _batch(cloud: PointCloud, unit: float) -> torch.Tensor:
    return torch.from_numpy(cloud.positions / unit).float()[None]


def main() -> None:
    tasks: dict[str, Callable[..., Scores]] = {
        "segmentation": segmentation,
        "classification": classification,
        "completion": completion,
        "reconstruction": reconstruction,
    }
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("task", choices=tasks)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--up", default="z", help="the axis that points up in the files (default z)")
    parser.add_argument("--front", default="-y", help="the side that pictures show, for reconstruction (default -y)")
    parser.add_argument("--weights", help="a name or a file (default: the task's in the box)")
    parser.add_argument("--turns", type=int, help="looks whose mean is the answer, not for completion")
    parser.add_argument("--adapt", type=float, help="the share of the scene's own statistics, for segmentation")
    options = parser.parse_args()
    told = {name: value for name in ("weights", "turns", "adapt") if (value := getattr(options, name)) is not None}
    if options.task == "reconstruction":
        told["front"] = options.front
    for figure, value in tasks[options.task](options.folder, up=options.up, **told):
        print(f"{value:9.3f}  {figure}")


if __name__ == "__main__":
    main()
