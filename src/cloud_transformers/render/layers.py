"""Pictures in front of others."""

from __future__ import annotations

import numpy as np

from cloud_transformers.render import Picture


def composed(front: Picture, ground: Picture) -> Picture:
    """The picture `front` [h, w, 4] before a `ground` that is opaque, [h, w, 3] or one colour [3]. So is the result."""
    share = front[..., 3:].astype(np.float32) / 255
    return np.rint(front[..., :3] * share + ground * (1 - share)).astype(np.uint8)
