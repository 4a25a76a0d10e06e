"""PREDICTION -> LOSS, SCORES, PICTURE: the seam that lets one training loop serve four tasks.

`Task` says what a training loop asks of a task, `Tally` how its score is kept; `Segmentation`, `Classification`,
`Completion` and `Reconstruction` are the four, each with a batch of its own.
"""

from cloud_transformers.tasks.classification import Classification, ClassificationBatch
from cloud_transformers.tasks.completion import Completion, CompletionBatch
from cloud_transformers.tasks.reconstruction import Reconstruction, ReconstructionBatch
from cloud_transformers.tasks.segmentation import Segmentation, SegmentationBatch
from cloud_transformers.tasks.task import Batch, Image, Item, Panel, Tally, Task, Term
from cloud_transformers.tasks.vote_tally import VoteTally

__all__ = [
    "Batch",
    "Classification",
    "ClassificationBatch",
    "Completion",
    "CompletionBatch",
    "Image",
    "Item",
    "Panel",
    "Reconstruction",
    "ReconstructionBatch",
    "Segmentation",
    "SegmentationBatch",
    "Tally",
    "Task",
    "Term",
    "VoteTally",
]
