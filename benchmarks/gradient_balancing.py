"""Gradient balancing, seen: how large gradients are on their way back through the blocks, with it and without.

    python -m benchmarks.gradient_balancing [--svg docs/images/gradient_balancing.svg]

A segmenter of size small with the paper's four cascades (twelve blocks), new weights, random clouds, one backward pass.
Prints the root mean square of the gradient that arrives at each block's input, averaged over seeds, and the factor by
which it grows per block. The paper derives that without balancing the variance grows as w^d with the depth d.
"""

from __future__ import annotations

import argparse
import math
from pathlib import Path

import torch
from torch import Tensor

from cloud_transformers import models
from cloud_transformers.layers import MultiHeadBlock
from cloud_transformers.losses.cross_entropy import segmentation_loss
from cloud_transformers.models.trunk import TRUNKS

VARIANTS = {
    "predicted keys start at the positions (the paper's), balanced": {"keys": "full", "balance": True},
    "linear keys, balanced": {"keys": "linear", "balance": True},
    "linear keys, not balanced": {"keys": "linear", "balance": False},
}
COLORS = ("#009e73", "#0072b2", "#d55e00", "#888888")


def gradient_norms(seed: int, **options: object) -> list[float]:
    """The gradient's root mean square at the input of each block, first block first."""
    torch.manual_seed(seed)
    model = models.segmenter("small", num_cascades=4, **options).train()
    inputs: list[Tensor] = []

    def note(module: torch.nn.Module, arguments: tuple[Tensor, ...]) -> None:
        arguments[0].retain_grad()
        inputs.append(arguments[0])

    for module in model.modules():
        if isinstance(module, MultiHeadBlock):
            module.register_forward_pre_hook(note)
    positions, colors = 2 * torch.rand(2, 512, 3) - 1, torch.rand(2, 512, 3)
    segmentation_loss(model(positions, colors), torch.randint(13, (2, 512))).backward()
    return [float(features.grad.square().mean().sqrt()) for features in inputs if features.grad is not None]


def mean_norms(seeds: int, **options: object) -> list[float]:
    """The geometric mean over seeds."""
    runs = [[math.log(norm) for norm in gradient_norms(seed, **options)] for seed in range(seeds)]
    return [math.exp(sum(column) / seeds) for column in zip(*runs, strict=True)]


def by_the_paper(balanced: list[float]) -> list[float]:
    """What the balanced norms become if every block multiplies the variance by its grid side w."""
    sides = [side for side, _ in TRUNKS["small"].planar]
    growth, norms = 1.0, []
    for number, norm in reversed(list(enumerate(balanced))):
        growth *= math.sqrt(sides[number % len(sides)])
        norms.append(norm * growth)
    return norms[::-1]


def svg(lines: dict[str, list[float]]) -> str:
    """Depth from the last block to the right, the gradient's size upwards, logarithmic."""
    width, height, left, top, bottom = 640, 360, 60, 90, 40
    logs = [math.log10(norm) for norms in lines.values() for norm in norms]
    low, high = math.floor(min(logs)), math.ceil(max(logs))
    count = max(map(len, lines.values()))

    def place(index: int, norm: float) -> str:
        x = left + index / (count - 1) * (width - left - 20)
        y = height - bottom - (math.log10(norm) - low) / (high - low) * (height - top - bottom)
        return f"{x:.1f},{y:.1f}"

    font = 'font-family="sans-serif" font-size="12"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" {font}>',
        f'<rect width="{width}" height="{height}" fill="white"/>',
        f'<path d="M{left},{top}V{height - bottom}H{width - 20}" fill="none" stroke="#999"/>',
        f'<text x="{left}" y="{height - 12}">blocks that the gradient has come back through: 1 to {count}</text>',
    ]
    for exponent in range(low, high + 1, 2):
        y = height - bottom - (exponent - low) / (high - low) * (height - top - bottom)
        parts.append(f'<text x="8" y="{y + 4:.1f}">1e{exponent}</text>')
    for number, (name, norms) in enumerate(lines.items()):
        points = " ".join(place(index, norm) for index, norm in enumerate(reversed(norms)))
        color = COLORS[number]
        parts.append(f'<polyline points="{points}" fill="none" stroke="{color}" stroke-width="2"/>')
        parts.append(f'<text x="{left}" y="{18 + 16 * number}" fill="{color}">{name}</text>')
    return "\n".join([*parts, "</svg>"]) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--svg", type=Path, help="write the picture here")
    parser.add_argument("--seeds", type=int, default=5)
    args = parser.parse_args()
    lines = {name: mean_norms(args.seeds, **options) for name, options in VARIANTS.items()}
    lines["the balanced one times the paper's w^d (of the variance), w = side of the planar grid"] = by_the_paper(
        lines["linear keys, balanced"]
    )
    for name, norms in lines.items():
        growth = (norms[0] / norms[-1]) ** (1 / (len(norms) - 1))
        print(f"{name}: x{growth:.3g} per block")
        print("  last to first block: " + " ".join(f"{norm:.1e}" for norm in reversed(norms)))
    if args.svg:
        args.svg.write_text(svg(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
