"""Chamfer distance: how far each of two clouds' points lie from the other cloud.

Letters: B batch, N and M points.
"""

from torch import Tensor

from cloud_transformers.ops.nearest import Masks, nearest


def chamfer(
    prediction: Tensor,  # [B, N, 3]
    target: Tensor,  # [B, M, 3]
    *,
    squared: bool = True,
    masks: Masks | None = None,  # of the prediction [B, N] and of the target [B, M], True = a real point
) -> tuple[Tensor, Tensor]:  # [B], [B]
    """The mean (squared) distance from predicted points to their nearest targets, and from targets to predictions.

    The benchmarks' CD is the sum of the two with `squared`: mean(d1^2) + mean(d2^2). Without it the distances
    themselves are averaged; a point that lies exactly on its neighbour then gets no gradient, where the square root
    has none. Means are over real points; from a cloud without any the mean is 0, towards one it is infinite.

    >>> prediction, target = torch.zeros(1, 1, 3), torch.tensor([[[0.0, 0.0, 1.0], [0.0, 0.0, 2.0]]])
    >>> forward, backward = ct.losses.chamfer(prediction, target)
    >>> forward.item(), backward.item()  # 1, and the mean of 1 and 4
    (1.0, 2.5)
    """
    prediction_mask, target_mask = masks or (None, None)
    forward, backward = nearest_squares(prediction, target, masks=masks)
    return _mean(forward, prediction_mask, squared), _mean(backward, target_mask, squared)


def nearest_squares(
    prediction: Tensor,  # [B, N, 3]
    target: Tensor,  # [B, M, 3]
    *,
    masks: Masks | None = None,  # as for `chamfer`
) -> tuple[Tensor, Tensor]:  # [B, N], [B, M]
    """The squared distance of every predicted point to its nearest target, and of every target to its prediction."""
    prediction_mask, target_mask = masks or (None, None)
    forward, _ = nearest(prediction, target, masks=(prediction_mask, target_mask))
    backward, _ = nearest(target, prediction, masks=(target_mask, prediction_mask))
    return forward, backward


def _mean(square: Tensor, mask: Tensor | None, squared: bool) -> Tensor:
    distance = square if squared else square_root(square)
    count = square.shape[1] if mask is None else mask.sum(dim=1)
    return distance.sum(dim=1) / (max(count, 1) if isinstance(count, int) else count.clamp(min=1))


def square_root(square: Tensor) -> Tensor:
    """The root, without a gradient where there is none: at 0 torch's is infinite."""
    is_zero = square == 0
    return square.masked_fill(is_zero, 1).sqrt().masked_fill(is_zero, 0)
