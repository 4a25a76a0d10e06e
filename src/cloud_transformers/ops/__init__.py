"""The operators of the cloud transform: TENSORS -> TENSORS. One folder each: contract, reference, fast kernels.

Begin with `rasterize` (points to grid), `derasterize` (grid to points) and `cloud_transform` (both, with a convolution
between them). `nearest` and `emd` compare clouds. `use_backend` chooses who computes. The others are parts of a block.

Letters: B batch, N points, H heads, C channels per head, D grid dimension. A wrong shape is a ValueError.
"""

from cloud_transformers.ops.backend import use_backend
from cloud_transformers.ops.block import BlockTensors, HeadGroup, fused_block, is_fusible
from cloud_transformers.ops.block.evaluation import PreparedBlock, evaluate_block
from cloud_transformers.ops.derasterize import derasterize
from cloud_transformers.ops.emd import emd
from cloud_transformers.ops.keys import project_keys
from cloud_transformers.ops.nearest import nearest
from cloud_transformers.ops.norm import normalize, normalize_apart, scale_and_shift
from cloud_transformers.ops.rasterize import rasterize
from cloud_transformers.ops.rotation import head_rotations
from cloud_transformers.ops.rotation.reference import rotation_matrix
from cloud_transformers.ops.transform import cloud_transform

__all__ = [
    "BlockTensors",
    "HeadGroup",
    "PreparedBlock",
    "cloud_transform",
    "derasterize",
    "emd",
    "evaluate_block",
    "fused_block",
    "head_rotations",
    "is_fusible",
    "nearest",
    "normalize",
    "normalize_apart",
    "project_keys",
    "rasterize",
    "rotation_matrix",
    "scale_and_shift",
    "use_backend",
]
