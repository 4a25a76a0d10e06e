"""The ablation table: what was found, beside what the paper found, with all that differs between the two."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from cloud_transformers.engine.options import HARMLESS
from cloud_transformers.engine.run import flat
from cloud_transformers.recipes.ablations import PAPER
from cloud_transformers.recipes.catalogue import recipe as recipe_of
from cloud_transformers.recipes.recipe import Recipe
from cloud_transformers.recipes.trial_table import summary
from cloud_transformers.recipes.trials import Failure, Trial

COLUMNS = {"s3dis-blocks": "S3DIS mIoU", "scanobjectnn": "ScanObjectNN OA"}  # of the paper's table
# Settings that are stated by themselves, or that change neither weights nor scores.
_STATED = {"recipe", "data.folder", "model.size", "model.scales", "training.seed", "training.on_nonfinite"}
_UNSEEN = {f"training.{name}" for name in (*HARMLESS, "device", "validate_every", "patience")}


def ablation_summary(
    recipe: Recipe, wanted: Sequence[Trial], out: Path, failures: Sequence[Failure] = ()
) -> dict[str, Any]:
    """The summary of trials (see `trial_table.summary`) with the paper's columns; changes are counted from "full"."""
    found = summary(recipe, wanted, out, title="Ablations", failures=failures)
    columns = [recipe.name] if recipe.name in COLUMNS else list(COLUMNS)
    for row in found["rows"]:
        row["paper"] = {COLUMNS[column]: PAPER[row["variant"]][column] for column in columns}
    return found | {"base": "full", "differences": differences(recipe)}


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
    rows = {row["variant"]: row for row in found["rows"]}
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
