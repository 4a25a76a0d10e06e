"""How good a prediction is: every number carries its definition, its unit and its sample count."""

from cloud_transformers.metrics.confusion import ConfusionMatrix
from cloud_transformers.metrics.score import Score
from cloud_transformers.metrics.shapes import CategoryAverage, ShapeDistances, emd_distance

__all__ = ["CategoryAverage", "ConfusionMatrix", "Score", "ShapeDistances", "emd_distance"]
