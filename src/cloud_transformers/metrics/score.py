"""A number that says what it is: its definition, its unit, and how many samples it speaks for."""

from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, kw_only=True)
class Score:
    """A number that says what it is.

    >>> print(ct.metrics.Score(name="OA", value=93.6, unit="%", definition="right over all", num_samples=2468))
    OA 93.6 % (2,468 points)
    """

    name: str  # short, as tables print it
    value: float
    unit: str  # "%", "m", "1e-4 squared units" ...: what the value counts in
    definition: str  # how it is computed, in one sentence
    num_samples: int
    sample: str = "points"  # what was counted: points, clouds, classes
    better: str = "higher"  # or "lower"

    def __str__(self) -> str:
        unit = "" if self.unit == "" else f" {self.unit}"
        return f"{self.name} {self.value:.4g}{unit} ({self.num_samples:,} {self.sample})"

    def as_record(self) -> dict[str, Any]:
        """All fields, ready for JSON."""
        return asdict(self)
