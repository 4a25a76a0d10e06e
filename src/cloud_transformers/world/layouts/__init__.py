"""Writers of the benchmarks' layouts, filled from the world. `LAYOUTS` maps a layout's name to its writer.

A writer takes a `LayoutJob` and returns one sentence on what it wrote. Files appear whole or not at all; a job that was
interrupted goes on where it stopped when it is run again with the same settings.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from cloud_transformers.world.layouts.completion import write_completion
from cloud_transformers.world.layouts.job import LayoutJob
from cloud_transformers.world.layouts.modelnet40 import write_modelnet40
from cloud_transformers.world.layouts.reconstruction import write_reconstruction
from cloud_transformers.world.layouts.s3dis import write_s3dis
from cloud_transformers.world.layouts.scanobjectnn import write_scanobjectnn
from cloud_transformers.world.layouts.scans import write_scanned_objects, write_scans

__all__ = ["LAYOUTS", "LayoutJob", "LayoutWriter"]


@dataclass(frozen=True)
class LayoutWriter:
    write: Callable[[LayoutJob], str]
    size: int  # how much is written unless the user says
    unit: str  # what --size counts


LAYOUTS = {
    "s3dis": LayoutWriter(write_s3dis, 30, "rooms, dealt out to Area_1 ... Area_6 in turn"),
    "scanobjectnn": LayoutWriter(write_scanobjectnn, 1500, "training objects, and a quarter as many for test"),
    "modelnet40": LayoutWriter(write_modelnet40, 2000, "training objects, and a quarter as many for test"),
    "completion": LayoutWriter(write_completion, 400, "training objects, and an eighth as many for val and for test"),
    "reconstruction": LayoutWriter(
        write_reconstruction, 300, "training objects, and an eighth as many for val and test"
    ),
    "scans": LayoutWriter(write_scans, 200, "training scans, a sixteenth as many for val, an eighth for test"),
    "scanned-objects": LayoutWriter(write_scanned_objects, 200, "as for scans; a scan has about eight objects"),
}
