"""What goes into an exported model and what comes out: names, shapes, meanings, and inputs to try it on.

Letters: B batch, N points, M observed points, F feature channels, h and w the image's height and width.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn

from cloud_transformers.export.framing import box_frame, centred, unit_sphere
from cloud_transformers.models import Classifier, Completer, Reconstructor, Segmenter
from cloud_transformers.models.kinds import kind_of
from cloud_transformers.models.preparation import Preparation, plain_fields


@dataclass(frozen=True, kw_only=True)
class Port:
    """An input or output. Sizes are numbers, or letters where any size can be given."""

    name: str  # as the file calls it
    shape: tuple[str | int, ...]  # for example ("B", "N", 3)
    meaning: str  # in a few words
    dtype: str = "float32"  # or "bool"


@dataclass(frozen=True, kw_only=True)
class Interface:
    module: nn.Module  # called with the inputs in their order; returns the outputs as a tuple
    inputs: tuple[Port, ...]
    outputs: tuple[Port, ...]
    sample: Callable[[int, int, int], tuple[Tensor, ...]]  # batch size, points, seed -> inputs, some points masked
    points_mask: int | None = None  # which input says which rows of a [B, N, ...] output mean something


MASK_MEANING = "True = a real point; the others may hold anything"
NOISE_MEANING = "normally distributed numbers, or points on the unit sphere"


class _Segmenter(nn.Module):
    def __init__(self, model: Segmenter) -> None:
        super().__init__()
        self.model = model

    def forward(self, positions: Tensor, features: Tensor, mask: Tensor) -> tuple[Tensor]:
        return (self.model(positions, features, mask),)


class _Classifier(nn.Module):
    def __init__(self, model: Classifier, preparation: Preparation | None) -> None:
        super().__init__()
        self.model, self.framed = model, preparation is not None
        self.metre = preparation.scale if preparation is not None and preparation.knows_sizes else None

    def forward(self, positions: Tensor, mask: Tensor) -> tuple[Tensor, ...]:
        if self.metre is not None:
            positions = centred(positions, mask) * self.metre
        elif self.framed:
            positions = unit_sphere(positions, mask)
        class_logits, foreground_logits = self.model(positions, mask)
        return (class_logits,) if foreground_logits is None else (class_logits, foreground_logits)


class _Completer(nn.Module):
    def __init__(self, model: Completer, diagonal: float | None) -> None:
        super().__init__()
        self.model, self.diagonal = model, diagonal

    def forward(self, partial: Tensor, mask: Tensor, noise: Tensor) -> tuple[Tensor]:
        sphere = nn.functional.normalize(noise, dim=-1)
        if self.diagonal is None:
            return (self._completed(partial, mask, sphere),)
        middle, factor = box_frame(partial, mask, self.diagonal)
        return (self._completed((partial - middle) * factor, mask, sphere) / factor + middle,)

    def _completed(self, partial: Tensor, mask: Tensor, sphere: Tensor) -> Tensor:
        return self.model.decode(self.model.encode(partial, mask), self.model.filled_up(partial, sphere, mask))


class _Reconstructor(nn.Module):
    def __init__(self, model: Reconstructor) -> None:
        super().__init__()
        self.model = model

    def forward(self, images: Tensor, noise: Tensor) -> tuple[Tensor]:
        return (self.model.decode(self.model.encode(images), nn.functional.normalize(noise, dim=-1)),)


def interface_of(model: nn.Module, preparation: Preparation | None = None) -> Interface:
    """By the task of the model's kind. With a `preparation`, clouds are centred and scaled as it says, where that
    concerns the cloud alone: in classification, and in completion in the frame of the partial cloud."""
    of_task: dict[str, Callable[[Any, Preparation | None], Interface]] = {
        "segmentation": _segmenter,
        "classification": _classifier,
        "completion": _completer,
        "reconstruction": _reconstructor,
    }
    return of_task[kind_of(model).task](model, preparation)


def _segmenter(model: Segmenter, preparation: Preparation | None) -> Interface:
    num_features, num_classes = model.config.num_features, model.config.num_classes

    def sample(batch: int, points: int, seed: int) -> tuple[Tensor, ...]:
        positions, mask, draw = _cloud(batch, points, seed)
        features = torch.rand(batch, points, num_features, generator=draw)
        return positions, features.masked_fill(~mask[..., None], float("nan")), mask

    return Interface(
        module=_Segmenter(model),
        inputs=(
            Port(name="positions", shape=("B", "N", 3), meaning=_coordinates(False)),
            Port(name="features", shape=("B", "N", num_features), meaning=_features(preparation)),
            Port(name="mask", shape=("B", "N"), meaning=MASK_MEANING, dtype="bool"),
        ),
        outputs=(Port(name="logits", shape=("B", "N", num_classes), meaning="per point; softmax gives probabilities"),),
        sample=sample,
        points_mask=2,
    )


def _classifier(model: Classifier, preparation: Preparation | None) -> Interface:
    num_classes = model.config.num_classes

    def sample(batch: int, points: int, seed: int) -> tuple[Tensor, ...]:
        positions, mask, _ = _cloud(batch, points, seed)
        return positions, mask

    meaning = _coordinates(preparation is not None)
    if preparation is not None and preparation.knows_sizes:
        meaning = "coordinates in metres; the file centres and scales them"
    outputs = (
        Port(name="class_logits", shape=("B", num_classes), meaning="per cloud; softmax gives probabilities"),
        Port(name="foreground_logits", shape=("B", "N"), meaning="per point; > 0: belongs to the object"),
    )
    return Interface(
        module=_Classifier(model, preparation),
        inputs=(
            Port(name="positions", shape=("B", "N", 3), meaning=meaning),
            Port(name="mask", shape=("B", "N"), meaning=MASK_MEANING, dtype="bool"),
        ),
        outputs=outputs if model.mask_head is not None else outputs[:1],
        sample=sample,
        points_mask=1,
    )


def _completer(model: Completer, preparation: Preparation | None) -> Interface:
    def sample(batch: int, points: int, seed: int) -> tuple[Tensor, ...]:
        partial, mask, draw = _cloud(batch, points, seed)
        return partial, mask, torch.randn(batch, 2 * points + 3, 3, generator=draw)

    diagonal = None
    if preparation is not None and preparation.frame == "partial":
        diagonal = preparation.extent * preparation.scale
    return Interface(
        module=_Completer(model, diagonal),
        inputs=(
            Port(name="partial", shape=("B", "M", 3), meaning=_coordinates(diagonal is not None)),
            Port(name="mask", shape=("B", "M"), meaning=MASK_MEANING, dtype="bool"),
            Port(name="noise", shape=("B", "N", 3), meaning=f"{NOISE_MEANING}; N >= M"),
        ),
        outputs=(Port(name="points", shape=("B", "N", 3), meaning="the completed shape"),),
        sample=sample,
    )


def _reconstructor(model: Reconstructor, preparation: Preparation | None) -> Interface:
    def sample(batch: int, points: int, seed: int) -> tuple[Tensor, ...]:
        draw = torch.Generator().manual_seed(seed)
        images = torch.randn(batch, 3, 48 + 16 * seed, 64 + 16 * seed, generator=draw)
        return images, torch.randn(batch, points, 3, generator=draw)

    return Interface(
        module=_Reconstructor(model),
        inputs=(
            Port(name="images", shape=("B", 3, "h", "w"), meaning="less ImageNet's mean, over its deviation"),
            Port(name="noise", shape=("B", "N", 3), meaning=NOISE_MEANING),
        ),
        outputs=(Port(name="points", shape=("B", "N", 3), meaning="the shape in the image"),),
        sample=sample,
    )


def _coordinates(framed: bool) -> str:
    return "coordinates in any unit; the file centres and scales them" if framed else "coordinates as in training"


def _features(preparation: Preparation | None) -> str:
    if preparation is None:
        return "what enters beside them: colour, say"
    scales = iter(zip(preparation.field_mean, preparation.field_std, strict=True))
    are_plain = set(plain_fields(preparation.features))
    words = [
        "{} less {:g} over {:g}".format(name, *next(scales)) if name in are_plain else name
        for name in preparation.features
    ]
    return f"what enters beside them, in this order: {', '.join(words)}"


def _cloud(batch: int, points: int, seed: int) -> tuple[Tensor, Tensor, torch.Generator]:
    """Positions and mask: the clouds have different numbers of points; what is behind them is not a number."""
    draw = torch.Generator().manual_seed(seed)
    positions = 2 * torch.rand(batch, points, 3, generator=draw) - 1
    counts = torch.tensor([max(points - index * (points // 3), 1) for index in range(batch)])
    mask = torch.arange(points) < counts[:, None]
    return positions.masked_fill(~mask[..., None], float("nan")), mask, draw
