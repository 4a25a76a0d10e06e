"""3D Gaussian splats in PLY files: points like any others, whose colour is hidden in a spherical harmonic.

All their properties stay fields, so that a splat is still one when it is written again; the colour is added to them.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from cloud_transformers.errors import InputError
from cloud_transformers.io.ply.header import Header
from cloud_transformers.io.table import Block, Fields

_CONSTANT = 0.28209479177387814  # the harmonic of degree 0, which f_dc multiplies: 1 / (2 sqrt(pi))
_CHANNELS = ("f_dc_0", "f_dc_1", "f_dc_2")


def with_splat_color(fields: Fields) -> Fields:
    """The fields, with the colour of a splat seen without its highlights; others are left as they are."""
    if "color" in fields or not all(name in fields and fields[name].ndim == 1 for name in _CHANNELS):
        return fields
    brightness = 0.5 + _CONSTANT * np.stack([fields[name].astype(np.float64) for name in _CHANNELS], axis=1)
    color = np.rint(np.nan_to_num(brightness).clip(0, 1) * 255).astype(np.uint8)
    return {"color": color, **fields}


def opaque(block: Block, least: float, path: Path) -> Block:
    """The splats of a block that hide at least this share of what is behind them; files have its logit."""
    logit = block.fields.get("opacity")
    if logit is None or logit.ndim != 1 or not all(name in block.fields for name in _CHANNELS):
        raise InputError("is no Gaussian splat, so min_opacity does not apply", path=path)
    with np.errstate(over="ignore"):
        rows = 1 / (1 + np.exp(-logit.astype(np.float64))) >= least
    return Block(block.world[rows], {name: values[rows] for name, values in block.fields.items()})


def refuse_compressed(header: Header, path: Path) -> None:
    """PlayCanvas and SuperSplat pack splats by chunks of 256 into something that only looks like a table of points."""
    vertex = header.element("vertex")
    if header.element("chunk") is not None and vertex is not None and "packed_position" in vertex.properties:
        raise InputError("is a compressed splat, which is not read; export it as an uncompressed .ply", path=path)
