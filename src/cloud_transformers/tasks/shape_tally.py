"""The score of both generative tasks: distances per cloud, averaged within categories and then over them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from torch import Tensor

from cloud_transformers.metrics import CategoryAverage, EmdGap, Score, ShapeDistances, emd_distance


@dataclass(frozen=True)
class Measure:
    unit: str
    definition: str
    better: str


EMD = Measure("1e-3 units", "mean distance of a matching by auction (eps 0.004, 3000 rounds)", "lower")


def measures(thresholds: Sequence[float]) -> dict[str, Measure]:
    found: dict[str, Measure] = {}
    for threshold in thresholds:
        at = f"@{threshold:g}"
        found |= {
            f"F{at}": Measure(
                "", f"harmonic mean of precision and recall at a Euclidean distance < {threshold:g}", "higher"
            ),
            f"precision{at}": Measure("", f"predicted points nearer than {threshold:g} to the truth", "higher"),
            f"recall{at}": Measure("", f"true points nearer than {threshold:g} to the prediction", "higher"),
        }
    found |= {
        "CD-L2": Measure("1e-4 squared units", "mean(d1^2) + mean(d2^2) of nearest neighbours", "lower"),
        "CD-L1": Measure("1e-3 units", "(mean(d1) + mean(d2)) / 2 of nearest neighbours", "lower"),
    }
    return found


class ShapeTally:
    """Keeps every cloud's values by its number: merged tallies average in the same order as one would have."""

    def __init__(
        self,
        thresholds: Sequence[float],
        primary: str,
        *,
        with_emd: bool = False,
        more: Mapping[str, Measure] | None = None,  # measures of the task's own, whose values it gives itself
        detailed: Sequence[str] = (),  # the measures told per category; without any, the primary one
        rivals: Mapping[str, float] | None = None,  # category -> the best F of other methods, at the first threshold
    ) -> None:
        self.thresholds = tuple(thresholds)
        self.gap = EmdGap() if with_emd else None
        self.measures = {**measures(thresholds), **(more or {}), **({"EMD": EMD} if with_emd else {})}
        self.primary = primary
        self.detailed = tuple(detailed) or (primary,)
        self.rivals = dict(rivals or {})
        self.rows: dict[int, tuple[str, dict[str, float]]] = {}  # number -> category, values

    def add(
        self,
        numbers: Sequence[int],
        categories: Sequence[str],
        prediction: Tensor,  # [B, N, 3]
        truth: Tensor,  # [B, M, 3]
        more: Mapping[str, Tensor] | None = None,  # each [B]
    ) -> None:
        distances = ShapeDistances.between(prediction.float(), truth.float())
        values = {}
        for threshold in self.thresholds:
            values[f"F@{threshold:g}"] = distances.f_score(threshold)
            values[f"precision@{threshold:g}"] = distances.precision(threshold)
            values[f"recall@{threshold:g}"] = distances.recall(threshold)
        values["CD-L2"] = 1e4 * distances.chamfer_l2().double()
        values["CD-L1"] = 1e3 * distances.chamfer_l1().double()
        if self.gap is not None:
            values["EMD"] = 1e3 * emd_distance(prediction.float(), truth.float()).double()
            self.gap.update(numbers, categories, prediction, truth)
        values |= more or {}
        columns = {name: column.tolist() for name, column in values.items()}
        for row, (number, category) in enumerate(zip(numbers, categories, strict=True)):
            self.rows[number] = category, {name: column[row] for name, column in columns.items()}

    def merge(self, other: ShapeTally) -> None:
        self.rows.update(other.rows)
        if self.gap is not None and other.gap is not None:
            self.gap.merge(other.gap)

    def _averages(self) -> dict[str, CategoryAverage]:
        averages = {name: CategoryAverage(name, **vars(measure)) for name, measure in self.measures.items()}
        for _, (category, values) in sorted(self.rows.items()):
            for name, value in values.items():
                averages[name].update(category, value)
        return averages

    def scores(self) -> list[Score]:
        scores = {name: average.score() for name, average in self._averages().items()}
        gap = [] if self.gap is None else [self.gap.score()]  # a distance by auction is told with how far it may be off
        return [scores.pop(self.primary), *scores.values(), *gap, *self._won()]

    def _won(self) -> list[Score]:
        """In how many categories no other method is as good: how the benchmarks' tables compare methods."""
        name = f"F@{self.thresholds[0]:g}"
        found = self._averages()[name].per_category()
        known = [category for category in found if category in self.rivals]
        if not known:
            return []
        return [
            Score(
                name="categories won",
                value=sum(found[category] > self.rivals[category] for category in known),
                unit=f"of {len(known)}",
                definition=f"categories whose {name} is above that of every other method in the paper's table",
                num_samples=len(known),
                sample="categories",
            )
        ]

    def details(self) -> list[Score]:
        averages = self._averages()
        return [
            Score(
                name=f"{name} {category}",
                value=value,
                unit=self.measures[name].unit,
                definition=f"{self.measures[name].definition}; mean over the category's clouds",
                num_samples=averages[name].counts[category],
                sample="clouds",
                better=self.measures[name].better,
            )
            for name in self.detailed
            for category, value in averages[name].per_category().items()
        ]

    def quality(self) -> dict[int, float]:
        sign = 1 if self.measures[self.primary].better == "higher" else -1
        return {number: sign * values[self.primary] for number, (_, values) in self.rows.items()}

    def caption(self, number: int) -> str:
        category, values = self.rows[number]
        first = [self.primary, *(name for name in values if name != self.primary and "@" not in name)]
        units = (f" ({self.measures[name].unit})" if self.measures[name].unit else "" for name in first)
        told = (f"{name} {values[name]:.4g}{unit}" for name, unit in zip(first, units, strict=True))
        return f"{category}: {', '.join(told)}"

    def confusion(self) -> None:
        return None
