"""Targets: weights, what they say about themselves, configurations, and the lists and files of data sets."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np

from tests.io.samples import small_cloud
from tests.torture.mutate import mutate_json
from tests.torture.shells import mutate_in_zip
from tests.torture.target import Target, of_files, of_json


def _weights(suffix: str) -> Callable[[Path], Target]:
    def make(folder: Path) -> Target:
        import torch

        from cloud_transformers.checkpoints import read_state_dict, write_safetensors

        tensors = {"a.weight": torch.arange(12.0).reshape(3, 4), "b": torch.ones(3, dtype=torch.int64)}
        path = folder / f"0{suffix}"
        if suffix == ".pth":
            torch.save(tensors, path)
            return of_files([path], read_state_dict, mutate_in_zip)
        write_safetensors(path, tensors, {"note": "none"})
        return of_files([path], read_state_dict)

    return make


def _descriptions(folder: Path) -> Target:
    """Weight files whose tensors are sound, and which say absurd things about themselves."""
    from cloud_transformers import models
    from cloud_transformers.checkpoints import read_safetensors, write_safetensors
    from cloud_transformers.cli.shared.weights_table import describe, listed
    from cloud_transformers.predict import Predictor

    made = {
        "classification": models.classifier("tiny", 3, mask_head=False),
        "segmentation": models.segmenter("tiny", 3),
        "completion": models.completer("tiny"),
        "reconstruction": models.reconstructor("tiny"),
    }
    said: dict[str, Any] = {
        "classification": {"classes": ("a", "b", "c"), "points": 16},
        "segmentation": {"classes": ("a", "b", "c"), "points": 16, "region": "block", "features": ("color",)},
        "completion": {"points": 16, "num_points": 24},
        "reconstruction": {"num_points": 24, "passes": 1, "pixels": 32},
    }
    files = []
    for task, model in made.items():
        path = folder / f"{task}.safetensors"
        models.save(model, path, preparation=models.Preparation(task=task, **said[task]))
        files.append(read_safetensors(path))

    def damage(samples: list[bytes], generator: np.random.Generator) -> bytes:
        tensors, metadata = files[generator.integers(len(files))]
        part = ("config", "preparation")[generator.integers(2)]
        write_safetensors(folder / "made", tensors, {**metadata, part: mutate_json(metadata[part], generator)})
        return (folder / "made").read_bytes()

    def use(path: Path) -> object:
        tables = describe(path), listed({"mutant": path})
        predictor = Predictor.load(path, "cpu")
        cloud = small_cloud().without_fields("label", "normal", "intensity")
        picture = np.zeros((32, 32, 3), np.uint8)
        given: dict[str, Any] = {"segmentation": cloud, "reconstruction": picture}
        return tables, predictor(given.get(predictor.preparation.task, cloud.positions))

    class Described(Target):
        def mutant(self, generator: np.random.Generator) -> tuple[str, bytes]:
            return ".safetensors", damage(self.samples, generator)

    # A model computes with as many points as its file says, if that is possible at all; its answer may be wrong, too.
    return Described([], [".safetensors"], use, is_named=False, seconds=20.0, free_bytes=1 << 30)


def _settings(folder: Path) -> Target:
    """A folder's dataset.toml."""
    from cloud_transformers.datasets.folder.config import FILE, read_config

    text = (
        'task = "segmentation"\nignore = [0, 255]\nlabel = "class"\ncrops = 4\n[classes]\nfloor = 1\nwall = 2\n'
        '[colors]\nfloor = "#102030"\n[splits]\nval = 0.2\ntest = 0.1\nseed = 3\n'
    )
    return Target([text.encode()], [".toml"], lambda path: read_config(path.rename(path.with_name(FILE)).parent))


def _runs(folder: Path) -> Target:
    """A run's configuration.json."""
    from cloud_transformers.decoding import read_object
    from cloud_transformers.recipes import from_configuration, recipe

    text = json.dumps(recipe("scanobjectnn", "tiny").configuration())
    return of_json([text], ".json", lambda path: from_configuration(read_object(path), str(path)))


def _shape_lists(folder: Path) -> Target:
    """Which shapes are in which split of a data set for completion."""
    from cloud_transformers.datasets.pcn import LISTS, split_lists

    entry = {"taxonomy_id": "02691156", "taxonomy_name": "airplane", "train": ["a", "b"], "val": [], "test": ["c"]}
    return of_json(
        [json.dumps([entry, entry])],
        ".json",
        lambda path: split_lists(path.rename(path.with_name(LISTS[0])).parent, "train"),
    )


def _thinned_rooms(folder: Path) -> Target:
    """The index of rooms that `cloudt data prepare` has thinned."""
    from cloud_transformers.datasets.s3dis.subrooms import INDEX, SPHERE_CLASSES, VERSION, prepared_subrooms

    index = {"version": VERSION, "cell": 0.04, "classes": list(SPHERE_CLASSES), "rooms": [["Area_1", "office_1"]]}
    return of_json(
        [json.dumps(index)], ".json", lambda path: prepared_subrooms(path.rename(path.with_name(INDEX)).parent)
    )


def _annotations(folder: Path) -> Target:
    """An object of a room, whose broken lines are mended, left out or refused."""
    from cloud_transformers.datasets.s3dis.rooms import read_annotation

    rows = "".join(f"{x:.3f} {y:.3f} {z:.3f} 1 20 255\n" for x, y, z in small_cloud().positions)
    return Target(
        [rows.encode()], [".txt"], lambda path: (read_annotation(path, on_corrupt="skip"), read_annotation(path))
    )


def _rows(folder: Path) -> Target:
    """HDF5 as data sets have it: rows that are unpacked into a cache."""
    import h5py

    from cloud_transformers.datasets.hdf5 import Column, Hdf5Rows

    with h5py.File(folder / "0.h5", "w") as file:
        file["data"] = np.random.default_rng(0).normal(size=(5, 8, 3)).astype(np.float32)
        file.create_dataset("label", data=np.arange(5), compression="gzip")
    columns = [Column("data", (-1, 3), "float32"), Column("label", (), "int64")]

    def read(path: Path) -> object:
        cache = folder / "cache"
        with patch.dict(os.environ, {"CLOUDT_CACHE": str(cache)}):
            try:
                rows = Hdf5Rows([path], columns, lambda piece: [], check_version="1")
                return [rows.row(number) for number in range(len(rows))]
            finally:
                shutil.rmtree(cache, ignore_errors=True)

    return of_files([folder / "0.h5"], read)


SETTINGS: dict[str, Callable[[Path], Target]] = {
    "safetensors": _weights(".safetensors"),
    "pth": _weights(".pth"),
    "descriptions": _descriptions,
    "dataset.toml": _settings,
    "configuration.json": _runs,
    "ShapeNet.json": _shape_lists,
    "s3dis_spheres.json": _thinned_rooms,
    "room.txt": _annotations,
    "rows": _rows,
}
