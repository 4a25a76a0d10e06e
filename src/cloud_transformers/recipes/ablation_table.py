"""The ablation table: what was found, beside what the paper found, with all that differs between the two."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import torch

from cloud_transformers.engine.options import HARMLESS
from cloud_transformers.engine.run import environment, flat
from cloud_transformers.recipes.ablations import PAPER, Job, finished
from cloud_transformers.recipes.catalogue import recipe as recipe_of
from cloud_transformers.recipes.recipe import Recipe

COLUMNS = {"s3dis-blocks": "S3DIS mIoU", "scanobjectnn": "ScanObjectNN OA"}  # of the paper's table
# Settings that are stated by themselves, or that change neither weights nor scores.
_STATED = {"recipe", "data.folder", "model.size", "model.scales", "training.seed", "training.on_nonfinite"}
_UNSEEN = {f"training.{name}" for name in (*HARMLESS, "device", "validate_every", "patience")}


def summary(recipe: Recipe, wanted: Sequence[Job], out: Path) -> dict[str, Any]:
    """All finished runs among those wanted, ready for JSON. `recipe` is what the variants are variants of."""
    found = [record for job in wanted if (record := finished(recipe, job, out)) is not None]
    now = environment()
    columns = [recipe.name] if recipe.name in COLUMNS else list(COLUMNS)
    rows = []
    for name in dict.fromkeys(job.ablation for job in wanted):
        runs = [record for record in found if record["ablation"] == name]
        if runs:
            rows.append(
                {
                    "ablation": name,
                    "parameters": runs[0]["parameters"],
                    "paper": {COLUMNS[column]: PAPER[name][column] for column in columns},
                    "scores": {score: _spread([run["scores"][score] for run in runs]) for score in runs[0]["scores"]},
                    "skipped": sum(run["skipped"] for run in runs),
                    "runs": [{key: run[key] for key in ("seed", "scores", "loss", "cpu_seconds")} for run in runs],
                }
            )
    return {
        "recipe": recipe.name,
        "size": recipe.model.size,
        "protocol": found[0]["protocol"] if found else "",
        "differences": differences(recipe),
        "finished": len(found),
        "wanted": len(wanted),
        "cpu_minutes": round(sum(record["cpu_seconds"] for record in found) / 60, 1),
        "environment": {**now, "machine": f"{now['machine']}, {torch.backends.cpu.get_cpu_capability()}"},
        "configuration": recipe.configuration(),
        "rows": rows,
    }


def _spread(values: Sequence[float]) -> dict[str, float]:
    return {"mean": round(sum(values) / len(values), 2), "spread": round(max(values) - min(values), 2)}


def differences(recipe: Recipe) -> dict[str, str]:
    """What keeps the two columns from being the same experiment; empty if nothing does."""
    full = flat(recipe_of(recipe.name, "full").configuration())
    ours = flat(recipe.configuration())
    found = {}
    measured_on = "S3DIS Area 5 in blocks and ScanObjectNN PB_T50_RS"
    if recipe.data.folder is None:
        found["data"] = f"the embedded world in the layout of {recipe.name}; the paper: {measured_on}"
    elif recipe.name not in COLUMNS:
        found["data"] = f"{recipe.name}; the paper: {measured_on}"
    if recipe.model.size != "full":
        found["size"] = f"{recipe.model.size}; the paper: full"
    changed = [
        f"{name.partition('.')[2]} {ours.get(name)} ({full.get(name)})"
        for name in sorted(ours)
        if name not in _STATED | _UNSEEN and ours[name] != full.get(name)
    ]
    if recipe.data.folder is not None:
        changed = [each for each in changed if not each.startswith("world_")]
    if changed:
        found["settings"] = f"{', '.join(changed)}; in brackets: those of size full"
    return found


def disagreements(found: Mapping[str, Any]) -> list[str]:
    """Where an ablation moves our score the other way than the paper's, by more than seeds alone move either row."""
    rows = {row["ablation"]: row for row in found["rows"]}
    full = rows["full"]
    score = next(iter(full["scores"]))
    said = []
    for name, row in rows.items():
        ours = row["scores"][score]["mean"] - full["scores"][score]["mean"]
        noise = max(row["scores"][score]["spread"], full["scores"][score]["spread"])
        for column, value in row["paper"].items():
            if isinstance(value, float) and abs(ours) > noise and ours * (value - full["paper"][column]) < 0:
                said.append(f"{name} ({ours:+.2f}; {column} {value - full['paper'][column]:+.2f})")
    return said


def table(found: Mapping[str, Any]) -> str:
    """A summary as text: what differs first, then the paper's columns beside ours."""
    lines = [f"Ablations of {found['recipe']}, {found['protocol']}"]
    if found["differences"]:
        lines.append("The paper's columns are another experiment. What differs:")
        for name, text in found["differences"].items():
            lines += textwrap.wrap(f"{name:<9} {text}", 118, initial_indent="  ", subsequent_indent=" " * 12)
    rows = found["rows"]
    if not rows:
        return "\n".join([*lines, "No run is finished yet."])
    papers, scores = list(rows[0]["paper"]), list(rows[0]["scores"])[:2]
    seeds = sorted({run["seed"] for row in rows for run in row["runs"]})
    lines.append(
        f"Seeds {', '.join(map(str, seeds))}: the mean, and in brackets the largest less the smallest. Last: the mean "
        f"{scores[0]} less that of full."
    )
    above = f"{'':<36}" + "".join(f"  {'paper':>15}" for _ in papers) + "".join(f"  {'ours':>13}" for _ in scores)
    head = f"{'ablation':<23} {'parameters':>12}" + "".join(f"  {name:>15}" for name in papers)
    lines += ["", above, head + "".join(f"  {name:>13}" for name in scores) + f"  {'change':>7}"]
    full = next((row["scores"][scores[0]]["mean"] for row in rows if row["ablation"] == "full"), None)
    for row in rows:
        cells = ["-" if row["paper"][name] is None else str(row["paper"][name]) for name in papers]
        means = [f"{of['mean']:.2f} ({of['spread']:.2f})" for of in (row["scores"][name] for name in scores)]
        change = "-" if full is None else f"{row['scores'][scores[0]]['mean'] - full:+.2f}"
        line = f"{row['ablation']:<23} {row['parameters']:>12,}" + "".join(f"  {cell:>15}" for cell in cells)
        lines.append(line + "".join(f"  {mean:>13}" for mean in means) + f"  {change:>7}")
    lines += [
        f"{row['ablation']}: {row['skipped']} steps left out, their loss or gradient was not finite"
        for row in rows
        if row["skipped"]
    ]
    if found["finished"] < found["wanted"]:
        lines.append(f"{found['finished']} of {found['wanted']} runs are finished; the same command goes on.")
    return "\n".join(lines)
