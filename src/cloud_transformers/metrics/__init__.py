"""How good a prediction is: every number carries its definition, its unit and its sample count."""

from cloud_transformers.metrics.confusion import ConfusionMatrix
from cloud_transformers.metrics.emd_gap import EmdGap, exact_emd
from cloud_transformers.metrics.score import Score
from cloud_transformers.metrics.shapes import CategoryAverage, ShapeDistances, emd_distance

__all__ = ["CategoryAverage", "ConfusionMatrix", "EmdGap", "Score", "ShapeDistances", "emd_distance", "exact_emd"]
