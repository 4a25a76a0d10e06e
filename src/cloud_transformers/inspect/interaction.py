"""The interaction measure: how many points can influence a point after one block, after two, and so on.

A point j *can influence* a point i

- through a head, if a grid node that j writes to lies within the convolution's 3x3 (3x3x3) reach of one that i reads.
  A point writes to and reads the corners of its key's cell, but for those that it weighs on by exactly 0;
- through a block, if it can through one of its heads, or if i is j (the residual connection);
- after several blocks, if there is a chain of such steps, one through each block.

It is a matter of structure: keys are taken as they are for the given cloud, but who wins a maximum, which channels a
ReLU closes and how large a convolution's weights are does not count, nor does how a point's own key would move.
Statistics over all points are no path either: BatchNorm has none in evaluation; adaptive instance normalisation, in
decoders, and the style vector do join all points at once, and are left out so that the grids' part can be seen.

Letters: B batch, N visible points, H heads, D grid dimension.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from torch import Tensor

from cloud_transformers.errors import InputError
from cloud_transformers.inspect import reach
from cloud_transformers.inspect.walk import SeenBlock, SeenGroup
from cloud_transformers.ops.corners import locate

NEVER = -1


@dataclass(frozen=True, eq=False, kw_only=True)
class BlockReach:
    """Shares are of the N - 1 *other* visible points, from 0 to 1; means over points, unless a name tells otherwise."""

    number: int  # from 1
    cascade: int  # from 1
    alone: dict[str, float]  # through this block's heads only: of each kind, and of "all"
    reached: float  # after this block and those before it
    least: float  # of any point
    most: float  # of any point
    complete: float  # the share of points that everybody can influence


@dataclass(frozen=True, eq=False, kw_only=True)
class Interaction:
    """How the points of one cloud come to know of each other in one trunk."""

    part: str  # "trunk", "encoder" or "decoder"
    num_points: int  # N
    blocks: tuple[BlockReach, ...]  # in their order
    positions: NDArray[np.float32] = field(repr=False)  # [N, 3] as the model takes them
    center: int  # the point next to the middle of the cloud,
    arrival: NDArray[np.int64] = field(repr=False)  # [N] and after how many blocks others influence it; 0 itself, NEVER

    def to_json(self) -> dict[str, Any]:
        """The numbers, ready for JSON; points are left out."""
        return {
            "part": self.part,
            "points": self.num_points,
            "blocks": [
                {
                    "block": each.number,
                    "cascade": each.cascade,
                    "alone": each.alone,
                    "reached": each.reached,
                    "least": each.least,
                    "most": each.most,
                    "complete": each.complete,
                }
                for each in self.blocks
            ],
        }


def interactions(blocks: Sequence[SeenBlock]) -> list[Interaction]:
    """For each cloud of the batch and each part of the model, of all its `blocks`: clouds outside, parts inside."""
    parts = list(dict.fromkeys(block.part for block in blocks))
    clouds = range(len(blocks[0].positions)) if blocks else range(0)
    return [
        interaction([block for block in blocks if block.part == part], cloud=cloud)
        for cloud in clouds
        for part in parts
    ]


def interaction(
    blocks: Iterable[SeenBlock],  # of one part, in their order
    *,
    cloud: int = 0,  # which one of the batch
) -> Interaction:
    """How far points see after each block. Exact.

    With N points it takes about 10 matrices of N^2 / 8 bytes: 20 MB for 4,096 points. InputError below two points.

    >>> subject = ct.inspect.open_subject("classifier:tiny")
    >>> (given,) = subject.inputs(np.random.default_rng(0).random((64, 3)), up="z")
    >>> found = ct.inspect.interaction(subject.blocks(given))
    >>> len(found.blocks), found.blocks[0].reached <= found.blocks[-1].reached
    (3, True)
    """
    reached, results, part = None, [], ""
    for seen in blocks:
        visible = seen.visible[cloud].cpu().numpy()
        num = int(visible.sum())
        if num < 2:
            raise InputError(f"interaction is between points: the cloud has {num} that can be seen, and needs two")
        if reached is None:
            part = seen.part
            positions = seen.positions[cloud].float().cpu().numpy()[visible]
            center = int(np.linalg.norm(positions - positions.mean(axis=0), axis=1).argmin())
            arrival = np.where(np.arange(num) == center, 0, NEVER)
            reached = reach.itself(num)
        relation, alone = _relation(seen, cloud, visible)
        reached = reach.after(relation, reached)
        arrival[reach.unpack(reached[center : center + 1], num)[0] & (arrival == NEVER)] = seen.number
        others = (reach.counts(reached) - 1) / (num - 1)
        results.append(
            BlockReach(
                number=seen.number,
                cascade=seen.cascade,
                alone=alone,
                reached=float(others.mean()),
                least=float(others.min()),
                most=float(others.max()),
                complete=float((others == 1).mean()),
            )
        )
    if reached is None:
        raise ValueError("there are no blocks: nothing of this part was run")
    return Interaction(
        part=part, num_points=num, blocks=tuple(results), positions=positions, center=center, arrival=arrival
    )


def _relation(seen: SeenBlock, cloud: int, visible: NDArray[np.bool_]) -> tuple[reach.Bits, dict[str, float]]:
    num = int(visible.sum())
    relation, alone = reach.itself(num), {}
    for group in seen.groups():
        of_kind = reach.itself(num)
        first, last = (nodes[cloud].cpu().numpy()[:, visible] for nodes in touched(group))
        for head in range(len(first)):
            of_kind |= reach.one_head(first[head], last[head])
        alone[group.kind] = _mean_share(of_kind)
        relation |= of_kind
    return relation, {**alone, "all": _mean_share(relation)}


def _mean_share(relation: reach.Bits) -> float:
    num = len(relation)
    return float((reach.counts(relation) - 1).mean() / (num - 1))


def touched(group: SeenGroup) -> tuple[Tensor, Tensor]:  # both [B, H, N, D]
    """The lowest and the highest grid node, per axis, on which a point weighs by more than 0."""
    lower, fraction = locate(group.keys, group.size)
    return lower + (fraction == 1).long(), lower + (fraction > 0).long()
