"""What the page shows of one task, apart from how it looks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from numpy.typing import NDArray

from cloud_transformers.metrics import Score
from cloud_transformers.render import Picture
from cloud_transformers.render.png import as_uri
from cloud_transformers.viewer import Scene, ShownCloud

T = TypeVar("T")

ANSWERS = Path("answers")  # below the demonstration's folder, with the same names as what was asked
SIDE = 220  # of a small picture, in pixels
TURNED = 60_000  # points of a cloud that can be turned, at most


@dataclass(frozen=True, eq=False)
class Figure:
    caption: str
    pixels: Picture

    @property
    def uri(self) -> str:
        """The picture as an address, so that the page needs no other file."""
        return as_uri(self.pixels)


@dataclass(frozen=True)
class Bar:
    """A class with its probability; `right` if it is the true one."""

    name: str
    share: float
    right: bool


@dataclass(frozen=True, eq=False, kw_only=True)
class Exhibit:
    """One sample: pictures beside each other, and a remark about them."""

    title: str
    figures: tuple[Figure, ...]
    remark: str = ""
    right: bool | None = None  # whether the answer is right, where it can only be right or wrong
    bars: tuple[Bar, ...] = ()
    scene: Scene | None = None  # to be turned


@dataclass(frozen=True)
class Compared:
    """A score beside that of a trivial baseline: an answer that needs no model."""

    score: Score
    baseline: float
    baseline_answer: str  # in words
    meaning: str  # of the score, for people who never heard of it

    def measure(self) -> str:
        """The score's name, with its unit where that is not written behind every number."""
        return self.score.name if self.score.unit in ("", "%") else f"{self.score.name} ({self.score.unit})"

    def written(self, value: float) -> str:
        """A value of this score, or of the baseline."""
        return f"{value:.1f} %" if self.score.unit == "%" else f"{value:.1f}"


@dataclass(frozen=True, eq=False, kw_only=True)
class Section:
    task: str
    title: str
    story: str
    command: str
    exhibits: tuple[Exhibit, ...]
    scores: tuple[Compared, ...]
    legend: tuple[tuple[str, tuple[int, int, int]], ...] = ()
    note: str = ""
    wide: bool = False  # few large pictures rather than many small ones
    # A row of the overview of all tasks: six pictures of SIDE, or three about twice as large.
    strip: tuple[Picture, ...] = ()


def scene(title: str, clouds: Sequence[ShownCloud], classes: tuple[str, ...] = ()) -> Scene:
    """Clouds to be turned beside each other, z up."""
    return Scene(clouds=tuple(clouds), title=title, classes=classes, points=TURNED, start={"layout": "side"})


def sampled(of_classes: Sequence[T]) -> Sequence[T]:
    """Two of the things shown, for the overview: of 15 classes chair and table, of 8 car and vessel."""
    return of_classes[len(of_classes) * 2 // 7 :: 5][:2] if len(of_classes) > 7 else of_classes[:2]


def rgb(color: NDArray[Any]) -> tuple[int, int, int]:
    red, green, blue = color.tolist()
    return red, green, blue
