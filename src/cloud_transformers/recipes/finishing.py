"""What a run is given at its end: weights that know when they are unsure, and a card beside each of their files."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

from cloud_transformers.checkpoints import BEST, FINAL, read_metadata
from cloud_transformers.engine import Processes, Protocol, calibrate
from cloud_transformers.errors import InputError
from cloud_transformers.files import whole_file
from cloud_transformers.models.kinds import kinds_of_task
from cloud_transformers.models.preparation import Calibration, Preparation
from cloud_transformers.models.saving import description_of, load_prepared, tell
from cloud_transformers.recipes.recipe import Recipe

_CERTAINTY = "**Certainty**"


def finish(run: Path, recipe: Recipe, validation: Protocol | None, processes: Processes) -> None:
    """Calibrate the weights of a run on its validation data, if it has any, and write their cards."""
    for path in (run / BEST, run / FINAL):
        if path.is_file():
            if validation is not None:
                calibrate_file(path, validation, processes)
            write_card(path, recipe)


def calibrate_file(path: Path, validation: Protocol, processes: Processes) -> Calibration | None:
    """Measure temperature and threshold on the validation data and write them into a weight file.

    `path` is the file, and `processes` are those of `engine.calibrate`. None, and no change, for weights that recognise
    nothing.
    """
    model, preparation = load_prepared(path, task=validation.task.name)
    if preparation is None:
        raise InputError(f"{path}: does not say what input its model expects; train it again with this version")
    found = calibrate(model.to(processes.device), validation, processes)
    if found is not None:
        tell(path, replace(preparation, calibration=found))
    return found


def refresh_card(weights: Path, found: Calibration, command: str) -> bool:
    """Put what was `found`, and by which `command`, into the card beside `weights`; False if there is no card.

    The paragraph about certainty is replaced; in a card that has none yet, it becomes the last one.
    """
    card = weights.with_suffix(".md")
    if not card.is_file():
        return False
    paragraph = f"{_certainty(found)}\n```\n{command}\n```\n"
    text = card.read_text(encoding="utf-8")
    before = re.search(rf"^{re.escape(_CERTAINTY)}.*?(?:\n```\n.*?\n```\n|\n(?=\n)|\Z)", text, re.DOTALL | re.MULTILINE)
    text = f"{text.rstrip()}\n\n{paragraph}" if before is None else text.replace(before[0], paragraph, 1)
    with whole_file(card) as temporary:
        temporary.write_text(text, encoding="utf-8")
    return True


def write_card(path: Path, recipe: Recipe) -> Path:
    """The card NAME.md of NAME.safetensors: what it was trained on, how good it is, and how to use it."""
    metadata = read_metadata(path)
    preparation = description_of(path, metadata).preparation
    assert preparation is not None
    card = path.with_suffix(".md")
    with whole_file(card) as temporary:
        temporary.write_text(_text(path, metadata, preparation, recipe), encoding="utf-8")
    return card


def _text(path: Path, metadata: dict[str, str], said: Preparation, recipe: Recipe) -> str:
    verb = next(iter(kinds_of_task(said.task).values())).verb
    chosen = metadata.get("chosen_by")
    lines = ["---", "library_name: cloud-transformers"]
    lines += [f"score: {chosen}"] if chosen else []
    lines += ["---", f"# {path.parent.name}/{path.stem}", _input(said), ""]
    lines += [
        f"**Trained** by the recipe {said.recipe} on {said.data}: {metadata.get('step', '?')} steps of "
        f"{recipe.training.batch_size}, learning rate {recipe.training.learning_rate:g}, seed {recipe.training.seed}.",
        "",
    ]
    if chosen:
        lines += [f"**Score** by which these weights were chosen: {chosen}. Test data had no say.", ""]
    lines += [_certainty(said.calibration), ""] if said.calibration is not None else []
    lines += ["```", f"cloudt {verb} FILES --weights {path} -o OUT", f"cloudt evaluate {path.parent}", "```", ""]
    return "\n".join(lines)


def _input(said: Preparation) -> str:
    what = f"Weights for {said.task}."
    if said.classes:
        what += f" {len(said.classes)} classes: {', '.join(said.classes)}."
    if said.task == "segmentation":
        what += f" {said.region.capitalize()}s of {said.extent:g} m with {said.points} points"
        what += f" and their {' and '.join(said.features)}" if said.features else ""
        what += f", {said.up} up, heights from the {said.floor} floor."
    return what


def _certainty(found: Calibration) -> str:
    return (
        f"{_CERTAINTY}: on {found.answers:,} held-out answers ({found.data}) the calibration error is "
        f"{found.error:.1f} % at temperature {found.temperature:.2f}, {found.error_before:.1f} % without. Inputs with "
        f"less evidence than all but {found.share:.0%} of these are called unsure (log-sum-exp of logits below "
        f"{found.unsure_below:.2f})."
    )
