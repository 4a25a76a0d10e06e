"""The full segmenter on 4096 points: evaluation and training step in units of the machine's limit, and what they share.

python -m benchmarks.segmenter
"""

from collections.abc import Callable

import torch
from torch import Tensor

from benchmarks.machine import in_limits, seconds
from cloud_transformers.models import segmenter
from cloud_transformers.models.trunk import TRUNKS
from cloud_transformers.ops.backend import implementation

POINTS = 4096


def measure() -> dict[str, float]:
    evaluate, step = evaluation(), training()
    evaluate()
    step()
    return {
        "full segmenter, evaluation forward, 4096 points, in L": in_limits(evaluate),
        "full segmenter, training step, 4096 points, in 3 L": in_limits(step) / 3,
        "rasterize + derasterize, share of the step, in %": 100 * rasterizing() / seconds(step, 5),
    }


def evaluation(num_points: int = POINTS) -> Callable[[], Tensor]:
    model = segmenter("full").eval()
    positions, features = cloud(num_points)

    @torch.no_grad()
    def run() -> Tensor:
        return model(positions, features)

    return run


def training(num_points: int = POINTS) -> Callable[[], None]:
    model = segmenter("full").train()
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3, fused=True)
    positions, features = cloud(num_points)
    labels = torch.randint(13, (num_points,), generator=torch.Generator().manual_seed(1))

    def run() -> None:
        optimizer.zero_grad()
        torch.nn.functional.cross_entropy(model(positions, features)[0], labels).backward()
        optimizer.step()

    return run


def cloud(num_points: int) -> tuple[Tensor, Tensor]:
    """A block of a room, 1 m wide: points on its floor and two walls, with colours."""
    draw = torch.Generator().manual_seed(0)
    positions = torch.rand(num_points, 3, generator=draw) * torch.tensor([1.0, 1.0, 2.5]) - torch.tensor(
        [0.5, 0.5, 0.0]
    )
    surface = torch.randint(3, (num_points,), generator=draw)
    for axis, place in ((0, 0.45), (1, -0.45), (2, 0.0)):
        positions[surface == axis, axis] = place + 0.01 * torch.randn(int((surface == axis).sum()), generator=draw)
    return positions[None], torch.rand(1, num_points, 3, generator=draw)


def rasterizing() -> float:
    """Seconds that a training step of the full segmenter spends writing to grids and reading from them.

    In the fused kernel these cannot be told apart from the convolution, so the operators are timed by themselves, on
    the shapes of every block: forward twice (it is recomputed) and backward once.
    """
    config = TRUNKS["full"]
    total = 0.0
    for dimension, blocks in ((2, config.planar), (3, config.volumetric)):
        for side, channels in blocks:
            total += config.num_cascades * _rasterizing(dimension, side, channels, config.num_heads)
    return total


def _rasterizing(dimension: int, side: int, channels: int, heads: int) -> float:
    size = (side,) * dimension
    draw = torch.Generator().manual_seed(0)
    rotations = torch.linalg.qr(torch.randn(heads, 3, 3, generator=draw))[0]
    keys = (cloud(POINTS)[0][:, None] @ rotations)[..., :dimension].tanh().contiguous()
    values = torch.randn(1, POINTS, heads, channels, generator=draw).transpose(1, 2)
    rasterize, derasterize = implementation("rasterize", values), implementation("derasterize", values)
    grid, note = rasterize.forward(values, keys, size, "max", None)
    read = derasterize.forward(grid, keys, None)
    return (
        2 * seconds(lambda: rasterize.forward(values, keys, size, "max", None))
        + seconds(lambda: rasterize.backward(grid, values, keys, size, "max", None, True, note))
        + seconds(lambda: derasterize.forward(grid, keys, None))
        + seconds(lambda: derasterize.backward(read, grid, keys, None, True))
    )


if __name__ == "__main__":
    for name, value in measure().items():
        print(f"{value:8.3f}  {name}")
