"""Earth mover's distance: two clouds of equal size matched point to point, by auction.

Letters: B batch, N points.
"""

from dataclasses import dataclass

import torch
from torch import Tensor

from cloud_transformers.ops.backend import implementation
from cloud_transformers.tensor_checks import ShapeCheck


@dataclass(frozen=True, kw_only=True)
class EmdSetting:
    """How long an auction may go on; the fields are arguments of `emd`."""

    eps: float  # the mean distance may be above the smallest by this many sides of the cube around both clouds
    rounds: int  # bound of the work


TRAINING = EmdSetting(eps=0.005, rounds=50)
EVALUATION = EmdSetting(eps=0.004, rounds=3000)


def emd(
    prediction: Tensor,  # [B, N, 3]
    target: Tensor,  # [B, N, 3]
    *,
    eps: float = TRAINING.eps,
    rounds: int = TRAINING.rounds,
) -> tuple[Tensor, Tensor]:  # [B, N], and [B, N] int64
    """Match every predicted point with a target point of its own, at a small total distance.

    Returns the *squared* distance of each predicted point to its partner, and the partner's index. The usual loss is
    the mean of the square roots. `emd(x, y, **vars(EVALUATION))` takes a named setting.

    **Always a bijection**, whatever the rounds: those that the auction left without a partner take the nearest that
    is free. (The release's last round gives them any partner, taken or not.)
    **How close.** `rounds` bounds the work: `rounds` x N bids on the CPU's native kernel, one after the other;
    `rounds` rounds of simultaneous bids elsewhere, which get less far. If the auction ends before that, the mean
    distance is above the smallest possible by at most `eps` and by about 1 % at most. `eps` counts in sides of the
    smallest cube around both clouds, so scaling or moving both changes nothing; in the unit cube of the benchmarks
    it is what it is in the release.
    **The bid** is 3 - distance - price in the release: the constant changes neither who bids highest nor by how much,
    and is left out.
    **Gradient** flows to the prediction alone; the matching itself is held fixed.
    **Ties**, duplicates and single points need no care. Points that are not finite get some partner and a distance
    that is not finite. Half precision is raised to float32. The matching depends on the backend, but not on the number
    of threads, nor on the other clouds of the batch.

    >>> prediction = torch.tensor([[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0]]])
    >>> target = torch.tensor([[[1.0, 0.0, 0.0], [0.0, 0.0, 0.5]]])
    >>> square, partner = ct.ops.emd(prediction, target)
    >>> square.tolist(), partner.tolist()
    ([[0.25, 0.0]], [[1, 0]])
    """
    check = ShapeCheck()
    check("prediction", prediction, "B N 3")
    check("target", target, "B N 3")
    if not eps > 0 or rounds < 1:
        raise ValueError(f"eps must be above 0 and rounds at least 1, got eps={eps}, rounds={rounds}")
    prediction, target = (x.float() if x.dtype in (torch.float16, torch.bfloat16) else x for x in (prediction, target))
    target = target.detach()
    partner = _assign(prediction.detach(), target, float(eps), rounds)
    matched = target.gather(1, partner[..., None].expand(-1, -1, 3))
    return (prediction - matched).square().sum(dim=2), partner


@torch.library.custom_op("cloud_transformers::emd_assign", mutates_args=())
def _assign(prediction: Tensor, target: Tensor, eps: float, rounds: int) -> Tensor:
    prediction, target = _in_unit_cube(prediction, target)
    if prediction.numel() == 0:
        return torch.empty(prediction.shape[:2], dtype=torch.int64, device=prediction.device)
    partner: Tensor = implementation("emd", prediction).assign(prediction, target, eps, rounds)
    return partner


@_assign.register_fake
def _(prediction: Tensor, target: Tensor, eps: float, rounds: int) -> Tensor:
    return prediction.new_empty(prediction.shape[:2], dtype=torch.int64)


def _in_unit_cube(prediction: Tensor, target: Tensor) -> tuple[Tensor, Tensor]:
    """Both clouds in float32, moved and scaled by the smallest cube around the two; what is not finite becomes 0."""
    both = torch.cat([prediction, target], dim=1).double().nan_to_num(nan=0, posinf=0, neginf=0)
    if both.numel() == 0:
        return prediction, target
    low = both.amin(dim=1, keepdim=True)
    side = (both.amax(dim=1, keepdim=True) - low).amax(dim=2, keepdim=True)
    both = ((both - low) / side.where(side > 0, 1)).float()
    N = prediction.shape[1]
    return both[:, :N].contiguous(), both[:, N:].contiguous()
