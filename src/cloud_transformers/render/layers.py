"""Pictures in front of others."""

from __future__ import annotations

import numpy as np

from cloud_transformers.render import Picture


def composed(front: Picture, ground: Picture) -> Picture:
    """A picture [h, w, 4] in front of another, which is opaque: [h, w, 3], or one colour [3]. The result is opaque."""
    share = front[..., 3:].astype(np.float32) / 255
    return np.rint(front[..., :3] * share + ground * (1 - share)).astype(np.uint8)
