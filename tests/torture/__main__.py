"""Everything that can happen to files and commands, as long as there is time; goes on where it stopped.

    python -m tests.torture --folder build/torture --seconds 7200

Rounds of fuzzed files of every kind (`fuzz`) and of commands in trouble (`trouble`). What went wrong is kept in the
folder, in `torture.json`; the exit code is 1 if anything did. Linux only: it needs signals and limits.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from cloud_transformers.files import whole_file
from tests.torture.fuzz import run_apart
from tests.torture.targets import KINDS
from tests.torture.trouble import TROUBLES, cause

# Of one kind, in one process: what takes about as long. Some readers are slow, and models are slower.
_SLOW = ("las", "laz", "copc", "h5", "hdf5", "rows", "e57", "ptx", "pts", "text", "room.txt")
FILES_PER_ROUND = dict.fromkeys(KINDS, 5000) | dict.fromkeys(_SLOW, 2000) | {"descriptions": 1500}
# Cases per round; kills are what is asked for most.
CASES = dict.fromkeys(TROUBLES, 1) | {"killed": 15, "killed far": 2}


class Spent:
    """Time since here: on the clock, and of processors."""

    def __init__(self) -> None:
        self.began, self.work = time.monotonic(), _processor()

    def so_far(self) -> tuple[float, float]:
        return time.monotonic() - self.began, _processor() - self.work


def _processor() -> float:
    return sum(os.times()[:4])


class State:
    """What has been done, and what went wrong."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "torture.json"
        self.content: dict[str, Any] = {"seconds": 0.0, "processor": 0.0, "files": {}, "trouble": {}, "wrong": {}}
        self.content["commits"] = {}
        if self.path.exists():
            self.content |= json.loads(self.path.read_text(encoding="utf-8"))
        self.commit = _commit()

    def add(self, group: str, name: str, done: int, wrong: dict[int, str]) -> None:
        counts = self.content[group]
        counts[name] = counts.get(name, 0) + done
        here = self.content["commits"].setdefault(self.commit, {})
        here[group] = here.get(group, 0) + done
        for number, what in wrong.items():
            self.content["wrong"][f"{name} {number}"] = what
            print(f"WRONG {name} {number}: {what}", flush=True)

    def save(self, spent: Spent) -> None:
        seconds, processor = spent.so_far()
        self.content["seconds"] += seconds
        self.content["processor"] += processor
        with whole_file(self.path) as temporary:
            temporary.write_text(json.dumps(self.content, indent=1) + "\n", encoding="utf-8")

    def __str__(self) -> str:
        files, trouble = self.content["files"], self.content["trouble"]
        cases = ", ".join(f"{count} {name}" for name, count in trouble.items())
        wrong = len(self.content["wrong"])
        return f"{sum(files.values()):,} files of {len(files)} kinds; {cases}; {wrong} handled wrongly"


def _commit() -> str:
    """Which code is tortured: what one commit got right another may get wrong."""
    command = ["git", "describe", "--always", "--dirty", "--exclude=*"]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip() or "unknown"


def _forget_other_code(undisturbed: Path) -> None:
    """What another commit made is nothing to compare with."""
    made_by = undisturbed / "commit"
    if not made_by.exists() or made_by.read_text(encoding="utf-8") != _commit():
        shutil.rmtree(undisturbed, ignore_errors=True)
        undisturbed.mkdir(parents=True)
        made_by.write_text(_commit(), encoding="utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, default=Path("build/torture"), help="where it works and keeps count")
    parser.add_argument("--seconds", type=float, default=7200.0, help="when no other round is begun (default 7200)")
    parser.add_argument("--part", choices=["files", "trouble"], help="this alone")
    parser.add_argument("--first", type=int, default=0, help="number of the first mutant and case, for several folders")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    state = State(options.folder)
    until = time.monotonic() + options.seconds
    while time.monotonic() < until:
        if options.part != "trouble":
            _fuzz(state, options.first, until)
        if options.part != "files":
            _trouble(state, options.folder, options.first, until)
    return 1 if state.content["wrong"] else 0


def _fuzz(state: State, first: int, until: float) -> None:
    counts = state.content["files"]
    for kind in sorted(KINDS, key=lambda kind: counts.get(kind, 0) / FILES_PER_ROUND[kind]):
        if time.monotonic() > until:
            return
        spent, number = Spent(), first + counts.get(kind, 0)
        _, bad = run_apart(kind, range(number, number + FILES_PER_ROUND[kind]))
        state.add("files", kind, FILES_PER_ROUND[kind], bad)
        state.save(spent)
        print(state, flush=True)


def _trouble(state: State, folder: Path, first: int, until: float) -> None:
    _forget_other_code(folder / "undisturbed")
    for name, count in CASES.items():
        for _ in range(count):
            if time.monotonic() > until:
                return
            spent, number = Spent(), first + state.content["trouble"].get(name, 0)
            problem = cause(name, number, folder)
            state.add("trouble", name, 1, {} if problem is None else {number: problem})
            state.save(spent)
        print(state, flush=True)


if __name__ == "__main__":
    sys.exit(main())
