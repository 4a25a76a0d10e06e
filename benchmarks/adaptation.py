"""What a model gains that gets used to the scene (`cloudt segment --adapt`), on scans of the world made by hand.

python -m benchmarks.adaptation [--weights NAME] [--scans 3] [--shares 0 0.3 0.6] [--meshes FOLDER:UP ...]

Scans are those of seed 11, which no weights saw. Counted are points of the classes that `benchmarks.real_data` counts.
"""

import argparse

import numpy as np
from tqdm import tqdm

from benchmarks.real_data import SEGMENTS
from cloud_transformers.predict import Predictor
from cloud_transformers.world import rooms, scans
from cloud_transformers.world.catalogue import Catalogue
from cloud_transformers.world.plan import built

SEED = 11


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--weights", default="segmenter-small")
    parser.add_argument("--scans", type=int, default=3)
    parser.add_argument("--shares", type=float, nargs="+", default=[0.0, 0.3, 0.6, 0.8, 1.0])
    parser.add_argument("--meshes", action="append", default=[], metavar="FOLDER:UP", help="furniture of your own")
    options = parser.parse_args()
    stock = Catalogue(tuple(options.meshes)) if options.meshes else built
    predictor = Predictor.load(options.weights, task="segmentation")
    counted = [rooms.CLASSES.index(name) for name in sorted(set(SEGMENTS.values()))]
    hits = np.zeros((len(options.shares), len(rooms.CLASSES)))
    totals = np.zeros(len(rooms.CLASSES))
    for index in tqdm(range(options.scans), unit="scan"):
        cloud = scans.scan(SEED, index, stock=stock)
        truth = cloud.fields["label"]
        totals += np.bincount(truth, minlength=len(totals))
        for row, share in enumerate(options.shares):
            answers = predictor(cloud, adapt=share).labels
            hits[row] += np.bincount(truth[answers == truth], minlength=len(totals))
    present = [number for number in counted if totals[number]]
    print(f"{int(totals[present].sum()):,} points of {len(present)} classes in {options.scans} scans")
    for share, row in zip(options.shares, hits, strict=True):
        each = row[present] / totals[present]
        overall = row[present].sum() / totals[present].sum()
        print(f"{share:5.2f}  OA {100 * overall:5.1f} %  mAcc {100 * each.mean():5.1f} %")


if __name__ == "__main__":
    main()
