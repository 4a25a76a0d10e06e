"""How long a scene would take on a cluster, and what would hold it up: from measured costs and stated assumptions.

`segment --on ray` has .las and .laz surveyed, sorted into tiles and written by its workers, range by range, and puts
pieces of the answer together. Of other formats it reads and writes the points itself. Tiles are scored by workers, who
are handed one each at a time, the largest first. So that is what is simulated, for both kinds of formats.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

POINTS, WORKERS = (10**9, 10**11, 10**12), (8, 100, 1000)
TASKS = 3  # of a tile: it is gathered, thinned, and scored
PART = 1 << 19  # points that are read and written together
MOST_STEPS = 20_000  # of the simulation: enough for a thousand workers to end within a few percent of one another


@dataclass(frozen=True, kw_only=True)
class Costs:
    """What was measured on one core."""

    seconds: dict[str, float]  # core-seconds per point of each stage
    bytes: dict[str, float]  # per point, read and written; votes are not written by themselves
    per_task: float  # the command's seconds for handing out a task and taking its answer
    look: float  # core-seconds to pass by one tile for one part that is written
    compare: float  # core-seconds to compare one tile's box with another
    per_tile: float  # bytes of the command's memory, and of what is sent to every worker
    points_per_tile: float


@dataclass(frozen=True, kw_only=True)
class Assumptions:
    """What cannot be measured here."""

    core_hour: float = 0.04  # US dollars for one core with 4 GB, on demand; a third of it where it may be taken away
    shared_folder: float = 2e9  # bytes per second that a shared folder gives to all machines together
    one_machine: float = 5e8  # bytes per second between that folder and one process
    start: float = 30.0  # seconds until all workers have loaded the model
    uneven: float = 0.3  # tiles hold between 1 - this and 1 + this of the mean, evenly spread
    spread_out: bool = True  # whether survey, tiling and writing are the workers' too, as for .las and .laz


@dataclass(frozen=True)
class Stage:
    """How long a stage takes by each of its limits; the largest counts."""

    limits: dict[str, float]  # seconds

    @property
    def limit(self) -> str:
        return max(self.limits, key=lambda name: self.limits[name])

    @property
    def seconds(self) -> float:
        return self.limits[self.limit]


@dataclass(frozen=True)
class Outcome:
    points: float
    workers: int
    tiles: int
    stages: dict[str, Stage]  # one after the other
    assumptions: Assumptions

    @property
    def total(self) -> float:
        return sum(stage.seconds for stage in self.stages.values())

    @property
    def dollars(self) -> float:
        """Workers are paid from beginning to end, and one core for the command."""
        return (self.workers + 1) * self.total / 3600 * self.assumptions.core_hour

    def shares(self) -> dict[str, float]:
        """Of the time, by what limits it."""
        found: dict[str, float] = {}
        for stage in self.stages.values():
            found[stage.limit] = found.get(stage.limit, 0.0) + stage.seconds / self.total
        return found

    def record(self) -> dict[str, Any]:
        return {
            "points": self.points,
            "workers": self.workers,
            "spread out": self.assumptions.spread_out,
            "tiles": self.tiles,
            "hours": self.total / 3600,
            "dollars": self.dollars,
            "limits": self.shares(),
            "hours by stage": {name: stage.seconds / 3600 for name, stage in self.stages.items()},
        }


def simulate(points: float, workers: int, costs: Costs, assumptions: Assumptions) -> Outcome:
    """One scene on one cluster; a worker is one core as the measured one."""
    tiles = max(1, round(points / costs.points_per_tile))
    at_once = workers if assumptions.spread_out else 1
    working = "the workers" if assumptions.spread_out else "the command's one core"
    stages = {"start": Stage({"start": assumptions.start})}
    for stage in ("hash", "survey", "tile", "write"):
        # For every part that is written, all tiles are passed by.
        looks = points / PART * tiles * costs.look if stage == "write" else 0.0
        stages[stage] = Stage(
            {
                working: (points * costs.seconds[stage] + looks) / at_once,
                "the shared folder": _transfer(points * costs.bytes[stage], at_once, assumptions),
            }
        )
    if assumptions.spread_out:
        stages["join"] = Stage(
            {
                "the command's one core": points * costs.seconds["join"],
                "one process at the shared folder": _transfer(points * costs.bytes["join"], 1, assumptions),
            }
        )
    stages["score and vote"] = Stage(
        {
            "the workers": _scored(points, tiles, workers, costs, assumptions),
            "handing out tiles": tiles * TASKS * costs.per_task,
            "the shared folder": _transfer(points * costs.bytes["score"], workers, assumptions),
        }
    )
    return Outcome(points, workers, tiles, stages, assumptions)


def _transfer(moved: float, processes: int, assumptions: Assumptions) -> float:
    return moved / min(assumptions.shared_folder, processes * assumptions.one_machine)


def _scored(points: float, tiles: int, workers: int, costs: Costs, assumptions: Assumptions) -> float:
    """Tiles handed out one by one to whoever is free, the largest first; of very many, some at a time."""
    steps = min(tiles, MOST_STEPS)
    sizes = np.linspace(1 + assumptions.uneven, 1 - assumptions.uneven, steps) * (points / steps)
    each = sizes * (costs.seconds["score"] + costs.seconds["vote"]) + tiles / steps * tiles * costs.compare
    free, clock, end = [0.0] * min(workers, tiles), 0.0, 0.0
    for duration in each.tolist():
        # The command hands out one after the other.
        clock = max(clock, heapq.heappop(free)) + TASKS * costs.per_task * tiles / steps
        heapq.heappush(free, clock + duration)
        end = max(end, clock + duration)
    return end


def costs_from(found: dict[str, Any], *, with_model: bool = True) -> Costs:
    """From what `python -m benchmarks.scale` stored: seconds of the model from its run, all else from the rule's."""
    model, rule = found["stages"]["model"], found["stages"]["rule"]
    per_million = dict(rule["core-seconds per million points"])
    if with_model:
        per_million["score"] += model["core-seconds per million points"]["model"] - per_million["model"]
    return Costs(
        seconds={name: value / 1e6 for name, value in per_million.items() if name != "model"},
        bytes=rule["bytes moved per point"],
        per_task=found["scheduler"]["core-seconds of the command per task"],
        look=found["growth"]["core-seconds to pass by one tile for one written part"],
        compare=found["growth"]["core-seconds to compare one tile's box with one other"],
        per_tile=found["growth"]["bytes sent to every worker, per tile"],
        points_per_tile=rule["points"] / rule["tiles"],
    )


def table(costs: Costs, assumptions: Assumptions = Assumptions()) -> list[dict[str, Any]]:  # noqa: B008
    """All scenes on all clusters, in formats that workers read and write and in others."""
    return [
        simulate(points, workers, costs, replace(assumptions, spread_out=spread_out)).record()
        for spread_out in (True, False)
        for points in POINTS
        for workers in WORKERS
    ]


def as_markdown(rows: list[dict[str, Any]]) -> str:
    lines = ["| points | workers | tiles | time | cost | most of the time |", "|---|---|---|---|---|---|"]
    for row in rows:
        limit = max(row["limits"], key=lambda name: row["limits"][name])
        share = f"{limit}, {row['limits'][limit]:.0%}"
        lines.append(
            f"| 10^{len(str(int(row['points']))) - 1} | {row['workers']:,} | {row['tiles']:,} "
            f"| {duration(row['hours'])} | {row['dollars']:,.2f} $ | {share} |"
        )
    return "\n".join(lines)


def duration(hours: float) -> str:
    if hours < 1.5:
        return f"{hours * 60:.0f} min"
    if hours < 48:
        return f"{hours:.1f} h"
    return f"{hours / 24:,.0f} days" if hours < 24 * 730 else f"{hours / 24 / 365:,.0f} years"
