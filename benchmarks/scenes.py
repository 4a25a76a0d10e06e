"""A whole scene through `cloudt segment`, beside what the model alone would take for the same regions.

Rooms of the embedded world side by side, written as .laz. The verb's own clock counts, from the first byte read to the
last one written; loading torch and the weights is not in it. Each way runs in a process of its own, whose peak memory
is then its own too.

python -m benchmarks.scenes [POINTS]         # all figures; 2,000,000 points by default
python -m benchmarks.scenes file SCENE.laz   # those of a scene that exists, without the model alone
"""

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

POINTS = 2_000_000
MEMORY = "2GB"
WEIGHTS = "segmenter-small"
# figure -> the step of a run that it times
STAGES = {"reading and sorting": "prepare", "cutting and voting": "score_all", "writing": "write"}


def measure(num_points: int = POINTS) -> dict[str, float]:
    with tempfile.TemporaryDirectory() as folder:
        scene = Path(folder) / "scene.laz"
        make = Path(__file__).parents[1] / "examples" / "make_large_scene.py"
        subprocess.run([sys.executable, make, scene, "--points", str(num_points), "--rooms", "10"], check=True)
        whole, rest, alone = (in_child(way, scene) for way in ("verb", "without the model", "model alone"))
    what = f"cloudt segment, {num_points:,} points"
    return {
        f"{what}, points per second over the model alone": alone["seconds"] / whole["seconds"],
        f"{what}, points per second": num_points / whole["seconds"],
        f"{what}, processor seconds": whole["processor"],
        f"{what}, processor seconds of the model alone": alone["processor"],
        f"{what}, processor seconds without the model": rest["processor"],
        **{f"{what}, processor seconds without the model, {name}": rest[name] for name in STAGES},
        f"{what}, peak memory, in MB": whole["memory"],
    }


def in_child(way: str, scene: Path) -> dict[str, float]:
    command = [sys.executable, "-m", "benchmarks.scenes", way, str(scene)]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    return json.loads(done.stdout)


def run(way: str, scene: Path) -> dict[str, float]:
    from benchmarks.memory import peak
    from cloud_transformers import native
    from cloud_transformers.predict import Predictor

    native.share_one_heap()  # as the verb does
    predictor = Predictor.load(WEIGHTS, "cpu")
    if way == "model alone":
        return model_alone(predictor, scene)
    scorer = predictor.score_regions if way == "verb" else uniform(len(predictor.classes))
    figures = dict.fromkeys(STAGES, 0.0)
    for name, method in STAGES.items():
        time_method(name, method, figures)
    before = time.process_time()
    seconds = segmented(predictor, scorer, scene)
    figures["seconds"], figures["processor"] = seconds, time.process_time() - before
    figures["memory"] = peak() / 1e6
    return figures


def model_alone(predictor: Any, scene: Path) -> dict[str, float]:
    """All regions of the scene are cut first, by a run with another scorer, and then go through the model."""
    given: list[Any] = []
    rule = uniform(len(predictor.classes))

    def record(*regions: Any) -> Any:
        given.append(regions)
        return rule(*regions)

    segmented(predictor, record, scene)
    predictor.score_regions(*given[0])
    start, before = time.perf_counter(), time.process_time()
    for regions in given:
        predictor.score_regions(*regions)
    return {"seconds": time.perf_counter() - start, "processor": time.process_time() - before}


def segmented(predictor: Any, scorer: Any, scene: Path) -> float:
    """Seconds of the verb."""
    from cloud_transformers.predict.scene import memory_budget, segment_file

    with tempfile.TemporaryDirectory(dir=scene.parent) as folder:
        report = segment_file(
            scene,
            Path(folder) / "labelled.laz",
            scorer,
            predictor.preparation,
            weights=WEIGHTS,
            budget=memory_budget(MEMORY),
            workers=predictor.workers,
        )
    return report.seconds


def uniform(num_classes: int) -> Any:
    """A scorer that takes no time: all classes are alike."""
    import numpy as np

    return lambda positions, features: [np.full((len(p), num_classes), 1 / num_classes, np.float32) for p in positions]


def time_method(name: str, method: str, figures: dict[str, float]) -> None:
    """Adds the processor seconds of a stage, those of its threads included, to the figures."""
    from cloud_transformers.predict.scene.streamed import _Run

    plain = getattr(_Run, method)

    def timed(*arguments: Any) -> Any:
        before = time.process_time()
        try:
            return plain(*arguments)
        finally:
            figures[name] += time.process_time() - before

    setattr(_Run, method, timed)


def main(words: list[str]) -> None:
    if len(words) == 2 and words[0] != "file":
        print(json.dumps(run(words[0], Path(words[1]))))
        return
    figures = run("verb", Path(words[1])) if len(words) == 2 else measure(*map(int, words))
    for figure, value in figures.items():
        print(f"{value:13.3f}  {figure}")


if __name__ == "__main__":
    main(sys.argv[1:])
