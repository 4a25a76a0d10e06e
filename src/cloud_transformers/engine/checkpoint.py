"""Checkpoints: folders that are there whole or not at all, with everything that the next step depends on."""

from __future__ import annotations

import pickle
import shutil
import zipfile
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
        except (OSError, RuntimeError, InputError) as error:  # torch hides a full disk in an error of its own
            raise InputError(
                f"{target}: the checkpoint could not be written ({error}); what was written before is whole: make room "
                "or allow writing, and run the same command again"
            ) from error
        for old in self.all()[: -self.keep]:
            shutil.rmtree(old)
        return target

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
            _restore_optimizer(optimizer, state["optimizer"], folder)
            if scaler is not None and state["scaler"]:
                scaler.load_state_dict(state["scaler"])
            return Progress(**state["progress"])
        except (RuntimeError, pickle.UnpicklingError, EOFError, zipfile.BadZipFile, KeyError, TypeError) as error:
            raise InputError(
                f"{folder}: cannot be taken up ({type(error).__name__}: {str(error).splitlines()[0]}); delete this "
                "folder to go on from the checkpoint before it"
            ) from error

    def clear_leftovers(self) -> None:
        """Remove what a killed process was writing."""
        for path in self.folder.glob(".step-*"):
            shutil.rmtree(path, ignore_errors=True)


def _restore_optimizer(optimizer: torch.optim.Optimizer, state: Any, folder: Path) -> None:
    before, now = ([len(group["params"]) for group in each] for each in (state["param_groups"], optimizer.param_groups))
    if before != now:
        raise InputError(
            f"{folder}: was written by a version that applied weight decay to other parameters, so this run cannot end "
            "with the same bits; finish it with that version, or start in another folder (`--from` takes its weights)"
        )
    optimizer.load_state_dict(state)
