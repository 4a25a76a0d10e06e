"""Folders as a user might have them: small scans, objects, pairs and pictures, in several formats at once."""

from pathlib import Path

import numpy as np
from PIL import Image

from cloud_transformers.cloud import PointCloud
from cloud_transformers.io import write

NAMED = (".ply", ".las", ".xyz", ".pcd", ".npz")  # formats that say themselves what their columns are
COLUMNS = 'columns = "xyzrgblabel"\n'
STRETCH = {"ball": (1, 1, 1), "stick": (0.1, 0.1, 1), "plate": (1, 1, 0.1)}


def scan(rng: np.random.Generator, num: int = 600, *, color: bool = True) -> PointCloud:
    """A brown floor of 3 m x 2 m, label 2, with green poles, label 5, somewhere in UTM coordinates."""
    is_pole = rng.random(num) < 0.4
    positions = rng.uniform(0, 1, (num, 3)) * (3, 2, 0.05)
    poles = np.round(positions / 0.8) * 0.8 + rng.uniform(0, 1, (num, 3)) * (0.1, 0.1, 1.5)
    positions = np.where(is_pole[:, None], poles, positions)
    fields = {"label": np.where(is_pole, 5, 2).astype(np.int32)}
    if color:
        fields["color"] = np.where(is_pole[:, None], (40, 160, 40), (150, 110, 70)).astype(np.uint8)
    return PointCloud(
        positions=positions.astype(np.float32), fields=fields, offset=np.array([500000.0, 4100000.0, 100.0])
    )


def put(path: Path, cloud: PointCloud) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    write(path, cloud)
    return path


def put_rows(path: Path, cloud: PointCloud) -> Path:
    """Columns without names, as .npy or as text: xyz, colour and label."""
    path.parent.mkdir(parents=True, exist_ok=True)
    rows = np.column_stack([cloud.world, cloud.fields["color"], cloud.fields["label"]])
    if path.suffix == ".npy":
        np.save(path, rows)
    else:
        np.savetxt(path, rows, fmt=["%.3f"] * 3 + ["%d"] * 4)
    return path


def scans(root: Path, *, named: bool = True, color: bool = True) -> Path:
    """Training, validation and test scans; with `named=False` also files whose columns `dataset.toml` must name."""
    rng = np.random.default_rng(0)
    for number, suffix in enumerate(NAMED):
        cloud = scan(rng, color=color)
        if suffix == ".las" and color:
            # LAS has 16 bits per channel: full brightness is 65535 there.
            cloud = cloud.cast(color=np.uint16)
        put(root / "train" / f"{number}{suffix}", cloud)
    put(root / "val" / "a.ply", scan(rng, color=color))
    put(root / "test" / "a.ply", scan(rng, color=color))
    if not named:
        put_rows(root / "train" / "rows.npy", scan(rng))
        put_rows(root / "test" / "rows.txt", scan(rng))
        (root / "dataset.toml").write_text(
            f'task = "segmentation"\n{COLUMNS}color_max = 255\ncrops = 4\n[classes]\nfloor = 2\npole = 5\n'
        )
        (root / "train" / "1.las").unlink()  # it disagrees about the brightness
    return root


def shape(rng: np.random.Generator, kind: str, num: int = 150, *, mask: bool = False) -> PointCloud:
    positions = (rng.normal(size=(num, 3)) * STRETCH[kind] + (10, 20, 30)).astype(np.float32)
    return PointCloud(positions=positions, fields={"mask": (positions[:, 0] > 10).astype(np.uint8)} if mask else {})


def objects(root: Path, *, count: int = 12, mask: bool = False) -> Path:
    """A folder per class, splits drawn by name, a format per file."""
    rng = np.random.default_rng(1)
    suffixes = (".ply", ".las", ".npy", ".xyz") if not mask else (".ply", ".npz")
    for kind in STRETCH:
        for number in range(count):
            suffix = suffixes[number % len(suffixes)]
            cloud = shape(rng, kind, mask=mask)
            path = root / kind / f"{number}{suffix}"
            if suffix == ".npy":
                path.parent.mkdir(parents=True, exist_ok=True)
                np.save(path, cloud.positions)
            else:
                put(path, cloud)
    return root


def pairs(root: Path) -> Path:
    """Boxes, of which the partial clouds have the lower half."""
    rng = np.random.default_rng(2)
    for split, count in (("train", 6), ("val", 2), ("test", 2)):
        for number in range(count):
            size = rng.uniform(1, 5, 3)
            complete = (rng.uniform(0, 1, (400, 3)) * size + 100).astype(np.float32)
            partial = complete[complete[:, 2] < 100 + size[2] / 2]
            category = ("box", "crate")[number % 2]
            put(root / split / "complete" / category / f"{number}.ply", PointCloud(positions=complete))
            put(
                root / split / "partial" / category / f"{number}.{'pcd' if number % 2 else 'xyz'}",
                PointCloud(positions=partial),
            )
    return root


def pictures(root: Path) -> Path:
    """Bright discs for large balls, dark ones for flat ones; pictures that are not square."""
    rng = np.random.default_rng(3)
    for split, count in (("train", 6), ("val", 2), ("test", 2)):
        for number in range(count):
            kind = ("ball", "plate")[number % 2]
            image = np.full((40, 56, 3), 255 if kind == "ball" else 60, np.uint8)
            path = root / split / "images" / f"{number}.{'png' if number % 2 else 'jpg'}"
            path.parent.mkdir(parents=True, exist_ok=True)
            Image.fromarray(image).save(path)
            put(root / split / "clouds" / f"{number}.ply", shape(rng, kind, 300))
    return root
