"""What the header of a LAS or LAZ file says, without a look at its points: some kilobytes of a file of any size."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from cloud_transformers.cloud import PointCloud
from cloud_transformers.io.extras import as_input_error, need
from cloud_transformers.io.las.blocks import as_block
from cloud_transformers.io.las.checks import check_las
from cloud_transformers.io.las.header import header_metadata
from cloud_transformers.io.options import ReadOptions


@dataclass(frozen=True, kw_only=True, eq=False)
class Summary:
    num_points: int
    low: NDArray[np.float64]  # [3] of the world coordinates, as the header has them
    high: NDArray[np.float64]  # [3]
    empty: PointCloud  # the fields and metadata that all points together have, without any point


def read_summary(path: Path) -> Summary:
    """`path` may be a URL that is read in ranges."""
    laspy = need("laspy", path)
    facts = check_las(path, look_at_points=False)
    opened = path.open("rb")
    with as_input_error(path, "reading the LAS header"), opened as file, laspy.open(file, read_evlrs=False) as reader:
        header = reader.header
        if header.number_of_evlrs and not any(record.user_id == "copc" for record in header.vlrs):
            reader.read_evlrs()  # those of COPC are its octree: large, and of no use here
        nothing = laspy.ScaleAwarePointRecord.zeros(0, header=header)
        block = as_block(nothing, np.array(header.scales), np.array(header.offsets), ReadOptions())
        return Summary(
            num_points=facts.num_points,
            low=np.array(header.mins, np.float64),
            high=np.array(header.maxs, np.float64),
            empty=PointCloud(
                positions=np.zeros((0, 3), np.float32), fields=block.fields, metadata=header_metadata(header)
            ),
        )
