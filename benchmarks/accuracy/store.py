"""Results of single runs, each in a small file, so that a table fills over days; and the table that they make."""

from __future__ import annotations

import datetime
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks import machine
from benchmarks.accuracy.table import Column, Table
from cloud_transformers.decoding import read_object
from cloud_transformers.engine.run import write_json

RESULTS = Path(__file__).parents[1] / "results" / "accuracy"


@dataclass(frozen=True, kw_only=True)
class Folders:
    runs: Path  # checkpoints
    results: Path

    def result(self, table: str, name: str, minutes: float, seed: int) -> Path:
        return self.results / table / f"{_file_name(name, minutes, seed)}.json"

    def run(self, table: str, name: str, minutes: float, seed: int) -> Path:
        return self.runs / table / _file_name(name, minutes, seed)


def _file_name(name: str, minutes: float, seed: int) -> str:
    return f"{re.sub('[^a-z0-9+]+', '-', name.lower())}-{minutes:g}min-{seed}"


def keep(path: Path, table: str, model: str, facts: Mapping[str, Any]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    date = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
    write_json(path, {"table": table, "model": model, **facts, "date": date, "machine": machine.describe()})


def results(folder: Path, table: str) -> list[dict[str, Any]]:
    """All that is stored of a table."""
    return [read_object(path) for path in sorted((folder / table).glob("*.json"))]


@dataclass(frozen=True)
class Row:
    """A line of a table: one model, or an answer that needs none."""

    name: str
    cells: tuple[str, ...]  # one for each column, then parameters, clouds seen, clouds per second twice
    runs: int


HEADINGS = ("parameters", "clouds seen", "per s, training", "per s, answering")


def rows(kind: type[Table], found: list[dict[str, Any]], minutes: float) -> list[Row]:
    """What was run with this budget, in the order of the table's models; then what needs no model."""
    lines = []
    for name in kind.models:
        runs = [row for row in found if row["model"] == name and row["minutes"] == minutes]
        if runs:
            scores = [_cell([run[column.name] for run in runs], column) for column in kind.columns]
            means = {
                key: float(np.mean([run[key] for run in runs]))
                for key in ("clouds", "clouds per second in training", "clouds per second in evaluation")
            }
            facts = [f"{runs[0]['parameters']:,}", *(f"{value:,.0f}" for value in means.values())]
            lines.append(Row(name, (*scores, *facts), len(runs)))
    for row in found:
        for name, scores_of in row.get("answers", {}).items():
            cells = [_cell([scores_of[column.name]], column) for column in kind.columns]
            lines.append(Row(name, (*cells, *[""] * len(HEADINGS)), 0))
    return lines


def text_table(kind: type[Table], found: list[dict[str, Any]], minutes: float) -> str:
    headings = ("", *(column.name for column in kind.columns), *HEADINGS, "runs")
    lines = [headings, *((row.name, *row.cells, str(row.runs or "")) for row in rows(kind, found, minutes))]
    widths = [max(len(line[place]) for line in lines) for place in range(len(headings))]
    return "\n".join(
        "  ".join(cell.rjust(width) if place else cell.ljust(width) for place, (cell, width) in enumerate(pairs))
        for pairs in (list(zip(line, widths, strict=True)) for line in lines)
    )


def _cell(values: list[float], column: Column) -> str:
    mean = f"{np.mean(values):.{column.digits}f}"
    return f"{mean} ± {np.std(values, ddof=1):.{column.digits}f}" if len(values) > 1 else mean
