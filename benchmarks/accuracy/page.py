"""docs/results.md and its plots, of what is stored: tables that were not run are named as that, never filled in."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.accuracy import cost, plots, store
from benchmarks.accuracy.budget import LOOKS
from benchmarks.accuracy.table import Table
from cloud_transformers.decoding import read_object
from cloud_transformers.files import whole_file

DOCS = Path(__file__).parents[2] / "docs"
PLOTS = "images/results"
INTRODUCTION = """# Results beside others

Made by `python -m benchmarks.accuracy page` out of what is stored in `benchmarks/results/accuracy`, a file for each
run. Every model of a table has the same data, augmentation, loss, optimiser, batches and processor time of one core,
but for what is said below it.
A ± is the standard deviation over seeds.
"""


def publish(results: Path, tables: Mapping[str, type[Table]], docs: Path = DOCS) -> None:
    parts = [INTRODUCTION]
    for kind in tables.values():
        parts.append(_section(kind, store.results(results, kind.name), docs))
    parts += [_cost(store.results(results, cost.TABLE), docs), _ablations(docs)]
    _write(docs / "results.md", "\n".join(parts))


def _section(kind: type[Table], found: list[dict[str, Any]], docs: Path) -> str:
    command = f"python -m benchmarks.accuracy {' '.join(filter(None, (kind.name, kind.needs_data)))} --out RUNS"
    lines = [f"## {kind.title[0].upper()}{kind.title[1:]}", f"```\n{command}\n```"]
    budgets = sorted({row["minutes"] for row in found if row["model"]})
    for minutes in budgets:
        lines.append(f"{minutes:g} minutes of one core for each run{_when(found, minutes)}:\n")
        lines.append(_markdown(kind, found, minutes))
        lines.append(_missing(kind, found, minutes))
    if budgets:
        lines.append(kind.note and f"{kind.note}\n")
        lines.append(_curves(kind, found, budgets[-1], docs))
    else:
        lines.append("No model was trained for this table yet.\n")
        if any("answers" in row for row in found):
            lines.append("What needs no model:\n\n" + _markdown(kind, found, kind.minutes))
    return "\n".join(filter(None, lines)) + "\n"


def _markdown(kind: type[Table], found: list[dict[str, Any]], minutes: float) -> str:
    headings = ("", *(column.name for column in kind.columns), *store.HEADINGS, "runs")
    lines = [headings, ("---",) * len(headings)]
    lines += [(row.name, *row.cells, str(row.runs or "")) for row in store.rows(kind, found, minutes)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"


def _missing(kind: type[Table], found: list[dict[str, Any]], minutes: float) -> str:
    ran = {row["model"] for row in found if row.get("minutes") == minutes}
    absent = [name for name in kind.models if name not in ran]
    return f"Not run with this budget: {'; '.join(absent)}.\n" if absent else ""


def _when(found: list[dict[str, Any]], minutes: float) -> str:
    runs = [row for row in found if row.get("minutes") == minutes]
    dates = sorted({row["date"][:10] for row in runs})
    machines = sorted({f"{row['machine']['processor']}, {row['machine']['kernels']} kernels" for row in runs})
    return f" ({' to '.join(sorted({dates[0], dates[-1]}))}; {'; '.join(machines)})"


def _curves(kind: type[Table], found: list[dict[str, Any]], minutes: float, docs: Path) -> str:
    """The score by time: at some moments of each run, on at most a few hundred test samples but for the last."""
    series = {}
    for name in kind.models:
        curves = [np.array(row["curve"]) for row in found if row["model"] == name and row["minutes"] == minutes]
        whole = [curve for curve in curves if len(curve) == len(LOOKS) + 1]
        if whole:
            series[name] = [(x / 60, y) for x, y in np.mean(whole, axis=0).tolist()]
    if not series:
        return ""
    title = f"{kind.columns[0].name} against time"
    _write(docs / PLOTS / f"{kind.name}.svg", plots.lines(title, "minutes of one core", series))
    return f"![{title}]({PLOTS}/{kind.name}.svg)\n"


def _cost(found: list[dict[str, Any]], docs: Path) -> str:
    lines = ["## Cost and memory against points", "```\npython -m benchmarks.accuracy.cost\n```"]
    if not found:
        return "\n".join([*lines, "Not measured yet.\n"])
    names = [name for name in cost.MODELS if any(row["model"] == name for row in found)]
    lines.append(
        "Segmenters in evaluation, one cloud at a time, one thread; memory is the peak above the weights. What grows "
        "in PointNet++ and PointNeXt is their search for points that lie far apart, in DGCNN a matrix of distances: "
        "users cut large clouds into blocks for them.\n"
    )
    for key, title, scale in (
        ("seconds", "microseconds per point", 1e6),
        ("MB", "bytes of memory per point", 1e6),
    ):
        series = {
            name: sorted((row["points"], scale * row[key] / row["points"]) for row in found if row["model"] == name)
            for name in names
        }
        _write(docs / PLOTS / f"cost_{key.lower()}.svg", plots.lines(title, "points", series, log_y=True))
        lines.append(f"![{title}]({PLOTS}/cost_{key.lower()}.svg)\n")
    return "\n".join(lines)


def _ablations(docs: Path) -> str:
    found = read_object(docs / "ablations.json")
    told = f"{found['finished']} runs of {found['recipe']}, size {found['size']}"
    return f"""## Ablations
{told}: [the table and its command](ablations.md).

![ours and the paper's columns, as differences to the full model](images/ablations.svg)
"""


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with whole_file(path) as temporary:
        temporary.write_text(text, encoding="utf-8")
