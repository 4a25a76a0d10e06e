"""The segmenters that are compared: positions [B, N, 3] and colours [B, N, 3] to class logits [B, N, K].

As in `rivals`: PointNet, PointNet++ and DGCNN of PyTorch Geometric's layers in the sizes of its segmentation examples,
PointNeXt-S of openpoints, neighbours by k-d trees.

Letters: B batch, N points, M centres, K classes or neighbours, C channels.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable

import numpy as np
import torch
from torch import Tensor, nn

from benchmarks.accuracy.rivals import edges_within, first_within, nearest_in_features
from benchmarks.pointnext import group_features, stand_in
from cloud_transformers.models import segmenter


class Ours(nn.Module):
    """The `small` segmenter on fine grids, with learned key scales."""

    def __init__(self, num_classes: int) -> None:
        super().__init__()
        self.model = segmenter("small", num_classes, fine=True, scales=True)

    def forward(self, positions: Tensor, colors: Tensor) -> Tensor:
        logits: Tensor = self.model(positions, colors)
        return logits


class PointNet(nn.Module):
    """Without the two small networks that align input and features, as in `rivals`."""

    def __init__(self, num_classes: int) -> None:
        from torch_geometric.nn import MLP

        super().__init__()
        self.near = MLP([6, 64, 64])
        self.far = MLP([64, 64, 128, 1024])
        self.point, self.whole = nn.Linear(64, 512), nn.Linear(1024, 512, bias=False)
        self.norm = nn.BatchNorm1d(512)
        self.head = MLP([512, 256, 128, num_classes], dropout=0.3)

    def forward(self, positions: Tensor, colors: Tensor) -> Tensor:
        shape = positions.shape[:2]
        near = self.near(torch.cat([positions, colors], dim=2).flatten(0, 1))
        whole = self.far(near).unflatten(0, shape).amax(1, keepdim=True)
        # The linear map of both together, the whole cloud's share of it computed once per cloud.
        hidden = (self.point(near).unflatten(0, shape) + self.whole(whole)).flatten(0, 1)
        logits: Tensor = self.head(self.norm(hidden).relu())
        return logits.unflatten(0, shape)


class PointNet2(nn.Module):
    def __init__(self, num_classes: int) -> None:
        from torch_geometric.nn import MLP, PointNetConv

        super().__init__()
        self.near = PointNetConv(MLP([3 + 3, 64, 64, 128]), add_self_loops=False)
        self.far = PointNetConv(MLP([128 + 3, 128, 128, 256]), add_self_loops=False)
        self.whole = MLP([256 + 3, 256, 512, 1024])
        self.up3 = MLP([1024 + 256, 256, 256])
        self.up2 = MLP([256 + 128, 256, 128])
        self.up1 = MLP([128 + 3, 128, 128, 128])
        self.head = MLP([128, 128, 128, num_classes], dropout=0.5, norm=None)

    def forward(self, positions: Tensor, colors: Tensor) -> Tensor:
        features = colors.flatten(0, 1)
        features1, positions1 = edges_within(self.near, features, positions, 0.2, 0.2)
        features2, positions2 = edges_within(self.far, features1, positions1, 0.25, 0.4)
        each = self.whole(torch.cat([features2, positions2.flatten(0, 1)], dim=1))
        num_clouds, num_centres, _ = positions2.shape
        pooled = each.unflatten(0, (num_clouds, num_centres)).amax(1).repeat_interleave(num_centres, dim=0)
        up2 = self.up3(torch.cat([pooled, features2], dim=1))
        up1 = self.up2(torch.cat([_interpolated(up2, positions2, positions1), features1], dim=1))
        up0 = self.up1(torch.cat([_interpolated(up1, positions1, positions), features], dim=1))
        logits: Tensor = self.head(up0)
        return logits.unflatten(0, positions.shape[:2])


class Dgcnn(nn.Module):
    def __init__(self, num_classes: int, k: int = 20) -> None:
        from torch_geometric.nn import MLP, EdgeConv

        super().__init__()
        self.k = k
        self.convs = nn.ModuleList(EdgeConv(MLP([2 * channels, 64, 64]), aggr="max") for channels in (6, 64, 64))
        self.head = MLP([3 * 64, 1024, 256, 128, num_classes], dropout=0.5, norm=None)

    def forward(self, positions: Tensor, colors: Tensor) -> Tensor:
        features, layers = torch.cat([colors, positions], dim=2).flatten(0, 1), []
        for conv in self.convs:
            features = conv(features, nearest_in_features(features, positions.shape[0], self.k))
            layers.append(features)
        logits: Tensor = self.head(torch.cat(layers, dim=1))
        return logits.unflatten(0, positions.shape[:2])


class PointNeXt(nn.Module):
    """PointNeXt-S for scenes: each stage keeps a quarter of the points; colours and height are its features."""

    def __init__(self, num_classes: int) -> None:
        super().__init__()
        self.model = _pointnext_segmenter(num_classes)

    def forward(self, positions: Tensor, colors: Tensor) -> Tensor:
        features = torch.cat([colors, positions[..., 2:]], dim=2).transpose(1, 2).contiguous()
        logits: Tensor = self.model({"pos": positions.contiguous(), "x": features})
        return logits.transpose(1, 2)


def _pointnext_segmenter(num_classes: int) -> nn.Module:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        stand_in(first_within)
        from openpoints.models import build_model_from_cfg
        from openpoints.models.layers import upsampling
        from openpoints.utils import EasyConfig
    upsampling.three_nn, upsampling.three_interpolate = three_nearest, three_interpolate
    config = EasyConfig()
    config.update(
        {
            "NAME": "BaseSeg",
            "encoder_args": {
                "NAME": "PointNextEncoder",
                "blocks": [1, 1, 1, 1, 1],
                "strides": [1, 4, 4, 4, 4],
                "sa_layers": 2,
                "sa_use_res": True,
                "width": 32,
                "in_channels": 4,
                "expansion": 4,
                "radius": 0.1,
                "nsample": 32,
                "aggr_args": {"feature_type": "dp_fj", "reduction": "max"},
                "group_args": {"NAME": "ballquery", "normalize_dp": True},
                "conv_args": {"order": "conv-norm-act"},
                "act_args": {"act": "relu"},
                "norm_args": {"norm": "bn"},
            },
            "decoder_args": {"NAME": "PointNextDecoder"},
            "cls_args": {"NAME": "SegHead", "num_classes": num_classes, "in_channels": None},
        }
    )
    return build_model_from_cfg(config)


@torch.no_grad()
def three_nearest(points: Tensor, known: Tensor) -> tuple[Tensor, Tensor]:  # [B, N, 3], [B, M, 3] -> [B, N, 3] each
    """Distances to the three nearest known points, and which they are."""
    from pykdtree.kdtree import KDTree

    found = [KDTree(some).query(each, k=3) for some, each in zip(known.numpy(), points.numpy(), strict=True)]
    distances, indices = zip(*found, strict=True)
    return torch.from_numpy(np.stack(distances)), torch.from_numpy(np.stack(indices).astype(np.int64))


def three_interpolate(features: Tensor, index: Tensor, weight: Tensor) -> Tensor:  # [B, C, M], [B, N, 3] -> [B, C, N]
    return (group_features(features, index) * weight[:, None]).sum(3)


def _interpolated(features: Tensor, known: Tensor, points: Tensor) -> Tensor:  # [B * M, C] -> [B * N, C]
    """Of the three nearest, weighted by the inverse of their squared distances, as in PointNet++."""
    distance, index = three_nearest(points, known)
    weight = 1 / distance.square().clamp(min=1e-10)
    weight = weight / weight.sum(2, keepdim=True)
    first = torch.arange(len(known))[:, None, None] * known.shape[1]
    rows = (index + first).flatten(0, 1)  # [B * N, 3]
    return (features[rows] * weight.flatten(0, 1)[..., None]).sum(1)


MODELS: dict[str, Callable[[int], nn.Module]] = {
    "cloud transformer, small": Ours,
    "PointNet": PointNet,
    "PointNet++": PointNet2,
    "DGCNN": Dgcnn,
    "PointNeXt-S": PointNeXt,
}
