"""Core-seconds and bytes of every stage of `cloudt segment`, in a process of its own with one thread of torch.

The stages are done as workers do them, range by range and tile by tile, but in this one process.

Core-seconds are those that the system counts for the process, so that other work on the machine changes them little.
Bytes are what passes through reads and writes (/proc/self/io, Linux); pages of mapped files are not among them.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from benchmarks.scenes import MEMORY, WEIGHTS, uniform

STEPS = {"survey": "_survey", "tile": "_spool", "score": "score_all", "write": "write"}  # stage -> method of a run
STAGES = ("hash", "survey", "tile", "score", "vote", "write", "join")


class InThisProcess:
    """A `ranged.Spread` with nobody else."""

    workers = 1

    def __call__(self, function: Callable[[Any], Any], items: Iterable[Any]) -> Iterator[tuple[Any, Any]]:
        for item in items:
            yield item, function(item)


class Stages:
    """Sums by stage: core-seconds, and bytes read and written."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = defaultdict(float)
        self.bytes: dict[str, int] = defaultdict(int)

    @contextmanager
    def of(self, stage: str) -> Any:
        seconds, moved = time.process_time(), _moved()
        try:
            yield
        finally:
            self.seconds[stage] += time.process_time() - seconds
            self.bytes[stage] += _moved() - moved

    def step(self, owner: Any, method: str, stage: str) -> None:
        """Count the calls of a method, with all threads that work for it."""
        plain = getattr(owner, method)

        def counted(*given: Any, **named: Any) -> Any:
            with self.of(stage):
                return plain(*given, **named)

        setattr(owner, method, counted)

    def part(self, call: Callable[..., Any], stage: str) -> Callable[..., Any]:
        """The call, counted for its own thread alone."""

        def counted(*given: Any, **named: Any) -> Any:
            start = time.thread_time()
            try:
                return call(*given, **named)
            finally:
                self.seconds[stage] += time.thread_time() - start

        return counted


def run(scene: Path, *, with_model: bool) -> dict[str, Any]:
    """Segments the scene in this process, by the small model or by a rule that takes no time."""
    import torch

    from cloud_transformers import native
    from cloud_transformers.predict import Predictor
    from cloud_transformers.predict.scene import memory_budget, segment_file, streamed
    from cloud_transformers.predict.scene.tiles import ScoredHere
    from cloud_transformers.predict.scene.writing import LabelledFile
    from cloud_transformers.votes import Votes

    class Alone(ScoredHere):
        """One worker, which is this process."""

        spread = InThisProcess()

    torch.set_num_threads(1)
    native.share_one_heap()  # as the verb does
    predictor: Any = Predictor.load(WEIGHTS, "cpu")
    stages = Stages()
    for stage, method in STEPS.items():
        stages.step(streamed._Run, method, stage)
    stages.step(LabelledFile, "join", "join")
    for method in ("add", "decided", "familiarity"):
        setattr(Votes, method, stages.part(getattr(Votes, method), "vote"))
    scorer = predictor.score_regions if with_model else uniform(len(predictor.classes))
    began = time.process_time(), _moved(), time.perf_counter()
    with tempfile.TemporaryDirectory(dir=scene.parent) as folder:
        report = segment_file(
            scene,
            Path(folder) / f"labelled{scene.suffix}",
            Alone(stages.part(scorer, "model")),
            predictor.preparation,
            weights=WEIGHTS,
            budget=memory_budget(MEMORY),
        )
    seconds, moved = time.process_time() - began[0], _moved() - began[1]
    # The rest is the hash by which the file is known, before the first reading.
    stages.seconds["hash"] = seconds - sum(stages.seconds[stage] for stage in STEPS)
    stages.bytes["hash"] = moved - sum(stages.bytes[stage] for stage in STEPS)
    stages.seconds["write"] -= stages.seconds["join"]
    stages.bytes["write"] -= stages.bytes["join"]
    stages.seconds["score"] -= stages.seconds["vote"]
    return {
        "points": report.num_points,
        "tiles": report.num_tiles,
        "scorer": WEIGHTS if with_model else "a rule",
        "format": scene.suffix,
        "bytes of the scene": scene.stat().st_size,
        "wall seconds": time.perf_counter() - began[2],
        "core-seconds": seconds,
        "peak memory, bytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024,
        "core-seconds per million points": _per_million(stages.seconds, report.num_points),
        "bytes moved per point": {name: stages.bytes[name] / report.num_points for name in STAGES if name != "vote"},
    }


def _per_million(seconds: dict[str, float], num_points: int) -> dict[str, float]:
    return {name: seconds[name] * 1e6 / num_points for name in (*STAGES, "model")}


def _moved() -> int:
    lines = Path("/proc/self/io").read_text().splitlines()
    return sum(int(line.split()[1]) for line in lines if line.startswith(("rchar", "wchar")))


def in_child(scene: Path, *, with_model: bool) -> dict[str, Any]:
    """The same in a process of its own."""
    words = [sys.executable, "-m", "benchmarks.scale.stages", str(scene), *(["--model"] if with_model else [])]
    return json.loads(subprocess.run(words, stdout=subprocess.PIPE, text=True, check=True).stdout)


if __name__ == "__main__":
    print(json.dumps(run(Path(sys.argv[1]), with_model="--model" in sys.argv)))
