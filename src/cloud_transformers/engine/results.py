"""Results of an evaluation: every number with its definition, unit and count, as a card and as JSON."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cloud_transformers import __version__
from cloud_transformers.engine.evaluation import Shown
from cloud_transformers.engine.run import write_json
from cloud_transformers.metrics import Score
from cloud_transformers.tasks import Tally


@dataclass(frozen=True, kw_only=True)
class Results:
    recipe: str
    protocol: str
    weights: str
    seconds: float
    scores: list[Score]
    details: list[Score]
    classes: tuple[str, ...] = ()
    confusion: list[list[int]] = field(default_factory=list)  # rows are the truth, columns the prediction
    absent: list[str] = field(default_factory=list)
    facts: Mapping[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()  # what a reader of the scores has to know
    best: list[Shown] = field(default_factory=list)  # samples, for pictures
    worst: list[Shown] = field(default_factory=list)

    @classmethod
    def of(cls, tally: Tally, **facts: Any) -> Results:
        matrix = tally.confusion()
        return cls(
            scores=tally.scores(),
            details=tally.details(),
            classes=() if matrix is None else matrix.classes,
            confusion=[] if matrix is None else matrix.counts.tolist(),
            absent=[] if matrix is None else matrix.absent(),
            **facts,
        )

    def card(self) -> str:
        lines = [f"protocol  {self.protocol}", f"weights   {self.weights}"]
        lines += [f"{name:<9} {value}" for name, value in (("data", self.facts.get("data")),) if value]
        lines.append(f"time      {self.seconds:.1f} s")
        lines += [f"note      {note}" for note in self.notes]
        lines += ["", *_table(self.scores, with_definition=True)]
        if self.details:
            lines += ["", *_table(self.details, with_definition=False)]
        if self.absent:
            lines += ["", f"in neither truth nor prediction, and not averaged: {', '.join(self.absent)}"]
        return "\n".join(lines)

    def as_record(self) -> dict[str, Any]:
        return {
            "recipe": self.recipe,
            "protocol": self.protocol,
            "weights": self.weights,
            "seconds": self.seconds,
            "cloud_transformers": __version__,
            "scores": [_record(score) for score in self.scores],
            "details": [_record(score) for score in self.details],
            "classes": list(self.classes),
            "confusion": self.confusion,
            "absent": self.absent,
            "data": dict(self.facts),
            "notes": list(self.notes),
        }

    def write(self, path: Path) -> None:
        write_json(path, self.as_record())


def _record(score: Score) -> dict[str, Any]:
    """JSON knows no NaN: a score that does not exist is null."""
    record = score.as_record()
    return record | {"value": score.value if math.isfinite(score.value) else None}


def _table(scores: list[Score], *, with_definition: bool) -> list[str]:
    wide = max(len(score.name) for score in scores)
    lines = []
    for score in scores:
        line = f"{score.name:<{wide}}  {score.value:>9.4g} {score.unit:<18} {score.num_samples:>11,} {score.sample}"
        lines.append(f"{line:<{wide + 46}}  {score.definition}" if with_definition else line.rstrip())
    return lines
