"""A number that says what it is: its definition, its unit, and how many samples it speaks for."""

from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, kw_only=True)
class Score:
    name: str
    value: float
    unit: str  # "%", "m", "1e-4 squared units" ...: what the value counts in
    definition: str
    num_samples: int
    sample: str = "points"  # what was counted: points, clouds, classes
    better: str = "higher"

    def __str__(self) -> str:
        unit = "" if self.unit == "" else f" {self.unit}"
        return f"{self.name} {self.value:.4g}{unit} ({self.num_samples:,} {self.sample})"

    def as_record(self) -> dict[str, Any]:
        return asdict(self)
