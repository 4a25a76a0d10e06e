"""Reconstruction: from one picture of an object to points all over it, in the frame of the viewer.

Letters: h, w a picture's height and width.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from os import PathLike
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from cloud_transformers.cloud import PointCloud
from cloud_transformers.errors import InputError
from cloud_transformers.models.generator import sphere_points
from cloud_transformers.models.reconstructor import normalized_images
from cloud_transformers.predict.batches import require_finite
from cloud_transformers.predict.picture_frames import Frame, framed
from cloud_transformers.predict.pictures import on_white, resized, square, take_picture
from cloud_transformers.predict.task_predictor import TaskPredictor
from cloud_transformers.remote import located
from cloud_transformers.space.frames import up_rotation

CENTER = 0.5  # of the answer's cube: models are trained on clouds in [0, 1]^3


@dataclass(frozen=True, eq=False, kw_only=True)
class Seen:
    """A picture as the model takes it."""

    name: str
    image: NDArray[np.uint8]  # [pixels, pixels, 3]
    turn: NDArray[np.float64]  # [3, 3], from the viewer's axes to those asked for
    scale: float
    seed: int
    notes: tuple[str, ...]
    frame: Frame = Frame()  # what of the picture the model sees


class ReconstructionPredictor(TaskPredictor):
    """`predictor(picture)` for one, `predictor.many(pictures)` for several at once, with the same answers.

    A picture is a file or an array [h, w, 3] or [h, w, 4], uint8, or floats in [0, 1]. The answer is in the frame of
    the camera: x to the picture's right, y up in the picture, z towards the viewer, the object around the middle of
    the unit cube, its real size unknown.
    """

    def __call__(self, picture: str | PathLike[str] | NDArray[Any], **settings: Any) -> PointCloud:
        """The settings are those of `prepare`."""
        return self.score([self.prepare(picture, **settings)])[0]

    def many(self, pictures: Sequence[str | PathLike[str] | NDArray[Any]], **settings: Any) -> list[PointCloud]:
        """The settings are those of `prepare`."""
        return self.score([self.prepare(picture, **settings) for picture in pictures])

    def prepare(
        self,
        picture: str | PathLike[str] | NDArray[Any],
        *,
        up: str | None = None,
        scale: float = 1.0,
        seed: int = 0,
        name: str | None = None,
    ) -> Seen:
        """`up`: the axis that shall point up in the answer (y by default); `scale`: the side of the answer's cube.

        A picture that is not square gets white borders, the ground of the training pictures; transparent pixels
        become white, or lose their transparency if they did in training (`preparation.alpha`). Weights that know
        objects of all sizes (`preparation.framed`) see the object in the middle, if its ground is transparent or of one
        colour, which becomes white; the answer is where the picture shows the object all the same. `name` is what
        complaints call the picture; by default its file.
        """
        if not (np.isfinite(scale) and scale > 0):
            raise InputError(f"scale must be a positive number, got {scale}")
        is_file = isinstance(picture, (str, PathLike))
        name = name or (str(located(picture)) if is_file else "the picture")  # type: ignore[arg-type]
        layer = take_picture(picture, name, "kept" if self.preparation.framed else self.preparation.alpha)
        image, frame, told = framed(layer) if self.preparation.framed else (layer, Frame(), ())
        image, notes = square(image if self.preparation.alpha == "dropped" else on_white(image))
        return Seen(
            name=name,
            image=resized(image, self.preparation.pixels),
            frame=frame,
            turn=up_rotation("y", up or "y"),
            scale=scale,
            seed=seed,
            notes=told + notes,
        )

    def score(self, prepared: Sequence[Seen]) -> list[PointCloud]:
        """For all `prepared`, clouds of `passes` times `num_points` points; notes on the input are in
        `metadata["notes"]`."""
        answers = self.batches.run(prepared, self._score)
        return [_placed(each, answer) for each, answer in zip(prepared, answers, strict=True)]

    @torch.inference_mode()
    def _score(self, some: Sequence[Seen]) -> list[NDArray[np.float32]]:
        images = normalized_images(np.stack([each.image for each in some])).to(self.device)
        style = self.model.encode(images)
        generators = [torch.Generator().manual_seed(each.seed) for each in some]
        count, passes = self.preparation.num_points, []
        for _ in range(self.preparation.passes):
            spheres = [sphere_points(1, count, like=style, generator=generator) for generator in generators]
            passes.append(self.model.decode(style, torch.cat(spheres)))
        return list(require_finite(torch.cat(passes, dim=1).float().numpy(force=True)))


def _placed(seen: Seen, answer: NDArray[np.float32]) -> PointCloud:
    turned = ((seen.frame.undo(answer.astype(np.float64), CENTER) - CENTER) @ seen.turn.T + CENTER) * seen.scale
    return PointCloud(positions=turned.astype(np.float32), metadata={"notes": seen.notes})
