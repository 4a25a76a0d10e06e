"""How good a prediction is: every number is a `Score`, with its definition, its unit and its sample count.

Recognition is counted in a `ConfusionMatrix` (IoU, accuracies); generated shapes are compared by `ShapeDistances`
(Chamfer, F-score) and `emd_distance`, and averaged over categories by `CategoryAverage`. `EmdGap` and `exact_emd` say
how far the auction's EMD is from the exact one; `calibration_error` says how far confidences can be believed.
"""

from cloud_transformers.metrics.calibration import calibration_error
from cloud_transformers.metrics.confusion import ConfusionMatrix
from cloud_transformers.metrics.emd_gap import EmdGap, exact_emd
from cloud_transformers.metrics.score import Score
from cloud_transformers.metrics.shapes import CategoryAverage, ShapeDistances, emd_distance

__all__ = [
    "CategoryAverage",
    "ConfusionMatrix",
    "EmdGap",
    "Score",
    "ShapeDistances",
    "calibration_error",
    "emd_distance",
    "exact_emd",
]
