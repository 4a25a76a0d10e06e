"""Checkpoints: folders that are there whole or not at all, with everything that the next step depends on."""

from __future__ import annotations

import shutil
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch
from torch import nn

from cloud_transformers.checkpoints import AVERAGE, WEIGHTS, checkpoints_in, read_safetensors
from cloud_transformers.engine.average import WeightAverage
from cloud_transformers.errors import InputError
from cloud_transformers.files import new_folder
from cloud_transformers.models import save

STATE = "state.pt"


@dataclass(kw_only=True)
class Progress:
    """How far a run is, beside its weights. Random states are not among it: they follow from the step."""

    step: int = 0  # how many are done
    skipped: int = 0  # how many of them were left out for a loss that was not finite
    best: float | None = None
    best_step: int = 0
    validations_since_best: int = 0


class Checkpoints:
    """The checkpoints `step-00001000` ... of a run."""

    def __init__(self, folder: Path, keep: int) -> None:
        self.folder, self.keep = folder, keep
        self.notes: list[str] = []  # what a user should know about the checkpoint that was restored

    def all(self) -> list[Path]:
        """Oldest first."""
        return checkpoints_in(self.folder)

    def write(
        self,
        progress: Progress,
        model: nn.Module,
        optimizer: torch.optim.Optimizer,
        average: WeightAverage | None,
        scaler: Any | None,
    ) -> Path:
        """Write the checkpoint of this step, then delete those beyond the last `keep`."""
        target = self.folder / f"step-{progress.step:08d}"
        if target.exists():
            return target
        try:
            with new_folder(target) as folder:
                save(model, folder / WEIGHTS)
                if average is not None:
                    save(average.model, folder / AVERAGE)
                state = {
                    "progress": asdict(progress),
                    "optimizer": optimizer.state_dict(),
                    "scaler": None if scaler is None else scaler.state_dict(),
                }
                torch.save(state, folder / STATE)
        except (OSError, RuntimeError, InputError) as error:
            # torch hides a full disk in an error of its own, full of places in its source.
            why = error.strerror if isinstance(error, OSError) and error.strerror else "the disk may be full"
            raise InputError(
                f"{target}: the checkpoint could not be written ({why}); what was written before is whole: make room "
                "or allow writing, and run the same command again"
            ) from error
        self.remove_old()
        return target

    def remove_old(self) -> None:
        """Delete those beyond the last `keep`: after one more, or where a run was killed before it came to that."""
        for old in self.all()[: -self.keep]:
            shutil.rmtree(old)

    def restore(
        self,
        model: nn.Module,
        optimizer: torch.optim.Optimizer,
        average: WeightAverage | None,
        scaler: Any | None,
    ) -> Progress:
        """Load the newest checkpoint, if there is one, and say how far the run is."""
        found = self.all()
        if not found:
            return Progress()
        folder = found[-1]
        try:
            state = torch.load(folder / STATE, map_location="cpu", weights_only=True)
            model.load_state_dict(read_safetensors(folder / WEIGHTS)[0])
            if average is not None:
                average.model.load_state_dict(read_safetensors(folder / AVERAGE)[0])
            if _sizes(state["optimizer"]["param_groups"]) != _sizes(optimizer.param_groups):
                state["optimizer"] = _of_version_0_1(state["optimizer"], optimizer, model, folder)
                self.notes.append(
                    f"{folder}: is of version 0.1; from here on weight decay spares the rotations, shifts and scales "
                    "of keys, so the last digits will not be those of version 0.1"
                )
            optimizer.load_state_dict(state["optimizer"])
            if scaler is not None and state["scaler"]:
                scaler.load_state_dict(state["scaler"])
            return Progress(**state["progress"])
        except InputError:
            raise
        except Exception as error:  # whatever torch makes of a damaged file
            raise InputError(
                f"{folder}: cannot be loaded ({type(error).__name__}); delete this folder to go on from the "
                "checkpoint before it"
            ) from error

    def clear_leftovers(self) -> None:
        """Remove what a killed process was writing."""
        for path in self.folder.glob(".step-*"):
            shutil.rmtree(path, ignore_errors=True)


def _sizes(groups: list[dict[str, Any]]) -> list[int]:
    return [len(group["params"]) for group in groups]


def _of_version_0_1(
    state: dict[str, Any], optimizer: torch.optim.Optimizer, model: nn.Module, folder: Path
) -> dict[str, Any]:
    """The state that version 0.1 kept, with what it knows of each parameter in this optimiser's groups.

    A state numbers parameters in the order of the groups. Those were two: what has several dimensions, and the rest.
    """
    parameters = [parameter for parameter in model.parameters() if parameter.requires_grad]
    groups = [p for p in parameters if p.dim() > 1], [p for p in parameters if p.dim() <= 1]
    if _sizes(state["param_groups"]) != [len(group) for group in groups if group]:
        raise InputError(f"{folder}: its optimiser does not belong to this model; start in another folder")
    number = {id(parameter): place for place, parameter in enumerate([*groups[0], *groups[1]])}
    now = [number[id(parameter)] for group in optimizer.param_groups for parameter in group["params"]]
    known = {place: state["state"][before] for place, before in enumerate(now) if before in state["state"]}
    return {"state": known, "param_groups": optimizer.state_dict()["param_groups"]}
