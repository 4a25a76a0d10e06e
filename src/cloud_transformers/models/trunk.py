"""The trunk that all four models share: a pointwise first layer, then cascades of multi-head blocks.

Letters: B batch, N points, H heads, C channels per head, w grid side, F model width, Z style channels.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal, TypedDict, get_args

from torch import Tensor, nn
from typing_extensions import Unpack

from cloud_transformers.decoding import Between, check_names
from cloud_transformers.layers import Cascade, CloudTransform, KeyProjection, KeyValueProjection, MultiHeadBlock
from cloud_transformers.layers.keys import KeyMode as KeyMode
from cloud_transformers.layers.keys import MakeNorm, Squash
from cloud_transformers.layers.norm import normalize_together
from cloud_transformers.ops.rasterize.reductions import Reduce as Reduce

Size = Literal["full", "small", "tiny"]
Flavour = Literal["release", "paper"]

# Ranges of what weight files may say about themselves: far beyond the paper's, and still built in seconds.
Width = Annotated[int, Between(1, 1 << 16)]
Heads = Annotated[int, Between(1, 256)]
Side = Annotated[int, Between(2, 1024)]
Grids = Annotated[tuple[tuple[Side, Width], ...], Between(0, 16)]
_MOST_GRID_VALUES = 1 << 24  # of all heads of one kind, for one cloud


@dataclass(frozen=True, kw_only=True)
class HeadConfig:
    """How heads find their place and meet on the grid: the same for every head of a model."""

    keys: KeyMode = "full"
    squash: Squash = "tanh"
    scales: bool = False
    reduce: Reduce = "max"
    balance: bool = True


def check_grid(dim: int, side: int, channels: int) -> None:
    """ValueError for a grid that would fill the memory; channels are those of all heads."""
    if side**dim * channels > _MOST_GRID_VALUES:
        raise ValueError(f"grids of side {side} in {dim} dimensions with {channels} channels are too large")


@dataclass(frozen=True, kw_only=True)
class TrunkConfig:
    """A block has `num_heads` heads of each kind. `planar` and `volumetric` give (w, C) for each block of a cascade."""

    width: Width = 512
    num_heads: Heads = 16
    num_cascades: Annotated[int, Between(1, 32)] = 4
    planar: Grids = ((128, 4), (64, 16), (16, 16))  # empty: no planar heads
    volumetric: Grids = ((32, 4), (16, 16), (8, 32))
    heads: HeadConfig = HeadConfig()

    def __post_init__(self) -> None:
        if self.planar and len(self.planar) != len(self.volumetric):
            raise ValueError(f"{len(self.planar)} planar grids for {len(self.volumetric)} volumetric ones")
        for dim, grids in ((2, self.planar), (3, self.volumetric)):
            for side, channels in grids:
                check_grid(dim, side, self.num_heads * channels)


TRUNKS: dict[Size, TrunkConfig] = {
    "full": TrunkConfig(),
    "small": TrunkConfig(
        width=96, num_heads=4, num_cascades=2, planar=((32, 8), (16, 8), (16, 8)), volumetric=((8, 8), (8, 8), (8, 8))
    ),
    "tiny": TrunkConfig(
        width=32, num_heads=4, num_cascades=1, planar=((16, 4), (8, 4), (8, 4)), volumetric=((8, 4), (4, 4), (4, 4))
    ),
}


class TrunkOptions(TypedDict, total=False):
    """What can be chosen about a trunk of any size; what is left out is as in the official release.

    - `flavour`: "release" squashes keys by tanh, "paper" by sigmoid.
    - `keys`: "full", "linear", "fixed", "identity" (T = identity) or "no_residual" (d = 0): see `KeyProjection`.
    - `scales`: learned anisotropic key scales, the paper's "+ scales".
    - `reduce`: "max", or the ablations "sum" and "mean". `balance=False` switches gradient balancing off.
    - `planar=False`: volumetric heads only. `coarse=True`: grid sides halved.
    - `single_head=True`: one head of each kind with 8 times the channels, as in the paper, but never more than all
      heads had together: 4 times at the sizes small and tiny, which have 4 heads of each kind.
    - `num_cascades`: the depth, if not the size's own.
    """

    flavour: Flavour
    keys: KeyMode
    scales: bool
    reduce: Reduce
    balance: bool
    planar: bool
    coarse: bool
    single_head: bool
    num_cascades: int | None


CHOICES: dict[str, tuple[str, ...]] = {
    "flavour": get_args(Flavour),
    "reduce": get_args(Reduce),
    "keys": get_args(KeyMode),
}


def trunk_config(size: Size = "full", **options: Unpack[TrunkOptions]) -> TrunkConfig:
    """The trunk of a size with some of the paper's options; see `TrunkOptions`."""
    _check(size, options)
    config = TRUNKS[size]
    heads = HeadConfig(
        keys=options.get("keys", "full"),
        scales=options.get("scales", False),
        reduce=options.get("reduce", "max"),
        balance=options.get("balance", True),
        squash="tanh" if options.get("flavour", "release") == "release" else "sigmoid",
    )
    config = replace(config, heads=heads)
    if not options.get("planar", True):
        config = replace(config, planar=())
    if options.get("coarse", False):
        config = replace(
            config,
            planar=tuple((halved(w), c) for w, c in config.planar),
            volumetric=tuple((halved(w), c) for w, c in config.volumetric),
        )
    if options.get("single_head", False):
        factor = min(8, config.num_heads)
        config = replace(
            config,
            num_heads=1,
            planar=tuple((w, factor * c) for w, c in config.planar),
            volumetric=tuple((w, factor * c) for w, c in config.volumetric),
        )
    num_cascades = options.get("num_cascades")
    if num_cascades is not None:
        if num_cascades < 1:
            raise ValueError(f"num_cascades must be at least 1, got {num_cascades}")
        config = replace(config, num_cascades=num_cascades)
    return config


def halved(side: int) -> int:
    return max(side // 2, 2)


def finer(config: TrunkConfig) -> TrunkConfig:
    """The same trunk on grids of twice the side: no parameter more, and points are told apart that shared a cell."""
    return replace(
        config,
        planar=tuple((2 * w, c) for w, c in config.planar),
        volumetric=tuple((2 * w, c) for w, c in config.volumetric),
    )


def make_projection(
    dim: int, width: int, num_heads: int, channels: int, heads: HeadConfig, make_norm: MakeNorm
) -> KeyValueProjection:
    keys = KeyProjection(
        num_heads,
        dim,
        make_norm,
        mode=heads.keys,
        squash=heads.squash,
        scales=heads.scales,
        balance=heads.balance,
    )
    return KeyValueProjection(width, channels, keys, make_norm)


def make_cascade(config: TrunkConfig, make_norm: MakeNorm) -> Cascade:
    def transform(dim: int, side: int, channels: int) -> CloudTransform:
        projection = make_projection(dim, config.width, config.num_heads, channels, config.heads, make_norm)
        return CloudTransform(projection, side, make_norm, reduce=config.heads.reduce, balance=config.heads.balance)

    blocks = []
    for index, (side, channels) in enumerate(config.volumetric):
        transforms = [transform(2, *config.planar[index])] if config.planar else []
        transforms.append(transform(3, side, channels))
        blocks.append(MultiHeadBlock(transforms, config.width, config.width, make_norm))
    return Cascade(blocks)


class Trunk(nn.Module):
    """Point inputs to point features of the model's width."""

    def __init__(
        self, in_channels: int, width: int, cascades: Sequence[Cascade], make_norm: MakeNorm, *, bias: bool = False
    ) -> None:
        super().__init__()
        self.in_channels, self.width = in_channels, width
        self.linear = nn.Linear(in_channels, width, bias=bias)
        self.norm = make_norm(width)
        self.cascades = nn.ModuleList(cascades)

    def forward(
        self,
        inputs: Tensor,  # [B, N, in_channels], finite where masked
        positions: Tensor,  # [B, N, 3]
        mask: Tensor | None = None,  # [B, N]
        style: Tensor | None = None,  # [B, Z]
    ) -> Tensor:  # [B, N, F]
        features = normalize_together([self.norm], [self.linear(inputs)], mask, style, relu=True)
        for cascade in self.cascades:
            features = cascade(features, positions, mask, style)
        return features


def make_trunk(config: TrunkConfig, in_channels: int, make_norm: MakeNorm, *, bias: bool = False) -> Trunk:
    cascades = [make_cascade(config, make_norm) for _ in range(config.num_cascades)]
    return Trunk(in_channels, config.width, cascades, make_norm, bias=bias)


class PointHead(nn.Module):
    """A pointwise two-layer perceptron: linear without bias, normalisation, ReLU, linear."""

    def __init__(
        self, in_channels: int, hidden: int, out_channels: int, make_norm: MakeNorm, *, dropout: float = 0.0
    ) -> None:
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.linear1 = nn.Linear(in_channels, hidden, bias=False)
        self.norm = make_norm(hidden)
        self.linear2 = nn.Linear(hidden, out_channels)

    def forward(self, features: Tensor, mask: Tensor | None = None, style: Tensor | None = None) -> Tensor:
        hidden = self.linear1(self.dropout(features))
        hidden = normalize_together([self.norm], [hidden], mask, style, relu=True)
        return self.linear2(self.dropout(hidden))


def _check(size: str, options: Mapping[str, Any]) -> None:
    check_names(TrunkOptions, options)
    for name, value in {"size": size, **options}.items():
        choices = ({"size": tuple(TRUNKS)} | CHOICES).get(name)
        if choices and value not in choices:
            raise ValueError(f"{name} must be one of {', '.join(choices)}, got {value!r}")


def hide_masked(points: Tensor, mask: Tensor | None) -> Tensor:
    """Masked points may hold anything, NaN too; zeros in their place keep every later gradient finite."""
    return points if mask is None else points.where(mask[:, :, None], 0)
