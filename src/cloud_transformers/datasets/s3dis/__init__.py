"""S3DIS (Stanford 3D Indoor Scene dataset): 6 areas, 271 rooms, 13 classes, in the block and the sphere protocol."""

from cloud_transformers.datasets.s3dis.classes import AREAS, BLOCK_CLASSES, SPHERE_CLASSES
from cloud_transformers.datasets.s3dis.room_blocks import room_to_blocks

__all__ = ["AREAS", "BLOCK_CLASSES", "SPHERE_CLASSES", "room_to_blocks"]
