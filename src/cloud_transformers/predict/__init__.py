"""CLOUD -> ANSWER: numpy in, numpy out. A weight file is enough: it says itself what its input must look like.

`Predictor.load` opens weights and returns the predictor of their task, which is called with a cloud or a picture.
"""

from cloud_transformers.class_colors import class_colors
from cloud_transformers.models.weights import find_weights
from cloud_transformers.predict.classification import Classification, ClassificationPredictor
from cloud_transformers.predict.completion import CompletionPredictor
from cloud_transformers.predict.labels import labelled
from cloud_transformers.predict.predictor import AnyPredictor, Predictor
from cloud_transformers.predict.reconstruction import ReconstructionPredictor
from cloud_transformers.predict.segmentation import Segmentation, SegmentationPredictor

__all__ = [
    "AnyPredictor",
    "Classification",
    "ClassificationPredictor",
    "CompletionPredictor",
    "Predictor",
    "ReconstructionPredictor",
    "Segmentation",
    "SegmentationPredictor",
    "class_colors",
    "find_weights",
    "labelled",
]
