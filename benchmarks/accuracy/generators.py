"""The decoders that ours is compared with, as their papers have them: PCN's and FoldingNet's, each behind a PointNet or
behind the picture trunk of our own `small` reconstructor.

A model gives clouds, the last of which is its answer; the loss is taken of each of them. A code is joined to every
point of a decoder by adding its share of the first linear map, which is the same and costs a small part.

Letters: B batch, M observed points, N output points, V length of the code.
"""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor, nn

from cloud_transformers.layers import ResNetTrunk
from cloud_transformers.models import completer, reconstructor
from cloud_transformers.models.generator import sphere_points

CODE = 1024  # V, as in both papers
COARSE = 256  # of PCN's points, each unfolded into a patch
PATCH = 4  # points along a side of it
SQUARE = 64  # points along a side of the sheet that is folded: 4096 in all
Cloud = Tensor  # [B, N, 3]


class PointNetCode(nn.Module):
    """PCN's encoder: two small PointNets, the second of which sees the first one's maximum beside each point."""

    def __init__(self) -> None:
        super().__init__()
        self.first = nn.Sequential(nn.Linear(3, 128), nn.ReLU(), nn.Linear(128, 256))
        self.point, self.whole = nn.Linear(256, 512), nn.Linear(256, 512, bias=False)
        self.second = nn.Linear(512, CODE)

    def forward(self, partial: Tensor) -> Tensor:  # [B, M, 3] -> [B, V]
        each = self.first(partial)
        hidden = (self.point(each) + self.whole(each.amax(1, keepdim=True))).relu()
        return self.second(hidden).amax(1)


class PictureCode(nn.Module):
    """The picture trunk of our own model."""

    def __init__(self) -> None:
        super().__init__()
        self.trunk = ResNetTrunk((1, 1, 1, 1), 16)
        self.linear = nn.Linear(self.trunk.out_channels, CODE)

    def forward(self, images: Tensor) -> Tensor:  # [B, 3, h, w] -> [B, V]
        return self.linear(self.trunk(images)).relu()


class Fold(nn.Module):
    """Points and a code to points: three layers, as in FoldingNet and in PCN's last stage."""

    def __init__(self, in_channels: int) -> None:
        super().__init__()
        self.point, self.code = nn.Linear(in_channels, 512), nn.Linear(CODE, 512, bias=False)
        self.rest = nn.Sequential(nn.ReLU(), nn.Linear(512, 512), nn.ReLU(), nn.Linear(512, 3))

    def forward(self, points: Tensor, code: Tensor) -> Cloud:  # [B, N, in], [B, V]
        found: Tensor = self.rest(self.point(points) + self.code(code)[:, None])
        return found


class PcnDecoder(nn.Module):
    """256 points from the code, each with a patch of 4 x 4 around it: 4096."""

    def __init__(self) -> None:
        super().__init__()
        self.coarse = nn.Sequential(
            nn.Linear(CODE, 1024), nn.ReLU(), nn.Linear(1024, 1024), nn.ReLU(), nn.Linear(1024, 3 * COARSE)
        )
        self.fold = Fold(2 + 3)
        self.register_buffer("patch", _sheet(PATCH) * 0.05)

    def forward(self, code: Tensor) -> list[Cloud]:
        coarse = self.coarse(code).unflatten(1, (COARSE, 3))
        centres = coarse.repeat_interleave(PATCH**2, dim=1)
        patches = self.patch.repeat(COARSE, 1).expand(len(code), -1, -1)
        return [coarse, centres + self.fold(torch.cat([patches, centres], dim=2), code)]


class FoldingDecoder(nn.Module):
    """A sheet of 64 x 64 points, folded twice."""

    def __init__(self) -> None:
        super().__init__()
        self.first, self.second = Fold(2), Fold(3)
        self.register_buffer("sheet", _sheet(SQUARE))

    def forward(self, code: Tensor) -> list[Cloud]:
        once = self.first(self.sheet.expand(len(code), -1, -1), code)
        return [self.second(once, code)]


def _sheet(side: int) -> Tensor:  # [side * side, 2] in [-1, 1]
    places = torch.linspace(-1, 1, side)
    return torch.cartesian_prod(places, places)


class Coded(nn.Module):
    """An encoder and a decoder; answers are around `middle`."""

    def __init__(self, encoder: nn.Module, decoder: nn.Module, middle: float = 0.0) -> None:
        super().__init__()
        self.encoder, self.decoder, self.middle = encoder, decoder, middle

    def forward(self, given: Tensor) -> list[Cloud]:
        return [cloud + self.middle for cloud in self.decoder(self.encoder(given))]


class OurCompleter(nn.Module):
    """`small` as its recipe trains it: fewer points than it gives when used."""

    def __init__(self, scale: float = 2.0, in_training: int = 1536, else_: int = 4096) -> None:
        super().__init__()
        self.model = completer("small")
        self.scale, self.counts = scale, (else_, in_training)

    def forward(self, partial: Tensor) -> list[Cloud]:
        return [self.model(partial * self.scale, num_points=self.counts[self.training]) / self.scale]


class OurReconstructor(nn.Module):
    """`small` as its recipe trains it: 512 points at a time, eight times when used."""

    def __init__(self, num_points: int = 512, passes: int = 8) -> None:
        super().__init__()
        self.model = reconstructor("small")
        self.num_points, self.passes = num_points, passes

    def forward(self, images: Tensor) -> list[Cloud]:
        style = self.model.encode(images)
        passes = 1 if self.training else self.passes
        spheres = [sphere_points(len(images), self.num_points, like=style) for _ in range(passes)]
        return [torch.cat([self.model.decode(style, sphere) for sphere in spheres], dim=1)]


COMPLETERS: dict[str, Callable[[], nn.Module]] = {
    "cloud transformer, small": OurCompleter,
    "PointNet, PCN's decoder": lambda: Coded(PointNetCode(), PcnDecoder()),
    "PointNet, folding decoder": lambda: Coded(PointNetCode(), FoldingDecoder()),
}
RECONSTRUCTORS: dict[str, Callable[[], nn.Module]] = {
    "cloud transformer, small": OurReconstructor,
    "same trunk, PCN's decoder": lambda: Coded(PictureCode(), PcnDecoder(), middle=0.5),
    "same trunk, folding decoder": lambda: Coded(PictureCode(), FoldingDecoder(), middle=0.5),
}
