"""The head inspector: all heads of all blocks at work on one cloud, as a scene of the viewer.

The page needs no model: keys, grids and the nodes that points touch are in it. From the nodes the viewer computes, for
any point, who can influence it after a block, by the rule of `interaction`.

Letters: N points, D grid dimension.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cloud_transformers.inspect.heads import Head, heads
from cloud_transformers.inspect.interaction import touched
from cloud_transformers.inspect.walk import SeenBlock, SeenGroup
from cloud_transformers.viewer import Scene, ShownCloud

KEY_STEPS = 65535  # keys have 16 bits
LEVELS = 255  # of what a grid holds


def inspector(title: str, blocks: Sequence[SeenBlock], up: str, *, start: int = 0) -> Scene:
    """The scene of a model's `blocks` at work on the first cloud of their batch; `start` is the block shown first."""
    parts = list(dict.fromkeys(block.part for block in blocks))
    clouds = tuple(_cloud(part, next(block for block in blocks if block.part == part)) for part in parts)
    inspection = {"start": start, "blocks": [_block(block, parts.index(block.part)) for block in blocks]}
    most = max(len(cloud.positions) for cloud in clouds)
    first = parts.index(blocks[start].part)
    return Scene(
        clouds=clouds,
        title=title,
        up=up,
        points=most,
        exact=True,
        inspection=inspection,
        start={"layout": "single", "left": {"cloud": first, "by": "height"}},
    )


def _cloud(part: str, block: SeenBlock) -> ShownCloud:
    visible = block.visible[0]
    return ShownCloud(name=part, positions=block.positions[0][visible].float().numpy(force=True))


def _block(block: SeenBlock, cloud: int) -> dict[str, Any]:
    nodes = [each for group in block.groups() for each in _nodes(group, block)]
    return {
        "part": block.part,
        "number": block.number,
        "cascade": block.cascade,
        "cloud": cloud,
        "heads": [_head(head, box) for head, box in zip(heads(block), nodes, strict=True)],
    }


def _nodes(group: SeenGroup, block: SeenBlock) -> list[NDArray[np.uint16]]:  # each [N, D]
    """Twice the lowest node that a point touches, and 1 more if it touches the next one too."""
    visible = block.visible[0].cpu()
    first, last = (each[0].cpu()[:, visible].numpy() for each in touched(group))
    return [(2 * low + (high - low)).astype(np.uint16) for low, high in zip(first, last, strict=True)]


def _head(head: Head, nodes: NDArray[np.uint16]) -> dict[str, Any]:
    return {
        **head.to_json(),
        "keys": np.rint((head.keys + 1) / 2 * KEY_STEPS).clip(0, KEY_STEPS).astype(np.uint16),
        "nodes": nodes,
        "moves": head.moves,
        "grids": {"before": _levels(head.before), "after": _levels(head.after)},
    }


def _levels(grid: NDArray[np.float32]) -> NDArray[np.uint8]:
    """Flat; from 0 to the largest, and at least 1 where there is anything at all."""
    share = grid.reshape(-1) / max(float(grid.max()), 1e-12)
    return np.ceil(LEVELS * share.clip(0, 1)).astype(np.uint8)
