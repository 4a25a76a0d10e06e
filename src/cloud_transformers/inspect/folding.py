"""Folding: where the points of a generated shape began on the sphere.

Letters: N points.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from torch import nn

from cloud_transformers.errors import InputError
from cloud_transformers.inspect.subject import ModelInput, Subject
from cloud_transformers.inspect.walk import first_calls
from cloud_transformers.models import Completer, Reconstructor

OBSERVED = np.array([150, 154, 160], np.uint8)  # the colour of points that did not begin on the sphere


@dataclass(frozen=True, eq=False)
class Folding:
    """Points before and after the decoder, in the coordinates of the model."""

    start: NDArray[np.float32]  # [N, 3]
    end: NDArray[np.float32]  # [N, 3]
    observed: NDArray[np.bool_]  # [N] points of the input, where the model is given some; the others are on the sphere,
    # or mirror images of them

    @property
    def colors(self) -> NDArray[np.uint8]:  # [N, 3]
        """Where a point began: red, green and blue are x, y and z on the sphere. Observed points are grey."""
        place = np.rint(255 * (self.start + 1) / 2).clip(0, 255).astype(np.uint8)
        return np.where(self.observed[:, None], OBSERVED, place)

    def to_json(self) -> dict[str, Any]:
        return {
            "start": self.start.round(5).tolist(),
            "end": self.end.round(5).tolist(),
            "observed": self.observed.tolist(),
            "colors": self.colors.tolist(),
        }


def check_folds(subject: Subject) -> None:
    """InputError if the subject's model has no sphere that it folds: if it is for segmentation or classification."""
    if not isinstance(subject.predictor.model, (Completer, Reconstructor)):
        raise InputError(
            f"{subject.name}: is for {subject.task}, and folds no sphere; name weights for completion or reconstruction"
        )


def folding(subject: Subject, given: ModelInput) -> Folding:
    """What the decoder of a completer or reconstructor, the subject, makes of its points for the `given` input.

    Of several passes, the first. Other models are an InputError.
    """
    check_folds(subject)
    decoder: nn.Module = subject.predictor.model.decoder
    last: nn.Module = getattr(subject.predictor.model, "refinement", None) or decoder
    calls = first_calls([decoder, last], given.run)
    (_, inputs), points = calls[decoder][0], calls[last][1]
    start, end = (tensor[0].float().numpy(force=True) for tensor in (inputs, points))
    observed = start[:, 3] > 0 if start.shape[1] > 3 else np.zeros(len(start), bool)
    return Folding(start[:, :3].copy(), end, observed)
