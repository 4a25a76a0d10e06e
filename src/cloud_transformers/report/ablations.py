"""The page of the ablation table: what differs from the paper's experiment, a plot, and every number with its runs."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

from cloud_transformers.files import whole_file
from cloud_transformers.report.page import write_html

LABELS, PANEL, GAP, ROW, TOP = 180, 250, 24, 22, 58  # pixels: row names, a panel, between panels, a row, above the rows
OURS, PAPER, LINE = "#0072b2", "#d55e00", "#bbb"


def write_ablations(path: Path, found: Mapping[str, Any]) -> None:
    """The page, and its plot beside it as .svg, each written whole; `found`: see `recipes.ablation_table.summary`."""
    plot = ablation_plot(found)
    if plot:
        with whole_file(path.with_suffix(".svg")) as temporary:
            temporary.write_text(f"{plot}\n", encoding="utf-8")
    title = f"Ablations of {found['recipe']}, size {found['size']}"
    differing = "".join(f"<li><b>{name}</b>: {escape(text)}" for name, text in found["differences"].items())
    place = f"{found['environment']['machine']}, {found['environment']['started']}"
    parts = [
        f"<h1>{escape(title)}</h1><p><b>Protocol:</b> {escape(found['protocol'])}<br>",
        f"<b>Runs:</b> {found['finished']} of {found['wanted']} finished, {found['cpu_minutes']:g} minutes of a core, ",
        f"{escape(place)}</p>",
        f"<p>The paper's columns are another experiment. What differs:</p><ul>{differing}</ul>" if differing else "",
        plot,
        _table(found["rows"]),
    ]
    write_html(path, title, parts)


def ablation_plot(found: Mapping[str, Any]) -> str:
    """One row per ablation; one panel for us and one per column of the paper, each with its own scale.

    A ring is the run of one seed, a disc the mean. Empty without a full model, from which all is counted.
    """
    rows = found["rows"]
    full = next((row for row in rows if row["ablation"] == "full"), None)
    if full is None:
        return ""
    score = next(iter(full["scores"]))
    base = full["scores"][score]["mean"]
    panels = [
        _Panel(
            f"ours: {found['recipe']} {found['size']}, {score}",
            OURS,
            [row["scores"][score]["mean"] - base for row in rows],
            [[run["scores"][score] - base for run in row["runs"]] for row in rows],
        )
    ]
    for name, value in full["paper"].items():
        theirs = [row["paper"][name] for row in rows]
        panels.append(
            _Panel(f"paper: {name}", PAPER, [each - value if isinstance(each, float) else each for each in theirs])
        )
    width, height = LABELS + len(panels) * (PANEL + GAP), TOP + ROW * len(rows) + 26
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
        f'font-family="sans-serif" font-size="12"><rect width="{width}" height="{height}" fill="#fff"/>',
        '<text x="6" y="18" font-size="14">Points above or below the full model</text>',
    ]
    for number, row in enumerate(rows):
        y = TOP + ROW * number
        if number % 2 == 0:
            parts.append(f'<rect y="{y}" width="{width}" height="{ROW}" fill="#f5f5f5"/>')
        parts.append(f'<text x="{LABELS - 10}" y="{y + 15}" text-anchor="end">{escape(row["ablation"])}</text>')
    for number, panel in enumerate(panels):
        parts += panel.drawn(LABELS + number * (PANEL + GAP), height)
    return "".join([*parts, "</svg>"])


@dataclass(frozen=True)
class _Panel:
    title: str
    color: str
    means: Sequence[float | str | None]  # of each row: a difference, a word, or nothing
    runs: Sequence[Sequence[float]] = ()  # of each row: the differences behind its mean

    def drawn(self, left: int, height: int) -> list[str]:
        values = [each for each in self.means if isinstance(each, float)] + [each for row in self.runs for each in row]
        margin = 0.06 * (max(values) - min(values)) or 1.0
        low, high = min(values) - margin, max(values) + margin

        def x(value: float) -> str:
            return f"{left + (value - low) / (high - low) * PANEL:.1f}"

        parts = [f'<text x="{left}" y="{TOP - 18}" font-weight="bold">{escape(self.title)}</text>']
        step = next((step for step in (1, 2, 5, 10) if (high - low) / step <= 8), 20)
        for tick in range(math.ceil(low / step) * step, math.floor(high) + 1, step):
            stroke = f'stroke="{"#555" if tick == 0 else LINE}" stroke-width="{1.2 if tick == 0 else 0.5}"'
            parts.append(f'<path d="M{x(tick)},{TOP - 6}V{height - 22}" {stroke}/>')
            parts.append(
                f'<text x="{x(tick)}" y="{height - 8}" text-anchor="middle">{f"{tick:+d}" if tick else 0}</text>'
            )
        for number, mean in enumerate(self.means):
            y = TOP + ROW * number + ROW / 2
            if isinstance(mean, str):
                parts.append(f'<text x="{left + 4}" y="{y + 4}" fill="{self.color}">{escape(mean)}</text>')
            elif mean is not None:
                rings = self.runs[number] if self.runs else ()
                parts += [f'<circle cx="{x(one)}" cy="{y}" r="4" fill="none" stroke="{self.color}"/>' for one in rings]
                parts.append(f'<circle cx="{x(mean)}" cy="{y}" r="4" fill="{self.color}"/>')
        return parts


def _table(rows: Sequence[Mapping[str, Any]]) -> str:
    if not rows:
        return ""
    papers, scores = list(rows[0]["paper"]), list(rows[0]["scores"])
    head = "<tr><th>ablation<th>parameters" + "".join(f"<th>paper, {escape(name)}" for name in papers)
    head += "".join(f"<th>{escape(name)}, mean<th>spread<th>by seed" for name in scores)
    lines = []
    for row in rows:
        line = f'<tr><td>{escape(row["ablation"])}<td class="n">{row["parameters"]:,}'
        line += "".join(f'<td class="n">{"-" if (value := row["paper"][name]) is None else value}' for name in papers)
        for name in scores:
            seeds = ", ".join(f"{run['scores'][name]:.2f}" for run in row["runs"])
            of = row["scores"][name]
            line += f'<td class="n">{of["mean"]:.2f}<td class="n">{of["spread"]:.2f}<td class="n">{seeds}'
        lines.append(line)
    return f"<table>{head}{''.join(lines)}</table><p>Spread: the largest less the smallest of the seeds.</p>"
