"""A model that is used to its input: statistics of normalisation partly of what it is given, partly of its training.

Scans of another sensor, of other rooms or without what training always had shift the means and variances that batch
normalisation divides by. They can be measured on the input itself, without any label.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from itertools import count

import torch
from torch import nn

from cloud_transformers.errors import InputError
from cloud_transformers.layers import MaskedBatchNorm


def check_share(share: float) -> None:
    """InputError for what is no share."""
    if not 0 <= share <= 1:
        raise InputError(f"adapt must be a share between 0 and 1, got {share:g}")


def adapted(
    model: nn.Module,
    show: Callable[[nn.Module], None],  # sends all of the input through the model that it is given
    share: float,
) -> nn.Module:
    """A copy of the model in evaluation mode, whose statistics are by `share` those of the input that is shown to it.

    Each batch counts alike. A model without batch normalisation stays as it is.
    """
    check_share(share)
    learner = deepcopy(model).train()
    for module in learner.modules():
        if isinstance(module, nn.Dropout):
            module.eval()
    norms = [module for module in learner.modules() if isinstance(module, MaskedBatchNorm)]
    trained = [(norm.running_mean.clone(), norm.running_var.clone(), norm.momentum) for norm in norms]
    batches = count(1)

    def count_batch(*_: object) -> None:
        momentum = 1 / next(batches)  # running statistics then are the mean over all batches so far
        for norm in norms:
            norm.momentum = momentum

    watch = learner.register_forward_pre_hook(count_batch)
    with torch.no_grad():
        show(learner)
        for norm, (mean, variance, momentum) in zip(norms, trained, strict=True):
            norm.running_mean = mean.lerp(norm.running_mean, share)
            norm.running_var = variance.lerp(norm.running_var, share)
            norm.momentum = momentum
    watch.remove()
    return learner.eval()
