"""In which numbers a model's linear maps run: float32, or bfloat16 where the processor computes with them.

Keys, interpolation weights and grids stay float32 either way. A processor without such instructions emulates them,
which takes longer than float32, so that is refused. So it is for small models on a processor with them: there, turning
numbers into the other kind and back takes what narrow linear maps gain (`python -m benchmarks.precision`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from pathlib import Path
from typing import Literal, get_args

import torch
from torch import nn

from cloud_transformers.errors import InputError

Precision = Literal["float32", "bfloat16"]

PRECISIONS: tuple[str, ...] = get_args(Precision)
_INSTRUCTIONS = {"avx512_bf16", "amx_bf16", "bf16"}  # as Linux names them: the last one is ARM's
_WIDE = 384  # channels; with AVX512-BF16, models of 96 to 256 take 1.0 to 2.1 of float32's time, of 512 mostly less


def scope_of(
    precision: str, device: torch.device, model: nn.Module, *, allow_slow: bool = False
) -> Callable[[], AbstractContextManager[object]]:
    """What a model is to be run in; refuses a precision in which it would be slower on this device."""
    if precision not in PRECISIONS:
        raise InputError(f"precision must be one of {', '.join(PRECISIONS)}, not {precision!r}")
    if precision == "float32":
        return nullcontext
    if not allow_slow and not has_bfloat16(device):
        raise InputError(
            f"precision bfloat16 would be slower than float32 here: this {device.type} has no instructions for it "
            "(AVX512-BF16, AMX-BF16 or ARM's BF16); leave it out"
        )
    if not allow_slow and device.type == "cpu" and widest_map(model) < _WIDE:
        raise InputError(
            f"precision bfloat16 gains nothing here: the widest linear map of this model has {widest_map(model)} "
            f"channels, and below {_WIDE} float32 is as fast or faster; leave it out"
        )
    return partial(torch.autocast, device.type, torch.bfloat16)


def widest_map(model: nn.Module) -> int:
    """Channels on the narrower side of the linear map where that side is widest."""
    return max((min(part.weight.shape) for part in model.modules() if isinstance(part, nn.Linear)), default=0)


def has_bfloat16(device: torch.device, processor: Path = Path("/proc/cpuinfo")) -> bool:
    """Whether a device computes with bfloat16 itself; `processor` is where Linux lists what the processor can do."""
    if device.type == "cuda":
        return torch.cuda.is_bf16_supported(including_emulation=False)
    if device.type != "cpu":
        return False
    try:
        return any(_INSTRUCTIONS & features for features in _features(processor))
    except OSError:  # another system: torch knows, but for ARM
        questions = ("_is_avx512_bf16_supported", "_is_amx_tile_supported")
        return any(bool(getattr(torch.cpu, question, bool)()) for question in questions)


def _features(processor: Path) -> Iterator[set[str]]:
    """Of each core: `flags` on x86, `Features` on ARM."""
    with processor.open() as lines:
        for line in lines:
            name, _, words = line.partition(":")
            if name.strip() in ("flags", "Features"):
                yield set(words.split())
