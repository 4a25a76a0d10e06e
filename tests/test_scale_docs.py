"""docs/scale.md has the tables that the simulation makes of the stored figures, and the simulation is what it says."""

from dataclasses import replace
from pathlib import Path

import pytest
from benchmarks.scale.__main__ import newest
from benchmarks.scale.simulation import Assumptions, as_markdown, costs_from, simulate, table

TEXT = (Path(__file__).parents[1] / "docs/scale.md").read_text(encoding="utf-8")


def test_the_tables_are_those_of_the_stored_figures():
    rows = table(costs_from(newest()))
    for spread_out in (False, True):
        assert as_markdown([row for row in rows if row["spread out"] == spread_out]) in TEXT


def test_one_worker_takes_as_long_as_all_stages_together():
    costs = replace(costs_from(newest()), per_task=0.0, look=0.0, compare=0.0)
    free = Assumptions(start=0.0, shared_folder=float("inf"), one_machine=float("inf"))
    assert simulate(1e8, 1, costs, free).total == pytest.approx(1e8 * sum(costs.seconds.values()))


def test_workers_share_the_tiles_and_what_is_slower_than_them_counts():
    found = costs_from(newest())
    alike = {"seconds": {**found.seconds, "join": 0.0}, "bytes": {**found.bytes, "join": 0.0}}  # the command's own
    costs = replace(found, per_task=0.0, look=0.0, compare=0.0, **alike)
    free = Assumptions(start=0.0, shared_folder=float("inf"), one_machine=float("inf"))
    one, many = (simulate(1e10, workers, costs, free) for workers in (1, 100))
    assert many.total == pytest.approx(one.total / 100, rel=0.02)
    slow = simulate(1e10, 100, costs, replace(free, shared_folder=1e6))
    assert slow.shares()["the shared folder"] == pytest.approx(1.0)
    assert slow.total == pytest.approx(1e10 * sum(costs.bytes.values()) / 1e6)
    waiting = simulate(1e10, 100, replace(costs, per_task=10.0), free)
    assert waiting.total > 20.0 * waiting.tiles
    alone = simulate(1e10, 100, costs, replace(free, spread_out=False))
    assert alone.shares()["the command's one core"] > 0.5
