"""All figures in one run: a table of ratios against their limits, and a JSON file with machine, versions and date.

python -m benchmarks [NAME ...]    NAME: one of the modules below; without any, all of them
"""

import datetime
import importlib
import importlib.util
import json
import os
import sys
from pathlib import Path

from benchmarks.machine import describe, sgemm_rate
from cloud_transformers import native

MODULES = ("segmenter", "memory", "pointnext", "scaling", "emd", "chamfer", "throughput", "scenes")

# figure -> (limit, whether the figure must be at most the limit or at least)
LIMITS = {
    "full segmenter, evaluation forward, 4096 points, in L": (1.5, "at most"),
    "full segmenter, training step, 4096 points, in 3 L": (1.6, "at most"),
    "rasterize + derasterize, share of the step, in %": (12, "at most"),
    "full segmenter, evaluation memory above the weights, in MB": (150, "at most"),
    "full segmenter, training step, peak memory above weights, gradients and Adam, in MB": (600, "at most"),
    "small classifier, training step, 8 x 1024 points, over PointNeXt-S": (0.12, "at most"),
    "full segmenter, evaluation, time per point at 262,144 over 16,384 points": (1.15, "at most"),
    "time over scipy's, training setting, worst": (0.25, "at most"),
    "value over the exact one, evaluation setting, worst": (1.02, "at most"),
    "times faster than torch.cdist": (5, "at least"),
    "small segmenter, points per second over PointNet++": (8, "at least"),
    "cloudt segment, 2,000,000 points, points per second over the model alone": (0.7, "at least"),
}
RESULTS = Path(__file__).parent / "results"


def main(names: list[str]) -> int:
    unknown = [name for name in names if name not in MODULES]
    if unknown:
        print(f"unknown benchmark {', '.join(unknown)}: choose among {', '.join(MODULES)}", file=sys.stderr)
        return 2
    native.keep_freed_memory()  # as training does
    machine = describe()
    print(", ".join(f"{name} {value}" for name, value in machine.items()))
    rates = [sgemm_rate() / 1e9]
    figures: dict[str, float] = {}
    for name in names or MODULES:
        if importlib.util.find_spec(f"benchmarks.{name}") is None:
            continue
        try:
            measured = importlib.import_module(f"benchmarks.{name}").measure()
        except ModuleNotFoundError as error:
            print(f"{name} left out: {error}; see benchmarks/README.md")
            continue
        rates.append(sgemm_rate() / 1e9)
        for figure, value in measured.items():
            print(f"{value:9.3f}  {_limit(figure):14}  {figure}", flush=True)
        figures |= measured
    print(f"{max(rates):9.0f}  {'':14}  GFLOP/s of sgemm [4096,512] x [512,1024]; lowest in this run {min(rates):.0f}")
    path = _store({"machine": machine, "sgemm GFLOP/s": rates, "figures": figures})
    print(f"stored in {path}")
    return 0


def _limit(figure: str) -> str:
    return "" if figure not in LIMITS else f"{LIMITS[figure][1]} {LIMITS[figure][0]}"


def _store(result: dict[str, object]) -> Path:
    now = datetime.datetime.now(datetime.timezone.utc)
    RESULTS.mkdir(exist_ok=True)
    path = RESULTS / f"{now:%Y-%m-%d-%H%M%S}.json"
    temporary = path.with_suffix(".partial")
    temporary.write_text(json.dumps({"date": now.isoformat(timespec="seconds"), **result}, indent=1) + "\n")
    os.replace(temporary, path)
    return path


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
