"""BatchNorm whose statistics are those of all processes that train together, with masks and on any device."""

from typing import Any

import torch
from torch import Tensor, nn

from cloud_transformers.layers.norm import MaskedBatchNorm


def synchronize(model: nn.Module) -> None:
    """Let every BatchNorm of the model, in training mode, see the batches of all processes; names stay as they are.

    From then on all processes must run the model together.
    """
    for parent in list(model.modules()):
        for name, child in list(parent.named_children()):
            if isinstance(child, nn.BatchNorm2d):
                setattr(parent, name, _masked(child))
    for module in model.modules():
        if isinstance(module, MaskedBatchNorm):
            module.reduce = sum_over_processes


def _masked(norm: nn.BatchNorm2d) -> MaskedBatchNorm:
    """Our BatchNorm with the parameters and buffers of torch's, which cannot exchange statistics on every device."""
    ours = MaskedBatchNorm(norm.num_features, channel_axis=1, momentum=norm.momentum or 0.1)
    ours.weight, ours.bias = norm.weight, norm.bias
    for name, buffer in norm.named_buffers():
        setattr(ours, name, buffer)
    return ours.train(norm.training)


class _SumOverProcesses(torch.autograd.Function):
    """Everybody gets the sum; so everybody's gradient of the sum is part of each summand's gradient."""

    @staticmethod
    def forward(ctx: Any, values: Tensor) -> Tensor:
        total = values.clone(memory_format=torch.contiguous_format)
        torch.distributed.all_reduce(total)
        return total

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> Tensor:
        total = gradient.clone(memory_format=torch.contiguous_format)
        torch.distributed.all_reduce(total)
        return total


def sum_over_processes(values: Tensor) -> Tensor:
    total: Tensor = _SumOverProcesses.apply(values)
    return total
