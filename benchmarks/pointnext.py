"""The `small` classifier's training step over that of a PointNeXt-S, 8 clouds of 1024 points.

PointNeXt-S is openpoints'; its CUDA-only sampling and grouping are replaced by plain PyTorch below. It does not predict
which points belong to the object, so neither does ours here.
python -m benchmarks.pointnext
"""

import warnings
from collections.abc import Callable

import torch
from torch import Tensor, nn

from benchmarks.machine import seconds
from cloud_transformers.models import classifier

CLOUDS, POINTS, CLASSES = 8, 1024, 40
REPEATS = 8


def measure() -> dict[str, float]:
    ours, theirs = our_step(), pointnext_step()
    ours()
    theirs()
    turns = [(seconds(ours, 1), seconds(theirs, 1)) for _ in range(REPEATS)]
    best_ours, best_theirs = (min(times) for times in zip(*turns, strict=True))
    return {"small classifier, training step, 8 x 1024 points, over PointNeXt-S": best_ours / best_theirs}


def our_step() -> Callable[[], None]:
    model = classifier("small", CLASSES)
    return _step(model, lambda positions: model.class_head(model.encoder(positions)[1]))


def pointnext_step() -> Callable[[], None]:
    model = pointnext_s()
    return _step(model, lambda positions: model({"pos": positions, "x": positions.transpose(1, 2).contiguous()}))


def _step(model: nn.Module, predict: Callable[[Tensor], Tensor]) -> Callable[[], None]:
    draw = torch.Generator().manual_seed(0)
    positions = nn.functional.normalize(torch.randn(CLOUDS, POINTS, 3, generator=draw), dim=2)
    labels = torch.randint(CLASSES, (CLOUDS,), generator=draw)
    optimizer = torch.optim.AdamW(model.train().parameters(), lr=1e-3, fused=True)

    def run() -> None:
        optimizer.zero_grad()
        nn.functional.cross_entropy(predict(positions), labels).backward()
        optimizer.step()

    return run


def pointnext_s() -> nn.Module:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from openpoints.models import build_model_from_cfg
        from openpoints.models.layers import group, subsample
        from openpoints.utils import EasyConfig
    subsample.furthest_point_sample = furthest_point_sample
    for module in (group, subsample):
        module.gather_operation = gather
    group.ball_query = ball_query
    group.grouping_operation = group_features
    from openpoints.models.backbone import pointnext

    pointnext.furthest_point_sample = furthest_point_sample
    config = EasyConfig()
    config.update(
        {
            "NAME": "BaseCls",
            "encoder_args": {
                "NAME": "PointNextEncoder",
                "blocks": [1, 1, 1, 1, 1, 1],
                "strides": [1, 2, 2, 2, 2, 1],
                "width": 32,
                "in_channels": 3,
                "radius": 0.15,
                "radius_scaling": 1.5,
                "sa_layers": 2,
                "sa_use_res": True,
                "nsample": 32,
                "expansion": 4,
                "aggr_args": {"feature_type": "dp_fj", "reduction": "max"},
                "group_args": {"NAME": "ballquery", "normalize_dp": True},
                "conv_args": {"order": "conv-norm-act"},
                "act_args": {"act": "relu"},
                "norm_args": {"norm": "bn"},
            },
            "cls_args": {"NAME": "ClsHead", "num_classes": CLASSES, "mlps": [512, 256], "norm_args": {"norm": "bn1d"}},
        }
    )
    return build_model_from_cfg(config)


@torch.no_grad()
def furthest_point_sample(points: Tensor, count: int) -> Tensor:  # [B, N, 3] -> int32 [B, count]
    chosen = torch.zeros(points.shape[0], count, dtype=torch.long)
    distance = torch.full(points.shape[:2], float("inf"))
    batch = torch.arange(points.shape[0])
    for index in range(1, count):
        last = points[batch, chosen[:, index - 1]]
        distance = torch.minimum(distance, (points - last[:, None]).square().sum(-1))
        chosen[:, index] = distance.argmax(1)
    return chosen.int()


@torch.no_grad()
def ball_query(radius: float, count: int, support: Tensor, query: Tensor) -> Tensor:  # -> int32 [B, M, count]
    """The first `count` points within the radius, by index; the first of them again where there are fewer."""
    num_points = support.shape[1]
    index = torch.arange(num_points).expand(query.shape[0], query.shape[1], num_points)
    outside = torch.cdist(query, support) > radius
    nearest = index.masked_fill(outside, num_points).topk(count, dim=-1, largest=False, sorted=True).values
    return nearest.where(nearest < num_points, nearest[..., :1]).clamp(max=num_points - 1).int()


def group_features(features: Tensor, index: Tensor) -> Tensor:  # [B, C, N], [B, M, K] -> [B, C, M, K]
    flat = index.long().flatten(1)[:, None].expand(-1, features.shape[1], -1)
    return features.gather(2, flat).unflatten(2, index.shape[1:])


def gather(features: Tensor, index: Tensor) -> Tensor:  # [B, C, N], [B, M] -> [B, C, M]
    return features.gather(2, index.long()[:, None].expand(-1, features.shape[1], -1))


if __name__ == "__main__":
    for name, value in measure().items():
        print(f"{value:8.3f}  {name}")
