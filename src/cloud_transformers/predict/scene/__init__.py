"""Scenes of any size: cut into overlapping regions, scored, and put together again, point by point.

`segment_cloud` does it in memory; `segment_file` from file to file within a memory budget, resumable. How it works
and what it costs is in docs/scenes.md.
"""

from cloud_transformers.predict.scene.budget import Budget, memory_budget
from cloud_transformers.predict.scene.in_memory import segment_cloud
from cloud_transformers.predict.scene.sample import sample_of_file, sampled
from cloud_transformers.predict.scene.settings import SceneSettings
from cloud_transformers.predict.scene.source import content_of
from cloud_transformers.predict.scene.streamed import SceneReport, segment_file

__all__ = [
    "Budget",
    "SceneReport",
    "SceneSettings",
    "content_of",
    "memory_budget",
    "sample_of_file",
    "sampled",
    "segment_cloud",
    "segment_file",
]
