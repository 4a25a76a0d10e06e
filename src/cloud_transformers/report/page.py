"""The results page of a run: scores with definitions, curves, classes, confusion matrix, best and worst samples."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any

import numpy as np

from cloud_transformers.engine.evaluation import Shown
from cloud_transformers.engine.results import Results
from cloud_transformers.files import whole_file
from cloud_transformers.metrics import Score
from cloud_transformers.render.drawing import as_uri, draw, label_colors
from cloud_transformers.report.curves import curve
from cloud_transformers.tasks import Image, Panel

STYLE = """
body { font: 15px/1.45 system-ui, sans-serif; max-width: 1000px; margin: 2em auto; padding: 0 1em; color: #222 }
table { border-collapse: collapse; margin: .6em 0 } td, th { padding: .2em .7em; text-align: left }
td.n { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums }
tr:nth-child(even) { background: #f5f5f5 }
.matrix { font-size: 11px } .matrix td { text-align: right; padding: .15em .35em } figure { display: inline-block;
margin: .3em } figcaption { font-size: 12px; color: #555 } img { image-rendering: pixelated; border: 1px solid #ddd }
.sample { margin: 0 0 1.6em } .sample p { margin: .1em .3em } .from { font-size: 12px; color: #777 }
.legend { font-size: 12px } .legend i { display: inline-block; width: .9em; height: .9em; margin: 0 .3em -.1em .6em }
"""
SIDE = 200  # of a sample's pictures, in pixels


def write_page(path: Path, results: Results, records: Sequence[Mapping[str, Any]]) -> None:
    """One .html file that needs nothing else, written whole or not at all. `records` are the lines of metrics.jsonl."""
    parts = [
        f"<h1>{escape(results.recipe)}</h1>",
        f"<p><b>Protocol:</b> {escape(results.protocol)}<br><b>Weights:</b> {escape(results.weights)}<br>"
        f"<b>Data:</b> {escape(str(results.facts.get('data', '')))}<br><b>Time:</b> {results.seconds:.1f} s</p>",
        *(f"<p><b>Note:</b> {escape(note)}</p>" for note in results.notes),
        "<h2>Scores</h2>",
        _scores(results.scores, with_definition=True),
        *_curves(records),
        *(["<h2>One by one</h2>", _scores(results.details, with_definition=False)] if results.details else []),
        *([f"<p>In neither truth nor prediction: {escape(', '.join(results.absent))}</p>"] if results.absent else []),
        *_matrix(results),
        *_samples("Best samples", results.best),
        *_samples("Worst samples", results.worst),
    ]
    write_html(path, f"{results.recipe}: {results.scores[0]}", parts)


def write_html(path: Path, title: str, parts: Sequence[str]) -> None:
    text = (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        f"<style>{STYLE}</style></head><body>{''.join(parts)}</body></html>\n"
    )
    with whole_file(path) as temporary:
        temporary.write_text(text, encoding="utf-8")


def _scores(scores: Sequence[Score], *, with_definition: bool) -> str:
    head = "<tr><th><th>value<th>unit<th>over" + ("<th>definition" if with_definition else "")
    rows = [
        f'<tr><td>{escape(score.name)}<td class="n">{score.value:.4g}<td>{escape(score.unit)}'
        f'<td class="n">{score.num_samples:,} {escape(score.sample)}'
        + (f"<td>{escape(score.definition)}" if with_definition else "")
        for score in scores
    ]
    return f"<table>{head}{''.join(rows)}</table>"


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
    drawn = [svg for svg in drawn if svg]
    return ["<h2>Curves</h2>", *drawn] if drawn else []


def _matrix(results: Results) -> list[str]:
    """Rows are the truth; a cell's shade is its share of the row."""
    if not results.confusion:
        return []
    head = "<tr><th>truth \\ prediction" + "".join(f"<th>{escape(name)}" for name in results.classes)
    rows = []
    for name, counts in zip(results.classes, results.confusion, strict=True):
        total = max(sum(counts), 1)
        shades = [
            f"background:rgba(0,114,178,{count / total:.2f}){';color:#fff' if count / total > 0.5 else ''}"
            for count in counts
        ]
        cells = [f'<td style="{shade}">{count:,}' for shade, count in zip(shades, counts, strict=True)]
        rows.append(f"<tr><th>{escape(name)}{''.join(cells)}")
    return ["<h2>Confusion matrix</h2>", f'<table class="matrix">{head}{"".join(rows)}</table>']


def _samples(title: str, samples: Sequence[Shown]) -> list[str]:
    if not samples:
        return []
    parts = [f"<h2>{title}</h2>"]
    for sample in samples:
        figures = "".join(_figure(panel) for panel in sample.panels)
        legend = _legend([panel for panel in sample.panels if isinstance(panel, Panel)])
        parts.append(
            f'<div class="sample">{figures}<p><b>{escape(sample.caption)}</b>{legend}<br>'
            f'<span class="from">{escape(sample.name)}</span></p></div>'
        )
    return parts


def _figure(panel: Panel | Image) -> str:
    pixels = panel.pixels if isinstance(panel, Image) else draw(panel.cloud, panel.field, up=panel.up, side=SIDE)
    return (
        f'<figure><img src="{as_uri(pixels)}" width="{SIDE}" height="{SIDE}" alt="{escape(panel.title)}">'
        f"<figcaption>{escape(panel.title)}</figcaption></figure>"
    )


def _legend(panels: Sequence[Panel]) -> str:
    """The colours of the labels that a sample's clouds hold, with the labels' names."""
    named = [panel for panel in panels if panel.names and panel.field is not None]
    found = {int(label) for panel in named for label in np.unique(panel.cloud.fields[panel.field or ""])}
    entries = [
        f'<i style="background:rgb({",".join(map(str, label_colors(np.array([label]))[0]))})"></i>'
        + escape(named[0].names[label] if label >= 0 else "no label")
        for label in sorted(found)
    ]
    return f'<br><span class="legend">{" ".join(entries)}</span>' if entries else ""
