"""Reconstruction: a cloud from one image of an object.

Letters: B batch, N output points, Z style channels.
"""

from dataclasses import dataclass
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
from cloud_transformers.models.trunk import Size, TrunkConfig, TrunkOptions, Width, trunk_config
from cloud_transformers.tensor_checks import ShapeCheck

IMAGENET_MEAN = (0.485, 0.456, 0.406)
IMAGENET_STD = (0.229, 0.224, 0.225)


def normalized_images(images: NDArray[np.uint8]) -> Tensor:  # [B, h, w, 3] -> [B, 3, h, w]
    """Pictures as the model takes them."""
    channels = torch.from_numpy(images).permute(0, 3, 1, 2) / 255
    mean, std = (torch.tensor(values)[:, None, None] for values in (IMAGENET_MEAN, IMAGENET_STD))
    return (channels - mean) / std


@dataclass(frozen=True, kw_only=True)
class ReconstructorConfig:
    style_channels: Width = 512
    output: Output = "sigmoid"
    image_blocks: Annotated[tuple[Annotated[int, Between(1, 64)], ...], Between(1, 8)] = (3, 4, 6, 3)  # ResNet-50
    image_width: Annotated[int, Between(1, 1024)] = 64
    decoder: TrunkConfig = TrunkConfig()


class Reconstructor(nn.Module):
    """One picture to the shape that it shows. `reconstructor` builds it.

    Letters: B batch, N output points, Z style channels, h and w the image's height and width.
    """

    config: ReconstructorConfig

    def __init__(
        self,
        image_trunk: ResNetTrunk,  # the image to one vector
        mapping: nn.Linear,  # the vector to the style [B, Z]
        decoder: Decoder,  # moves points as the style says
    ) -> None:
        super().__init__()
        self.image_trunk = image_trunk
        self.mapping = mapping
        self.decoder = decoder

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

    def encode(self, images: Tensor) -> Tensor:  # [B, Z]
        ShapeCheck(weights=self.mapping.weight)("images", images, "B 3 h w")
        return self.mapping(self.image_trunk(images)).relu()

    def decode(
        self,
        style: Tensor,  # [B, Z]
        inputs: Tensor,  # [B, N, 3]: points on the unit sphere
    ) -> Tensor:  # [B, N, 3]
        check = ShapeCheck(weights=self.mapping.weight)
        check("style", style, "B Z", Z=self.mapping.out_features)
        check("inputs", inputs, "B N 3")
        return self.decoder(style, inputs)


def build_reconstructor(config: ReconstructorConfig) -> Reconstructor:
    image_trunk = ResNetTrunk(config.image_blocks, config.image_width)
    model = Reconstructor(
        image_trunk=image_trunk,
        mapping=nn.Linear(image_trunk.out_channels, config.style_channels),
        decoder=make_decoder(config.decoder, 3, config.style_channels, config.output, inputs_to_head=False),
    )
    model.config = config
    return model


def reconstructor(
    size: Size = "full", *, image_weights: str | Path | None = None, **options: Unpack[TrunkOptions]
) -> Reconstructor:
    """A reconstructor with new weights.

    - `size`: "full" is the paper's, "small" is for CPUs, "tiny" for tests.
    - `image_weights`: a file of public ImageNet weights for the image trunk (.pth or .safetensors; full size only).
    - `options`: the paper's, for the decoder, see `TrunkOptions`.

    A choice that does not exist is a ValueError; image weights that do not fit are an InputError.

    >>> model = ct.models.reconstructor("tiny")
    >>> model(torch.rand(2, 3, 64, 64), num_points=100).shape
    torch.Size([2, 100, 3])
    """
    decoder = trunk_config(size, **options)
    output: Output = "sigmoid" if options.get("flavour", "release") == "release" else "tanh"
    model = build_reconstructor(
        {
            "full": ReconstructorConfig(output=output, decoder=decoder),
            "small": ReconstructorConfig(
                style_channels=64, output=output, image_blocks=(1, 1, 1, 1), image_width=16, decoder=decoder
            ),
            "tiny": ReconstructorConfig(
                style_channels=16, output=output, image_blocks=(1, 1, 1, 1), image_width=4, decoder=decoder
            ),
        }[size]
    )
    if image_weights is not None:
        model.image_trunk.load_pretrained(image_weights)
    return model
