"""Small data in the exact layouts of the public benchmarks, made up from seeds."""

import json
from pathlib import Path

import h5py
import numpy as np
from PIL import Image

from cloud_transformers.cloud import PointCloud
from cloud_transformers.datasets.s3dis import BLOCK_CLASSES
from cloud_transformers.io import write


def write_h5(path: Path, **arrays: np.ndarray) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    with h5py.File(path, "w") as file:
        for name, values in arrays.items():
            file.create_dataset(name, data=values, compression="gzip")
    return path


def modelnet40(root: Path, train: int = 12, test: int = 5, points: int = 32) -> Path:
    rng = np.random.default_rng(0)
    root.mkdir(parents=True, exist_ok=True)
    (root / "shape_names.txt").write_text("airplane\nbathtub\nbed\n")
    for split, count in (("train", train), ("test", test)):
        names = []
        for part, size in enumerate((count // 2, count - count // 2)):
            name = f"ply_data_{split}{part}.h5"
            write_h5(
                root / name,
                data=rng.normal(size=(size, points, 3)).astype(np.float32),
                label=rng.integers(0, 3, (size, 1)).astype(np.uint8),
            )
            names.append(f"data/modelnet40_ply_hdf5_2048/{name}\n")
        (root / f"{split}_files.txt").write_text("".join(names))
    return root


def modelnet40_text(root: Path) -> Path:
    rng = np.random.default_rng(0)
    root.mkdir(parents=True, exist_ok=True)
    ids = {"train": ["bed_0001", "flower_pot_0001", "bed_0002"], "test": ["night_stand_0007"]}
    (root / "modelnet40_shape_names.txt").write_text("bed\nflower_pot\nnight_stand\n")
    for split, names in ids.items():
        (root / f"modelnet40_{split}.txt").write_text("".join(f"{name}\n" for name in names))
        for name in names:
            path = root / name.rpartition("_")[0] / f"{name}.txt"
            path.parent.mkdir(exist_ok=True)
            np.savetxt(path, rng.uniform(-1, 1, (20, 6)), fmt="%.6f", delimiter=",")
    return root


def scanobjectnn(root: Path, count: int = 6, points: int = 16) -> Path:
    rng = np.random.default_rng(0)
    for fold in ("main_split", "main_split_nobg", "split1", "split2_nobg"):
        for ending in ("", "_augmented25_norot", "_augmented25rot", "_augmentedrot", "_augmentedrot_scale75"):
            for split in ("training", "test"):
                mask = rng.integers(-1, 2, (count, points))
                mask[:, 0] = 1
                write_h5(
                    root / fold / f"{split}_objectdataset{ending}.h5",
                    data=rng.normal(size=(count, points, 3)).astype(np.float32),
                    label=rng.integers(0, 15, count).astype(np.int32),
                    mask=mask.astype(np.int64),
                )
    return root


def pcn(root: Path, views: int = 8, with_list: bool = True) -> Path:
    rng = np.random.default_rng(0)
    lists = []
    for taxonomy, name in (("02691156", "airplane"), ("03001627", "chair")):
        entry: dict[str, object] = {"taxonomy_id": taxonomy, "taxonomy_name": name}
        for split, count in (("train", 3), ("val", 1), ("test", 2)):
            ids = [f"{split}{number}" for number in range(count)]
            entry[split] = ids
            for shape in ids:
                complete = cloud(rng, 64)
                folder = root / split / "partial" / taxonomy / shape
                folder.mkdir(parents=True)
                for view in range(views if split == "train" else 1):
                    rows = rng.choice(64, 20 + view, replace=False)
                    write(folder / f"{view:02d}.pcd", complete.select(rows))
                (root / split / "complete" / taxonomy).mkdir(parents=True, exist_ok=True)
                write(root / split / "complete" / taxonomy / f"{shape}.pcd", complete)
        lists.append(entry)
    if with_list:
        (root / "ShapeNet.json").write_text(json.dumps(lists))
    return root


def what3d(root: Path) -> Path:
    rng = np.random.default_rng(0)
    root.mkdir(parents=True)
    (root / "classes.txt").write_text("airplane 02691156\ntrash bin 02747177\n")
    for category in ("02691156", "02747177"):
        (root / "lists" / category).mkdir(parents=True)
        for split, ids in (("train", ["a", "with space"]), ("val", ["c"]), ("test", ["d"])):
            (root / "lists" / category / f"{split}.txt").write_text("".join(f"{name}\n" for name in ids))
            for name in ids:
                (root / "points" / category / name).mkdir(parents=True)
                (root / "renderings" / category / name).mkdir(parents=True)
                for view in range(5):
                    write(root / "points" / category / name / f"{view}.ply", cloud(rng, 30))
                    picture(rng, root / "renderings" / category / name / f"{view}.{'jpg' if view == 4 else 'png'}")
    return root


def s3dis_raw(root: Path, areas: tuple[int, ...] = (1, 5), rooms: int = 2, points: int = 3000) -> Path:
    """Box rooms with a labelled floor, ceiling, walls and a table, one annotation file per object."""
    rng = np.random.default_rng(0)
    for area in areas:
        for number in range(1, rooms + 1):
            folder = root / f"Area_{area}" / f"office_{number}" / "Annotations"
            folder.mkdir(parents=True)
            corner = np.array([4.0 * number, 10.0 * area, 0.0])
            for name, low, high in (
                ("floor_1", (0, 0, 0), (3, 3, 0)),
                ("ceiling_1", (0, 0, 2.5), (3, 3, 2.5)),
                ("wall_1", (0, 0, 0), (3, 0, 2.5)),
                ("wall_2", (0, 0, 0), (0, 3, 2.5)),
                ("table_1", (1, 1, 0.8), (2, 2, 0.8)),
                ("stairs_1", (2, 2, 0.0), (2.5, 2.5, 0.3)),
            ):
                xyz = rng.uniform(low, high, (points // 6, 3)) + corner
                rgb = rng.integers(0, 256, (points // 6, 3))
                np.savetxt(folder / f"{name}.txt", np.concatenate([xyz, rgb], 1), fmt="%.3f %.3f %.3f %d %d %d")
        (root / f"Area_{area}" / f"Area_{area}_alignmentAngle.txt").write_text("## header\noffice_1 0\n")
    return root


def s3dis_blocks(root: Path, blocks: int = 3) -> Path:
    from cloud_transformers.datasets.s3dis import write_blocks

    rng = np.random.default_rng(0)

    def rooms():
        for name in ("Area_1_office_1", "Area_5_hallway_2", "Area_6_lobby_1"):
            data = rng.uniform(0, 1, (blocks, 4096, 9)).astype(np.float32)
            yield name, data, rng.integers(0, len(BLOCK_CLASSES), (blocks, 4096)).astype(np.uint8)

    write_blocks(root, rooms())
    return root


def cloud(rng: np.random.Generator, num: int, **fields: np.ndarray) -> PointCloud:
    return PointCloud(positions=rng.uniform(-0.5, 0.5, (num, 3)).astype(np.float32), fields=fields)


def write_cloud(rng: np.random.Generator, path: Path, num: int = 20) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    write(path, cloud(rng, num))


def picture(rng: np.random.Generator, path: Path, size: int = 8) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.fromarray(rng.integers(0, 256, (size, size, 3)).astype(np.uint8)).save(path)
