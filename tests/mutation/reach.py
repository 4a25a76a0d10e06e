"""Which tests run which lines, and how long each takes: measured once, so that a mutant meets only tests that reach it.

A pytest plugin: `python -m pytest -p tests.mutation.reach` with MUTATION_REACH naming the file to write.
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
    reach: dict[str, dict[int, list[str]]] = defaultdict(dict)
    for path in data.measured_files():
        name = str(Path(path).relative_to(_SOURCE.parents[1]))
        for line, contexts in data.contexts_by_lineno(path).items():
            reach[name][line] = [context for context in contexts if context in _seconds]
    Path(os.environ["MUTATION_REACH"]).write_text(json.dumps({"seconds": _seconds, "reach": reach}))
