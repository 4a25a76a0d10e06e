"""The page of a table of trials: what differs from the paper's experiment, a plot, and every number with its runs."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cloud_transformers.pages import filled, save_page

LABELS, PANEL, GAP, ROW, TOP = (
    180,
    250,
    24,
    22,
    58,
)  # pixels: row names at least, a panel, between panels, a row, above the rows
OURS, PAPER = "#0072b2", "#d55e00"


def write_trials(path: Path, found: Mapping[str, Any]) -> None:
    """The page, and its plot beside it as .svg, each written whole; `found`: see `recipes.trial_table.summary`."""
    plot = trials_plot(found)
    if plot:
        save_page(path.with_suffix(".svg"), plot)
    save_page(path, filled("cloud_transformers.report", "trials.html", found=found, plot=plot))


def trials_plot(found: Mapping[str, Any]) -> str:
    """One row per variant; one panel for us and one per column of the paper, each with its own scale.

    A ring is the run of one seed, a disc the mean. Empty without the variant from which all is counted, and where a
    variant has no score.
    """
    rows = found["rows"]
    full = next((row for row in rows if row["variant"] == found["base"]), None)
    if full is None:
        return ""
    score = next(iter(full["scores"]))
    base = full["scores"][score]["mean"]
    if any(row["scores"].get(score, {}).get("mean") is None for row in rows):
        return ""
    labels = max(LABELS, 7 * max(len(row["variant"]) for row in rows))
    panels = [
        _Scale(
            f"ours: {found['recipe']} {found['size']}, {score}",
            labels,
            OURS,
            [row["scores"][score]["mean"] - base for row in rows],
            [[run["scores"][score] - base for run in row["runs"] if score in run["scores"]] for row in rows],
        )
    ]
    for name, value in full["paper"].items():
        theirs = [row["paper"][name] for row in rows]
        means = [each - value if isinstance(each, float) else each for each in theirs]
        panels.append(_Scale(f"paper: {name}", labels + len(panels) * (PANEL + GAP), PAPER, means))
    return filled(
        "cloud_transformers.report",
        "trials.svg",
        base=found["base"],
        names=[row["variant"] for row in rows],
        panels=panels,
        width=labels + len(panels) * (PANEL + GAP),
        height=TOP + ROW * len(rows) + 26,
        labels=labels,
        row=ROW,
        top=TOP,
    )


@dataclass(frozen=True)
class _Scale:
    """One panel: where its values lie across."""

    title: str
    left: int
    color: str
    means: Sequence[float | str | None]  # of each row: a difference, a word, or nothing
    runs: Sequence[Sequence[float]] = ()  # of each row: the differences behind its mean

    def _range(self) -> tuple[float, float]:
        values = [each for each in self.means if isinstance(each, float)] + [each for row in self.runs for each in row]
        margin = 0.06 * (max(values) - min(values)) or 1.0
        return min(values) - margin, max(values) + margin

    def x(self, value: float) -> str:
        low, high = self._range()
        return f"{self.left + (value - low) / (high - low) * PANEL:.1f}"

    def rings(self, row: int) -> Sequence[float]:
        return self.runs[row] if self.runs else ()

    def ticks(self) -> range:
        low, high = self._range()
        step = next((step for step in (1, 2, 5, 10) if (high - low) / step <= 8), 20)
        return range(math.ceil(low / step) * step, math.floor(high) + 1, step)
