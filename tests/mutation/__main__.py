"""Do the tests notice one-line changes of the source? The share that they do, and every change that they do not.

    python -m tests.mutation --count 300 --seed 0 --out mutants.json    # goes on where it stopped
    python -m tests.mutation --measure tests/engine/test_train.py --again    # after writing tests: the survivors only

Each mutant meets the tests that reach its line, nearest and shortest first, in a copy of the project. It is *killed* if
one of them fails, or if they take several times as long as before; else it survived. A line that no test reaches lets
its mutant survive. Those in `tests/mutation/equivalent.py` are left out. Tests run in forks, so not on Windows.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue
from typing import Any, NamedTuple

from tqdm import tqdm

from tests.mutation.equivalent import EQUIVALENT
from tests.mutation.mutants import Mutant, drawn, every_mutant

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ["recipes", "tasks", "engine", "predict", "datasets", "space"]
# Those that can reach these folders; the operators' own and the golden ones take most of the suite's time.
_TESTED = (
    "recipes tasks engine predict datasets space transforms report inspect cli safety test_readme.py test_votes.py"
)
TESTS = [f"tests/{name}" for name in _TESTED.split()]
# Tests that work in other processes, where nobody notes lines: for lines of the folder that no other test reaches.
UNSEEN = {"engine": "tests/engine/test_together.py"}
KILLED = ("killed", "too slow")
FIRST_SECONDS = 4.0  # of tests, as they took without a mutant, that it meets at first; the others if those let it live
# What the tests need to find in the copy; data, builds and environments stay where they are.
COPIED = ("src", "tests", "csrc", "docs", "examples", "benchmarks", "README.md", "Makefile", "pyproject.toml")


@dataclass(frozen=True)
class Reach:
    """What `tests.mutation.reach` wrote."""

    seconds: dict[str, float]
    tests: dict[str, dict[str, list[str]]]
    most_seconds: float  # of tests that a mutant meets

    def of(self, mutant: Mutant) -> list[str]:
        """The tests that a mutant meets: short ones of its own folder first, then all others, shortest first."""
        near = f"tests/{mutant.folder}/"
        found = sorted(self._beside(mutant, near), key=lambda test: self.seconds[test])
        nearest = self.first([test for test in found if test.startswith(near)], FIRST_SECONDS)
        return self.first(list(dict.fromkeys([*nearest, *found])), self.most_seconds)

    def first(self, tests: list[str], limit: float) -> list[str]:
        """As many as take so long, and at least one."""
        total, chosen = 0.0, []
        for test in tests:
            total += self.seconds[test]
            if total > limit and chosen:
                break
            chosen.append(test)
        return chosen

    def _beside(self, mutant: Mutant, near: str) -> list[str]:
        """Tests of the line itself, or of the lines above it that belong to its statement. What runs while a module is
        imported runs before the first test: it meets all tests of the test files that reach the module, and a module
        of nothing but tables those of its folder."""
        lines = self.tests.get(mutant.path, {})
        if not mutant.is_at_import:
            for line in range(mutant.line, mutant.first_line - 1, -1):
                if lines.get(str(line)):
                    return lines[str(line)]
            return [test for test in self.seconds if mutant.folder in UNSEEN and test.startswith(UNSEEN[mutant.folder])]
        files = {test.split("::")[0] for tests in lines.values() for test in tests}
        beside = [test for test in self.seconds if test.split("::")[0] in files]
        return beside or [test for test in self.seconds if test.startswith(near)]


def main() -> None:
    options = _options()
    reach = _reach(Path(options.reach), options.measure, options.seconds)
    results = Path(options.out)
    known = json.loads(results.read_text()) if results.exists() else {}
    every = every_mutant(ROOT, options.folders)
    mutants = drawn([mutant for mutant in every if mutant.name not in EQUIVALENT], options.count, options.seed)
    done = {name for name, fate in known.items() if fate in KILLED or not options.again}
    left = [mutant for mutant in mutants if mutant.name not in done]
    idle: SimpleQueue[Worker] = SimpleQueue()

    def judge(mutant: Mutant) -> tuple[str, str]:
        worker = idle.get()
        try:
            return mutant.name, worker.fate(mutant)
        finally:
            idle.put(worker)

    with tempfile.TemporaryDirectory() as scratch, ThreadPoolExecutor(options.workers) as pool:
        workers = [Worker(Path(scratch) / str(number), reach) for number in range(options.workers)]
        for worker in workers:
            idle.put(worker)
        for name, fate in tqdm(pool.map(judge, left), total=len(left), unit="mutant"):
            known[name] = fate
            results.write_text(json.dumps(known, indent=1))
        for worker in workers:
            worker.close()
    _report(mutants, known)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=300, help="mutants to try (default 300)")
    parser.add_argument("--seed", type=int, default=0, help="which ones (default 0)")
    parser.add_argument("--folders", nargs="+", default=FOLDERS, help="folders of the package that they are drawn from")
    parser.add_argument("--workers", type=int, default=2, help="mutants tried at the same time (default 2)")
    parser.add_argument("--out", default="mutants.json", help="what is known so far (default mutants.json)")
    parser.add_argument("--seconds", type=float, default=60, help="of tests that a mutant meets at most (default 60)")
    parser.add_argument("--again", action="store_true", help="try those again that are known to live")
    parser.add_argument("--reach", default="reach.json", help="which tests reach which lines; measured if missing")
    parser.add_argument("--measure", nargs="+", metavar="TESTS", help="test files to measure that again with")
    return parser.parse_args()


def _reach(path: Path, again: list[str] | None, most_seconds: float) -> Reach:
    tests = again if path.exists() else TESTS
    if tests:
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:xdist", "-p", "tests.mutation.reach", *tests]
        subprocess.run(command, cwd=ROOT, env=_environment(ROOT) | {"MUTATION_REACH": str(path.resolve())}, check=False)
    measured = json.loads(path.read_text())
    return Reach(measured["seconds"], measured["reach"], most_seconds)


def _copy(target: Path) -> Path:
    target.mkdir(parents=True)
    for name in COPIED:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, target / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, target / name)
    return target


def _rewrite(path: Path, source: str) -> None:
    """A module. What Python keeps of the last one is removed: it may be as long, and of the same second."""
    path.write_text(source, encoding="utf-8")
    for compiled in path.parent.glob(f"__pycache__/{path.stem}.*.pyc"):
        compiled.unlink()


def _environment(root: Path) -> dict[str, str]:
    return os.environ | {"PYTHONPATH": str(root / "src"), "OMP_NUM_THREADS": "1"}


class Change(NamedTuple):
    """Of a module in a worker's copy."""

    path: str
    before: str
    after: str
    is_at_import: bool


class Worker:
    """A copy of the project, and a process that runs tests in it."""

    def __init__(self, root: Path, reach: Reach) -> None:
        self.root = _copy(root / "project")
        self.reach = reach
        self.good: set[str] = set()  # tests that passed without a mutant
        files = sorted({test.split("::")[0] for test in reach.seconds})
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.mutation.runner", f"--basetemp={root / 'tmp'}", *files],
            cwd=self.root,
            env=_environment(self.root),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        if self._line() != "ready":
            raise SystemExit("the tests cannot be collected")
        shortest = min(reach.seconds, key=lambda test: reach.seconds[test])
        for afresh in (False, True):
            if not self.run([shortest], afresh=afresh)["passed"]:
                raise SystemExit(f"{shortest} fails without any mutant")

    def fate(self, mutant: Mutant) -> str:
        tests = self.reach.of(mutant)
        if not tests:
            return "not reached"
        first = self.reach.first(tests, FIRST_SECONDS)
        path = self.root / mutant.path
        original = path.read_text(encoding="utf-8")
        change = Change(str(path), original, mutant.source, mutant.is_at_import)
        _rewrite(path, mutant.source)
        try:
            answer = self.run(first, change)
            if answer["passed"]:
                answer = self.run(tests[len(first) :], change)
        finally:
            _rewrite(path, original)
        if answer["passed"]:
            return "survived"
        self.check(answer["failed"] or tests[0])
        return "too slow" if answer["late"] else "killed"

    def check(self, test: str) -> None:
        """Only a test that passes without the mutant can have noticed it."""
        if test in self.good:
            return
        if not self.run([test])["passed"]:
            raise SystemExit(f"{test} fails without any mutant: make it pass first, or measure --reach again")
        self.good.add(test)

    def run(self, tests: list[str], change: Change | None = None, *, afresh: bool = False) -> dict[str, Any]:
        if not tests:
            return {"passed": True}
        swap = {"path": change.path, "before": change.before, "after": change.after} if change else None
        request = {
            "tests": tests,
            "limit": 20 + 3 * sum(self.reach.seconds[test] for test in tests),
            "swap": swap,
            "afresh": afresh or (change is not None and change.is_at_import),
        }
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        return dict(json.loads(self._line()))

    def _line(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline().strip()

    def close(self) -> None:
        self.process.kill()
        self.process.wait()


def _report(mutants: list[Mutant], fates: dict[str, str]) -> None:
    tried = Counter(mutant.folder for mutant in mutants)
    killed = Counter(mutant.folder for mutant in mutants if fates[mutant.name] in KILLED)
    for folder in sorted(tried):
        print(f"{folder:10s} {killed[folder]:4d} of {tried[folder]:4d} killed")
    print(f"{killed.total()} of {len(mutants)} mutants killed ({killed.total() / max(len(mutants), 1):.1%}). Alive:")
    for mutant in mutants:
        if fates[mutant.name] not in KILLED:
            print(f"  line {mutant.line:3d} {fates[mutant.name]}: {mutant.name}")


if __name__ == "__main__":
    main()
