"""A ResNet with bottleneck blocks, without its classifier; parameters are named as in the public ImageNet checkpoints.

torchvision's and timm's are not used: their wheels bind to one build of torch each, and what is needed is this page.
"""

from collections.abc import Sequence
from pathlib import Path

import torch
from torch import Tensor, nn

from cloud_transformers.checkpoints import load_exactly, read_state_dict

EXPANSION = 4  # a bottleneck's output is this many times wider than its inside


class Bottleneck(nn.Module):
    def __init__(self, in_channels: int, width: int, stride: int) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(in_channels, width, 1, bias=False)
        self.bn1 = nn.BatchNorm2d(width)
        self.conv2 = nn.Conv2d(width, width, 3, stride=stride, padding=1, bias=False)
        self.bn2 = nn.BatchNorm2d(width)
        self.conv3 = nn.Conv2d(width, width * EXPANSION, 1, bias=False)
        self.bn3 = nn.BatchNorm2d(width * EXPANSION)
        self.downsample: nn.Module | None = None
        if stride != 1 or in_channels != width * EXPANSION:
            self.downsample = nn.Sequential(
                nn.Conv2d(in_channels, width * EXPANSION, 1, stride=stride, bias=False),
                nn.BatchNorm2d(width * EXPANSION),
            )

    def forward(self, image: Tensor) -> Tensor:
        update = self.bn1(self.conv1(image)).relu()
        update = self.bn2(self.conv2(update)).relu()
        update = self.bn3(self.conv3(update))
        if self.downsample is not None:
            image = self.downsample(image)
        return (image + update).relu()


class ResNetTrunk(nn.Module):
    """Images to vectors. `ResNetTrunk()` is ResNet-50; fewer blocks and a smaller width make narrow ones.

    >>> trunk = ct.layers.ResNetTrunk((1, 1), width=8)
    >>> trunk(torch.rand(2, 3, 32, 32)).shape
    torch.Size([2, 64])
    """

    def __init__(
        self,
        num_blocks: Sequence[int] = (3, 4, 6, 3),  # of each stage; a stage halves the maps and doubles the width
        width: int = 64,  # channels after the first convolution
    ) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(3, width, 7, stride=2, padding=3, bias=False)
        self.bn1 = nn.BatchNorm2d(width)
        self.maxpool = nn.MaxPool2d(3, stride=2, padding=1)
        self.stages: list[str] = []
        self.stage_channels: list[int] = []
        channels = width
        for stage, count in enumerate(num_blocks):
            blocks: list[nn.Module] = []
            for index in range(count):
                inside = width * 2**stage
                blocks.append(Bottleneck(channels, inside, stride=2 if stage and not index else 1))
                channels = inside * EXPANSION
            self.stages.append(f"layer{stage + 1}")
            self.stage_channels.append(channels)
            self.add_module(self.stages[-1], nn.Sequential(*blocks))
        self.out_channels = channels

    def forward(
        self,
        images: Tensor,  # [B, 3, h, w], normalised with ImageNet's mean and deviation
    ) -> Tensor:  # [B, out_channels]
        return self.stage_maps(images)[-1].mean((2, 3))

    def stage_maps(self, images: Tensor) -> list[Tensor]:  # [B, 3, h, w] -> of [B, stage's channels, h', w'] each
        """The maps after each stage; the first has a quarter of the picture's side, the others half as much each."""
        maps, found = self.maxpool(self.bn1(self.conv1(images)).relu()), []
        for stage in self.stages:
            maps = self.get_submodule(stage)(maps)
            found.append(maps)
        return found

    def load_pretrained(self, path: str | Path) -> None:
        """Take public ImageNet weights from a .pth or .safetensors file; the classifier in it (`fc.*`) is left out."""
        given = {name: value for name, value in read_state_dict(path).items() if not name.startswith("fc.")}
        # Checkpoints older than PyTorch 0.4.1 do not count batches; nothing here reads that count.
        counts = {name: torch.tensor(0) for name in self.state_dict() if name.endswith("num_batches_tracked")}
        load_exactly(self, {**counts, **given}, f"{path} does not hold the weights of this ResNet")
