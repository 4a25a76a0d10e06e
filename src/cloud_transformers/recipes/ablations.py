"""The paper's ablations: variants of two recipes, and the scores that the paper gives."""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass, replace
from pathlib import Path

from cloud_transformers.engine.results import Results
from cloud_transformers.errors import InputError
from cloud_transformers.metrics import Score
from cloud_transformers.models import ABLATIONS
from cloud_transformers.recipes.experiment import run_evaluation, run_training
from cloud_transformers.recipes.recipe import Recipe

# Ablation -> the paper's mIoU on S3DIS blocks and overall accuracy on ScanObjectNN; None where it gives none.
PAPER: dict[str, dict[str, float | None]] = {
    name: {"s3dis-blocks": segmentation, "scanobjectnn": classification}
    for name, segmentation, classification in (
        ("full", 63.7, 85.0),
        ("linear keys", 62.5, 81.9),
        ("fixed keys", 62.5, 84.9),
        ("identity transform", 61.9, None),
        ("no residual", None, None),
        ("sum", 57.9, 82.1),
        ("mean", 61.3, 83.4),
        ("no planar heads", 63.4, 84.8),
        ("coarser grids", 62.2, 84.4),
        ("single head", 63.1, 84.0),
        ("two cascades", 62.2, 84.1),
        ("eight cascades", 64.1, None),
        ("no gradient balancing", 62.8, None),
        ("scales", None, 85.5),
    )
}
ABLATED = ("s3dis-blocks", "scanobjectnn")


@dataclass(frozen=True)
class Row:
    ablation: str
    paper: float | None
    ours: Score


def variant(recipe: Recipe, ablation: str) -> Recipe:
    """The recipe with one ablation; see `models.ABLATIONS`."""
    if ablation not in ABLATIONS:
        near = difflib.get_close_matches(ablation, ABLATIONS, n=1, cutoff=0.4)
        hint = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(ABLATIONS)}"
        raise InputError(f"there is no ablation {ablation!r}; {hint}")
    return replace(recipe, model=replace(recipe.model, **ABLATIONS[ablation]))


def run_ablation(recipe: Recipe, ablation: str, out: Path) -> Row:
    """Train one variant in its own folder below `out`, or go on there, and evaluate it."""
    changed = variant(recipe, ablation)
    folder = out / re.sub(r"[^a-z0-9]+", "-", ablation)
    model = run_training(changed, folder)
    results: Results = run_evaluation(changed, model, str(folder / "weights.safetensors"))
    results.write(folder / "results.json")
    return Row(ablation, PAPER[ablation].get(recipe.name), results.scores[0])


def table(recipe: Recipe, rows: list[Row]) -> str:
    """The paper's column beside ours, as text."""
    first = rows[0].ours
    ours = f"ours, {recipe.model.size}"
    lines = [f"{'ablation':<22} {'paper, full size':>16}  {ours:>12}  ({first.name}, {first.unit})"]
    lines += [f"{row.ablation:<22} {row.paper or '-':>16}  {row.ours.value:>12.2f}" for row in rows]
    return "\n".join(lines)
