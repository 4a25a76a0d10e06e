"""What training minimises: PREDICTION, TARGET -> a number with a gradient.

`segmentation_loss`, `classification_loss` and `foreground_loss` are means over a batch; `emd_loss` and `chamfer` give
one number per cloud.
"""

from cloud_transformers.losses.chamfer import chamfer
from cloud_transformers.losses.cross_entropy import classification_loss, foreground_loss, segmentation_loss
from cloud_transformers.losses.emd import emd_loss

__all__ = ["chamfer", "classification_loss", "emd_loss", "foreground_loss", "segmentation_loss"]
