"""PointCloud, one cloud with named fields per point, and CloudBatch, several clouds padded for the models.

`coordinates` splits what is too large for float32, `naming` says which columns make up which field, and `exchange`
knows pandas and Open3D.
"""

from cloud_transformers.cloud.batch import CloudBatch
from cloud_transformers.cloud.point_cloud import PointCloud

__all__ = ["CloudBatch", "PointCloud"]
