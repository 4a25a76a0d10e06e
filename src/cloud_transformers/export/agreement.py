"""Whether an exported file does what the model does, tried on sizes that were not traced."""

from collections.abc import Callable, Sequence

import torch
from torch import Tensor

from cloud_transformers.errors import InputError
from cloud_transformers.export.interface import Interface

SIZES = ((1, 50), (3, 101), (2, 1))  # clouds, points
TOLERANCE = 1e-4  # of the largest magnitude: float32 sums in another order, through dozens of layers


def largest_difference(run: Callable[..., Sequence[Tensor]], interface: Interface, name: str) -> float:
    """Between `run` and the model, relative to each output's largest magnitude (at least 1), over all tried sizes.

    Clouds of a batch have different numbers of points, with NaN behind them; only outputs of real points count.
    InputError names the output and the size where the difference is beyond tolerance.
    """
    largest = 0.0
    for seed, (batch, points) in enumerate(SIZES, start=1):
        inputs = interface.sample(batch, points, seed)
        with torch.no_grad():
            expected = interface.module(*inputs)
        for port, ours, theirs in zip(interface.outputs, expected, run(*inputs), strict=True):
            difference = _difference(ours, theirs, interface, port.shape, inputs)
            if not difference <= TOLERANCE:  # NaN is no agreement either
                raise InputError(
                    f"{name} was not written: for {batch} clouds of {points} points its {port.name} differs from the "
                    f"model's by {difference:.1e} of the largest magnitude, allowed is {TOLERANCE:.0e}"
                )
            largest = max(largest, difference)
    return largest


def _difference(
    ours: Tensor, theirs: Tensor, interface: Interface, shape: tuple[str | int, ...], inputs: Sequence[Tensor]
) -> float:
    if ours.shape != theirs.shape:
        return float("inf")
    if interface.points_mask is not None and shape[:2] == ("B", "N"):
        mask = inputs[interface.points_mask]
        ours, theirs = ours[mask], theirs[mask]
    return float((ours - theirs).abs().max() / ours.abs().max().clamp(min=1))
