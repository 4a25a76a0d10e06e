"""The page itself: one .html file for any browser, phone or screen, light or dark, which asks no host for anything."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from cloud_transformers.files import whole_file
from cloud_transformers.pages import filled, save_page
from cloud_transformers.render.png import png
from cloud_transformers.render.sheets import side_by_side, stacked
from cloud_transformers.report.showcase.section import Section
from cloud_transformers.viewer import bundle, embedded

PAGE, OVERVIEW = Path("index.html"), Path("overview.png")


def write_showcase(
    folder: Path, sections: Sequence[Section], *, missing: Sequence[str], facts: Mapping[str, str]
) -> Path:
    """Writes index.html and overview.png, the four tasks in one picture. Returns the page's path.

    `missing` are sentences about tasks that are not shown; `facts` go to the foot of the page.
    """
    with whole_file(folder / OVERVIEW) as temporary:
        temporary.write_bytes(png(stacked([side_by_side(each.strip, gap=0) for each in sections])))
    values = {"sections": sections, "missing": missing, "facts": facts, "embedded": embedded, "bundle": bundle()}
    save_page(folder / PAGE, filled("cloud_transformers.report", "showcase.html", **values))
    return folder / PAGE
