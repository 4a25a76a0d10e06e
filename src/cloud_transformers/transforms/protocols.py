"""The augmentations of the paper's protocols, for training, and the steps that evaluation needs too."""

from __future__ import annotations

from cloud_transformers.datasets.s3dis.classes import SPHERE_COLOR_MEAN, SPHERE_COLOR_STD
from cloud_transformers.transforms.color import (
    ColorAutocontrast,
    ColorDrop,
    ColorHueSaturation,
    ColorJitter,
    ColorNormalize,
    ColorTranslation,
)
from cloud_transformers.transforms.compose import Compose
from cloud_transformers.transforms.count import PointDropout
from cloud_transformers.transforms.geometry import AnisotropicScale, IsotropicScale, Jitter, Mirror, RotateAbout, Shift
from cloud_transformers.transforms.normalize import Center, UnitSphere


def s3dis_blocks_training(*, hue: bool = True) -> Compose:
    """Augmentation of S3DIS blocks. Evaluation uses the blocks as they are stored.

    `hue`: with the release's shift of hue and saturation, which leaves little of a colour but its brightness.
    """
    return Compose(
        (
            RotateAbout("z"),
            AnisotropicScale(0.8, 1.2),
            Mirror("x"),
            Jitter(0.01, 0.05),
            Shift(0.1),
            ColorAutocontrast(),
            ColorTranslation(),
            ColorJitter(),
            *((ColorHueSaturation(0.5, 0.2),) if hue else ()),
        )
    )


def s3dis_spheres_evaluation(
    mean: tuple[float, float, float] = SPHERE_COLOR_MEAN,  # these two: of colours in [0, 1], as `ColorNormalize` takes
    std: tuple[float, float, float] = SPHERE_COLOR_STD,  # them; by default those of S3DIS
) -> Compose:
    """The clean vote of the sphere protocol: normalised colours and nothing else."""
    return Compose((ColorNormalize(mean, std),))


def s3dis_spheres_voting() -> Compose:
    """The further votes of the sphere protocol: the training's geometry, with every colour kept."""
    return Compose(
        (
            RotateAbout("z"),
            AnisotropicScale(0.7, 1.3),
            Mirror("x"),
            Jitter(0.001, 0.05),
            *s3dis_spheres_evaluation().steps,
        )
    )


def s3dis_spheres_training() -> Compose:
    """Augmentation of S3DIS spheres: that of the votes, and colours dropped from one sphere in five."""
    return Compose((*s3dis_spheres_voting().steps, ColorDrop(0.2)))


def scanobjectnn_evaluation() -> Compose:
    """What every object of ScanObjectNN and ModelNet40 goes through."""
    return Compose((Center(), UnitSphere()))


def scanobjectnn_training() -> Compose:
    """Augmentation of ScanObjectNN, whose up axis is y."""
    return Compose((*scanobjectnn_evaluation().steps, Jitter(0.01, 0.05), RotateAbout("y")))


def modelnet40_training() -> Compose:
    """Augmentation of ModelNet40 in the protocol of PointNet++: points dropped, size and place changed, no turn."""
    return Compose((*scanobjectnn_evaluation().steps, PointDropout(0.875), IsotropicScale(0.8, 1.25), Shift(0.1)))
