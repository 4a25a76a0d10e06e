"""The page of the ablation table: what differs from the paper's experiment, a plot, and every number with its runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any

from cloud_transformers.files import whole_file
from cloud_transformers.report.page import STYLE

LABELS, PANEL, GAP, ROW, TOP = 180, 250, 24, 22, 58  # pixels: row names, a panel, between panels, a row, above the rows
LOWEST = -10.0  # points below the full model; what is lower is drawn at the edge with its number
OURS, PAPER, LINE = "#0072b2", "#d55e00", "#bbb"


def write_ablations(path: Path, found: Mapping[str, Any]) -> None:
    """The page, and its plot beside it as .svg, each written whole; `found`: see `recipes.ablation_table.summary`."""
    plot = ablation_plot(found)
    with whole_file(path.with_suffix(".svg")) as temporary:
        temporary.write_text(f"{plot}\n", encoding="utf-8")
    title = escape(f"Ablations of {found['recipe']}, size {found['size']}")
    differing = "".join(f"<li><b>{name}</b>: {escape(text)}" for name, text in found["differences"].items())
    text = (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}</title><style>{STYLE}</style></head>'
        f"<body><h1>{title}</h1><p><b>Protocol:</b> {escape(found['protocol'])}<br><b>Runs:</b> {found['finished']} of "
        f"{found['wanted']} finished, {found['cpu_minutes']:g} minutes of processor time, "
        f"{escape(found['environment']['machine'])}, {escape(found['environment']['started'])}</p>"
        + (f"<p>The paper's columns are another experiment. What differs:</p><ul>{differing}</ul>" if differing else "")
        + f"{plot}{_table(found['rows'])}</body></html>\n"
    )
    with whole_file(path) as temporary:
        temporary.write_text(text, encoding="utf-8")


def ablation_plot(found: Mapping[str, Any]) -> str:
    """One row per ablation, one panel for us and one per column of the paper: points above or below the full model.

    A ring is the run of one seed, a disc their mean.
    """
    rows = found["rows"]
    full = next((row for row in rows if row["ablation"] == "full"), None)
    if full is None:
        return ""
    score = next(iter(full["scores"]))
    base = full["scores"][score]["mean"]
    ours = [
        ([run["scores"][score] - base for run in row["runs"]], row["scores"][score]["mean"] - base, OURS)
        for row in rows
    ]
    panels = [_Panel(f"ours: {found['recipe']} {found['size']}, {score}", ours)]
    for name, value in full["paper"].items():
        theirs = [row["paper"][name] for row in rows]
        changes = [(each - value if isinstance(each, float | int) else each) for each in theirs]
        panels.append(_Panel(f"paper: {name}", [([], change, PAPER) for change in changes]))
    values = [x for panel in panels for marks, mean, _ in panel.rows for x in (*marks, mean) if isinstance(x, float)]
    low, high = max(min(values, default=0.0), LOWEST) - 0.6, max(values, default=0.0) + 0.6
    width, height = LABELS + len(panels) * (PANEL + GAP), TOP + ROW * len(rows) + 26
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
        'font-family="sans-serif" font-size="12">',
        f'<rect width="{width}" height="{height}" fill="#fff"/>',
        '<text x="6" y="18" font-size="14">Points above or below the full model</text>',
    ]
    for number, row in enumerate(rows):
        y = TOP + ROW * number
        if number % 2 == 0:
            parts.append(f'<rect y="{y}" width="{width}" height="{ROW}" fill="#f5f5f5"/>')
        parts.append(f'<text x="{LABELS - 10}" y="{y + 15}" text-anchor="end">{escape(row["ablation"])}</text>')
    for number, panel in enumerate(panels):
        parts += panel.drawn(LABELS + number * (PANEL + GAP), low, high, height)
    return "".join([*parts, "</svg>"])


class _Panel:
    def __init__(self, title: str, rows: Sequence[tuple[Sequence[float], float | str | None, str]]) -> None:
        self.title, self.rows = title, rows  # of each row: single runs, their mean or a word or nothing, a colour

    def drawn(self, left: int, low: float, high: float, height: int) -> list[str]:
        def x(value: float) -> float:
            return left + (max(value, low) - low) / (high - low) * PANEL

        bottom = height - 22
        parts = [f'<text x="{left}" y="{TOP - 18}" font-weight="bold">{escape(self.title)}</text>']
        for tick in range(int(low // 2) * 2, int(high) + 1, 2):
            if tick > low:
                stroke = f'stroke="{"#555" if tick == 0 else LINE}" stroke-width="{1.2 if tick == 0 else 0.5}"'
                parts.append(f'<path d="M{x(tick):.1f},{TOP - 6}V{bottom}" {stroke}/>')
                parts.append(f'<text x="{x(tick):.1f}" y="{height - 8}" text-anchor="middle">{tick:+d}</text>')
        for number, (marks, mean, color) in enumerate(self.rows):
            y = TOP + ROW * number + ROW / 2
            if isinstance(mean, str):
                parts.append(f'<text x="{left + 4}" y="{y + 4}" fill="{color}" font-style="italic">{escape(mean)}</text>')
            elif mean is not None and mean < low:
                parts.append(f'<text x="{left + 4}" y="{y + 4}" fill="{color}">&#9664; {mean:+.1f}</text>')
            elif mean is not None:
                parts += [f'<circle cx="{x(m):.1f}" cy="{y}" r="3.5" fill="none" stroke="{color}"/>' for m in marks]
                parts.append(f'<circle cx="{x(mean):.1f}" cy="{y}" r="4.5" fill="{color}"/>')
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
