"""Everything that reads what somebody else may have made, by name."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from tests.io.samples import MESH_FORMATS, POINT_FORMATS, reader, write_samples
from tests.torture.clouds import CLOUDS
from tests.torture.settings import SETTINGS
from tests.torture.shells import Shell, mutate_in_glb, mutate_in_png, mutate_in_zip
from tests.torture.target import Target, of_files

PICTURES = ("png", "jpeg", "bmp", "gif", "tiff", "webp")
KINDS = (*POINT_FORMATS, *MESH_FORMATS, *PICTURES, *CLOUDS, *SETTINGS)
_SHELLS: dict[str, Shell] = {"npz": mutate_in_zip, "glb": mutate_in_glb, "png": mutate_in_png}


def target(kind: str, folder: Path) -> Target:
    """Makes the samples in a folder."""
    if kind in (*POINT_FORMATS, *MESH_FORMATS):
        return of_files(write_samples(kind, folder), reader(kind), _SHELLS.get(kind))
    if kind in PICTURES:
        return _picture(kind, folder)
    return {**CLOUDS, **SETTINGS}[kind](folder)


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
    return of_files(paths, read_image, _SHELLS.get(kind))
