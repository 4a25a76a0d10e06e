"""Looking into a model at work: how far points see, what its heads do, how a sphere becomes a shape.

Functions first: each returns numbers and arrays; pictures and pages are made of those. On the command line they are
`cloudt inspect interaction`, `heads` and `folding`. Begin with `open_subject`: a subject makes inputs of a cloud, and
shows its blocks at work on them; `interaction`, `heads` and `folding` look at those.
"""

from cloud_transformers.inspect.folding import Folding, check_folds, folding
from cloud_transformers.inspect.heads import Head, heads, heads_json
from cloud_transformers.inspect.interaction import BlockReach, Interaction, interaction, interactions
from cloud_transformers.inspect.subject import ModelInput, Subject, open_subject
from cloud_transformers.inspect.walk import SeenBlock, SeenGroup, seen_blocks

__all__ = [
    "BlockReach",
    "Folding",
    "Head",
    "Interaction",
    "ModelInput",
    "SeenBlock",
    "SeenGroup",
    "Subject",
    "check_folds",
    "folding",
    "heads",
    "heads_json",
    "interaction",
    "interactions",
    "open_subject",
    "seen_blocks",
]
