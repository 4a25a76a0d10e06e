"""A folder as you might have one: scanned rooms with a label per point, in three formats, and a dataset.toml.

    python examples/own_folder.py rooms
    cloudt data check folder rooms
    cloudt train own-segmentation --data rooms --size tiny --out run
    cloudt evaluate run

The rooms and their scanner are made up; with files of your own, only the last three lines are needed.
"""

import sys
from pathlib import Path

import cloud_transformers as ct
from cloud_transformers.world.rooms import CLASSES, room

SUFFIXES = (".ply", ".laz", ".npz")


def main(root: Path) -> None:
    for number in range(12):
        split = {10: "val", 11: "test"}.get(number, "train")
        scan = room(seed=7, index=number, max_points=30_000, resolution=80)
        path = root / split / f"room{number:02d}{SUFFIXES[number % 3]}"
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.suffix == ".laz":
            scan = scan.cast(color="uint16")  # LAS has 16 bits per channel
        ct.write(path, scan)
    names = ", ".join(f'"{name}"' for name in CLASSES)
    (root / "dataset.toml").write_text(f'task = "segmentation"\nclasses = [{names}]\ncrops = 40\n')
    print(f"{root}: 12 rooms; train with `cloudt train own-segmentation --data {root} --size tiny`")


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "rooms"))
