"""Runs pytest in forks of a process that has torch and the test tools loaded: loading takes longer than most tests.

Reads lines of JSON, {"root": folder, "tests": [...], "limit": seconds}, and answers each with a line of JSON:
{"passed": bool, "failed": the test that did not pass, none if it was another reason}.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from contextlib import suppress

import einops
import h5py
import hypothesis
import numpy
import PIL.Image
import pytest
import sklearn.metrics
import torch
import torch.export

LOADED = (
    einops,
    h5py,
    hypothesis,
    numpy,
    PIL.Image,
    sklearn.metrics,
    torch.export,
)  # nothing of the project: each fork loads that from its own copy
OPTIONS = ["-x", "-q", "-p", "no:xdist", "-p", "no:anyio", "-p", "no:cacheprovider", "--no-header"]


class Told:
    """Writes the name of a test that fails into a pipe."""

    def __init__(self, end: int) -> None:
        self.end = end

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            os.write(self.end, f"{report.nodeid}\n".encode())


def answer(root: str, tests: list[str], limit: float) -> dict[str, bool | str | None]:
    out, into = os.pipe()
    child = os.fork()
    if child == 0:
        os.setsid()
        os.chdir(root)
        nowhere = os.open(os.devnull, os.O_RDWR)
        for standard in (0, 1, 2):
            os.dup2(nowhere, standard)
        os.environ["PYTHONPATH"] = os.path.join(root, "src")
        sys.path[:1] = [root, os.path.join(root, "src")]
        os._exit(int(pytest.main([*OPTIONS, *tests], plugins=[Told(into)])))
    os.close(into)
    with os.fdopen(out) as told:
        passed = _passes(child, limit)
        return {"passed": passed, "failed": None if passed else told.readline().strip() or None}


def _passes(child: int, limit: float) -> bool:
    end = time.monotonic() + limit
    while True:
        is_late = time.monotonic() > end  # asked first: the tests may have ended while this process was stopped
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            _end_group(child)
            return status == 0
        if is_late:
            _end_group(child)
            os.waitpid(child, 0)
            return False
        time.sleep(0.05)


def _end_group(leader: int) -> None:
    """With the processes that a test may have started."""
    with suppress(ProcessLookupError):
        os.killpg(leader, signal.SIGKILL)


if __name__ == "__main__":
    for line in sys.stdin:
        print(json.dumps(answer(**json.loads(line))), flush=True)
