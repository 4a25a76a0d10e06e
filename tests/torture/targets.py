"""What is fuzzed: everything that reads what somebody else may have made.

Each target has sound samples, a way to damage them, and the function that reads the result.
"""

from __future__ import annotations

import gzip
import json
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from cloud_transformers import io
from cloud_transformers.io.limits import FREE_BYTES
from tests.io.samples import MESH_FORMATS, POINT_FORMATS, reader, small_cloud, write_samples
from tests.torture.mutate import Shell, mutate, mutate_in_gzip, mutate_in_png, mutate_in_zip, mutate_json

PICTURES = ("png", "jpeg", "bmp", "gif", "tiff", "webp")


@dataclass(frozen=True)
class Target:
    samples: list[bytes]
    suffixes: list[str]
    read: Callable[[Path], object]
    shell: Shell | None = None  # damages what is inside; half of all mutants are made so
    is_named: bool = True  # whether a complaint must name the file
    seconds: float = 1.0  # of this process's own work: what else the machine does is no file's fault
    free_bytes: int = FREE_BYTES  # what a file may take beside a multiple of its size

    def mutant(self, generator: np.random.Generator) -> tuple[str, bytes]:
        """A suffix and the content of a damaged file."""
        suffix = self.suffixes[generator.integers(len(self.suffixes))]
        if self.shell is not None and generator.random() < 0.5:
            return suffix, self.shell(self.samples, generator)
        return suffix, mutate(self.samples, generator)


def target(kind: str, folder: Path) -> Target:
    """Makes the samples in a folder."""
    if kind in (*POINT_FORMATS, *MESH_FORMATS):
        paths = write_samples(kind, folder)
        return _of(paths, reader(kind), mutate_in_zip if kind == "npz" else None)
    if kind in PICTURES:
        return _picture(kind, folder)
    return _OTHERS[kind](folder)


def _of(paths: list[Path], read: Callable[[Path], object], shell: Shell | None = None) -> Target:
    return Target([path.read_bytes() for path in paths], sorted({path.suffix for path in paths}), read, shell)


def _picture(kind: str, folder: Path) -> Target:
    from PIL import Image

    from cloud_transformers.io.images import read_image

    rng = np.random.default_rng(0)
    paths = []
    for number, mode in enumerate(("RGB", "L", "RGBA")):
        if mode == "RGBA" and kind in ("jpeg", "bmp"):
            continue
        picture = Image.fromarray(rng.integers(0, 255, (12, 17, len(mode)), np.uint8).squeeze())
        paths.append(folder / f"{number}.{kind}")
        picture.save(paths[-1])
    return _of(paths, read_image, mutate_in_png if kind == "png" else None)


def _packed(suffix: str, shell: Shell) -> Callable[[Path], Target]:
    def make(folder: Path) -> Target:
        io.write(folder / "inner.ply", small_cloud(), encoding="ascii")
        data, path = (folder / "inner.ply").read_bytes(), folder / f"0.ply{suffix}"
        if suffix == ".gz":
            path.write_bytes(gzip.compress(data, mtime=0))
        else:
            with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
                archive.writestr(zipfile.ZipInfo("inner.ply"), data)
        return Target([path.read_bytes()], [f".ply{suffix}"], lambda path: io.read(path, non_finite="drop"), shell)

    return make


def _scanners(suffix: str) -> Callable[[Path], Target]:
    def make(folder: Path) -> Target:
        path = folder / f"0{suffix}"
        points = small_cloud().positions
        if suffix == ".ptx":
            rows = "\n".join(f"{x} {y} {z} 0.5" for x, y, z in points)
            frame = "0 0 0\n1 0 0\n0 1 0\n0 0 1\n1 0 0 0\n0 1 0 0\n0 0 1 0\n0 0 0 1"
            path.write_text(f"8\n5\n{frame}\n{rows}\n")
        elif suffix == ".bin":
            np.concatenate([points, np.full((len(points), 1), 0.5, np.float32)], axis=1).tofile(path)
        else:
            import pye57

            file = pye57.E57(str(path), mode="w")
            file.write_scan_raw({f"cartesian{axis}": points[:, i].astype(float) for i, axis in enumerate("XYZ")})
            file.close()
        return _of([path], reader("ply"))

    return make


def _gltf(folder: Path) -> Target:
    import base64

    points = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0]], np.float32).tobytes()
    uri = "data:application/octet-stream;base64," + base64.b64encode(points).decode()
    scene = {
        "asset": {"version": "2.0"},
        "scenes": [{"nodes": [0, 1]}],
        "nodes": [{"mesh": 0, "children": [2]}, {"mesh": 0, "translation": [1, 2, 3]}, {"mesh": 0}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
        "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"}],
        "bufferViews": [{"buffer": 0, "byteOffset": 0, "byteLength": len(points)}],
        "buffers": [{"byteLength": len(points), "uri": uri}],
    }
    text = json.dumps(scene)
    return Target(
        [text.encode()],
        [".gltf"],
        lambda path: io.read(path, sample=16),
        lambda samples, generator: mutate_json(text, generator).encode(),
    )


def _weights(suffix: str) -> Callable[[Path], Target]:
    def make(folder: Path) -> Target:
        import torch

        from cloud_transformers.checkpoints import read_state_dict, write_safetensors

        tensors = {"a.weight": torch.arange(12.0).reshape(3, 4), "b": torch.ones(3, dtype=torch.int64)}
        path = folder / f"0{suffix}"
        if suffix == ".pth":
            torch.save(tensors, path)
            return _of([path], read_state_dict, mutate_in_zip)
        write_safetensors(path, tensors, {"note": "none"})
        return _of([path], read_state_dict)

    return make


def _descriptions(folder: Path) -> Target:
    """Weight files whose tensors are sound, and which say absurd things about themselves."""
    from cloud_transformers import models
    from cloud_transformers.checkpoints import read_safetensors, write_safetensors
    from cloud_transformers.predict import Predictor

    made = {
        "classification": models.classifier("tiny", 3, mask_head=False),
        "segmentation": models.segmenter("tiny", 3),
    }
    said: dict[str, Any] = {
        "classification": {"classes": ("a", "b", "c"), "points": 16},
        "segmentation": {"classes": ("a", "b", "c"), "points": 16, "region": "block", "features": ("color",)},
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
        predictor = Predictor.load(path, "cpu")
        cloud = small_cloud().without_fields("label", "normal", "intensity")
        return predictor(cloud.positions) if predictor.preparation.task == "classification" else predictor(cloud)

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

    def read(path: Path) -> object:
        return read_config(path.rename(path.with_name(FILE)).parent)

    return Target([text.encode()], [".toml"], read)


def _runs(folder: Path) -> Target:
    """A run's configuration.json."""
    from cloud_transformers.decoding import read_object
    from cloud_transformers.recipes import from_configuration, recipe

    text = json.dumps(recipe("scanobjectnn", "tiny").configuration())
    return Target(
        [text.encode()],
        [".json"],
        lambda path: from_configuration(read_object(path), str(path)),
        lambda samples, generator: mutate_json(text, generator).encode(),
    )


_OTHERS: dict[str, Callable[[Path], Target]] = {
    "gz": _packed(".gz", mutate_in_gzip),
    "zip": _packed(".zip", mutate_in_zip),
    "e57": _scanners(".e57"),
    "ptx": _scanners(".ptx"),
    "bin": _scanners(".bin"),
    "gltf": _gltf,
    "safetensors": _weights(".safetensors"),
    "pth": _weights(".pth"),
    "descriptions": _descriptions,
    "dataset.toml": _settings,
    "configuration.json": _runs,
}
KINDS = (*POINT_FORMATS, *MESH_FORMATS, *PICTURES, *_OTHERS)
