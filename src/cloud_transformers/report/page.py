"""The results page of a run: scores with definitions, curves, classes, confusion matrix, best and worst samples."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from cloud_transformers.engine.evaluation import Shown
from cloud_transformers.engine.results import Results
from cloud_transformers.pages import filled, save_page
from cloud_transformers.render.clouds import portrait
from cloud_transformers.render.colors import label_colors
from cloud_transformers.render.png import as_uri
from cloud_transformers.report.curves import curve
from cloud_transformers.tasks import Image, Panel
from cloud_transformers.viewer import Scene, Start, bundle, embedded

SIDE = 200  # of a sample's pictures, in pixels


def write_page(path: Path, results: Results, records: Sequence[Mapping[str, Any]]) -> None:
    """The `results` of an evaluation as one .html file that needs nothing else, written whole or not at all.

    `records` are the lines of metrics.jsonl, for the curves.
    """
    text = filled(
        "cloud_transformers.report",
        "results.html",
        results=results,
        curves=_curves(records),
        best=[_sample(shown) for shown in results.best],
        worst=[_sample(shown) for shown in results.worst],
        side=SIDE,
        embedded=embedded,
        bundle=bundle() if results.best or results.worst else "",
    )
    save_page(path, text)


def _curves(records: Sequence[Mapping[str, Any]]) -> list[str]:
    steps = [record for record in records if "loss" in record]
    checks = [record for record in records if "validation" in record]
    drawn = [
        curve(name.replace("_", " "), [(record["step"], record[name]) for record in steps])
        for name in ("loss", "learning_rate", "gradient_norm")
    ]
    names = list(checks[0]["validation"]) if checks else []
    drawn += [
        curve(f"validation: {name}", [(record["step"], record["validation"][name]) for record in checks])
        for name in names[:3]
    ]
    return [svg for svg in drawn if svg]


def _sample(shown: Shown) -> dict[str, Any]:
    """What the template shows of a sample."""
    panels = [panel for panel in shown.panels if isinstance(panel, Panel)]
    return {
        "name": shown.name,
        "caption": shown.caption,
        "panels": [{"title": panel.title, "uri": as_uri(_pixels(panel))} for panel in shown.panels],
        "legend": _legend(panels),
        "scene": _scene(shown.caption, panels) if panels else None,
    }


def _scene(title: str, panels: Sequence[Panel]) -> Scene:
    names = next((panel.names for panel in panels if panel.names), ())
    clouds = {panel.title: panel.cloud for panel in panels}
    start: Start = {"layout": "side" if len(panels) > 1 else "single"}
    return Scene.of(clouds, classes=names, title=title, up=panels[0].up, start=start)


def _pixels(panel: Panel | Image) -> Any:
    return panel.pixels if isinstance(panel, Image) else portrait(panel.cloud, panel.field, up=panel.up, side=SIDE)


def _legend(panels: Sequence[Panel]) -> list[tuple[str, list[int]]]:
    """Names and colours of the labels that a sample's clouds hold."""
    named = [panel for panel in panels if panel.names and panel.field is not None]
    found = {int(label) for panel in named for label in np.unique(panel.cloud.fields[panel.field or ""])}
    return [
        (named[0].names[label] if label >= 0 else "no label", label_colors(np.array([label]))[0].tolist())
        for label in sorted(found)
    ]
