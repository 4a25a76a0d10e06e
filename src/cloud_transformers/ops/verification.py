"""Whether the Triton kernels do on a device what the reference does: tried once, on a small input, at first use."""

import functools
import warnings
from collections.abc import Iterator

import torch
from torch import Tensor

RELATIVE, ABSOLUTE = 1e-4, 1e-5  # tolerances of sums; the maximum and the note must be equal


@functools.cache
def verified(device: torch.device) -> bool:
    """True if the kernels agree with the reference there; else False, with one warning. Remembered per device."""
    try:
        for difference in _differences(device):
            return _refused(device, difference)
    except Exception as error:  # whatever a compiler or driver raises: the reference still runs
        return _refused(device, f"{type(error).__name__}: {error}")
    return True


def _refused(device: torch.device, reason: str) -> bool:
    warnings.warn(
        f"cloud_transformers runs without its Triton kernels on {device}, more slowly: {reason}",
        RuntimeWarning,
        stacklevel=3,
    )
    return False


def _differences(device: torch.device) -> Iterator[str]:
    """What comes out differently, one sentence each; planar and volumetric, every reduction, with ties and a mask."""
    from cloud_transformers.ops.derasterize import reference as read_reference
    from cloud_transformers.ops.derasterize import triton_kernels as read_kernels
    from cloud_transformers.ops.rasterize import reference as write_reference
    from cloud_transformers.ops.rasterize import triton_kernels as write_kernels

    for size in ((5, 6), (4, 3, 5)):
        values, keys, mask = _sample(device, len(size))
        grid = values
        for reduce in ("max", "sum", "mean"):
            expected, note = write_reference.forward(values, keys, size, reduce, mask)
            grid, actual_note = write_kernels.forward(values, keys, size, reduce, mask)
            where = f"{reduce} on a grid of {len(size)} dimensions"
            if not torch.equal(note, actual_note) or not _agree(grid, expected, exactly=reduce == "max"):
                yield f"rasterize, {where}, differs from the reference"
            arguments = (expected.cos(), values, keys, size, reduce, mask, True, note)
            if not _all_agree(write_kernels.backward(*arguments), write_reference.backward(*arguments)):
                yield f"the gradient of rasterize, {where}, differs from the reference"
        if not _agree(read_kernels.forward(grid, keys, mask), read_reference.forward(grid, keys, mask)):
            yield f"derasterize on a grid of {len(size)} dimensions differs from the reference"
        gradients = (f.backward(values, grid, keys, mask, True) for f in (read_kernels, read_reference))
        if not _all_agree(*gradients):
            yield f"the gradient of derasterize on a grid of {len(size)} dimensions differs from the reference"


def _sample(device: torch.device, dimension: int) -> tuple[Tensor, Tensor, Tensor]:
    draw = torch.Generator().manual_seed(dimension)
    values = torch.randn(1, 2, 90, 3, generator=draw)
    keys = torch.rand(1, 2, 90, dimension, generator=draw) * 2.2 - 1.1
    values[:, :, 60:], keys[:, :, 60:] = values[:, :, :30], keys[:, :, :30]  # ties
    mask = torch.rand(1, 90, generator=draw) < 0.8
    return values.to(device), keys.to(device), mask.to(device)


def _all_agree(actual: tuple[Tensor, ...], expected: tuple[Tensor, ...]) -> bool:
    return all(_agree(one, other) for one, other in zip(actual, expected, strict=True))


def _agree(actual: Tensor, expected: Tensor, exactly: bool = False) -> bool:
    return torch.equal(actual, expected) if exactly else torch.allclose(actual, expected, RELATIVE, ABSOLUTE)
