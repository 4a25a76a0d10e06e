"""The verbs on the workers of a Ray on this machine, beside the same verbs without it.

python -m benchmarks.cluster scene SCENE.laz         # one scene in tiles: seconds here and on two workers, their ratio
python -m benchmarks.cluster scene SCENE.laz --rule  # with a rule that takes no time in the place of the model
python -m benchmarks.cluster files [COUNT] [POINTS]  # many small scenes: files per second; 200 of 100,000 by default
python -m benchmarks.cluster memory [FEW] [MANY]     # what the command itself takes for few and for many files
python -m benchmarks.cluster tasks [COUNT]           # seconds per empty task; 10,000 by default

Commands are timed as a user waits for them, from start to end, with the start of Ray and of its workers.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

WORKERS = 2


@dataclass(frozen=True)
class Rule:
    """What a worker opens where a rule takes the place of the model."""

    num_classes: int

    def __call__(self) -> Callable[[Any], int]:
        from benchmarks.scenes import uniform
        from cloud_transformers.cluster.scenes import TileWork

        return TileWork(uniform(self.num_classes), 1)


class Nothing:
    """What a worker opens to do nothing."""

    def __call__(self) -> Callable[[Any], None]:
        return lambda item: None


def scene(path: Path) -> dict[str, float]:
    with tempfile.TemporaryDirectory(dir=path.parent) as folder:
        here = _timed("segment", path, "-o", Path(folder) / f"here{path.suffix}")
        far = _timed("segment", path, "-o", Path(folder) / f"far{path.suffix}", *_far())
        same = (Path(folder) / f"here{path.suffix}").read_bytes() == (Path(folder) / f"far{path.suffix}").read_bytes()
    return {"seconds here": here, "seconds on workers": far, "ratio": far / here, "files are the same": float(same)}


def scene_by_rule(path: Path) -> dict[str, float]:
    """The way of the verb, with nothing to compute; seconds without the start of Ray and of Python."""
    from benchmarks.scenes import uniform
    from cloud_transformers.cluster.connection import connected
    from cloud_transformers.cluster.pool import pool_of
    from cloud_transformers.cluster.scenes import ScoredByWorkers
    from cloud_transformers.predict import Predictor
    from cloud_transformers.predict.scene import memory_budget, segment_file

    predictor = Predictor.load("segmenter-small", "cpu")
    classes = len(predictor.classes)

    def segmented(scorer: Any) -> float:
        with tempfile.TemporaryDirectory(dir=path.parent) as folder:
            target = Path(folder) / path.name
            told: Any = {"weights": "a rule", "budget": memory_budget("2GB"), "workers": predictor.workers}
            return segment_file(path, target, scorer, predictor.preparation, **told).seconds

    here = segmented(uniform(classes))
    with connected("ray") as ray, pool_of(ray, Rule(classes), workers=WORKERS, memory=1 << 30) as pool:
        far = segmented(ScoredByWorkers(pool, str(path)))
    return {"seconds here, a rule": here, "seconds on workers, a rule": far, "ratio": far / here}


def files(count: int = 200, points: int = 100_000) -> dict[str, float]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        _make_scenes(folder / "in", count, points)
        here = _timed("segment", folder / "in", "-o", folder / "here")
        far = _timed("segment", folder / "in", "-o", folder / "far", *_far())
    return {"files per second here": count / here, "on workers": count / far, "ratio": here / far}


def memory(few: int = 100, many: int = 10_000) -> dict[str, float]:
    """Peak memory of the command's own process, in MB."""
    with tempfile.TemporaryDirectory() as name:
        peaks = {}
        for count in (few, many):
            _make_scenes(Path(name) / f"in{count}", count, 50)
            words = ("convert", Path(name) / f"in{count}", Path(name) / f"out{count}", "--to", "xyz", *_far())
            peaks[f"MB for {count:,} files"] = _peak(words)
    return peaks


def tasks(count: int = 10_000) -> dict[str, float]:
    from cloud_transformers.cluster.connection import connected
    from cloud_transformers.cluster.pool import pool_of

    with connected("ray") as ray, pool_of(ray, Nothing(), workers=WORKERS, memory=200 << 20) as pool:
        list(pool.run(range(WORKERS)))
        before = time.perf_counter()
        done = sum(1 for _ in pool.run(range(count)))
        seconds = time.perf_counter() - before
    assert done == count
    return {"milliseconds per empty task": 1000 * seconds / count}


def _far() -> tuple[str, ...]:
    return "--on", "ray", "--workers", str(WORKERS)


def _command(words: tuple[object, ...]) -> list[str]:
    return [sys.executable, "-m", "cloud_transformers.cli", *map(str, words)]


def _timed(*words: object) -> float:
    before = time.perf_counter()
    subprocess.run(_command(words), check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - before


def _peak(words: tuple[object, ...]) -> float:
    program = (
        "import sys, json; from cloud_transformers.cli import main; from benchmarks.memory import peak; "
        "code = main(json.loads(sys.argv[1])); print(peak() / 1e6, file=sys.stderr); sys.exit(code)"
    )
    command = [sys.executable, "-c", program, json.dumps([str(word) for word in words])]
    done = subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    return float(done.stderr.split()[-1])


def _make_scenes(folder: Path, count: int, points: int) -> None:
    """The same room again and again, a metre farther each time."""
    import numpy as np

    from cloud_transformers.cloud import PointCloud
    from cloud_transformers.io import write
    from cloud_transformers.world.rooms import room

    folder.mkdir()
    whole = room(7, 0)
    some = whole.select(np.random.default_rng(0).permutation(len(whole))[:points])
    for number in range(count):
        moved = PointCloud(
            positions=some.positions, fields={"color": some.fields["color"]}, offset=np.array([float(number), 0, 0])
        )
        write(folder / f"{number:05d}.ply", moved)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("what", choices=["scene", "files", "memory", "tasks"])
    parser.add_argument("given", nargs="*")
    parser.add_argument("--rule", action="store_true")
    args = parser.parse_args()
    if args.what == "scene":
        figures = (scene_by_rule if args.rule else scene)(Path(args.given[0]))
    else:
        figures = {"files": files, "memory": memory, "tasks": tasks}[args.what](*map(int, args.given))
    for figure, value in figures.items():
        print(f"{value:13.3f}  {figure}")


if __name__ == "__main__":
    main()
