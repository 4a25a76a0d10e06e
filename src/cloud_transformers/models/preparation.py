"""What a model expects of its input: kept in its weight file, so that the file is enough to use it on any cloud."""

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Literal

from cloud_transformers.decoding import Between, decode, parse_json

Region = Literal["whole", "block", "sphere"]
_CHANNELS = {"color": 3, "height": 1, "normal": 3}  # of features that are no plain field of the files

# Far beyond what any model was trained on, and still what a machine can hold.
Points = Annotated[int, Between(1, 1 << 17)]
Length = Annotated[float, Between(1e-6, 1e6)]
Deviation = Annotated[float, Between(1e-30, 1e30)]


def num_channels(features: Iterable[str]) -> int:
    """How many numbers of a point enter a model beside its position; of a field of the files, it is one."""
    return sum(_CHANNELS.get(name, 1) for name in features)


def plain_fields(features: Iterable[str]) -> tuple[str, ...]:
    """Those of the features that are fields of the files, or channels of such ("name[2]"), one number each."""
    return tuple(name for name in features if name not in _CHANNELS)


TaskName = Literal["segmentation", "classification", "completion", "reconstruction"]

# Completers whose files do not say so yet learned from repeated points, and those of these recipes in the frame "data".
_FRAMELESS_IN_DATA = ("completion full", "completion tiny")


@dataclass(frozen=True, kw_only=True)
class Calibration:
    """What answers on held-out data say about the weights' own certainty; `engine.calibrate` measures it."""

    temperature: float  # logits are divided by it before the softmax
    unsure_below: float  # an answer whose log-sum-exp of logits is lower is called unsure ...
    share: float  # ... as this share of the held-out ones is
    error: float  # expected calibration error of the confidences, in %
    error_before: float  # without the temperature
    answers: int  # how many were looked at
    data: str = ""  # which data was held out, for people


@dataclass(frozen=True, kw_only=True)
class Preparation:
    """How an input is brought to what the model was trained on. Fields that a task does not need keep their defaults.

    - segmentation: `region` of side or radius `extent` metres, `points` of them at once, with the per-point `features`
      ("color" in 0..1, or less `color_mean` over `color_std` where these are given; "height" above the floor in
      metres, where `floor` says by which estimate it is found, see `space.floors`; "normal" from the file, of length
      1, in the axes of the region; any other field of the file, or a channel "name[2]" of it, less its `field_mean`
      over its `field_std`); the coordinates of the region are then multiplied by `scale`
    - classification: the whole cloud, `points` drawn, centred at the mean, farthest point at distance 1; in the `frame`
      "data" it keeps its size instead, in metres, which are multiplied by `scale`
    - segmentation also: statistics of normalisation are by the share `adapt` those of the scene at hand, see
      `models.adaptation`
    - both: the mean answer to `turns` looks, which is above 1 if training turned everything about the up axis
    - completion: the whole cloud, `points` drawn, or all of fewer, some of them more than once if it says `repeat`. In
      the `frame` "partial" the middle of its box is brought to the origin and its diagonal to `extent`; in the frame
      "data" it has the coordinates of the training data already. Then everything is multiplied by `scale`; `num_points`
      come out and are brought back
    - reconstruction: a picture scaled to `pixels` squared, its transparent pixels white or with the colour below
      (`alpha`), once the object is in the middle and its ground white if training knew all sizes and places (`framed`);
      `num_points` come out, in `passes` passes
    """

    task: TaskName
    classes: tuple[str, ...] = ()  # names, in the order of the labels; of recognition only
    values: tuple[int, ...] = ()  # what files call these classes; none: 0, 1, ...
    up: Literal["x", "y", "z"] = "y"  # the axis that pointed up in training
    region: Region = "whole"
    extent: Length = 1.0
    floor: Literal["lowest", "robust"] = "lowest"  # as in all files that do not say so
    frame: Literal["partial", "data"] = "partial"
    repeat: bool = False
    points: Points = 2048
    features: tuple[str, ...] = ()
    color_mean: tuple[float, ...] = ()
    color_std: tuple[Length, ...] = ()
    field_mean: tuple[float, ...] = ()  # of the plain fields among the features, in their order ...
    field_std: tuple[Deviation, ...] = ()  # ... in the training data
    scale: Length = 1.0
    num_points: Annotated[int, Between(0, 1 << 17)] = 0
    passes: Annotated[int, Between(1, 64)] = 1
    pixels: Annotated[int, Between(0, 1024)] = 0
    alpha: Literal["white", "dropped"] = "white"
    framed: bool = False
    turns: Annotated[int, Between(1, 64)] = 1  # looks at an input, turned about the up axis, unless told otherwise
    adapt: Annotated[float, Between(0.0, 1.0)] = 0.0
    calibration: Calibration | None = None  # of weights that recognise, once it was measured
    recipe: str = ""  # the recipe and its size, for people
    data: str = ""  # what it was trained on, for people

    @property
    def knows_sizes(self) -> bool:
        """Whether weights that classify objects tell them apart by their size in metres, too."""
        return self.task == "classification" and self.frame == "data"

    def to_json(self) -> str:
        return json.dumps(asdict(self))


def preparation_from_json(text: str, source: str | Path) -> Preparation:
    """What `Preparation.to_json` wrote, by this version or an older one; InputError names the `source`."""
    complaint = f"{source}: what it says about its input cannot be read"
    content = parse_json(text, complaint)
    if isinstance(content, dict) and content.get("task") == "completion":
        is_in_data = str(content.get("recipe")).startswith(_FRAMELESS_IN_DATA)
        content = {"frame": "data" if is_in_data else "partial", "repeat": True, **content}
    return decode(Preparation, content, complaint)
