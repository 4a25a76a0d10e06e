"""Curves as SVG, drawn into the page."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape

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

    label = 'font-size="11" fill="#555"'
    return (
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" role="img"><title>{escape(title)}</title>'
        f'<text x="{MARGIN}" y="14" font-size="13">{escape(title)}</text>'
        f'<path d="M{MARGIN},20V{HEIGHT - 24}H{WIDTH - 8}" fill="none" stroke="#999"/>'
        f'<text x="2" y="30" {label}>{high:.3g}</text><text x="2" y="{HEIGHT - 24}" {label}>{low:.3g}</text>'
        f'<text x="{MARGIN}" y="{HEIGHT - 8}" {label}>step {left:g}</text>'
        f'<text x="{WIDTH - 8}" y="{HEIGHT - 8}" {label} text-anchor="end">{right:g}</text>'
        f'<polyline points="{" ".join(place(x, y) for x, y in kept)}" fill="none" stroke="#0072b2" stroke-width="1.5"/>'
        "</svg>"
    )
