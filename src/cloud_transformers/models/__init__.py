"""The four models, in named sizes, with the paper's options, and the official release's weights.

`segmenter`, `classifier`, `completer` and `reconstructor` build models with new weights; `save` and `load` keep them in
a file, with the `Preparation` that says what input they expect; `load_release` takes the official checkpoints.
"""

from cloud_transformers.models.ablations import ablations
from cloud_transformers.models.classifier import Classifier, classifier
from cloud_transformers.models.completer import Completer, completer
from cloud_transformers.models.preparation import Preparation
from cloud_transformers.models.reconstructor import Reconstructor, reconstructor
from cloud_transformers.models.release import load_release
from cloud_transformers.models.saving import load, load_prepared, save
from cloud_transformers.models.segmenter import Segmenter, segmenter
from cloud_transformers.models.trunk import TrunkOptions
from cloud_transformers.models.weights import find_weights

__all__ = [
    "Classifier",
    "Completer",
    "Preparation",
    "Reconstructor",
    "Segmenter",
    "TrunkOptions",
    "ablations",
    "classifier",
    "completer",
    "find_weights",
    "load",
    "load_prepared",
    "load_release",
    "reconstructor",
    "save",
    "segmenter",
]
