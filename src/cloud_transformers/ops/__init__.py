"""The operators of the cloud transform: TENSORS -> TENSORS. One folder each: contract, reference, fast kernels."""

from cloud_transformers.ops.derasterize import derasterize
from cloud_transformers.ops.rasterize import rasterize

__all__ = ["derasterize", "rasterize"]
