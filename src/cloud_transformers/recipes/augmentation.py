"""How the user's own scans are changed in training, as settings of a recipe."""

from __future__ import annotations

from dataclasses import dataclass

from cloud_transformers.errors import InputError
from cloud_transformers.transforms import (
    AnisotropicScale,
    ColorAutocontrast,
    ColorDrop,
    ColorJitter,
    ColorTranslation,
    Jitter,
    Mirror,
    RotateAbout,
    Shift,
    Transform,
)


@dataclass(frozen=True, kw_only=True)
class SegmentationAugmentation:
    """What happens to a column, of side 1 by then and with z up, before the model sees it. What is 0 is left out."""

    rotate: float = 180.0  # about the up axis, by up to so many degrees either way
    scale: float = 0.2  # each axis is stretched by a factor within 1 - scale and 1 + scale
    mirror: bool = True  # every other column
    jitter: float = 0.01  # the standard deviation of the noise on every coordinate, as a share of the column's side
    shift: float = 0.1  # along each axis, by up to this share of the column's side
    color_noise: bool = True  # contrast, tint and noise of colours
    color_drop: float = 0.0  # the share of columns that lose their colours: for files that may have none

    def augmentation(self, *, color: bool) -> tuple[Transform, ...]:
        """The steps, with those of colours where the model sees any."""
        if not (0 <= self.scale < 1 and 0 <= self.color_drop <= 1 and min(self.rotate, self.jitter, self.shift) >= 0):
            raise InputError("rotate, jitter and shift must not be negative, scale in [0, 1), color_drop in [0, 1]")
        steps: list[Transform] = []
        if self.rotate:
            steps.append(RotateAbout("z", self.rotate))
        if self.scale:
            steps.append(AnisotropicScale(1 - self.scale, 1 + self.scale))
        if self.mirror:
            steps.append(Mirror("x"))
        if self.jitter:
            steps.append(Jitter(self.jitter, 5 * self.jitter))
        if self.shift:
            steps.append(Shift(self.shift))
        if color and self.color_noise:
            steps += [ColorAutocontrast(), ColorTranslation(), ColorJitter()]
        if color and self.color_drop:
            steps.append(ColorDrop(self.color_drop))
        return tuple(steps)
