"""Colours as a camera in automatic mode records them: too dark, too bright, tinted, uneven, or not at all."""

from __future__ import annotations

import numpy as np

from cloud_transformers.render.mesh import Array
from cloud_transformers.world.seeds import chance

COLORLESS = 1 / 3  # share of the scans that have no colours
GREY = 128  # what stands in for a missing colour


def exposed(color: Array, positions: Array, rng: np.random.Generator) -> Array:
    """The colours uint8 [N, 3] of points [N, 3] after exposure, tint, light that changes from place to place and
    noise; one grey everywhere in a third of the scans."""
    if chance(rng, COLORLESS):
        return np.full_like(color, GREY)
    value = (color / 255.0) ** rng.uniform(0.7, 1.6)
    value = value * rng.uniform(0.55, 1.35) * rng.uniform(0.85, 1.15, 3)
    waves = rng.normal(0, 1.2, (3, 3))
    light = sum(np.sin(positions @ wave + phase) for wave, phase in zip(waves, rng.uniform(0, 6.3, 3), strict=True))
    value = value * (1 + rng.uniform(0.0, 0.12) * np.asarray(light))[:, None]
    grey = value.mean(axis=1, keepdims=True)
    value = grey + (value - grey) * rng.uniform(0.3, 1.3)
    value = value + rng.standard_normal(value.shape) * rng.uniform(0.005, 0.05)
    return np.round(np.clip(value, 0, 1) * 255).astype(np.uint8)
