"""Measure what a scene costs and simulate larger ones; docs/scale.md has the figures.

python -m benchmarks.scale                          all of it, with scenes of 2,000,000 and of 20,000,000 points
python -m benchmarks.scale simulate [STORED.json]   from what is stored, the newest by default
python -m benchmarks.scale check SCENE.las WORKERS [--model]
                                                    a run on Ray beside what the simulation says of it
"""

import datetime
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from benchmarks.machine import describe
from benchmarks.scale import growth, on_ray, scheduler, simulation, stages

RESULTS = Path(__file__).parents[1] / "results"
SMALL, LARGE = 2_000_000, 20_000_000  # points; the model is measured on the small scene alone
TILE_POINTS = (None, 100_000, 20_000)  # at most in a tile: what the budget says, and less


def measure(small: Path, large: Path) -> dict[str, Any]:
    """All that the simulation needs, and how memory follows the number of tiles and of points."""
    found: dict[str, Any] = {"machine": describe(), "stages": {}, "tiles": []}
    found["stages"]["rule"] = stages.in_child(large, with_model=False)
    found["stages"]["rule, small"] = stages.in_child(small, with_model=False)
    found["stages"]["model"] = stages.in_child(small, with_model=True)
    found["growth"] = growth.measure()
    found["scheduler"] = scheduler.in_child()
    for tile_points in TILE_POINTS:
        found["tiles"].append(on_ray.in_child(small, workers=2, with_model=False, tile_points=tile_points))
    found["tiles"].append(on_ray.in_child(large, workers=2, with_model=False))
    return found


def store(found: dict[str, Any]) -> Path:
    now = datetime.datetime.now(datetime.timezone.utc)
    path = RESULTS / f"scale-{now:%Y-%m-%d-%H%M%S}.json"
    path.write_text(json.dumps({"date": now.isoformat(timespec="seconds"), **found}, indent=1) + "\n")
    return path


def newest() -> dict[str, Any]:
    return json.loads(max(RESULTS.glob("scale-*.json")).read_text())


def check(scene: Path, workers: int, *, with_model: bool) -> dict[str, Any]:
    """Measured and simulated seconds of a scene with so many workers on this machine."""
    costs = simulation.costs_from(newest(), with_model=with_model)
    found = on_ray.in_child(scene, workers=workers, with_model=with_model)
    here = simulation.Assumptions(start=0.0, shared_folder=float("inf"), one_machine=float("inf"))
    outcome = simulation.simulate(found["points"], workers, costs, here)
    return {**found, "simulated seconds": outcome.total, "simulated by stage": outcome.record()["hours by stage"]}


def show(found: dict[str, Any]) -> None:
    rows = simulation.table(simulation.costs_from(found))
    for spread_out, title in ((True, ".las and .laz"), (False, "formats that the command reads and writes alone")):
        print(f"\n{title}\n{simulation.as_markdown([row for row in rows if row['spread out'] == spread_out])}")


def main(words: list[str]) -> None:
    if words[:1] == ["simulate"]:
        show(json.loads(Path(words[1]).read_text()) if words[1:] else newest())
    elif words[:1] == ["check"]:
        print(json.dumps(check(Path(words[1]), int(words[2]), with_model="--model" in words), indent=1))
    else:
        with tempfile.TemporaryDirectory() as folder:
            scenes = {count: Path(folder) / f"{count}.las" for count in (SMALL, LARGE)}
            make = Path(__file__).parents[2] / "examples" / "make_large_scene.py"
            for count, scene in scenes.items():
                subprocess.run([sys.executable, make, scene, "--points", str(count), "--rooms", "10"], check=True)
            found = measure(scenes[SMALL], scenes[LARGE])
        print(f"stored in {store(found)}")
        show(found)


if __name__ == "__main__":
    main(sys.argv[1:])
