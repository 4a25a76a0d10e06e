"""The page of a demonstration: input, prediction and truth, side by side, for the four tasks.

`section` reads the files of one task, scores and draws them; `write_showcase` puts the sections onto one page.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from cloud_transformers.report.showcase.page import write_showcase
from cloud_transformers.report.showcase.recognition import objects_section, room_section
from cloud_transformers.report.showcase.section import ANSWERS, Compared, Section
from cloud_transformers.report.showcase.shapes import partial_section, pictures_section
from cloud_transformers.world.showcase import Showcase

__all__ = ["ANSWERS", "SECTIONS", "Compared", "Section", "write_showcase"]

# task -> (folder of the demonstration, what it holds, the command that answered, the model's classes) -> its section
SECTIONS: dict[str, Callable[[Path, Showcase, str, tuple[str, ...]], Section]] = {
    "segmentation": room_section,
    "classification": objects_section,
    "completion": partial_section,
    "reconstruction": pictures_section,
}
