"""Colours of the input clouds: the field `color` [N, 3], uint8 or float32 in [0, 1] going in, float32 coming out.

Floats come out of a transform that decided to do nothing, too: samples of one batch must not differ in type.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cloud_transformers.cloud import PointCloud
from cloud_transformers.datasets.sample import AnySample, map_clouds
from cloud_transformers.errors import InputError


@dataclass(frozen=True)
class ColorAutocontrast:
    """With probability `p`, stretch each channel to [0, 1] and blend that with the original in a random proportion."""

    p: float = 0.2

    def __call__(self, sample: AnySample, rng: np.random.Generator) -> AnySample:
        if rng.random() >= self.p:
            return recolored(sample, _as_they_are)
        blend = rng.random()

        def stretch(colors: NDArray[np.float32]) -> NDArray[np.float32]:
            low, high = colors.min(axis=0), colors.max(axis=0)
            full = (colors - low) / np.where(high > low, high - low, 1)
            return np.where(high > low, (1 - blend) * colors + blend * full, colors)

        return recolored(sample, stretch)


@dataclass(frozen=True)
class ColorTranslation:
    """With probability `p`, add one amount per channel to all points, uniform within +-`limit`; clipped to [0, 1]."""

    limit: float = 0.1
    p: float = 0.95

    def __call__(self, sample: AnySample, rng: np.random.Generator) -> AnySample:
        if rng.random() >= self.p:
            return recolored(sample, _as_they_are)
        amount = rng.uniform(-self.limit, self.limit, 3)
        return recolored(sample, lambda colors: np.clip(colors + amount, 0, 1))


@dataclass(frozen=True)
class ColorJitter:
    """With probability `p`, add Gaussian noise to every channel of every point; clipped to [0, 1]."""

    sigma: float = 0.05  # standard deviation, of colours in [0, 1]
    p: float = 0.95

    def __call__(self, sample: AnySample, rng: np.random.Generator) -> AnySample:
        if rng.random() >= self.p:
            return recolored(sample, _as_they_are)
        return recolored(sample, lambda colors: np.clip(colors + rng.normal(0, self.sigma, colors.shape), 0, 1))


@dataclass(frozen=True)
class ColorHueSaturation:
    """Turn the hue of all points by one angle, uniform within +-`hue` of a full turn, and multiply their saturation by
    one factor, uniform within 1 +- `saturation`; the brightest channel stays as bright as it is. For colours in [0, 1].
    """

    hue: float = 0.5
    saturation: float = 0.2

    def __call__(self, sample: AnySample, rng: np.random.Generator) -> AnySample:
        turn, factor = rng.uniform(-self.hue, self.hue), 1 + rng.uniform(-self.saturation, self.saturation)

        def shift(colors: NDArray[np.float32]) -> NDArray[np.float64]:
            hue, saturation, value = _hsv(colors)
            return _rgb(hue + turn, np.clip(saturation * factor, 0, 1), value)

        return recolored(sample, shift)


@dataclass(frozen=True)
class ColorNormalize:
    """Subtract the mean and divide by the standard deviation. What follows must expect values outside [0, 1]."""

    mean: tuple[float, float, float]  # red, green and blue, of colours in [0, 1]
    std: tuple[float, float, float]  # likewise

    def __call__(self, sample: AnySample, rng: np.random.Generator) -> AnySample:
        mean, std = np.asarray(self.mean), np.asarray(self.std)
        return recolored(sample, lambda colors: (colors - mean) / std)


@dataclass(frozen=True)
class ColorDrop:
    """With probability `p`, replace the colours of the whole cloud by 0, the mean colour after `ColorNormalize`.

    For training only: an evaluation that drops colours measures something else.
    """

    p: float = 0.2

    def __call__(self, sample: AnySample, rng: np.random.Generator) -> AnySample:
        return recolored(sample, np.zeros_like if rng.random() < self.p else _as_they_are)


def recolored(sample: AnySample, change: Callable[[NDArray[np.float32]], NDArray[np.floating]]) -> AnySample:
    """The sample with its input clouds' colours, as floats, gone through `change`."""

    def recolor(cloud: PointCloud) -> PointCloud:
        colors = cloud.fields.get("color")
        if colors is None:
            raise InputError(
                f"{sample.name} has no field 'color' (it has {', '.join(cloud.fields) or 'none'}); leave colour "
                "transforms out, or choose what missing colours should be when the data is opened"
            )
        values = colors.astype(np.float32) / np.float32(255 if colors.dtype == np.uint8 else 1)
        if not len(values):
            return cloud.with_fields(color=values)
        return cloud.with_fields(color=change(values).astype(np.float32))

    return map_clouds(sample, recolor, sample.INPUTS)


def _hsv(colors: NDArray[np.float32]) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Hue in turns, saturation and value, each [N], of colours [N, 3] in [0, 1]; the hue of a grey is 0."""
    red, green, blue = colors.astype(np.float64).T
    value, least = np.maximum(np.maximum(red, green), blue), np.minimum(np.minimum(red, green), blue)
    spread = value - least
    divisor = np.where(spread > 0, spread, 1)
    sixths = np.where(
        value == red,
        (green - blue) / divisor,
        np.where(value == green, 2 + (blue - red) / divisor, 4 + (red - green) / divisor),
    )
    return sixths / 6, spread / np.where(value > 0, value, 1), value


def _rgb(
    hue: NDArray[np.float64], saturation: NDArray[np.float64], value: NDArray[np.float64]
) -> NDArray[np.float64]:  # [N, 3]
    """The inverse of `_hsv`: a channel falls from the value by as much as the hue is away from the channel's own."""
    away = (np.array([5.0, 3.0, 1.0]) + 6 * hue[:, None]) % 6
    fall = np.clip(np.minimum(away, 4 - away), 0, 1)
    return value[:, None] * (1 - saturation[:, None] * fall)


def _as_they_are(colors: NDArray[np.float32]) -> NDArray[np.float32]:
    return colors
