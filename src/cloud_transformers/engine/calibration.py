"""Calibration on held-out data: a temperature for confidences, and how familiar an input must look."""

from __future__ import annotations

import torch
from torch import nn

from cloud_transformers.engine.evaluation import Protocol, batches_of
from cloud_transformers.engine.processes import Processes
from cloud_transformers.errors import InputError
from cloud_transformers.metrics.calibration import best_temperature, calibration_error, familiarity
from cloud_transformers.models.preparation import Calibration

SHARE = 0.05  # of the held-out answers, the least familiar, that count as unsure
_MOST = 4096  # answers of a batch that are kept: points of a cloud are much alike


@torch.no_grad()
def calibrate(model: nn.Module, protocol: Protocol, processes: Processes) -> Calibration | None:
    """What a model that recognises says of data that it did not learn from; None for other models.

    - `protocol`: the held-out data, and the task that reads it.
    - `processes`: of which this one looks at its share of the data.

    The model is left in evaluation mode.
    """
    model.eval()
    kept: list[tuple[torch.Tensor, torch.Tensor]] = []
    for batch in batches_of(protocol, processes):
        batch = batch.to(processes.device)
        with processes.accelerator.autocast():
            found = protocol.task.recognised(protocol.task.predict(model, batch), batch)
        if found is None:
            return None
        logits, labels = found
        step = max(1, -(-len(labels) // _MOST))
        kept.append((logits[::step].float().cpu(), labels[::step].cpu()))
    logits, labels = (torch.cat(parts) for parts in zip(*kept, strict=True))
    if not len(labels):
        raise InputError(f"{protocol.name}: has no labels to calibrate by")
    temperature = best_temperature(logits, labels)
    score = familiarity(logits).sort().values
    return Calibration(
        temperature=round(temperature, 4),
        unsure_below=round(float(score[int(SHARE * len(score))]), 4),
        share=SHARE,
        error=round(calibration_error(logits, labels, temperature), 3),
        error_before=round(calibration_error(logits, labels), 3),
        answers=len(labels),
        data=protocol.name,
    )
