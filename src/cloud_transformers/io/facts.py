"""What is known of a cloud as a whole, as formats carry it: its coordinate system and the step of its coordinates.

`metadata["crs"]` is text: WKT, or a code such as EPSG:32632. `metadata["scale"]` are three numbers, the step in which
the coordinates were stored. Formats that have comments carry each as a line of its name and its value.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

FACTS = ("crs", "scale")


def fact_lines(metadata: Mapping[str, Any]) -> list[str]:
    """The facts, one line of text each."""
    lines = []
    if crs := " ".join(str(metadata.get("crs") or "").split()):
        lines.append(f"crs {crs}")
    if (scale := usable_scale(metadata.get("scale"))) is not None:
        lines.append("scale " + " ".join(f"{value!r}" for value in scale.tolist()))
    return lines


def facts_in(lines: Iterable[str]) -> dict[str, Any]:
    """The facts among lines of text; others are passed over."""
    facts: dict[str, Any] = {}
    for line in lines:
        name, _, value = line.strip().partition(" ")
        if name == "crs" and value.strip():
            facts["crs"] = value.strip()
        elif name == "scale" and (scale := usable_scale(value.split())) is not None:
            facts["scale"] = scale.tolist()
    return facts


def is_fact(line: str) -> bool:
    return bool(facts_in([line]))


def usable_scale(values: Any) -> NDArray[np.float64] | None:
    """Three steps above zero, or None if that is not what they are."""
    try:
        scale = np.asarray(values, np.float64)
    except (TypeError, ValueError):
        return None
    return scale if scale.shape == (3,) and np.isfinite(scale).all() and (scale > 0).all() else None


def short_crs(crs: str) -> str:
    """A coordinate system in a few words: its name, with the EPSG code when the text has one."""
    name = re.match(r'\s*\w+\s*\[\s*"([^"]*)"', crs)
    code = re.search(r'(?:AUTHORITY\s*\[\s*"EPSG"\s*,\s*"?|ID\s*\[\s*"EPSG"\s*,\s*)(\d+)"?\s*\]\s*\]\s*$', crs)
    if name is None:
        return crs.strip()[:80]
    return f"{name[1]} (EPSG:{code[1]})" if code else name[1]


def lost_facts(metadata: Mapping[str, Any], *, carries_facts: bool, module: str) -> list[str]:
    """What a cloud's file said of it as a whole and a format has no place for, each in a few words."""
    lost = []
    if not carries_facts and metadata.get("crs"):
        lost.append(f"the coordinate system ({short_crs(metadata['crs'])})")
    las = metadata.get("las", {})
    if las.get("copc"):
        lost.append("the octree of COPC")
    records = [*las.get("records", ()), *las.get("extended_records", ())]
    if module != "las" and (others := sum(record["user_id"] != "LASF_Projection" for record in records)):
        lost.append(f"{others} other records of its header")
    pcd = metadata.get("pcd", {})
    if module != "pcd" and pcd.get("height", 1) > 1:
        lost.append(f"the raster of the scan ({pcd['width']} x {pcd['height']})")
    elements = metadata.get("ply", {}).get("other_elements", {})
    return lost + [f"{count} of element {name}" for name, count in elements.items() if count]
