"""Processes that make data end with the one that asked for it."""

import os
import signal
import subprocess
import sys
import time

import psutil
import pytest

# Tasks that never end, each in a process of its own.
ENDLESS = """
import time
from cloud_transformers.world.layouts.job import _in_order
list(_in_order(time.sleep, [999, 999], 2))
"""
PATIENCE = 60.0  # seconds: a machine may be busy


@pytest.mark.skipif(os.name == "nt", reason="this system cannot kill -9")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_workers_of_a_killed_command_end(number: signal.Signals) -> None:
    # Spawned processes import the main module again, so it must be none that begins all over: hence `-c`.
    with subprocess.Popen([sys.executable, "-c", ENDLESS], stderr=subprocess.DEVNULL) as command:
        deadline = time.monotonic() + PATIENCE
        while len(started := _workers(command.pid)) < 2 and time.monotonic() < deadline:
            time.sleep(0.05)
        assert len(started) == 2
        time.sleep(0.5)  # until they are at work
        command.send_signal(number)
    _, alive = psutil.wait_procs(started, PATIENCE)
    for process in alive:
        process.kill()
    assert not alive


def _workers(command: int) -> list[psutil.Process]:
    return [each for each in psutil.Process(command).children() if "spawn_main" in " ".join(each.cmdline())]
