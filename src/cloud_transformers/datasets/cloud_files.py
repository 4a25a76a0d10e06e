"""Benchmarks that come as one file per cloud: reading clouds and pictures, and checking files by reading them."""

from __future__ import annotations

import json
import math
import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from cloud_transformers.cache import cached_folder, fingerprint
from cloud_transformers.cloud import PointCloud
from cloud_transformers.datasets.problems import Problem
from cloud_transformers.errors import InputError
from cloud_transformers.progress import progress

Alpha = Literal["white", "dropped"]  # what becomes of transparent pixels

_WORTH_CACHING = 1 << 20  # bytes
_PICTURES = ("PNG", "JPEG", "BMP", "GIF", "TIFF", "WEBP")  # Pillow knows others, which run programs or are rare
_MOST_PIXELS = 100_000_000
_HEIC = (b"ftypheic", b"ftypheix", b"ftyphevc", b"ftypmif1", b"ftypmsf1")


def read_cloud(path: Path, **options: Any) -> PointCloud:
    """One cloud of at least one point, all coordinates finite. Options are those of `cloud_transformers.io.read`."""
    from cloud_transformers.io import read

    if not path.is_file():
        raise InputError("no such file", path=path)
    cloud = read(path, **options)
    if not len(cloud):
        raise InputError("holds no points", path=path)
    if not np.isfinite(cloud.positions).all():
        row = int(np.flatnonzero(~np.isfinite(cloud.positions).all(axis=1))[0])
        raise InputError("a coordinate is NaN or infinite", path=path, place=f"point {row}")
    return cloud


def at_offset(cloud: PointCloud, offset: NDArray[np.float64]) -> PointCloud:
    """The same points counted from another offset, for clouds of different files that share one frame."""
    if np.array_equal(cloud.offset, offset):
        return cloud
    return replace(cloud, positions=(cloud.positions + (cloud.offset - offset)).astype(np.float32), offset=offset)


def cached_cloud(path: Path, make: Callable[[], PointCloud], **parameters: Any) -> PointCloud:
    """What `make` makes of a file with these parameters, memory-mapped from the cache if the file is large.

    A scan from which every epoch takes a few crops is parsed once, not once per crop. Metadata is not kept.
    """
    if path.stat().st_size < _WORTH_CACHING:
        return make()

    def build(folder: Path) -> None:
        cloud = make()
        np.save(folder / "positions.npy", cloud.positions, allow_pickle=False)
        np.save(folder / "offset.npy", cloud.offset, allow_pickle=False)
        for number, values in enumerate(cloud.fields.values()):
            np.save(folder / f"field{number}.npy", values, allow_pickle=False)
        (folder / "fields.json").write_text(json.dumps(list(cloud.fields)), encoding="utf-8")

    folder = cached_folder("clouds", fingerprint([path], version=1, **parameters), build)

    def load(name: str) -> NDArray[Any]:
        return np.asarray(np.load(folder / f"{name}.npy", mmap_mode="r", allow_pickle=False))

    names = json.loads((folder / "fields.json").read_text(encoding="utf-8"))
    fields = {name: load(f"field{number}") for number, name in enumerate(names)}
    return PointCloud(positions=load("positions"), fields=fields, offset=load("offset"))


def read_image(path: Path, alpha: Alpha = "white") -> NDArray[np.uint8]:
    """A picture as RGB [height, width, 3], turned as its camera was held; of a moving picture, the first.

    Transparent pixels come out white, the usual ground of renderings, or with `alpha="dropped"` in whichever colour is
    stored below their transparency. Grey of 16 bits is scaled to 8; inks (CMYK) are converted without a colour profile.
    """
    try:
        from PIL import Image, ImageOps
    except ImportError:
        raise InputError("reading pictures needs Pillow: pip install 'cloud-transformers[data]'", path=path) from None
    if not path.is_file():
        raise InputError("no such file", path=path)
    with path.open("rb") as file:
        if file.read(12)[4:] in _HEIC:
            raise InputError("is a HEIC picture, which cannot be read here; save it as JPEG or PNG", path=path)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)  # the bound below is stricter
            picture = Image.open(path, formats=_PICTURES)
        with picture:
            if math.prod(picture.size) <= _MOST_PIXELS:
                upright = _eight_bits(ImageOps.exif_transpose(picture), path)
                if "A" not in upright.getbands() and "transparency" not in upright.info:
                    return np.asarray(upright.convert("RGB"))
                layered = upright.convert("RGBA")
                if alpha == "white":
                    layered = Image.alpha_composite(Image.new("RGBA", layered.size, (255, 255, 255, 255)), layered)
                return np.asarray(layered.convert("RGB"))
    except InputError:
        raise
    except (OSError, SyntaxError, ValueError, Image.DecompressionBombError) as error:
        raise InputError(f"not a readable picture ({error}); fetch it again", path=path) from None
    width, height = picture.size
    raise InputError(f"has {width:,} x {height:,} pixels, more than {_MOST_PIXELS:,}; make it smaller first", path=path)


def _eight_bits(picture: Any, path: Path) -> Any:
    """Grey of 16 bits, of 32 or of floats, which Pillow would cut off at 255, as grey of 8 bits."""
    from PIL import Image

    if not picture.mode.startswith(("I", "F")):
        return picture
    values = np.asarray(picture)
    full = 1.0 if picture.mode == "F" else 65535.0
    if values.size and not (values.min() >= 0 and values.max() <= full):
        raise InputError(f"its grey runs from {values.min():g} to {values.max():g}, not 0 to {full:g}", path=path)
    return Image.fromarray(np.rint(values * (255 / full)).astype(np.uint8))


def problems_by_reading(source: Any, files: Sequence[Sequence[Path]], *, version: str) -> list[Problem]:
    """What goes wrong when every sample of a source is read; `files[i]` are those that sample i may open.

    Sources with several views per sample have a method `read_all(index)`, which opens each of them. The answer is kept
    in the cache until a file changes.
    """
    missing = [
        Problem(str(path), "", "no such file", index)
        for index, paths in enumerate(files)
        for path in paths
        if not path.is_file()
    ]
    gone = {problem.index for problem in missing}
    present: Iterable[Path] = {path for paths in files for path in paths if path.is_file()}

    def build(folder: Path) -> None:
        found = []
        read_all = getattr(source, "read_all", None)
        for index in progress(range(len(source)), "checking"):
            if index in gone:
                continue
            try:
                if read_all is None:
                    source.read(index, np.random.default_rng(0), 0)
                else:
                    read_all(index)
            except InputError as error:
                found.append((index, error.path, error.place, error.text))
            except OSError as error:
                found.append((index, None, "", str(error)))
        (folder / "problems.json").write_text(json.dumps(found), encoding="utf-8")

    key = fingerprint(
        present, form=2, version=version, length=len(source), missing=[problem.path for problem in missing]
    )
    stored = json.loads((cached_folder("checks", key, build) / "problems.json").read_text(encoding="utf-8"))
    return missing + [
        Problem(path or str(files[index][0]), "" if text.startswith(place) else place, text, index)
        for index, path, place, text in stored
    ]
