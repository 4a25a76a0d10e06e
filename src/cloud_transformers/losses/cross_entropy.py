"""Cross entropies for the recognition tasks, in which masked points do not exist.

Letters: B batch, N points, K classes.
"""

import torch
from torch import Tensor
from torch.nn import functional as F

from cloud_transformers.tensor_checks import ShapeCheck

NO_LABEL = -1  # a point with this label is not learned from


def segmentation_loss(
    logits: Tensor,  # [B, N, K]
    labels: Tensor,  # [B, N] int64, NO_LABEL = not known
    mask: Tensor | None = None,  # [B, N], True = a real point
    *,
    class_weights: Tensor | None = None,  # [K]
    label_smoothing: float = 0.0,  # this share of each target is spread evenly over all classes
) -> Tensor:  # []
    """The mean cross entropy over all labelled, visible points of the batch; 0 where there are none.

    >>> labels = torch.tensor([[0, 1, -1]])  # of the last point nothing is known
    >>> round(ct.losses.segmentation_loss(torch.zeros(1, 3, 2), labels).item(), 4)  # ln 2
    0.6931
    """
    check = ShapeCheck()
    check("logits", logits, "B N K")
    if mask is not None:
        check("mask", mask, "B N", kind="bool")
    if labels.shape != logits.shape[:2]:
        raise ValueError(f"labels must be [B, N] as in logits {list(logits.shape)}, got shape {list(labels.shape)}")
    if mask is not None:
        labels = labels.where(mask, NO_LABEL)
        logits = logits.where(mask[..., None], 0)
    return _mean_cross_entropy(logits.flatten(0, 1).float(), labels.flatten(), class_weights, label_smoothing)


def classification_loss(
    class_logits: Tensor,  # [B, K]
    labels: Tensor,  # [B] int64, NO_LABEL = not known
    *,
    class_weights: Tensor | None = None,  # [K]
    label_smoothing: float = 0.0,  # this share of each target is spread evenly over all classes
) -> Tensor:  # []
    """The mean cross entropy over all labelled clouds of the batch; 0 where there are none.

    >>> round(ct.losses.classification_loss(torch.zeros(2, 4), torch.tensor([0, 3])).item(), 4)  # ln 4
    1.3863
    """
    check = ShapeCheck()
    check("class_logits", class_logits, "B K")
    if labels.shape != class_logits.shape[:1]:
        raise ValueError(f"labels must be [B] with B = {len(class_logits)}, got shape {list(labels.shape)}")
    return _mean_cross_entropy(class_logits.float(), labels, class_weights, label_smoothing)


def foreground_loss(
    mask_logits: Tensor,  # [B, N]
    foreground: Tensor,  # [B, N] bool: True = the point belongs to the object
    mask: Tensor | None = None,  # [B, N], True = a real point
) -> Tensor:  # []
    """The mean binary cross entropy over all visible points of the batch; 0 where a mask hides all of them.

    >>> round(ct.losses.foreground_loss(torch.zeros(1, 2), torch.tensor([[True, False]])).item(), 4)  # ln 2
    0.6931
    """
    check = ShapeCheck()
    check("mask_logits", mask_logits, "B N")
    check("foreground", foreground, "B N", kind="bool")
    if mask is None:
        return F.binary_cross_entropy_with_logits(mask_logits.float(), foreground.float())
    check("mask", mask, "B N", kind="bool")
    logits = mask_logits.float().where(mask, 0)
    each = F.binary_cross_entropy_with_logits(logits, foreground.float(), reduction="none")
    return each.where(mask, 0).sum() / mask.sum().clamp(min=1)


def _mean_cross_entropy(logits: Tensor, labels: Tensor, class_weights: Tensor | None, label_smoothing: float) -> Tensor:
    """As torch's, with its weighting, but 0 instead of NaN where no label is known."""
    total = F.cross_entropy(
        logits,
        labels,
        weight=class_weights,
        ignore_index=NO_LABEL,
        label_smoothing=label_smoothing,
        reduction="sum",
    )
    known = labels != NO_LABEL
    if class_weights is None:
        return total / known.sum().clamp(min=1)
    weight = class_weights[labels.clamp(min=0)].where(known, 0).sum()
    return total / weight.clamp(min=torch.finfo(weight.dtype).tiny)
