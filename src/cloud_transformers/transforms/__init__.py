"""SAMPLE -> SAMPLE: small, pure, printable, seeded. Each takes a sample and a numpy Generator and gives back a copy.

Begin with `Compose`, which puts several into a row, and the ready-made rows of the benchmarks (`scanobjectnn_training`,
`s3dis_blocks_training` ...). What they do: pose and size (`RotateAbout`, `AnisotropicScale`, `Mirror`, `Shift`,
`Jitter`, `Upright`), normalisation (`Center`, `UnitSphere`, `UnitDiagonal`, `Scale`), the number of points
(`FixedCount`, `GridSubsample`, `PointDropout`), crops of scenes (`BlockCrop`, `SphereCrop`), colours (`Color...`),
pictures (`ResizeImage`, `MirrorImage`, `ImageZoom`, `ImageBackdrop`, `ImageExposure`).
`moved` is for transforms of your own: it moves positions, normals and the recorded frame together.
"""

from cloud_transformers.transforms.affine import moved
from cloud_transformers.transforms.color import (
    ColorAutocontrast,
    ColorDrop,
    ColorHueSaturation,
    ColorJitter,
    ColorNormalize,
    ColorTranslation,
)
from cloud_transformers.transforms.compose import Compose, Transform
from cloud_transformers.transforms.count import FixedCount, GridSubsample, PointDropout
from cloud_transformers.transforms.crop import BlockCrop, KeepHeight, SphereCrop
from cloud_transformers.transforms.fields import StandardizeFields
from cloud_transformers.transforms.geometry import (
    AnisotropicScale,
    IsotropicScale,
    Jitter,
    Mirror,
    RotateAbout,
    Shift,
    Upright,
)
from cloud_transformers.transforms.image import ImageBackdrop, ImageExposure, ImageZoom, MirrorImage, ResizeImage
from cloud_transformers.transforms.normalize import Center, Scale, UnitDiagonal, UnitSphere
from cloud_transformers.transforms.protocols import (
    modelnet40_training,
    s3dis_blocks_training,
    s3dis_spheres_evaluation,
    s3dis_spheres_training,
    s3dis_spheres_voting,
    scanobjectnn_evaluation,
    scanobjectnn_training,
)

__all__ = [
    "AnisotropicScale",
    "BlockCrop",
    "Center",
    "ColorAutocontrast",
    "ColorDrop",
    "ColorHueSaturation",
    "ColorJitter",
    "ColorNormalize",
    "ColorTranslation",
    "Compose",
    "FixedCount",
    "GridSubsample",
    "ImageBackdrop",
    "ImageExposure",
    "ImageZoom",
    "IsotropicScale",
    "Jitter",
    "KeepHeight",
    "Mirror",
    "MirrorImage",
    "PointDropout",
    "ResizeImage",
    "RotateAbout",
    "Scale",
    "Shift",
    "SphereCrop",
    "StandardizeFields",
    "Transform",
    "UnitDiagonal",
    "UnitSphere",
    "Upright",
    "modelnet40_training",
    "moved",
    "s3dis_blocks_training",
    "s3dis_spheres_evaluation",
    "s3dis_spheres_training",
    "s3dis_spheres_voting",
    "scanobjectnn_evaluation",
    "scanobjectnn_training",
]
