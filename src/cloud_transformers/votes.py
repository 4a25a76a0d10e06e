"""What several regions say of one point, in one answer: evaluation and prediction decide alike.

Letters: M points, K classes.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray


def decided(
    sums: NDArray[Any],  # [M, K] the logits of all regions that showed a point, added up
    visits: NDArray[Any],  # [M] how many these were; none of them 0
) -> tuple[NDArray[np.int64], NDArray[np.float32]]:  # [M], [M]
    """The class with the largest mean logit, and its probability, which is the softmax of the mean logits.

    Of equal logits the first counts. A confident region so outweighs several that hesitate, as in the sphere protocol.
    """
    mean = sums / np.maximum(visits, 1)[:, None]
    labels = mean.argmax(axis=1) if len(mean) else np.zeros(0, np.int64)
    others = np.exp(mean - np.take_along_axis(mean, labels[:, None], axis=1))
    return labels, (1 / others.sum(axis=1)).astype(np.float32)
