"""S3DIS (Stanford 3D Indoor Scene dataset): 6 areas, 271 rooms, 13 classes, in the block and the sphere protocol."""

from cloud_transformers.datasets.s3dis.blocks import prepare_blocks, s3dis_blocks, write_blocks
from cloud_transformers.datasets.s3dis.classes import AREAS, BLOCK_CLASSES, SPHERE_CLASSES
from cloud_transformers.datasets.s3dis.room_blocks import room_to_blocks
from cloud_transformers.datasets.s3dis.rooms import find_rooms, read_room
from cloud_transformers.datasets.s3dis.spheres import Projection, s3dis_spheres
from cloud_transformers.datasets.s3dis.subrooms import prepare_spheres

__all__ = [
    "AREAS",
    "BLOCK_CLASSES",
    "SPHERE_CLASSES",
    "Projection",
    "find_rooms",
    "prepare_blocks",
    "prepare_spheres",
    "read_room",
    "room_to_blocks",
    "s3dis_blocks",
    "s3dis_spheres",
    "write_blocks",
]
