"""The table of trials: a row per variant, the mean of its seeds and how much they differ."""

from __future__ import annotations

import math
import statistics
import textwrap
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import torch

from cloud_transformers.engine.run import environment
from cloud_transformers.recipes.recipe import Recipe
from cloud_transformers.recipes.trials import Failure, Trial, finished


def summary(
    recipe: Recipe, wanted: Sequence[Trial], out: Path, *, title: str, failures: Sequence[Failure] = ()
) -> dict[str, Any]:
    """All finished trials among those wanted, ready for JSON.

    - `recipe`: what the variants are variants of. `out`: where the trials are.
    - `title`: what the table is called, as "Sweep". `failures`: the trials that came to no end.

    Changes are counted from the first variant.
    """
    found = [record for trial in wanted if (record := finished(trial, out)) is not None]
    now = environment()
    names = list(dict.fromkeys(trial.variant for trial in wanted))
    runs = {name: [record for record in found if record["variant"] == name] for name in names}
    return {
        "title": f"{title} of {recipe.name}",
        "base": names[0],
        "recipe": recipe.name,
        "size": recipe.model.size,
        "protocol": found[0]["protocol"] if found else "",
        "differences": {},  # from the paper's experiment, where its columns stand beside ours
        "finished": len(found),
        "wanted": len(wanted),
        "cpu_minutes": round(sum(record["cpu_seconds"] for record in found) / 60, 1),
        "environment": {**now, "machine": f"{now['machine']}, {torch.backends.cpu.get_cpu_capability()}"},
        "configuration": recipe.configuration(),
        "rows": [_row(name, records) for name, records in runs.items() if records],
        "failed": [
            {"variant": each.trial.variant, "seed": each.trial.seed, "reason": each.reason} for each in failures
        ],
    }


def _row(name: str, runs: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    scores = list(dict.fromkeys(score for run in runs for score in run["scores"]))
    return {
        "variant": name,
        "parameters": runs[0]["parameters"],
        "paper": {},
        "scores": {score: spread([run["scores"].get(score, math.nan) for run in runs]) for score in scores},
        "skipped": sum(run["skipped"] for run in runs),
        "runs": [{key: run[key] for key in ("seed", "scores", "loss", "cpu_seconds")} for run in runs],
    }


def spread(values: Sequence[float]) -> dict[str, Any]:
    """Mean, standard deviation and the largest less the smallest of some runs, and the first two as text.

    Runs without a finite score are left out; a single run has no deviation.
    """
    values = [value for value in values if math.isfinite(value)]
    if not values:
        return {"mean": None, "sd": None, "spread": None, "shown": "-"}
    mean, sd = statistics.fmean(values), statistics.stdev(values) if len(values) > 1 else None
    places = 2 if abs(mean) >= 1 else 4
    shown = f"{mean:.{places}f}" if sd is None else f"{mean:.{places}f} ± {sd:.{places}f}"
    return {
        "mean": round(mean, 4),
        "sd": None if sd is None else round(sd, 4),
        "spread": round(max(values) - min(values), 4),
        "shown": shown,
    }


def table(found: Mapping[str, Any]) -> str:
    """A summary as text. Where the paper's columns stand beside ours, what differs between the two comes first."""
    lines = [f"{found['title']}, {found['protocol']}"]
    if found["differences"]:
        lines.append("The paper's columns are another experiment. What differs:")
        for name, text in found["differences"].items():
            lines += textwrap.wrap(f"{name:<9} {text}", 118, initial_indent="  ", subsequent_indent=" " * 12)
    rows = found["rows"]
    if rows:
        lines += _columns(found)
    else:
        lines.append("No run is finished yet.")
    lines += [
        f"{row['variant']}: {row['skipped']} steps left out, their loss or gradient was not finite"
        for row in rows
        if row["skipped"]
    ]
    lines += [f"{each['variant']}, seed {each['seed']}: failed: {each['reason']}" for each in found["failed"]]
    if found["finished"] < found["wanted"]:
        lines.append(f"{found['finished']} of {found['wanted']} runs are finished; the same command goes on.")
    return "\n".join(lines)


def _columns(found: Mapping[str, Any]) -> list[str]:
    rows, base = found["rows"], found["base"]
    papers, scores = list(rows[0]["paper"]), list(rows[0]["scores"])[:2]
    seeds = sorted({run["seed"] for row in rows for run in row["runs"]})
    wide = max(23, *(len(row["variant"]) for row in rows))
    said = f"Seeds {', '.join(map(str, seeds))}: the mean ± standard deviation. "
    said += f"Last: the mean {scores[0]} less that of {base}."
    above = (
        f"{'':<{wide + 13}}" + "".join(f"  {'paper':>15}" for _ in papers) + "".join(f"  {'ours':>15}" for _ in scores)
    )
    head = f"{'variant':<{wide}} {'parameters':>12}" + "".join(f"  {name:>15}" for name in [*papers, *scores])
    lines = [said, "", *([above] if papers else []), f"{head}  {'change':>7}"]
    first = next((row["scores"][scores[0]] for row in rows if row["variant"] == base), None)
    for row in rows:
        theirs = ["-" if row["paper"][name] is None else str(row["paper"][name]) for name in papers]
        ours = [row["scores"][name]["shown"] for name in scores]
        line = f"{row['variant']:<{wide}} {row['parameters']:>12,}" + "".join(
            f"  {cell:>15}" for cell in [*theirs, *ours]
        )
        lines.append(f"{line}  {_change(row['scores'][scores[0]], first):>7}")
    return lines


def _change(score: Mapping[str, Any], base: Mapping[str, Any] | None) -> str:
    if base is None or base["mean"] is None or score["mean"] is None:
        return "-"
    return f"{score['mean'] - base['mean']:+.{2 if abs(base['mean']) >= 1 else 4}f}"
