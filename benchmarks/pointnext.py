"""The `small` classifier's training step over that of a PointNeXt-S, 8 clouds of 1024 points.

PointNeXt-S is openpoints'; its CUDA-only sampling and grouping are replaced by plain PyTorch below. It does not predict
which points belong to the object, so neither does ours here. Each runs in a process of its own, nothing of which is
changed, and they take turns; beside that ours as `cloudt train` runs it, which keeps freed memory.

python -m benchmarks.pointnext
python -m benchmarks.pointnext ours|kept|theirs    # a step for every line of the input; prints its seconds
"""

import contextlib
import importlib.util
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterator

import torch
from torch import Tensor, nn

from benchmarks.machine import seconds
from cloud_transformers import native
from cloud_transformers.models import classifier

CLOUDS, POINTS, CLASSES = 8, 1024, 40
REPEATS = 10
BallQuery = Callable[[float, int, Tensor, Tensor], Tensor]  # as `plain_ball_query`
FIGURE = "small classifier, training step, 8 x 1024 points, over PointNeXt-S"


def measure() -> dict[str, float]:
    if importlib.util.find_spec("openpoints") is None:
        raise ModuleNotFoundError("No module named 'openpoints'")
    with worker("ours") as ours, worker("kept") as kept, worker("theirs") as theirs:
        turns = [(ours(), kept(), theirs()) for _ in range(REPEATS)]
    best_ours, best_kept, best_theirs = (min(times) for times in zip(*turns, strict=True))
    return {FIGURE: best_ours / best_theirs, f"{FIGURE}, freed memory kept": best_kept / best_theirs}


@contextlib.contextmanager
def worker(what: str) -> Iterator[Callable[[], float]]:
    """A process that has its model ready; each call is one step, and gives its seconds."""
    command = [sys.executable, "-m", "benchmarks.pointnext", what]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        asked, answered = process.stdin, process.stdout

        def step() -> float:
            print(file=asked, flush=True)
            return float(answered.readline())

        step()  # builds kernels and optimiser state
        yield step
        asked.close()


def work(what: str) -> None:
    answers = sys.stdout
    with contextlib.redirect_stdout(sys.stderr):  # openpoints prints
        if what == "kept":
            native.keep_freed_memory()
        run = pointnext_step() if what == "theirs" else our_step()
        run()
        for _ in sys.stdin:
            print(seconds(run, 1), file=answers, flush=True)


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


def pointnext_s(num_classes: int = CLASSES, ball_query: BallQuery | None = None) -> nn.Module:
    """`ball_query` in the place of the plain one below."""
    stand_in(ball_query or plain_ball_query)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from openpoints.models import build_model_from_cfg
        from openpoints.utils import EasyConfig
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
            "cls_args": {
                "NAME": "ClsHead",
                "num_classes": num_classes,
                "mlps": [512, 256],
                "norm_args": {"norm": "bn1d"},
            },
        }
    )
    return build_model_from_cfg(config)


def stand_in(ball_query: BallQuery) -> None:
    """Let openpoints use the operators of this file, where its own need CUDA."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from openpoints.models.layers import group, subsample
    subsample.furthest_point_sample = furthest_point_sample
    for module in (group, subsample):
        module.gather_operation = gather
    group.ball_query = ball_query
    group.grouping_operation = group_features
    from openpoints.models.backbone import pointnext

    pointnext.furthest_point_sample = furthest_point_sample


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
def plain_ball_query(radius: float, count: int, support: Tensor, query: Tensor) -> Tensor:  # -> int32 [B, M, count]
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
    if len(sys.argv) > 1:
        work(sys.argv[1])
    else:
        for name, value in measure().items():
            print(f"{value:8.3f}  {name}")
