"""Which tests run which lines, and how long each takes: measured once, so that a mutant meets only tests that reach it.

A pytest plugin: `python -m pytest -p tests.mutation.reach` with MUTATION_REACH naming the file to write. What that file
holds already of other test files stays.
"""

from __future__ import annotations

import json
import os
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import coverage
import pytest

_SOURCE = Path(__file__).resolve().parents[2] / "src" / "cloud_transformers"
_measured = coverage.Coverage(data_file=None, source=[str(_SOURCE)], config_file=False)
_seconds: dict[str, float] = {}


def pytest_configure() -> None:
    _measured.start()


@pytest.hookimpl(hookwrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    _measured.switch_context(item.nodeid)
    yield


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    if report.passed:  # a test that is skipped or red by itself says nothing about a mutant
        _seconds[report.nodeid] = _seconds.get(report.nodeid, 0.0) + report.duration


def pytest_unconfigure() -> None:
    _measured.stop()
    data = _measured.get_data()
    path = Path(os.environ["MUTATION_REACH"])
    known = json.loads(path.read_text()) if path.exists() else {"seconds": {}, "reach": {}}
    files = {_file(test) for test in _seconds}
    seconds = {test: each for test, each in known["seconds"].items() if _file(test) not in files} | _seconds
    reach: dict[str, dict[str, list[str]]] = defaultdict(dict)
    for name, lines in known["reach"].items():
        for line, tests in lines.items():
            reach[name][line] = [test for test in tests if _file(test) not in files]
    for measured in data.measured_files():
        name = Path(measured).relative_to(_SOURCE.parents[1]).as_posix()
        for number, contexts in data.contexts_by_lineno(measured).items():
            reach[name].setdefault(str(number), []).extend(context for context in contexts if context in _seconds)
    path.write_text(json.dumps({"seconds": seconds, "reach": reach}))


def _file(test: str) -> str:
    return test.split("::", 1)[0]
