"""Trials: variants of a recipe, each trained with several seeds, every one in a folder of its own."""

from __future__ import annotations

import json
import re
import time
import traceback
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from torch import nn

from cloud_transformers.decoding import read_object
from cloud_transformers.engine import RunFolder
from cloud_transformers.engine.run import write_json
from cloud_transformers.errors import InputError
from cloud_transformers.files import whole_file
from cloud_transformers.recipes.experiment import run_evaluation, run_training
from cloud_transformers.recipes.recipe import Recipe

FINISHED = "trial.json"  # the last file of a trial: where it is, nothing is left to do
FAILURE = "failure.txt"  # what Python said about the last failure that was no sentence
TRIES = 3  # of a trial that fails by something else than what its settings and data are


@dataclass(frozen=True)
class Trial:
    """One training: a variant of a recipe, with a seed."""

    variant: str
    recipe: Recipe  # as it is trained
    judged_by: Literal["test", "validation"] = "test"  # on which split

    @property
    def seed(self) -> int:
        return self.recipe.training.seed

    def folder(self, out: Path) -> Path:
        return out / re.sub(r"[^A-Za-z0-9.=+_]+", "-", self.variant) / f"seed-{self.seed}"

    def __str__(self) -> str:
        return f"{self.variant}, seed {self.seed}"


@dataclass(frozen=True)
class Failure:
    """A trial that came to no end, and why."""

    trial: Trial
    reason: str


def with_seeds(variants: dict[str, Recipe], num_seeds: int, **judged: Any) -> list[Trial]:
    """Every variant once, then every variant with the next seed, so that a table stopped early is still a table."""
    return [
        Trial(name, replace(made, training=replace(made.training, seed=made.training.seed + number)), **judged)
        for number in range(num_seeds)
        for name, made in variants.items()
    ]


def finished(trial: Trial, out: Path) -> dict[str, Any] | None:
    """What an earlier run found, if it came to its end with this very configuration."""
    path = trial.folder(out) / FINISHED
    if not path.is_file():
        return None
    found = read_object(path)
    wanted = json.loads(json.dumps(trial.recipe.configuration()))
    return found if found.get("configuration") == wanted else None


def run_trial(trial: Trial, out: Path) -> dict[str, Any]:
    """Train it in its own folder below `out`, or go on there, and score it; a finished one is kept."""
    found = finished(trial, out)
    if found is not None:
        return found
    folder = trial.folder(out)
    clock = time.process_time()
    model = run_training(trial.recipe, folder)
    protocol, scores = _scores(trial, model, folder)
    steps = [record for record in RunFolder(folder).records() if "loss" in record]
    record = {
        "variant": trial.variant,
        "seed": trial.seed,
        "parameters": num_parameters(model),
        "scores": scores,
        "loss": steps[-1]["loss"],
        "skipped": steps[-1]["skipped"],
        "cpu_seconds": round(time.process_time() - clock, 1),  # since this run was last started
        "protocol": protocol,
        "configuration": trial.recipe.configuration(),
    }
    write_json(folder / FINISHED, record)
    return record


def _scores(trial: Trial, model: nn.Module, folder: Path) -> tuple[str, dict[str, float]]:
    """By which protocol, and with which scores: on the test split, or those of the best weights in validation."""
    if trial.judged_by == "validation":
        validations = [record for record in RunFolder(folder).records() if "validation" in record]
        best = next((record for record in reversed(validations) if record["best"]), validations[-1])
        scores = {name: value for name, value in best["validation"].items() if value is not None}
        return f"{trial.recipe.name}, validation split, best weights", scores
    results = run_evaluation(trial.recipe, model, str(folder / "weights.safetensors"))
    results.write(folder / "results.json")
    return results.protocol, {score.name: round(score.value, 4) for score in results.scores}


def one_after_the_other(trials: Sequence[Trial], out: Path) -> Iterator[dict[str, Any] | Failure]:
    """Carry them out in this process; one that fails does not stop the others."""
    for trial in trials:
        for tried in range(1, TRIES + 1):
            try:
                yield run_trial(trial, out)
                break
            except InputError as error:  # its settings or data are to blame: another try would end the same
                yield Failure(trial, str(error))
                break
            except Exception as error:
                reason = note_failure(trial.folder(out), error)
                if tried == TRIES:
                    yield Failure(trial, f"failed {TRIES} times, {reason}")


def note_failure(folder: Path, error: BaseException) -> str:
    """Keep the traceback in a run's folder; returns the error as part of a sentence."""
    folder.mkdir(parents=True, exist_ok=True)
    with whole_file(folder / FAILURE) as temporary:
        temporary.write_text("".join(traceback.format_exception(error)), encoding="utf-8")
    first = (str(error).splitlines() or [""])[0]
    return f"at last with {type(error).__name__} ({first}); see {folder / FAILURE}"


def num_parameters(model: nn.Module) -> int:
    return sum(parameter.numel() for parameter in model.parameters())
