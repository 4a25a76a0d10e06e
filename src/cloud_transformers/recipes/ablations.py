"""The paper's ablations: variants of a recipe, each trained with several seeds, and the scores that the paper gives."""

from __future__ import annotations

import difflib
import json
import re
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from torch import nn

from cloud_transformers.decoding import read_object
from cloud_transformers.engine import RunFolder
from cloud_transformers.engine.run import write_json
from cloud_transformers.errors import InputError
from cloud_transformers.models import ablations
from cloud_transformers.models.trunk import TRUNKS
from cloud_transformers.recipes.experiment import run_evaluation, run_training
from cloud_transformers.recipes.recipe import Recipe

PaperScore = float | Literal["diverged"] | None

# Ablation -> the paper's mIoU on S3DIS blocks (Area 5) and overall accuracy on ScanObjectNN; None where it gives none.
# "no residual" is d = 0, of which the paper says that it costs 0.04.
PAPER: dict[str, dict[str, PaperScore]] = {
    "full": {"s3dis-blocks": 63.7, "scanobjectnn": 85.0},
    "linear keys": {"s3dis-blocks": 62.5, "scanobjectnn": 81.9},
    "unbalanced linear keys": {"s3dis-blocks": "diverged", "scanobjectnn": None},
    "no gradient balancing": {"s3dis-blocks": 62.8, "scanobjectnn": None},
    "fixed keys": {"s3dis-blocks": 62.5, "scanobjectnn": 84.9},
    "identity transform": {"s3dis-blocks": 61.9, "scanobjectnn": None},
    "no residual": {"s3dis-blocks": 63.66, "scanobjectnn": None},
    "sum": {"s3dis-blocks": 57.9, "scanobjectnn": 82.1},
    "mean": {"s3dis-blocks": 61.3, "scanobjectnn": 83.4},
    "no planar heads": {"s3dis-blocks": 63.4, "scanobjectnn": 84.8},
    "coarser grids": {"s3dis-blocks": 62.2, "scanobjectnn": 84.4},
    "single head": {"s3dis-blocks": 63.1, "scanobjectnn": 84.0},
    "half depth": {"s3dis-blocks": 62.2, "scanobjectnn": 84.1},
    "double depth": {"s3dis-blocks": 64.1, "scanobjectnn": None},
    "scales": {"s3dis-blocks": None, "scanobjectnn": 85.5},
}
ABLATED = ("s3dis-blocks", "scanobjectnn", "modelnet40")
FINISHED = "ablation.json"  # the last file of a variant's run: where it is, nothing is left to do


@dataclass(frozen=True)
class Job:
    """One training: a variant and a seed."""

    ablation: str
    seed: int

    def folder(self, out: Path) -> Path:
        return out / re.sub(r"[^a-z0-9]+", "-", self.ablation) / f"seed-{self.seed}"


def ablation_base(recipe: Recipe) -> Recipe:
    """What is varied: without key scales, which are a row of their own, and going on where a variant diverges."""
    return replace(
        recipe, model=replace(recipe.model, scales=False), training=replace(recipe.training, on_nonfinite="skip")
    )


def variant(recipe: Recipe, ablation: str) -> Recipe:
    """The recipe with one ablation; see `models.ablations`."""
    known = variants(recipe)
    if ablation in known:
        return replace(recipe, model=replace(recipe.model, **known[ablation]))
    if ablation in PAPER:
        raise InputError(f"there is no {ablation!r} of {_num_cascades(recipe)} cascade(s): it is not a whole number")
    near = difflib.get_close_matches(ablation, known, n=1, cutoff=0.4)
    hint = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(known)}"
    raise InputError(f"there is no ablation {ablation!r}; {hint}")


def variants(recipe: Recipe) -> dict[str, dict[str, Any]]:
    """The ablations that this recipe's model has, with their options."""
    return ablations(recipe.model.size, num_cascades=_num_cascades(recipe))


def _num_cascades(recipe: Recipe) -> int:
    return recipe.model.num_cascades or TRUNKS[recipe.model.size].num_cascades


def jobs(recipe: Recipe, names: Sequence[str], num_seeds: int) -> list[Job]:
    """Every variant once, then every variant with the next seed, so that a table stopped early is still a table."""
    return [Job(name, recipe.training.seed + number) for number in range(num_seeds) for name in names]


def finished(recipe: Recipe, job: Job, out: Path) -> dict[str, Any] | None:
    """What an earlier run found, if it came to its end with this very configuration."""
    path = job.folder(out) / FINISHED
    if not path.is_file():
        return None
    found = read_object(path)
    wanted = json.loads(json.dumps(_configured(recipe, job).configuration()))
    return found if found.get("configuration") == wanted else None


def run_job(recipe: Recipe, job: Job, out: Path) -> dict[str, Any]:
    """Train one variant in its own folder below `out`, or go on there, and evaluate it; a finished one is kept."""
    found = finished(recipe, job, out)
    if found is not None:
        return found
    changed, folder = _configured(recipe, job), job.folder(out)
    clock = time.process_time()
    model = run_training(changed, folder)
    results = run_evaluation(changed, model, str(folder / "weights.safetensors"))
    results.write(folder / "results.json")
    steps = [record for record in RunFolder(folder).records() if "loss" in record]
    record = {
        "ablation": job.ablation,
        "seed": job.seed,
        "parameters": num_parameters(model),
        "scores": {score.name: round(score.value, 4) for score in results.scores},
        "loss": steps[-1]["loss"],
        "skipped": steps[-1]["skipped"],
        "cpu_seconds": round(time.process_time() - clock, 1),  # since this run was last started
        "protocol": results.protocol,
        "configuration": changed.configuration(),
    }
    write_json(folder / FINISHED, record)
    return record


def num_parameters(model: nn.Module) -> int:
    return sum(parameter.numel() for parameter in model.parameters())


def _configured(recipe: Recipe, job: Job) -> Recipe:
    changed = variant(recipe, job.ablation)
    return replace(changed, training=replace(changed.training, seed=job.seed))
