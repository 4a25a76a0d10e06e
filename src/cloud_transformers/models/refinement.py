"""Refinement of a cloud from a picture: its points look at the picture where they are seen in it, and are moved.

Letters: B batch, N points, S map side, C channels of the map, Z style channels.
"""

from collections.abc import Sequence
from functools import partial

import torch
from torch import Tensor, nn

from cloud_transformers.layers import AdaptiveInstanceNorm
from cloud_transformers.models.trunk import PointHead, Trunk, TrunkConfig, make_trunk

DISTANCE = 2.0  # of the camera from the shape's centre, in sides of the unit cube that holds the shape
REACH = 3.606  # of that distance over half of what the camera sees there: a field of view of 31 degrees


class PictureMap(nn.Module):
    """One map of a fixed side out of the maps of several stages of a picture's trunk, and of the picture itself, if it
    looks for `details`: the trunk's first map has a quarter of the picture's side, too coarse for a handle or a leg.
    """

    def __init__(self, in_channels: Sequence[int], channels: int, side: int, details: int = 0) -> None:
        super().__init__()
        self.side = side
        self.size = channels * side * side
        self.lateral = nn.ModuleList(nn.Conv2d(width, channels, 1) for width in in_channels)
        self.norm = nn.BatchNorm2d(channels)
        self.details: nn.Sequential | None = None
        if details:
            last = nn.Conv2d(details, channels, 3, padding=1)
            nn.init.zeros_(last.weight)  # weights that were trained without begin as they were
            nn.init.zeros_(last.bias)  # type: ignore[arg-type]
            first = nn.Conv2d(3, details, 5, stride=2, padding=2, bias=False)
            self.details = nn.Sequential(first, nn.BatchNorm2d(details), nn.ReLU(), last)

    def forward(
        self,
        stages: Sequence[Tensor],  # of [B, width, h, w] each
        images: Tensor,  # [B, 3, h, w]
    ) -> Tensor:  # [B, C, S, S]
        found = [lateral(maps) for lateral, maps in zip(self.lateral, stages, strict=True)]
        if self.details is not None:
            found.append(self.details(images))
        side = self.side, self.side
        scaled = [nn.functional.interpolate(maps, side, mode="bilinear", align_corners=False) for maps in found]
        return self.norm(torch.stack(scaled).sum(0)).relu()


class PictureCamera(nn.Module):
    """Looks up what a picture shows where points are seen.

    Its two numbers begin as those of the embedded world's camera and are learned, so that pictures taken by another
    one find their own.
    """

    def __init__(self) -> None:
        super().__init__()
        self.distance = nn.Parameter(torch.tensor(DISTANCE))
        self.reach = nn.Parameter(torch.tensor(REACH))

    def forward(
        self,
        maps: Tensor,  # [B, C, S, S]
        points: Tensor,  # [B, N, 3] in the unit cube: x to the picture's right, y up, z towards the viewer
    ) -> Tensor:  # [B, N, C]
        centred = points - 0.5
        away = (self.distance - centred[..., 2:]).clamp(min=0.1)
        places = self.reach * centred[..., :2] / away * centred.new_tensor([1.0, -1.0])  # in [-1, 1], rows from above
        found = nn.functional.grid_sample(
            maps, places[:, :, None].to(maps.dtype), mode="bilinear", padding_mode="border", align_corners=False
        )
        return found[..., 0].transpose(1, 2)


class Refinement(nn.Module):
    """Moves points by what the picture shows where they are; by nothing at the start, where its last map is zero."""

    def __init__(self, trunk: Trunk, head: PointHead) -> None:
        super().__init__()
        self.camera = PictureCamera()
        self.trunk = trunk
        self.head = head
        nn.init.zeros_(head.linear2.weight)
        nn.init.zeros_(head.linear2.bias)

    def forward(
        self,
        style: Tensor,  # [B, Z]
        maps: Tensor,  # [B, C, S, S]
        points: Tensor,  # [B, N, 3] in the unit cube
    ) -> Tensor:  # [B, N, 3]
        centred = 2 * points - 1
        inputs = torch.cat([centred, self.camera(maps, points).to(centred.dtype)], dim=-1)
        features = self.trunk(inputs, centred, None, style)
        return points + self.head(torch.cat([features, inputs.to(features.dtype)], dim=-1), None, style)


def make_refinement(config: TrunkConfig, map_channels: int, style_channels: int) -> Refinement:
    make_norm = partial(AdaptiveInstanceNorm, style_channels=style_channels)
    in_channels = 3 + map_channels
    trunk = make_trunk(config, in_channels, make_norm)
    return Refinement(trunk, PointHead(config.width + in_channels, config.width, 3, make_norm))
