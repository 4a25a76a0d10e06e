"""Curves as SVG, drawn into the page."""

from __future__ import annotations

import math
from collections.abc import Sequence

from cloud_transformers.pages import filled

WIDTH, HEIGHT, MARGIN = 430, 200, 52


def curve(title: str, points: Sequence[tuple[float, float | None]]) -> str:
    """One line over the steps; what is not a finite number is left out. Empty if fewer than two points are left."""
    kept = [(x, y) for x, y in points if y is not None and math.isfinite(y)]
    if len(kept) < 2:
        return ""
    xs, ys = [x for x, _ in kept], [y for _, y in kept]
    left, right, low, high = min(xs), max(xs), min(ys), max(ys)
    high = high if high > low else low + 1

    def place(x: float, y: float) -> str:
        across = MARGIN + (x - left) / max(right - left, 1e-12) * (WIDTH - MARGIN - 8)
        return f"{across:.1f},{HEIGHT - 24 - (y - low) / (high - low) * (HEIGHT - 48):.1f}"

    return filled(
        "cloud_transformers.report",
        "curve.svg",
        title=title,
        width=WIDTH,
        height=HEIGHT,
        margin=MARGIN,
        left=left,
        right=right,
        low=low,
        high=high,
        points=[place(x, y) for x, y in kept],
    )
