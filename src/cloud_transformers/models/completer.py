"""Completion: from what one view saw of a shape to the whole shape. (The release calls it the inpainter.)

Letters: B batch, M observed points, N output points, Z style channels.
"""

from dataclasses import dataclass, replace
from typing import Annotated

import torch
from torch import Tensor, nn
from typing_extensions import Unpack

from cloud_transformers.decoding import Between
from cloud_transformers.models.encoder import CloudEncoder, PoolingConfig, make_encoder, pooling_config
from cloud_transformers.models.generator import Decoder, Output, make_decoder, sphere_points
from cloud_transformers.models.mirrors import MirrorPlanes
from cloud_transformers.models.trunk import Size, TrunkConfig, TrunkOptions, Width, finer, trunk_config
from cloud_transformers.tensor_checks import ShapeCheck

Mirrors = Annotated[int, Between(0, 64)]


@dataclass(frozen=True, kw_only=True)
class CompleterConfig:
    style_channels: Width = 512
    output: Output = "linear"
    moves: bool = False  # observed points stay where they are, the others are moved; else all points are placed
    mirrors: Mirrors = 0  # K: how many planes the style names, in which observed points are mirrored
    encoder: TrunkConfig = TrunkConfig()
    pooling: PoolingConfig = PoolingConfig()
    decoder: TrunkConfig = TrunkConfig()


class Completer(nn.Module):
    """A partial cloud to the whole shape. `completer` builds it.

    Letters: B batch, M observed points, N output points, Z style channels, K mirror planes.
    """

    config: CompleterConfig

    def __init__(
        self,
        encoder: CloudEncoder,  # the partial cloud to one vector
        mapping: nn.Linear,  # the vector to the style [B, Z]
        decoder: Decoder,  # moves points as the style says
        mirrors: MirrorPlanes | None = None,  # in which the style has observed points mirrored first
    ) -> None:
        super().__init__()
        self.encoder = encoder
        self.mapping = mapping
        self.decoder = decoder
        self.mirrors = mirrors

    def forward(
        self,
        partial: Tensor,  # [B, M, 3]
        *,
        num_points: int = 16384,  # N, at least M
        mask: Tensor | None = None,  # [B, M], True = a real point
        generator: torch.Generator | None = None,
    ) -> Tensor:  # [B, num_points, 3]
        """The observed points, filled up with mirrored ones, if it has planes for them, and with points on the unit
        sphere, all brought onto the completed shape. A completer that `moves` leaves observed points as they are.

        The sphere points are drawn from `generator`; masked points are replaced by sphere points.
        """
        return self.decode(self.encode(partial, mask), self.decoder_inputs(partial, num_points, mask, generator))

    def encode(self, partial: Tensor, mask: Tensor | None = None) -> Tensor:  # [B, Z]
        check_partial(partial, mask, weights=self.mapping.weight)
        _, vector = self.encoder(partial, mask)
        return self.mapping(vector).relu()

    def decode(
        self,
        style: Tensor,  # [B, Z]
        inputs: Tensor,  # [B, N, 4]: position, and 1 for an observed point, 0 for one of the sphere, -k for an observed
        # point that is to be mirrored in plane k = 1, ..., K before it is moved
    ) -> Tensor:  # [B, N, 3]
        check = ShapeCheck(weights=self.mapping.weight)
        check("style", style, "B Z", Z=self.mapping.out_features)
        check("inputs", inputs, "B N 4")
        if self.mirrors is not None:
            positions = self.mirrors(style, inputs[..., :3], -1 - inputs[..., 3])
            inputs = torch.cat([positions, inputs[..., 3:]], dim=-1)
        return self.decoder(style, inputs)

    def decoder_inputs(
        self,
        partial: Tensor,  # [B, M, 3]
        num_points: int,
        mask: Tensor | None = None,  # [B, M]
        generator: torch.Generator | None = None,  # of the points on the sphere
    ) -> Tensor:  # [B, num_points, 4]
        """What `decode` takes: observed points, filled up. ValueError if more are observed."""
        check_partial(partial, mask)
        B, M, _ = partial.shape
        if num_points < M:
            raise ValueError(
                f"num_points must be at least the number of observed points, {M}, got {num_points}: "
                "draw fewer observed points, or ask for more"
            )
        return self.filled_up(partial, sphere_points(B, num_points, like=partial, generator=generator), mask)

    def filled_up(
        self,
        partial: Tensor,  # [B, M, 3]
        sphere: Tensor,  # [B, N, 3], N >= M
        mask: Tensor | None = None,  # [B, M]
    ) -> Tensor:  # [B, N, 4]
        """The decoder's inputs: observed points with a flag of 1; sphere points, flagged 0, behind and where masked.

        With mirror planes, every other of these is an observed point to be mirrored, as long as there are real ones:
        the first M / 2K of them in each of the K planes, if N is 2 M.
        """
        B, M, _ = partial.shape
        N = sphere.shape[1]
        observed = partial.new_ones(B, M, dtype=torch.bool) if mask is None else mask
        head = torch.where(observed[:, :, None], partial, sphere[:, :M])
        positions = torch.cat([head, sphere[:, M:]], dim=1)
        flag = nn.functional.pad(observed.to(partial.dtype), (0, N - M))
        if self.mirrors is not None and M:
            K = self.mirrors.num_planes
            order = (flag == 0).cumsum(dim=1) - 1  # of the points that fill up
            source, kind = order // (2 * K), order % (2 * K)
            row = source.clamp(0, M - 1)
            is_mirrored = (flag == 0) & (kind < K) & (source < M) & observed.gather(1, row)
            original = head.gather(1, row[:, :, None].expand(B, N, 3))
            positions = torch.where(is_mirrored[:, :, None], original, positions)
            flag = torch.where(is_mirrored, -1 - kind.to(flag.dtype), flag)
        return torch.cat([positions, flag[:, :, None]], dim=-1)


def check_partial(partial: Tensor, mask: Tensor | None, weights: Tensor | None = None) -> None:
    check = ShapeCheck(weights=weights)
    check("partial", partial, "B M 3")
    if mask is not None:
        check("mask", mask, "B M", kind="bool")


def build_completer(config: CompleterConfig) -> Completer:
    Z = config.style_channels
    model = Completer(
        encoder=make_encoder(config.encoder, config.pooling),
        mapping=nn.Linear(config.pooling.out_channels, Z),
        decoder=make_decoder(config.decoder, 4, Z, config.output, inputs_to_head=True, moves=config.moves),
        mirrors=MirrorPlanes(Z, config.mirrors) if config.mirrors else None,
    )
    model.config = config
    return model


def completer(
    size: Size = "full",
    *,
    moves: bool | None = None,
    mirrors: int | None = None,
    fine: bool | None = None,
    style_channels: int | None = None,
    **options: Unpack[TrunkOptions],
) -> Completer:
    """A completer with new weights.

    - `size`: "full" is the paper's, "small" is for CPUs, "tiny" for tests.
    - `moves`: observed points come out where they were, and the others are moved from where they start; without it all
      points are placed anew, as in the paper. By default for "small" alone.
    - `mirrors`: in how many planes, which it finds by itself, observed points are mirrored, to start from there; by
      default 2 for "small", none for the others.
    - `fine`: the decoder's grids have sides twice as long as the encoder's; by default for "small" alone.
    - `style_channels`: numbers that describe the shape; by default 512, 192 for "small" and 16 for "tiny".
    - `options`: the paper's, for encoder and decoder alike, see `TrunkOptions`.

    A choice that does not exist is a ValueError.

    >>> model = ct.models.completer("tiny")
    >>> model(torch.rand(1, 50, 3), num_points=100).shape
    torch.Size([1, 100, 3])
    """
    trunk = trunk_config(size, **options)
    # Two trunks have to share the small model's budget of parameters: the decoder gets more of it.
    short_encoder = size == "small" and options.get("num_cascades") is None
    is_small = size == "small"
    usual_style = {"full": 512, "small": 192, "tiny": 16}[size]
    return build_completer(
        CompleterConfig(
            style_channels=usual_style if style_channels is None else style_channels,
            output="linear" if options.get("flavour", "release") == "release" else "tanh",
            moves=is_small if moves is None else moves,
            mirrors=2 * is_small if mirrors is None else mirrors,
            encoder=replace(trunk, num_cascades=1) if short_encoder else trunk,
            pooling=pooling_config(size, **options),
            decoder=finer(trunk) if (is_small if fine is None else fine) else trunk,
        )
    )
