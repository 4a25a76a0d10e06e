"""Do the tests notice one-line changes of the source? The share that they do, and every change that they do not.

    python -m tests.mutation --count 300 --seed 0 --out mutants.json    # goes on where it stopped

Each mutant meets the tests that reach its line, shortest first, in a copy of the project. It is *killed* if one of them
fails or takes many times as long as before; else it survived. A line that no test reaches lets its mutant survive.
Tests run in forks, so not on Windows.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue

from tqdm import tqdm

from tests.mutation.mutants import Mutant, drawn

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ["recipes", "tasks", "engine", "predict", "datasets", "space"]
# Those that can reach these folders; the operators' own and the golden ones take most of the suite's time.
_TESTED = "recipes tasks engine predict datasets space transforms report inspect test_readme.py"
TESTS = [f"tests/{name}" for name in _TESTED.split()]
MOST_SECONDS = 60.0  # of tests that a mutant meets, as they took without it
# What the tests need to find in the copy; data, builds and environments stay where they are.
COPIED = ("src", "tests", "csrc", "docs", "examples", "benchmarks", "README.md", "Makefile", "pyproject.toml")


@dataclass(frozen=True)
class Reach:
    """What `tests.mutation.reach` wrote."""

    seconds: dict[str, float]
    tests: dict[str, dict[str, list[str]]]

    def of(self, mutant: Mutant) -> list[str]:
        """The tests of a mutant's line, shortest first."""
        found = sorted(self._beside(mutant), key=lambda test: self.seconds[test])
        total, chosen = 0.0, []
        for test in found:
            total += self.seconds[test]
            if total > MOST_SECONDS and chosen:
                break
            chosen.append(test)
        return chosen

    def _beside(self, mutant: Mutant) -> list[str]:
        """Tests of the line itself, of the lines above it that belong to its statement, or of the whole file: what runs
        while a module is imported runs before the first test."""
        lines = self.tests.get(mutant.path, {})
        for line in range(mutant.line, mutant.first_line - 1, -1):
            if str(line) in lines:
                return lines[str(line)]
        return list({test for tests in lines.values() for test in tests}) if mutant.is_at_import else []


def main() -> None:
    options = _options()
    reach = _reach(Path(options.reach), options.tests)
    results = Path(options.out)
    known = json.loads(results.read_text()) if results.exists() else {}
    mutants = drawn(ROOT, options.folders, options.count, options.seed)
    left = [mutant for mutant in mutants if mutant.name not in known]
    idle: SimpleQueue[Worker] = SimpleQueue()

    def judge(mutant: Mutant) -> tuple[str, str]:
        worker = idle.get()
        try:
            return mutant.name, worker.fate(mutant, reach)
        finally:
            idle.put(worker)

    with tempfile.TemporaryDirectory() as scratch, ThreadPoolExecutor(options.workers) as pool:
        workers = [Worker(Path(scratch) / str(number)) for number in range(options.workers)]
        for worker in workers:
            idle.put(worker)
        every = list({test for mutant in left for test in reach.of(mutant)})
        if every and not workers[0].passes(every, 30 + 5 * sum(reach.seconds[test] for test in every)):
            sys.exit("the tests fail without any mutant: make them pass first, or measure --reach again")
        for name, fate in tqdm(pool.map(judge, left), total=len(left), unit="mutant"):
            known[name] = fate
            results.write_text(json.dumps(known, indent=1))
        for worker in workers:
            worker.close()
    _report([known[mutant.name] for mutant in mutants], [m.name for m in mutants if known[m.name] != "killed"])


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=300, help="mutants to try (default 300)")
    parser.add_argument("--seed", type=int, default=0, help="which ones (default 0)")
    parser.add_argument("--folders", nargs="+", default=FOLDERS, help="folders of the package that they are drawn from")
    parser.add_argument("--workers", type=int, default=2, help="mutants tried at the same time (default 2)")
    parser.add_argument("--out", default="mutants.json", help="what is known so far (default mutants.json)")
    parser.add_argument("--reach", default="reach.json", help="which tests reach which lines; measured if missing")
    parser.add_argument("--tests", nargs="+", default=TESTS, help="tests to measure that with")
    return parser.parse_args()


def _reach(path: Path, tests: list[str]) -> Reach:
    if not path.exists():
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:xdist", "-p", "tests.mutation.reach", *tests]
        subprocess.run(command, cwd=ROOT, env=_environment(ROOT) | {"MUTATION_REACH": str(path.resolve())}, check=False)
    measured = json.loads(path.read_text())
    return Reach(measured["seconds"], measured["reach"])


def _copy(target: Path) -> Path:
    target.mkdir(parents=True)
    for name in COPIED:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, target / name)
        else:
            shutil.copy(source, target / name)
    return target


def _environment(root: Path) -> dict[str, str]:
    return os.environ | {"PYTHONPATH": str(root / "src"), "OMP_NUM_THREADS": "1", "PYTHONDONTWRITEBYTECODE": "1"}


class Worker:
    """A copy of the project, and a process that runs tests in it."""

    def __init__(self, root: Path) -> None:
        self.root = _copy(root)
        self.process = subprocess.Popen(
            [sys.executable, str(self.root / "tests" / "mutation" / "runner.py")],
            cwd=self.root,
            env=_environment(root),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def fate(self, mutant: Mutant, reach: Reach) -> str:
        tests = reach.of(mutant)
        if not tests:
            return "not reached"
        path = self.root / mutant.path
        original = path.read_text(encoding="utf-8")
        path.write_text(mutant.source, encoding="utf-8")
        try:
            limit = 30 + 5 * sum(reach.seconds[test] for test in tests)
            return "survived" if self.passes(tests, limit) else "killed"
        finally:
            path.write_text(original, encoding="utf-8")

    def passes(self, tests: list[str], limit: float) -> bool:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps({"root": str(self.root), "tests": tests, "limit": limit}) + "\n")
        self.process.stdin.flush()
        return self.process.stdout.readline().strip() == "passed"

    def close(self) -> None:
        self.process.kill()
        self.process.wait()


def _report(fates: list[str], alive: list[str]) -> None:
    killed = fates.count("killed")
    print(f"{killed} of {len(fates)} mutants killed ({killed / max(len(fates), 1):.1%}). Alive:")
    for name in alive:
        print(f"  {name}")


if __name__ == "__main__":
    main()
