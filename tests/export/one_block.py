"""Models of one block, smaller still than `tiny`: an exporter's time grows with the number of operations."""

from dataclasses import replace
from typing import Any

import torch
from torch import nn

from cloud_transformers.models.encoder import GridPoolConfig, pooling_config
from cloud_transformers.models.kinds import KINDS
from cloud_transformers.models.trunk import TrunkConfig, trunk_config


def one_block(
    kind: str, *, seed: int = 0, moves: bool = False, surroundings: tuple[float, ...] = (), **options: Any
) -> nn.Module:
    """With keys that residuals already move, and statistics that normalise something.

    `moves` is for a completer, `surroundings` for a classifier, which then gets the largest and mean features, too.
    """
    torch.manual_seed(seed)
    flavour = options.get("flavour", "release")
    trunk = _one_block(trunk_config("tiny", num_cascades=1, **options))
    grid = GridPoolConfig(side=4, channels=4, widths=(4,))
    planar = grid if options.get("planar", True) else None
    pooling = replace(pooling_config("tiny", flavour=flavour), num_heads=2, planar=planar, volumetric=grid)
    parts: dict[str, Any] = {
        "segmenter": {"num_classes": 5, "trunk": trunk},
        "classifier": {
            "num_classes": 4,
            "mask_hidden": 8,
            "max_and_mean": bool(surroundings),
            "surroundings": surroundings,
            "trunk": trunk,
            "pooling": pooling,
        },
        "completer": {
            "style_channels": 6,
            "encoder": trunk,
            "pooling": pooling,
            "decoder": trunk,
            "moves": moves,
            "mirrors": 2 if moves else 0,
        },
        "reconstructor": {"style_channels": 6, "image_blocks": (1,), "image_width": 4, "decoder": trunk},
    }[kind]
    model = KINDS[kind].build(KINDS[kind].configuration(**parts)).eval()
    for name, parameter in model.named_parameters():
        if name.endswith(("keys.norm.weight", "residual_scale")):
            nn.init.constant_(parameter, 0.1)
        elif moves and name.startswith("decoder.head.linear2"):  # zero at the start
            nn.init.uniform_(parameter, -0.2, 0.2)
    for name, buffer in model.named_buffers():
        if name.endswith("running_mean"):
            nn.init.uniform_(buffer, -0.2, 0.2)
        elif name.endswith("running_var"):
            nn.init.uniform_(buffer, 0.5, 2)
    return model


def _one_block(trunk: TrunkConfig) -> TrunkConfig:
    return replace(trunk, width=16, num_heads=2, planar=trunk.planar[:1] and ((8, 4),), volumetric=((4, 4),))
