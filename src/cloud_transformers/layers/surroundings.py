"""What lies around each point: a description of its neighbourhood, before anything is learned.

Letters: B batch, N points, S sides.
"""

from collections.abc import Sequence

import torch
from torch import Tensor, nn

from cloud_transformers.ops import derasterize, rasterize

_EXTENT = 1.75  # positions of an object lie in a ball of radius 1, when stretched and moved in training within this
NUM_MOMENTS = 10  # of points: how many, where (3), and the products of their coordinates (6)
_ROWS, _COLUMNS = [0, 0, 0, 1, 1, 2], [0, 1, 2, 1, 2, 2]  # of a symmetric matrix
_DENSITY = 0.3  # brings the logarithm of a share to the size of the other numbers


class Surroundings(nn.Module):
    """Each point's position, and for every side of cells: how many points are near, their mean and their covariance.

    A cloud transform in which nothing is learned: moments of all points are summed on a fixed grid and read back
    where the points are, so that the cost does not grow faster than their number. It tells the first layer whether a
    point lies on a plane, an edge or a leg, and which way that points. Made for clouds in a ball of radius 1; beyond
    1.75 along an axis, points count as lying there.

    >>> surroundings = ct.layers.Surroundings([0.12, 0.3])
    >>> surroundings(torch.rand(2, 100, 3)).shape, surroundings.channels
    (torch.Size([2, 100, 23]), 23)
    """

    def __init__(
        self,
        sides: Sequence[float],  # of the grids' cells
    ) -> None:
        super().__init__()
        self.sides = tuple(sides)
        self.channels = 3 + NUM_MOMENTS * len(self.sides)

    def forward(
        self,
        positions: Tensor,  # [B, N, 3], finite where masked
        mask: Tensor | None = None,  # [B, N]
    ) -> Tensor:  # [B, N, 3 + 10 S]
        values = torch.cat([torch.ones_like(positions[..., :1]), positions, _products(positions)], dim=2)[:, None]
        keys = (positions / _EXTENT)[:, None]
        num_points = positions.shape[1] if mask is None else mask.sum(1).clamp(min=1)[:, None, None]
        found = [positions]
        for side in self.sides:
            grid = rasterize(values, keys, num_nodes(side), reduce="sum", mask=mask, balance=False)
            moments = derasterize(grid, keys, mask=mask, balance=False)[:, 0]
            count = moments[..., :1].where(moments[..., :1] > 0, 1)  # a real point is near itself
            mean, products = (moments[..., 1:] / count).split([3, 6], dim=2)
            covariance = products - _products(mean)
            density = _DENSITY * (count / num_points).log()
            found += [(positions - mean) / side, covariance / side**2, density]
        return torch.cat([part.to(positions.dtype) for part in found], dim=2)

    def extra_repr(self) -> str:
        return f"cells of side {', '.join(map(str, self.sides))}"


def num_nodes(side: float) -> int:
    """Along an axis of the grid with such cells."""
    return 1 + round(2 * _EXTENT / side)


def _products(x: Tensor) -> Tensor:  # [..., 3] -> [..., 6]
    return x[..., _ROWS] * x[..., _COLUMNS]
