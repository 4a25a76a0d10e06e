"""The folder of a run: what was asked for, where and with what it ran, and what came out.

configuration.json   everything that was chosen; `cloudt train RUN/configuration.json` does it again
environment.json     versions, machine, data fingerprint, command
metrics.jsonl        a line per logged step and per validation
checkpoints/         the last few
best.safetensors     the weights that did best on the validation data, if there is any
weights.safetensors  the weights at the end
"""

from __future__ import annotations

import json
import math
import os
import platform
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import torch

from cloud_transformers.checkpoints import CHECKPOINTS
from cloud_transformers.decoding import read_object
from cloud_transformers.engine.options import HARMLESS
from cloud_transformers.errors import InputError
from cloud_transformers.files import is_fresh, naming, whole_file
from cloud_transformers.ownership import owning, wait_until_free

CONFIGURATION, ENVIRONMENT, METRICS = "configuration.json", "environment.json", "metrics.jsonl"
LOCK = ".lock"  # there while a process trains into the folder


class RunFolder:
    """The folder of a run: configuration, environment, a line of metrics per step that was logged, checkpoints."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @property
    def checkpoints(self) -> Path:
        """The folder of the checkpoints."""
        return self.path / CHECKPOINTS

    @contextmanager
    def owned(self) -> Iterator[None]:
        """While entered, no other process trains into this folder; InputError if one does already."""
        self.path.mkdir(parents=True, exist_ok=True)
        with owning(self.path / LOCK, f"training into {self.path}"):
            yield

    def wait_until_free(self) -> None:
        """Give a process that trained into this folder, and that is being ended, a minute to let go of it."""
        wait_until_free(self.path / LOCK, seconds=60)

    def open(self, configuration: Mapping[str, Any], facts: Mapping[str, Any]) -> None:
        """Make the folder, or find it as an earlier run with the same configuration left it.

        `facts` are written beside the environment. InputError if the folder holds another run, or anything else.
        """
        known = self.path / CONFIGURATION
        if known.is_file():
            self._require_same(read_object(known), configuration)
        elif self.path.is_dir() and not is_fresh(self.path):
            raise InputError(f"{self.path}: is not empty and holds no run; name another folder")
        self.path.mkdir(parents=True, exist_ok=True)
        write_json(known, configuration)  # first: killed after it, the folder is known as this run's
        self.checkpoints.mkdir(exist_ok=True)
        write_json(self.path / ENVIRONMENT, {**environment(), **facts})

    def _require_same(self, before: Mapping[str, Any], now: Mapping[str, Any]) -> None:
        old, new = flat(before), flat(json.loads(json.dumps(now)))
        # The rate of a step must not have depended on how many there would be.
        endless = new.get("training.schedule") != "cosine" and not new.get("training.warmup")
        allowed = {f"training.{name}" for name in (*HARMLESS, *(("steps",) if endless else ()))}
        # A setting that an older version did not have says nothing about the run: it is not in `old`.
        differing = [name for name in sorted(old) if old[name] != new.get(name)]
        wrong = [f"{name} was {old.get(name)}, is {new.get(name)}" for name in differing if name not in allowed]
        if wrong:
            raise InputError(
                f"{self.path}: holds a run with another configuration ({'; '.join(wrong[:5])}); "
                "name another folder, or run it as it was"
            )

    def record(self, **values: Any) -> None:
        """Append a line with these `values` to the metrics. JSON knows neither NaN nor infinity: they become null."""
        with naming(self.path / METRICS), (self.path / METRICS).open("a", encoding="utf-8") as file:
            file.write(json.dumps(_finite(values), allow_nan=False) + "\n")

    def records(self) -> list[dict[str, Any]]:
        """All lines of the metrics; those of a run that has not begun are none."""
        path = self.path / METRICS
        lines = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
        found = []
        for line in lines:
            try:
                record = json.loads(line)
            except (ValueError, RecursionError):  # the last line of a process that was killed while it wrote
                continue
            if isinstance(record, dict) and isinstance(record.get("step"), int):
                found.append(record)
        return found

    def rewind(self, step: int) -> None:
        """Forget what was recorded after this step: it will be recorded again."""
        kept = [record for record in self.records() if record["step"] <= step]
        with whole_file(self.path / METRICS) as temporary:
            temporary.write_text("".join(json.dumps(record) + "\n" for record in kept), encoding="utf-8")


def _finite(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {name: _finite(each) for name, each in value.items()}
    return None if isinstance(value, float) and not math.isfinite(value) else value


def flat(values: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """Nested mappings as one, with dotted names."""
    found: dict[str, Any] = {}
    for name, value in values.items():
        if isinstance(value, Mapping):
            found |= flat(value, f"{prefix}{name}.")
        else:
            found[f"{prefix}{name}"] = value
    return found


def write_json(path: Path, values: Mapping[str, Any]) -> None:
    with whole_file(path) as temporary:
        temporary.write_text(json.dumps(values, indent=2) + "\n", encoding="utf-8")


def environment() -> dict[str, Any]:
    versions: dict[str, str | None] = {}
    for package in ("cloud-transformers", "torch", "numpy", "accelerate", "safetensors"):
        try:
            versions[package] = version(package)
        except PackageNotFoundError:
            versions[package] = None
    return {
        "started": time.strftime("%Y-%m-%dT%H:%M:%S%z"),
        "command": sys.argv,
        "python": platform.python_version(),
        "threads": torch.get_num_threads(),  # sums depend on it in their last digits
        "machine": f"{platform.system()} {platform.machine()}, {os.cpu_count()} processors",
        "versions": versions,
    }
