"""Completion: from what one view saw of a shape to the whole shape. (The release calls it the inpainter.)

Letters: B batch, M observed points, N output points, Z style channels.
"""

from dataclasses import dataclass, replace

import torch
from torch import Tensor, nn
from typing_extensions import Unpack

from cloud_transformers.models.encoder import CloudEncoder, PoolingConfig, make_encoder, pooling_config
from cloud_transformers.models.generator import Decoder, Output, make_decoder, sphere_points
from cloud_transformers.models.trunk import Size, TrunkConfig, TrunkOptions, Width, trunk_config
from cloud_transformers.tensor_checks import ShapeCheck


@dataclass(frozen=True, kw_only=True)
class CompleterConfig:
    style_channels: Width = 512
    output: Output = "linear"
    encoder: TrunkConfig = TrunkConfig()
    pooling: PoolingConfig = PoolingConfig()
    decoder: TrunkConfig = TrunkConfig()


class Completer(nn.Module):
    """A partial cloud to the whole shape. `completer` builds it.

    Letters: B batch, M observed points, N output points, Z style channels.
    """

    config: CompleterConfig

    def __init__(
        self,
        encoder: CloudEncoder,  # the partial cloud to one vector
        mapping: nn.Linear,  # the vector to the style [B, Z]
        decoder: Decoder,  # moves points as the style says
    ) -> None:
        super().__init__()
        self.encoder = encoder
        self.mapping = mapping
        self.decoder = decoder

    def forward(
        self,
        partial: Tensor,  # [B, M, 3]
        *,
        num_points: int = 16384,  # N, at least M
        mask: Tensor | None = None,  # [B, M], True = a real point
        generator: torch.Generator | None = None,
    ) -> Tensor:  # [B, num_points, 3]
        """The observed points, filled up with points on the unit sphere, all moved onto the completed shape.

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
        inputs: Tensor,  # [B, N, 4]: position, and 1 for an observed point or 0 for one of the sphere
    ) -> Tensor:  # [B, N, 3]
        check = ShapeCheck(weights=self.mapping.weight)
        check("style", style, "B Z", Z=self.mapping.out_features)
        check("inputs", inputs, "B N 4")
        return self.decoder(style, inputs)

    @staticmethod
    def decoder_inputs(
        partial: Tensor,  # [B, M, 3]
        num_points: int,
        mask: Tensor | None = None,  # [B, M]
        generator: torch.Generator | None = None,  # of the points on the sphere
    ) -> Tensor:  # [B, num_points, 4]
        """What `decode` takes: observed points, filled up from the sphere. ValueError if more are observed."""
        check_partial(partial, mask)
        B, M, _ = partial.shape
        if num_points < M:
            raise ValueError(
                f"num_points must be at least the number of observed points, {M}, got {num_points}: "
                "draw fewer observed points, or ask for more"
            )
        return filled_up(partial, sphere_points(B, num_points, like=partial, generator=generator), mask)


def filled_up(
    partial: Tensor,  # [B, M, 3]
    sphere: Tensor,  # [B, N, 3], N >= M
    mask: Tensor | None = None,  # [B, M]
) -> Tensor:  # [B, N, 4]
    """The decoder's inputs: observed points with a flag of 1; sphere points, flagged 0, behind and where masked."""
    B, M, _ = partial.shape
    observed = partial.new_ones(B, M, dtype=torch.bool) if mask is None else mask
    head = torch.where(observed[:, :, None], partial, sphere[:, :M])
    positions = torch.cat([head, sphere[:, M:]], dim=1)
    flag = nn.functional.pad(observed.to(partial.dtype), (0, sphere.shape[1] - M))
    return torch.cat([positions, flag[:, :, None]], dim=-1)


def check_partial(partial: Tensor, mask: Tensor | None, weights: Tensor | None = None) -> None:
    check = ShapeCheck(weights=weights)
    check("partial", partial, "B M 3")
    if mask is not None:
        check("mask", mask, "B M", kind="bool")


def build_completer(config: CompleterConfig) -> Completer:
    model = Completer(
        encoder=make_encoder(config.encoder, config.pooling),
        mapping=nn.Linear(config.pooling.out_channels, config.style_channels),
        decoder=make_decoder(config.decoder, 4, config.style_channels, config.output, inputs_to_head=True),
    )
    model.config = config
    return model


def completer(size: Size = "full", **options: Unpack[TrunkOptions]) -> Completer:
    """A completer with new weights.

    - `size`: "full" is the paper's, "small" is for CPUs, "tiny" for tests.
    - `options`: the paper's, for encoder and decoder alike, see `TrunkOptions`.

    A choice that does not exist is a ValueError.

    >>> model = ct.models.completer("tiny")
    >>> model(torch.rand(1, 50, 3), num_points=100).shape
    torch.Size([1, 100, 3])
    """
    trunk = trunk_config(size, **options)
    # Two trunks have to share the small model's budget of parameters: the decoder gets more of it.
    short_encoder = size == "small" and options.get("num_cascades") is None
    return build_completer(
        CompleterConfig(
            style_channels={"full": 512, "small": 48, "tiny": 16}[size],
            output="linear" if options.get("flavour", "release") == "release" else "tanh",
            encoder=replace(trunk, num_cascades=1) if short_encoder else trunk,
            pooling=pooling_config(size, **options),
            decoder=trunk,
        )
    )
