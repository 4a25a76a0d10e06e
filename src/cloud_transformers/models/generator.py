"""What the two generators share: points on a sphere, and the decoder that a style vector steers.

Letters: B batch, N points, Z style channels.
"""

from functools import partial
from typing import Literal

import torch
from torch import Tensor, nn

from cloud_transformers.layers import AdaptiveInstanceNorm
from cloud_transformers.models.trunk import PointHead, Trunk, TrunkConfig, make_trunk

Output = Literal["linear", "sigmoid", "tanh"]


def sphere_points(
    batch_size: int, num_points: int, *, like: Tensor, generator: torch.Generator | None = None
) -> Tensor:  # [B, N, 3]
    """Points spread uniformly over the surface of the unit sphere, of the type and on the device of `like`.

    Clouds are drawn one after the other: a batch of two gets the same points as two batches of one.
    """
    device = like.device if generator is None else generator.device
    clouds = [torch.randn(num_points, 3, device=device, generator=generator) for _ in range(batch_size)]
    points = torch.stack(clouds) if clouds else torch.empty(0, num_points, 3, device=device)
    return nn.functional.normalize(points.to(like), dim=-1)


class Decoder(nn.Module):
    """Brings its input points to where the style says the shape is.

    It places them there or, if it `moves`, adds to their positions: nothing at the start, where the head's last map is
    zero, and never anything to those whose flag, their fourth number, is 1: they were observed.
    """

    def __init__(
        self, trunk: Trunk, head: PointHead, output: Output, *, inputs_to_head: bool, moves: bool = False
    ) -> None:
        super().__init__()
        self.trunk = trunk
        self.head = head
        self.output = output
        self.inputs_to_head = inputs_to_head
        self.moves = moves
        if moves:
            nn.init.zeros_(head.linear2.weight)
            nn.init.zeros_(head.linear2.bias)

    def forward(
        self,
        style: Tensor,  # [B, Z]
        inputs: Tensor,  # [B, N, 3 + flags]
    ) -> Tensor:  # [B, N, 3]
        features = self.trunk(inputs, inputs[..., :3], None, style)
        if self.inputs_to_head:
            features = torch.cat([features, inputs.to(features.dtype)], dim=-1)
        points = self.head(features, None, style)
        if self.moves:
            return torch.where(inputs[..., 3:] == 1, inputs[..., :3], inputs[..., :3] + points)
        if self.output == "linear":
            return points
        return points.sigmoid() if self.output == "sigmoid" else points.tanh()


def make_decoder(
    config: TrunkConfig,
    in_channels: int,
    style_channels: int,
    output: Output,
    *,
    inputs_to_head: bool,
    moves: bool = False,
) -> Decoder:
    make_norm = partial(AdaptiveInstanceNorm, style_channels=style_channels)
    trunk = make_trunk(config, in_channels, make_norm)
    head_inputs = config.width + (in_channels if inputs_to_head else 0)
    head = PointHead(head_inputs, config.width, 3, make_norm)
    return Decoder(trunk, head, output, inputs_to_head=inputs_to_head, moves=moves)
