"""The models that are compared: each takes positions [B, N, 3] and gives class logits [B, K].

PointNet, PointNet++ and DGCNN are built of PyTorch Geometric's layers in the sizes of its classification examples;
PointNeXt-S is openpoints'. Neighbours are found by k-d trees (pykdtree); openpoints' CUDA operators are replaced.

Letters: B batch, N points, M centres, K classes or neighbours, E edges.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import torch
from torch import Tensor, nn

from benchmarks.pointnext import furthest_point_sample, pointnext_s
from cloud_transformers.recipes import recipe


class Ours(nn.Module):
    """The `small` classifier as the recipe modelnet40 has it."""

    def __init__(self, num_classes: int) -> None:
        super().__init__()
        chosen = recipe("modelnet40", "small")
        self.model = chosen.model.build(chosen.task, num_classes)

    def forward(self, positions: Tensor) -> Tensor:
        logits: Tensor = self.model(positions)[0]
        return logits


class PointNet(nn.Module):
    """Without the two small networks that align input and features: they cost time and were given up by its heirs."""

    def __init__(self, num_classes: int) -> None:
        from torch_geometric.nn import MLP

        super().__init__()
        self.points = MLP([3, 64, 64, 64, 128, 1024])
        self.head = MLP([1024, 512, 256, num_classes], dropout=0.3)

    def forward(self, positions: Tensor) -> Tensor:
        each = self.points(positions.flatten(0, 1)).unflatten(0, positions.shape[:2])
        logits: Tensor = self.head(each.amax(1))
        return logits


class PointNet2(nn.Module):
    def __init__(self, num_classes: int) -> None:
        from torch_geometric.nn import MLP, PointNetConv

        super().__init__()
        self.near = PointNetConv(MLP([3, 64, 64, 128]), add_self_loops=False)
        self.far = PointNetConv(MLP([128 + 3, 128, 128, 256]), add_self_loops=False)
        self.whole = MLP([256 + 3, 256, 512, 1024])
        self.head = MLP([1024, 512, 256, num_classes], dropout=0.5)

    def forward(self, positions: Tensor) -> Tensor:
        num_clouds = len(positions)
        features, places = edges_within(self.near, None, positions, 0.5, 0.2)
        features, places = edges_within(self.far, features, places, 0.25, 0.4)
        each = self.whole(torch.cat([features, places.flatten(0, 1)], dim=1))
        logits: Tensor = self.head(each.unflatten(0, (num_clouds, -1)).amax(1))
        return logits


class Dgcnn(nn.Module):
    """Neighbours are found anew in the features of every layer."""

    def __init__(self, num_classes: int, k: int = 20) -> None:
        from torch_geometric.nn import MLP, EdgeConv

        super().__init__()
        self.k = k
        self.convs = nn.ModuleList([EdgeConv(MLP([6, 64, 64, 64])), EdgeConv(MLP([128, 128]))])
        self.linear = nn.Linear(64 + 128, 1024)
        self.head = MLP([1024, 512, 256, num_classes], dropout=0.5)

    def forward(self, positions: Tensor) -> Tensor:
        num_clouds, num_points, _ = positions.shape
        layers, features = [], positions.flatten(0, 1)
        for conv in self.convs:
            features = conv(features, nearest_in_features(features, num_clouds, self.k))
            layers.append(features)
        each = self.linear(torch.cat(layers, dim=1)).unflatten(0, (num_clouds, num_points))
        logits: Tensor = self.head(each.amax(1))
        return logits


class PointNeXt(nn.Module):
    def __init__(self, num_classes: int) -> None:
        super().__init__()
        self.model = pointnext_s(num_classes, ball_query=first_within)

    def forward(self, positions: Tensor) -> Tensor:
        logits: Tensor = self.model({"pos": positions, "x": positions.transpose(1, 2).contiguous()})
        return logits


def edges_within(
    conv: nn.Module,
    features: Tensor | None,  # [B * N, C]
    positions: Tensor,  # [B, N, 3]
    ratio: float,
    radius: float,
) -> tuple[Tensor, Tensor]:  # [B * M, C'], [B, M, 3]
    """Centres that lie far apart, a share of the points, and what a layer finds around each of them."""
    num_clouds, num_points, _ = positions.shape
    chosen = furthest_point_sample(positions, int(ratio * num_points)).long()
    centres = positions.gather(1, chosen[..., None].expand(-1, -1, 3))
    index = within(positions, centres, radius, 64)  # [B, M, 64]
    first = torch.arange(num_clouds)[:, None, None] * num_points
    to = torch.arange(chosen.numel()).view(num_clouds, -1, 1).expand_as(index)
    real = index >= 0
    edges = torch.stack([(index + first)[real], to[real]])
    chosen_features = None if features is None else features[(chosen + first[..., 0]).flatten()]
    given = None if features is None else (features, chosen_features)
    found: Tensor = conv(given, (positions.flatten(0, 1), centres.flatten(0, 1)), edges)
    return found, centres


@torch.no_grad()
def nearest_in_features(features: Tensor, num_clouds: int, k: int) -> Tensor:  # [B * N, C] -> edges [2, B * N * K]
    each = features.unflatten(0, (num_clouds, -1))
    first = torch.arange(num_clouds)[:, None, None] * each.shape[1]
    index = torch.cdist(each, each).topk(k, largest=False, sorted=False).indices + first
    to = torch.arange(len(features))[:, None].expand(-1, k)
    return torch.stack([index.flatten(), to.flatten()])


@torch.no_grad()
def within(points: Tensor, centres: Tensor, radius: float, most: int) -> Tensor:  # [B, N, 3], [B, M, 3] -> [B, M, most]
    """The nearest points within the radius of each centre; -1 where there are fewer."""
    from pykdtree.kdtree import KDTree

    found = []
    for cloud, around in zip(points.numpy(), centres.numpy(), strict=True):
        _, index = KDTree(cloud).query(around, k=min(most, len(cloud)), distance_upper_bound=radius)
        found.append(np.where(index < len(cloud), index.astype(np.int64), -1))
    return torch.from_numpy(np.stack(found))


def first_within(radius: float, count: int, support: Tensor, query: Tensor) -> Tensor:  # -> int32 [B, M, count]
    """As openpoints has it: the first neighbour again where there are fewer."""
    index = within(support.contiguous(), query.contiguous(), radius, count)
    return torch.where(index >= 0, index, index[..., :1]).clamp(min=0).int().contiguous()


MODELS: dict[str, Callable[[int], nn.Module]] = {
    "cloud transformer, small": Ours,
    "PointNet": PointNet,
    "PointNet++": PointNet2,
    "DGCNN": Dgcnn,
    "PointNeXt-S": PointNeXt,
}
