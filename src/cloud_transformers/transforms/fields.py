"""Fields of the files, other than colours, as features of a model."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cloud_transformers.cloud import PointCloud
from cloud_transformers.cloud.channels import standardized
from cloud_transformers.datasets.sample import AnySample, map_clouds


@dataclass(frozen=True)
class StandardizeFields:
    """Subtract the mean of each field [N] and divide by its deviation; a value that is not finite becomes 0."""

    names: tuple[str, ...]  # of the fields
    mean: tuple[float, ...]  # one for each name
    std: tuple[float, ...]  # likewise

    def __call__(self, sample: AnySample, rng: np.random.Generator) -> AnySample:
        scales = list(zip(self.names, self.mean, self.std, strict=True))

        def change(cloud: PointCloud) -> PointCloud:
            fields = {name: standardized(cloud.fields[name], mean, std) for name, mean, std in scales}
            return cloud.with_fields(**fields)

        return map_clouds(sample, change, sample.INPUTS)
