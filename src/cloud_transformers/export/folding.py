"""What follows from weights alone is computed before the trace: fewer operations to trace, to write and to run.

Letters: B batch, N points, H heads, C channels per head, D grid dimension, F features in, E features out.
"""

import torch
from torch import Tensor, nn

from cloud_transformers.layers import MultiHeadBlock
from cloud_transformers.layers.faster import prepare_block
from cloud_transformers.layers.norm import fixed_scale_and_shift, folded
from cloud_transformers.layers.pooling import ResidualConv
from cloud_transformers.ops import HeadGroup, PreparedBlock, cloud_transform
from cloud_transformers.ops.keys import SQUASHES


@torch.no_grad()
def fold(model: nn.Module) -> None:
    """Replace, in a model in evaluation mode, blocks whose normalisations are fixed by ones that have none."""
    for parent in list(model.modules()):
        for name, child in list(parent.named_children()):
            if isinstance(child, MultiHeadBlock) and (prepared := prepare_block(child)) is not None:
                parent.register_module(name, FoldedBlock(child, prepared))
            elif isinstance(child, nn.Conv2d | nn.Conv3d) and isinstance(parent, ResidualConv):
                _fold_convolution(parent, child, {"conv1": "norm1", "conv2": "norm2", "skip": "skip_norm"}[name])


class FoldedBlock(nn.Module):
    """A multi-head block with fixed normalisations: a map to all keys and values, the heads, a map of what they read.

    Keys before squashing are linear in features and positions, so that they need no map of their own.
    """

    def __init__(self, block: MultiHeadBlock, prepared: PreparedBlock) -> None:
        super().__init__()
        self.groups = prepared.groups
        weight, bias = _joined(prepared)
        self.projection = _linear(weight, bias)
        self.convolutions = nn.ParameterList(tensor for head in prepared.heads for tensor in head[2:])
        self.exit = _linear(*folded(prepared.linear, None, *(part[0] for part in prepared.exit)))
        self.skip = None
        if block.skip is not None and block.skip_norm is not None:
            fixed = fixed_scale_and_shift([block.skip_norm])
            assert fixed is not None
            self.skip = _linear(*folded(block.skip.weight, None, *fixed))

    def forward(
        self,
        features: Tensor,  # [B, N, F], 0 where masked
        positions: Tensor,  # [B, N, 3], 0 where masked
        mask: Tensor | None = None,  # [B, N]
        style: Tensor | None = None,  # not used: what depends on it is not folded
    ) -> Tensor:  # [B, N, E]
        sizes = [size for group in self.groups for size in _sizes(group)]
        parts = self.projection(torch.cat([features, positions], dim=-1)).split(sizes, dim=-1)
        reads = []
        for index, group in enumerate(self.groups):
            keys, values = (
                part.unflatten(-1, (group.num_heads, -1)).transpose(1, 2) for part in parts[2 * index : 2 * index + 2]
            )
            weight, bias = self.convolutions[2 * index : 2 * index + 2]
            read = cloud_transform(
                values, keys.tanh(), weight, bias, group.size, reduce=group.reduce, mask=mask, balance=group.balance
            )
            reads.append(read.transpose(1, 2).flatten(2))
        update = self.exit(torch.cat(reads, dim=-1).relu()).relu()
        output: Tensor = update + (features if self.skip is None else self.skip(features))
        return output if mask is None else output.where(mask[:, :, None], 0)


def _sizes(group: HeadGroup) -> tuple[int, int]:
    """Of the outputs of the projection that are a group's keys, and its values."""
    return group.num_heads * len(group.size), group.num_heads * group.channels


def _joined(prepared: PreparedBlock) -> tuple[Tensor, Tensor]:  # [S, F + 3], [S]
    """The map from features and positions to the keys before squashing and to the values, group by group."""
    F = prepared.projection.shape[1]
    rows, biases, start = [], [], 0
    for group, (shift, matrix, _, _) in zip(prepared.groups, prepared.heads, strict=True):
        gain, _ = SQUASHES[group.squash]
        H, D = group.num_heads, len(group.size)
        to_keys = gain * matrix.transpose(1, 2)  # [H, D, 3]
        weight, bias = shift.new_zeros(H, 3, F), shift
        if group.num_residuals:
            residuals = slice(start, start + group.num_residuals)
            weight = prepared.projection[residuals].view(H, 3, F)
            bias = shift + prepared.projection_bias[residuals].view(H, 3)
        rows.append(torch.cat([to_keys @ weight, to_keys], dim=2).view(H * D, F + 3))
        biases.append((to_keys @ bias[:, :, None]).view(H * D))
        start += group.num_residuals
        values = slice(start, start + H * group.channels)
        rows.append(nn.functional.pad(prepared.projection[values], (0, 3)))
        biases.append(prepared.projection_bias[values])
        start += H * group.channels
    return torch.cat(rows), torch.cat(biases)


class _Nothing(nn.Module):
    """Stands where a normalisation was, and takes what it took."""

    def forward(self, features: Tensor, mask: Tensor | None = None) -> Tensor:
        return features


def _fold_convolution(block: ResidualConv, conv: nn.Conv2d | nn.Conv3d, norm: str) -> None:
    fixed = fixed_scale_and_shift([block.get_submodule(norm)])
    if fixed is not None:
        weight, bias = folded(conv.weight, None, *fixed)
        conv.weight, conv.bias = nn.Parameter(weight), nn.Parameter(bias)
        block.register_module(norm, _Nothing())


def _linear(weight: Tensor, bias: Tensor) -> nn.Linear:
    layer = nn.Linear(weight.shape[1], weight.shape[0])
    layer.weight, layer.bias = nn.Parameter(weight), nn.Parameter(bias)
    return layer
