"""Earth mover's distance as a loss.

Letters: B batch, N points.
"""

from torch import Tensor

from cloud_transformers.losses.chamfer import square_root
from cloud_transformers.ops.emd import TRAINING, EmdSetting, emd


def emd_loss(
    prediction: Tensor,  # [B, N, 3]
    target: Tensor,  # [B, N, 3]
    setting: EmdSetting = TRAINING,  # how long the auction may go on, see `ops.emd`
) -> Tensor:  # [B]
    """The mean distance to the partners of a matching by auction, which is held fixed; the target gets no gradient.

    A point that lies exactly on its partner gets no gradient.

    >>> ct.losses.emd_loss(torch.zeros(1, 2, 3), torch.tensor([[[0.0, 0.0, 1.0], [0.0, 0.0, 2.0]]])).tolist()
    [1.5]
    """
    square, _ = emd(prediction, target, eps=setting.eps, rounds=setting.rounds)
    return square_root(square).mean(dim=1)
