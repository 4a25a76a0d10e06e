"""The weights behind the golden values, in the official release's naming: random, but fixed by a seed and each name."""

import json
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

HERE = Path(__file__).parent


def golden_arrays(name: str) -> dict[str, Tensor]:
    with np.load(HERE / f"{name}.npz") as arrays:
        return {key: torch.from_numpy(arrays[key]).double() for key in arrays.files}


def golden_description(name: str) -> dict[str, Any]:
    return json.loads((HERE / f"{name}.json").read_text())


def golden_state_dict(name: str, seed: int | None = None) -> dict[str, Tensor]:
    description = golden_description(name)
    seed = description["seed"] if seed is None else seed
    return {key: _weight(key, tuple(shape), seed) for key, shape in description["state_dict"].items()}


def _weight(name: str, shape: tuple[int, ...], seed: int) -> Tensor:
    if name.endswith("num_batches_tracked"):
        return torch.tensor(1)
    noise = np.random.default_rng([seed, zlib.crc32(name.encode())]).standard_normal(shape)
    if name.endswith(("running_mean", "shift", ".bias")):
        value = 0.1 * noise
    elif name.endswith("running_var"):
        value = 1 + 0.1 * np.abs(noise)
    elif name.endswith("log_R"):
        value = noise
    elif name.endswith("key_bn.weight"):
        value = 0.05 * noise
    elif name.endswith(".scale"):
        value = np.array(0.02)
    elif name.endswith("linear.weight"):
        value = 0.1 * noise / np.sqrt(shape[1])
    elif name.endswith("scales") or len(shape) == 1:
        value = 1 + 0.1 * noise
    else:
        value = noise / np.sqrt(np.prod(shape[1:]))
    return torch.from_numpy(np.asarray(value, dtype=np.float32))
