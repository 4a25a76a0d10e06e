"""Runs pytest in forks of a process that has torch and the test tools loaded: loading takes longer than most tests.

Reads lines of JSON, {"root": folder, "tests": [...], "limit": seconds}, and answers each with a line: passed or failed.
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
import numpy
import pytest
import torch

LOADED = (einops, h5py, numpy, torch)  # nothing of the project: each fork loads that from its own copy
OPTIONS = ["-x", "-q", "-p", "no:xdist", "-p", "no:cacheprovider", "--no-header"]


def passes(root: str, tests: list[str], limit: float) -> bool:
    child = os.fork()
    if child == 0:
        os.setsid()
        os.chdir(root)
        nowhere = os.open(os.devnull, os.O_RDWR)
        for standard in (0, 1, 2):
            os.dup2(nowhere, standard)
        os.environ["PYTHONPATH"] = os.path.join(root, "src")
        sys.path[:1] = [root, os.path.join(root, "src")]
        os._exit(int(pytest.main([*OPTIONS, *tests])))
    end = time.monotonic() + limit
    while time.monotonic() < end:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            _end_group(child)
            return status == 0
        time.sleep(0.05)
    _end_group(child)
    os.waitpid(child, 0)
    return False


def _end_group(leader: int) -> None:
    """With the processes that a test may have started."""
    with suppress(ProcessLookupError):
        os.killpg(leader, signal.SIGKILL)


if __name__ == "__main__":
    for line in sys.stdin:
        print("passed" if passes(**json.loads(line)) else "failed", flush=True)
