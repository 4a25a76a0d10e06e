"""Earth mover's distance as a loss.

Letters: B batch, N points.
"""

from torch import Tensor

from cloud_transformers.losses.chamfer import square_root
from cloud_transformers.ops.emd import TRAINING, EmdSetting, emd


def emd_loss(
    prediction: Tensor,  # [B, N, 3]
    target: Tensor,  # [B, N, 3]
    setting: EmdSetting = TRAINING,
) -> Tensor:  # [B]
    """The mean distance to the partners of a matching by auction, which is held fixed; the target gets no gradient.

    A point that lies exactly on its partner gets no gradient.
    """
    square, _ = emd(prediction, target, eps=setting.eps, rounds=setting.rounds)
    return square_root(square).mean(dim=1)
