"""The interaction measure: a case worked out by hand, and the arithmetic of the operators themselves as judge."""

from dataclasses import dataclass

import numpy as np
import pytest
import torch
from torch import Tensor

from cloud_transformers import models
from cloud_transformers.errors import InputError
from cloud_transformers.inspect import SeenBlock, SeenGroup, interaction, interactions, seen_blocks
from cloud_transformers.inspect.interaction import NEVER, touched
from cloud_transformers.inspect.reach import one_head, unpack
from cloud_transformers.layers import CloudTransform, KeyProjection, KeyValueProjection, MaskedBatchNorm, MultiHeadBlock
from cloud_transformers.ops import cloud_transform

# Two planar heads, four points a b c d, a grid of 5 x 5 nodes, that is of 4 x 4 cells. Coordinates count in nodes. A
# point at a whole number touches that node alone, for its other corner weighs 0; at 2.5 it touches 2 and 3. Points meet
# if along both axes some of their nodes are equal or neighbours.
#
#   head 1     a 1,1   b 2,1   c 3,1   d 3,3
#     first axis:   a and b meet (1, 2), b and c (2, 3), b and d, c and d (3, 3); a does not meet c or d (1, 3)
#     second axis:  a, b and c meet (1, 1); d does not meet them (3, 1)
#     together:     a-b, b-c
#   head 2     a 1,1   b 1,3   c 3.5,3.5   d 3,2.5
#     first axis:   a and b meet (1, 1), c and d (3 or 4, 3)
#     second axis:  a does not meet b (1, 3), nor c (1, 3 or 4); it meets d (1, 2 or 3); c meets d (3 or 4, 2 or 3)
#     together:     c-d
HEADS = torch.tensor([[[1, 1], [2, 1], [3, 1], [3, 3]], [[1, 1], [1, 3], [3.5, 3.5], [3, 2.5]]])
SIDE = 5
# One block joins a-b-c-d in a line, so that after one block 1, 2, 2, 1 of 3 others have reached a point, after two
# blocks 2, 3, 3, 2, after three all.
REACHED = [6 / 12, 10 / 12, 1.0]


@dataclass(frozen=True, eq=False, kw_only=True)
class WithKeys(SeenBlock):
    """A block whose heads have these keys."""

    keys: Tensor  # [B, H, N, D]

    def groups(self) -> list[SeenGroup]:
        return [SeenGroup(self, self.block.transforms[0], self.keys, self.keys)]


def _blocks(nodes: Tensor, count: int, mask: Tensor | None = None) -> list[SeenBlock]:  # nodes [B, H, N, D]
    B, H, N, D = nodes.shape
    projection = KeyValueProjection(4, 1, KeyProjection(H, D, MaskedBatchNorm), MaskedBatchNorm)
    block = MultiHeadBlock([CloudTransform(projection, SIDE, MaskedBatchNorm)], 4, 4, MaskedBatchNorm)
    tensors = {"features": torch.zeros(B, N, 4), "output": torch.zeros(B, N, 4), "style": None, "mask": mask}
    positions = torch.arange(N)[None, :, None].expand(B, N, 3).float()
    keys = nodes / ((SIDE - 1) / 2) - 1
    return [
        WithKeys(part="trunk", number=k + 1, cascade=1, block=block, positions=positions, keys=keys, **tensors)
        for k in range(count)
    ]


def test_two_heads_and_four_points() -> None:
    result = interaction(_blocks(HEADS[None], 3))
    assert [each.reached for each in result.blocks] == pytest.approx(REACHED)
    assert [each.least for each in result.blocks] == pytest.approx([1 / 3, 2 / 3, 1])
    assert [each.most for each in result.blocks] == pytest.approx([2 / 3, 1, 1])
    assert [each.complete for each in result.blocks] == [0, 1 / 2, 1]
    assert [each.alone["all"] for each in result.blocks] == pytest.approx([6 / 12] * 3)
    # b and c are equally near to the middle of a, b, c, d; b comes first. a and c reach it at once, d through c.
    assert result.center == 1
    assert result.arrival.tolist() == [1, 0, 1, 2]


def test_each_head_alone() -> None:
    first, second = (interaction(_blocks(HEADS[None, head : head + 1], 3)) for head in (0, 1))
    assert [each.reached for each in first.blocks] == pytest.approx([4 / 12, 6 / 12, 6 / 12])
    assert first.arrival.tolist() == [1, 0, 1, NEVER]  # d is alone
    assert [each.reached for each in second.blocks] == pytest.approx([2 / 12] * 3)


def test_masked_points_are_nobody() -> None:
    """Without c, the line is broken: a-b, and d alone. Padding changes nothing."""
    mask = torch.tensor([[True, True, False, True], [True, True, True, True]])
    without, whole = interactions(_blocks(HEADS.expand(2, -1, -1, -1), 3, mask))
    assert without.num_points == 3
    assert [each.reached for each in without.blocks] == pytest.approx([2 / 6] * 3)
    assert [each.reached for each in whole.blocks] == pytest.approx(REACHED)


def test_one_point_has_nobody_to_meet() -> None:
    with pytest.raises(InputError, match="needs two"):
        interaction(_blocks(HEADS[None, :, :1], 1))


@pytest.mark.parametrize(("dim", "side"), [(2, 4), (2, 9), (3, 5), (3, 1), (2, 16)])
def test_one_head_is_where_the_transform_has_a_derivative(dim: int, side: int) -> None:
    """With sums the transform is linear in its values: its derivative is not 0 exactly where values can get through."""
    rng = torch.Generator().manual_seed(side)
    keys = 2 * torch.rand(1, 1, 30, dim, generator=rng, dtype=torch.float64) - 1
    keys[:, :, :12] = (keys[:, :, :12] * 4).round() / 4  # some on nodes, some at the border
    weight = torch.rand(1, 1, *[3] * dim, generator=rng, dtype=torch.float64) + 0.1

    def read(values: Tensor) -> Tensor:  # [N] -> [N]
        bias = values.new_zeros(1)
        return cloud_transform(values[None, None, :, None], keys, weight, bias, side, reduce="sum").flatten()

    derivative = torch.autograd.functional.jacobian(read, torch.ones(30, dtype=torch.float64))
    seen = _blocks(torch.zeros(1, 1, 2, dim), 1)[0]
    projection = KeyValueProjection(4, 1, KeyProjection(1, dim, MaskedBatchNorm), MaskedBatchNorm)
    group = SeenGroup(seen, CloudTransform(projection, side, MaskedBatchNorm), keys, keys)
    first, last = (nodes[0, 0].numpy() for nodes in touched(group))
    assert (unpack(one_head(first, last), 30) == (derivative != 0).numpy()).all()


def test_what_a_block_cannot_carry_does_not_change_its_output() -> None:
    torch.manual_seed(0)
    model = models.segmenter("small").eval()
    positions = 3 * torch.randn(1, 60, 3)
    seen = seen_blocks(model, lambda: model(positions, torch.rand(1, 60, 3)))[0]
    result = interaction([seen])
    others = np.flatnonzero(result.arrival == NEVER)
    assert len(others)
    assert (result.arrival == 1).any()
    with torch.no_grad():
        features = seen.features.clone()
        features[:, others] += 10 * torch.rand(len(others), features.shape[-1])
        changed = (seen.block(features, positions) != seen.block(seen.features, positions)).any(-1)[0].numpy()
    assert changed[others].all()
    assert not changed[result.center]
