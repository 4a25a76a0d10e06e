"""Colours of materials, RGB in [0, 1], drawn with the spread real rooms have."""

from __future__ import annotations

import colorsys

import numpy as np

from cloud_transformers.render.mesh import Array
from cloud_transformers.world.seeds import chance, pick


def _hsv(hue: float, saturation: float, value: float) -> Array:
    return np.array(colorsys.hsv_to_rgb(hue % 1.0, min(max(saturation, 0.0), 1.0), min(max(value, 0.0), 1.0)))


def wood(rng: np.random.Generator) -> Array:
    """From birch to walnut, now and then painted white or black."""
    if chance(rng, 0.15):
        return np.full(3, pick(rng, [0.93, 0.9, 0.2])) + rng.uniform(-0.03, 0.03, 3)
    return _hsv(rng.uniform(0.055, 0.105), rng.uniform(0.3, 0.65), rng.uniform(0.35, 0.88))


def metal(rng: np.random.Generator) -> Array:
    return _hsv(rng.uniform(0.5, 0.65), rng.uniform(0.0, 0.08), pick(rng, [0.25, 0.45, 0.62, 0.78]))


def fabric(rng: np.random.Generator) -> Array:
    if chance(rng, 0.35):
        return _hsv(rng.uniform(0.05, 0.12), rng.uniform(0.05, 0.3), rng.uniform(0.3, 0.9))
    return _hsv(rng.uniform(), rng.uniform(0.25, 0.75), rng.uniform(0.3, 0.85))


def plastic(rng: np.random.Generator) -> Array:
    if chance(rng, 0.5):
        return np.full(3, rng.uniform(0.1, 0.9))
    return _hsv(rng.uniform(), rng.uniform(0.4, 0.85), rng.uniform(0.4, 0.9))


def ceramic(rng: np.random.Generator) -> Array:
    return _hsv(rng.uniform(0.08, 0.16), rng.uniform(0.0, 0.08), rng.uniform(0.88, 0.97))


def cardboard(rng: np.random.Generator) -> Array:
    return _hsv(rng.uniform(0.07, 0.1), rng.uniform(0.3, 0.5), rng.uniform(0.55, 0.78))


def linen(rng: np.random.Generator) -> Array:
    return _hsv(rng.uniform(), rng.uniform(0.0, 0.15), rng.uniform(0.82, 0.97))


def wall_paint(rng: np.random.Generator) -> Array:
    return _hsv(rng.uniform(0.05, 0.65), rng.uniform(0.0, 0.18), rng.uniform(0.72, 0.95))


def dark(rng: np.random.Generator) -> Array:
    return np.full(3, rng.uniform(0.05, 0.2)) + rng.uniform(0, 0.03, 3)


def shade(color: Array, factor: float) -> Array:
    """Lighter (factor > 1) or darker."""
    return np.clip(color * factor, 0.0, 1.0)
