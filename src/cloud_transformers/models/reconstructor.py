"""Reconstruction: a cloud from one image of an object.

Letters: B batch, N output points, Z style channels, C channels and S side of the picture's map.
"""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from typing_extensions import Unpack

from cloud_transformers.decoding import Between
from cloud_transformers.layers import ResNetTrunk
from cloud_transformers.models.generator import Decoder, Output, make_decoder, sphere_points
from cloud_transformers.models.refinement import PictureMap, Refinement, make_refinement
from cloud_transformers.models.trunk import Side, Size, TrunkConfig, TrunkOptions, Width, finer, trunk_config
from cloud_transformers.tensor_checks import ShapeCheck

IMAGENET_MEAN = (0.485, 0.456, 0.406)
IMAGENET_STD = (0.229, 0.224, 0.225)


def normalized_images(images: NDArray[np.uint8]) -> Tensor:  # [B, h, w, 3] -> [B, 3, h, w]
    """Pictures as the model takes them."""
    channels = torch.from_numpy(images).permute(0, 3, 1, 2) / 255
    mean, std = (torch.tensor(values)[:, None, None] for values in (IMAGENET_MEAN, IMAGENET_STD))
    return (channels - mean) / std


@dataclass(frozen=True, kw_only=True)
class RefinementConfig:
    """Points that were placed look at the picture where they are seen, and are moved."""

    map_channels: Annotated[int, Between(1, 1024)] = 32
    map_side: Side = 32
    details: Annotated[int, Between(0, 1024)] = 0  # channels for the pixels themselves; none: the trunk's maps alone
    trunk: TrunkConfig = TrunkConfig()


@dataclass(frozen=True, kw_only=True)
class ReconstructorConfig:
    style_channels: Width = 512
    output: Output = "sigmoid"
    image_blocks: Annotated[tuple[Annotated[int, Between(1, 64)], ...], Between(1, 8)] = (3, 4, 6, 3)  # ResNet-50
    image_width: Annotated[int, Between(1, 1024)] = 64
    decoder: TrunkConfig = TrunkConfig()
    refinement: RefinementConfig | None = None  # none, as in the paper: the style is all that is known of the picture


class Reconstructor(nn.Module):
    """One picture to the shape that it shows. `reconstructor` builds it.

    What it keeps of a picture is one vector: the style, and behind it, if points look at the picture a second time, a
    map of what is where.

    Letters: B batch, N output points, Z style channels, C channels and S side of the map, h and w the image's height
    and width.
    """

    config: ReconstructorConfig

    def __init__(
        self,
        image_trunk: ResNetTrunk,  # the image to one vector
        mapping: nn.Linear,  # the vector to the style [B, Z]
        decoder: Decoder,  # moves points as the style says
        picture_map: PictureMap | None = None,  # the image trunk's maps to one, which
        refinement: Refinement | None = None,  # moves them again by what the picture shows where they are
    ) -> None:
        super().__init__()
        self.image_trunk = image_trunk
        self.mapping = mapping
        self.decoder = decoder
        self.picture_map = picture_map
        self.refinement = refinement

    def forward(
        self,
        images: Tensor,  # [B, 3, h, w], see `normalized_images`
        *,
        num_points: int = 8192,  # N
        generator: torch.Generator | None = None,
    ) -> Tensor:  # [B, num_points, 3]
        """Points drawn from `generator` on the unit sphere, folded into the shape that the image shows."""
        style = self.encode(images)
        return self.decode(style, sphere_points(len(style), num_points, like=style, generator=generator))

    def encode(self, images: Tensor) -> Tensor:  # [B, Z], or [B, Z + C * S * S] with a map of the picture
        ShapeCheck(weights=self.mapping.weight)("images", images, "B 3 h w")
        if self.picture_map is None:
            return self.mapping(self.image_trunk(images)).relu()
        stages = self.image_trunk.stage_maps(images)
        style = self.mapping(stages[-1].mean((2, 3))).relu()
        return torch.cat([style, self.picture_map(stages, images).flatten(1).to(style.dtype)], dim=1)

    def decode(
        self,
        style: Tensor,  # as `encode` gives it
        inputs: Tensor,  # [B, N, 3]: points on the unit sphere
    ) -> Tensor:  # [B, N, 3]
        check = ShapeCheck(weights=self.mapping.weight)
        num_channels = self.mapping.out_features
        map_size = 0 if self.picture_map is None else self.picture_map.size
        check("style", style, "B Z", Z=num_channels + map_size)
        check("inputs", inputs, "B N 3")
        if self.picture_map is None or self.refinement is None:
            return self.decoder(style, inputs)
        side = self.picture_map.side
        maps = style[:, num_channels:].unflatten(1, (-1, side, side))
        style = style[:, :num_channels]
        return self.refinement(style, maps, self.decoder(style, inputs))


def build_reconstructor(config: ReconstructorConfig) -> Reconstructor:
    image_trunk = ResNetTrunk(config.image_blocks, config.image_width)
    Z, last = config.style_channels, config.refinement
    stages = image_trunk.stage_channels
    model = Reconstructor(
        image_trunk=image_trunk,
        mapping=nn.Linear(image_trunk.out_channels, Z),
        decoder=make_decoder(config.decoder, 3, Z, config.output, inputs_to_head=False),
        picture_map=PictureMap(stages, last.map_channels, last.map_side, last.details) if last else None,
        refinement=make_refinement(last.trunk, last.map_channels, Z) if last else None,
    )
    model.config = config
    return model


def reconstructor(
    size: Size = "full",
    *,
    image_weights: str | Path | None = None,
    refined: bool | None = None,
    fine: bool = False,
    style_channels: int | None = None,
    **options: Unpack[TrunkOptions],
) -> Reconstructor:
    """A reconstructor with new weights.

    - `size`: "full" is the paper's, "small" is for CPUs, "tiny" for tests.
    - `image_weights`: a file of public ImageNet weights for the image trunk (.pth or .safetensors; full size only).
    - `refined`: points that the decoder has placed look at the picture where they are seen in it, and are moved once
      more; by default for "small" alone.
    - `fine`: they look at the pixels themselves, too, on a map of twice the side, and their grids have sides twice as
      long; for what is `refined`.
    - `style_channels`: numbers that describe the picture; by default 512, 112 for "small" and 16 for "tiny".
    - `options`: the paper's, for decoder and refinement alike, see `TrunkOptions`.

    A choice that does not exist is a ValueError; image weights that do not fit are an InputError.

    >>> model = ct.models.reconstructor("tiny")
    >>> model(torch.rand(2, 3, 64, 64), num_points=100).shape
    torch.Size([2, 100, 3])
    """
    trunk = trunk_config(size, **options)
    is_small = size == "small"
    is_refined = is_small if refined is None else refined
    if fine and not is_refined:
        raise ValueError("fine is for a reconstructor that is refined; give refined=True, or leave fine out")
    # Two trunks share the small model's budget of parameters: the one that looks at the picture gets more of it.
    short_decoder = is_small and is_refined and options.get("num_cascades") is None
    usual_style = {"full": 512, "small": 112, "tiny": 16}[size]
    model = build_reconstructor(
        ReconstructorConfig(
            style_channels=usual_style if style_channels is None else style_channels,
            output="sigmoid" if options.get("flavour", "release") == "release" else "tanh",
            image_blocks=(3, 4, 6, 3) if size == "full" else (1, 1, 1, 1),
            image_width={"full": 64, "small": 16, "tiny": 4}[size],
            decoder=replace(trunk, num_cascades=1) if short_decoder else trunk,
            refinement=_refinement(trunk, fine) if is_refined else None,
        )
    )
    if image_weights is not None:
        model.image_trunk.load_pretrained(image_weights)
    return model


def _refinement(trunk: TrunkConfig, fine: bool) -> RefinementConfig:
    return RefinementConfig(map_side=64, details=16, trunk=finer(trunk)) if fine else RefinementConfig(trunk=trunk)
