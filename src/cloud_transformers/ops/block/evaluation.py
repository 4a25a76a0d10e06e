"""A block in evaluation, where normalisations are fixed: they are folded into the weights around them, once.

Letters: as in the package's own docstring.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from torch import Tensor
from torch.nn.functional import linear

from cloud_transformers.ops.block import HeadGroup


@dataclass(frozen=True, kw_only=True)
class PreparedBlock:
    """A block's weights, ready for use."""

    groups: tuple[HeadGroup, ...]  # in the order of their parts of the projection
    projection: Tensor  # [S, F], normalisation folded in
    projection_bias: Tensor  # [S]
    heads: Sequence[tuple[Tensor, Tensor, Tensor, Tensor]]  # as in `BlockTensors`, normalisation folded in
    linear: Tensor  # [E, Q], the module's own
    exit: tuple[Tensor, Tensor, Tensor]  # centre, scale and shift of the last normalisation, [1, E] each

    @property
    def num_bytes(self) -> int:
        """What it holds beside the module's own weights."""
        tensors = (self.projection, *(tensor for head in self.heads for tensor in head))
        return sum(tensor.nbytes for tensor in tensors)


def evaluate_block(
    features: Tensor,  # [B, N, F], finite where masked
    positions: Tensor,  # [B, N, 3], finite where masked
    residual: Tensor | None,  # [B, N, E]; None: the features themselves
    mask: Tensor | None,  # [B, N], True = a real point
    prepared: PreparedBlock,  # the weights
) -> Tensor:  # [B, N, E]
    """`fused_block` with given statistics, and without gradients. Takes what `is_fusible`; nothing is checked.

    Autocast narrows the two linear maps and nothing else.
    """
    from cloud_transformers import native
    from cloud_transformers.ops.block.native import parts
    from cloud_transformers.ops.keys import SQUASHES
    from cloud_transformers.ops.keys import native as keys_native
    from cloud_transformers.ops.norm import native as norm_native
    from cloud_transformers.ops.transform import native as transform_native

    B, N, _ = features.shape
    projected = linear(features, prepared.projection, prepared.projection_bias).float()
    read = native.scratch(B, N, prepared.linear.shape[1], like=features)
    for part in parts(prepared.groups, [tensor for head in prepared.heads for tensor in head]):
        shift, matrix, weight, bias = part.tensors
        residuals = projected[..., part.residuals] if part.has_residuals else None
        keys = keys_native.forward(positions, residuals, shift, matrix, SQUASHES[part.group.squash][0])
        transform_native.forward(
            *(part.heads(projected, part.values), keys, weight, bias, part.group.size, part.group.reduce, mask),
            relu=True,
            out=part.heads(read, part.read),
        )
    update = linear(read, prepared.linear).float()
    return norm_native.apply([update], *prepared.exit, mask, True, features if residual is None else residual)
