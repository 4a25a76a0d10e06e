"""Several pictures [H, W, 3] in one: rows, stacks and tables of them. A `gap` or `margin` is in pixels."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from cloud_transformers.render import Picture


def side_by_side(pictures: Sequence[Picture], gap: int = 12) -> Picture:
    """Pictures of one height in a row, with white between them."""
    height = pictures[0].shape[0]
    white = np.full((height, gap, 3), 255, np.uint8)
    row = [part for each in pictures for part in (white, each)][1:]
    return np.concatenate(row, axis=1)


def stacked(rows: Sequence[Picture], gap: int = 12) -> Picture:
    """Pictures, the `rows`, below each other, the narrower ones in the middle, with white between them."""
    width = max(row.shape[1] for row in rows)
    padded = []
    for row in rows:
        left = (width - row.shape[1]) // 2
        padded.append(np.pad(row, ((0, gap), (left, width - row.shape[1] - left), (0, 0)), constant_values=255))
    return np.concatenate(padded)[:-gap]


def trimmed(pictures: Sequence[Picture], margin: int = 8) -> list[Picture]:
    """Pictures of one size without the white that surrounds all of them."""
    drawn = np.any([(each < 255).any(axis=2) for each in pictures], axis=0)
    if not drawn.any():
        return list(pictures)
    rows, columns = np.flatnonzero(drawn.any(axis=1)), np.flatnonzero(drawn.any(axis=0))
    top, left = max(rows[0] - margin, 0), max(columns[0] - margin, 0)
    return [each[top : rows[-1] + margin + 1, left : columns[-1] + margin + 1] for each in pictures]


def tiled(pictures: Sequence[Picture], columns: int) -> Picture:
    """Pictures of one size side by side, in so many `columns`; the last row is filled up with white."""
    blank = np.full_like(pictures[0], 255)
    padded = [*pictures, *[blank] * (-len(pictures) % columns)]
    rows = [np.concatenate(padded[k : k + columns], axis=1) for k in range(0, len(padded), columns)]
    return np.concatenate(rows)
