"""PointNet++ and DGCNN for segmentation of PyTorch Geometric's layers, in the sizes of its segmentation examples.

Plain PyTorch stands in for its `fps`, `radius`, `knn` and `knn_interpolate`, which need pyg-lib.

Letters: N points, M centres, K neighbours, C channels.
"""

import time
from types import TracebackType

import torch
from torch import Tensor, nn
from torch_geometric.nn import MLP, EdgeConv, PointNetConv

from benchmarks.pointnext import furthest_point_sample, plain_ball_query

MOST_NEIGHBOURS = 64


class Stopwatch:
    """While it is open, adds up the time spent in the stand-ins below."""

    open: "Stopwatch | None" = None

    def __init__(self) -> None:
        self.total = 0.0

    def __enter__(self) -> "Stopwatch":
        Stopwatch.open = self
        return self

    def __exit__(self, kind: type | None, error: BaseException | None, trace: TracebackType | None) -> None:
        Stopwatch.open = None


def timed(search):  # type: ignore[no-untyped-def]
    def run(*arguments):  # type: ignore[no-untyped-def]
        start = time.perf_counter()
        found = search(*arguments)
        if Stopwatch.open is not None:
            Stopwatch.open.total += time.perf_counter() - start
        return found

    return run


@timed
def centres(positions: Tensor, ratio: float) -> Tensor:  # [N, 3] -> [M]
    return furthest_point_sample(positions[None], int(ratio * len(positions)))[0].long()


@timed
def within(radius: float, positions: Tensor, around: Tensor) -> Tensor:  # edges [2, E]: from points, to centres
    """Up to 64 points within the radius of each centre."""
    found = plain_ball_query(radius, min(MOST_NEIGHBOURS, len(positions)), positions[None], around[None])[0].long()
    # Where there are fewer, `ball_query` repeats the first.
    new = torch.cat([torch.ones_like(found[:, :1]), found[:, 1:] != found[:, :1]], dim=1).bool()
    to = torch.arange(len(around))[:, None].expand_as(found)
    return torch.stack([found[new], to[new]])


@timed
def nearest(k: int, points: Tensor, queries: Tensor) -> tuple[Tensor, Tensor]:  # distances and indices [M, K]
    return torch.cdist(queries, points).topk(min(k, len(points)), largest=False)


class SetAbstraction(nn.Module):
    def __init__(self, ratio: float, radius: float, mlp: MLP) -> None:
        super().__init__()
        self.ratio, self.radius = ratio, radius
        self.conv = PointNetConv(mlp, add_self_loops=False)

    def forward(self, features: Tensor, positions: Tensor) -> tuple[Tensor, Tensor]:
        chosen = centres(positions, self.ratio)
        around = positions[chosen]
        edges = within(self.radius, positions, around)
        return self.conv((features, features[chosen]), (positions, around), edges), around


class FeaturePropagation(nn.Module):
    def __init__(self, k: int, mlp: MLP) -> None:
        super().__init__()
        self.k, self.mlp = k, mlp

    def forward(self, coarse: Tensor, coarse_positions: Tensor, fine: Tensor, fine_positions: Tensor) -> Tensor:
        distance, index = nearest(self.k, coarse_positions, fine_positions)
        weight = 1 / distance.square().clamp(min=1e-16)
        interpolated = (coarse[index] * weight[..., None]).sum(1) / weight.sum(1, keepdim=True)
        return self.mlp(torch.cat([interpolated, fine], dim=1))


class PointNet2(nn.Module):
    def __init__(self, num_classes: int) -> None:
        super().__init__()
        self.abstraction1 = SetAbstraction(0.2, 0.2, MLP([3 + 3, 64, 64, 128]))
        self.abstraction2 = SetAbstraction(0.25, 0.4, MLP([128 + 3, 128, 128, 256]))
        self.whole = MLP([256 + 3, 256, 512, 1024])
        self.propagation3 = FeaturePropagation(1, MLP([1024 + 256, 256, 256]))
        self.propagation2 = FeaturePropagation(3, MLP([256 + 128, 256, 128]))
        self.propagation1 = FeaturePropagation(3, MLP([128 + 3, 128, 128, 128]))
        self.head = MLP([128, 128, 128, num_classes], dropout=0.5, norm=None)

    def forward(self, positions: Tensor, features: Tensor) -> Tensor:  # [N, 3], [N, 3] -> [N, classes]
        features1, positions1 = self.abstraction1(features, positions)
        features2, positions2 = self.abstraction2(features1, positions1)
        pooled = self.whole(torch.cat([features2, positions2], dim=1)).max(0, keepdim=True).values
        up2 = self.propagation3(pooled, torch.zeros(1, 3), features2, positions2)
        up1 = self.propagation2(up2, positions2, features1, positions1)
        return self.head(self.propagation1(up1, positions1, features, positions))


class Dgcnn(nn.Module):
    """The example's DynamicEdgeConv is this EdgeConv on neighbours that are found anew in every layer's features."""

    def __init__(self, num_classes: int, k: int = 30) -> None:
        super().__init__()
        self.k = k
        self.convs = nn.ModuleList(EdgeConv(MLP([2 * channels, 64, 64]), aggr="max") for channels in (6, 64, 64))
        self.head = MLP([3 * 64, 1024, 256, 128, num_classes], dropout=0.5, norm=None)

    def forward(self, positions: Tensor, features: Tensor) -> Tensor:  # [N, 3], [N, 3] -> [N, classes]
        x = torch.cat([features, positions], dim=1)
        layers = []
        for conv in self.convs:
            _, index = nearest(self.k, x, x)
            to = torch.arange(len(x))[:, None].expand_as(index)
            x = conv(x, torch.stack([index.flatten(), to.flatten()]))
            layers.append(x)
        return self.head(torch.cat(layers, dim=1))
