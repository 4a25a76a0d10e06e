"""Runs tests in forks of a pytest session that has collected all of them: that takes longer than most tests do.

Reads lines of JSON, {"tests": [...], "limit": seconds, "swap": null or {"path", "before", "after"}, "afresh": bool},
and answers each with a line of JSON: {"passed": bool, "late": bool, "failed": the test that did not pass, none if it
was another reason}. `swap` puts the functions of a changed module in the place of those that are loaded; what runs at
import needs a pytest that starts afresh. The limit is one of processor time: other programs do not count.
"""

from __future__ import annotations

import gc
import inspect
import json
import math
import os
import resource
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from types import CodeType, FunctionType
from typing import IO, Any

import pytest

OPTIONS = ["-x", "-q", "-p", "no:xdist", "-p", "no:anyio", "-p", "no:cacheprovider", "--no-header"]
NOT_RUN = 77  # exit code
TOLD = "MUTATION_TOLD"  # names the descriptor that a failed test is written to


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    if report.failed:
        os.write(int(os.environ[TOLD]), f"{report.nodeid}\n".encode())
        os._exit(1)


class Server:
    """A plugin that runs what is asked for instead of all that was collected."""

    def __init__(self, requests: IO[str], answers: IO[str]) -> None:
        self.requests, self.answers = requests, answers

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        items = {item.nodeid: item for item in session.items}
        print("ready", file=self.answers, flush=True)
        for line in self.requests:
            print(json.dumps(answer(items, **json.loads(line))), file=self.answers, flush=True)
        return True


def answer(
    items: dict[str, pytest.Item], tests: list[str], limit: float, swap: dict[str, str] | None, afresh: bool
) -> dict[str, Any]:
    out, into = os.pipe()
    child = os.fork()
    if child == 0:
        os.setsid()
        os.set_inheritable(into, True)
        os.environ[TOLD] = str(into)
        resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(limit), math.ceil(limit) + 1))
        if afresh:
            os.execv(sys.executable, [sys.executable, "-m", "pytest", *OPTIONS, "-p", "tests.mutation.runner", *tests])
        try:
            if swap is not None:
                put(**swap)
            chosen = [items[test] for test in tests]
        except BaseException:
            os._exit(NOT_RUN)
        for item, after in zip(chosen, [*chosen[1:], None], strict=True):
            item.ihook.pytest_runtest_protocol(item=item, nextitem=after)
        os._exit(0)
    os.close(into)
    with os.fdopen(out) as told:
        status = _status(child, 10 * limit)
        late = status in (None, -signal.SIGXCPU)
        failed = told.readline().strip() or None
    if not (afresh or late or failed or status == 0):  # it could not be swapped, or ended pytest itself
        return answer(items, tests, limit, None, afresh=True)
    return {"passed": status == 0, "late": late, "failed": failed}


def put(path: str, before: str, after: str) -> None:
    """Gives every loaded function of a module the code that it has after the change."""
    old, new = (_functions(compile(source, path, "exec", dont_inherit=True)) for source in (before, after))
    codes = {(each.co_name, each.co_firstlineno): other for each, other in zip(old, new, strict=True)}
    for each in gc.get_objects():
        if type(each) is FunctionType and each.__code__.co_filename == path:  # isinstance would ask each for its class
            code = each.__code__
            each.__code__ = codes.get((code.co_name, code.co_firstlineno), code)


def _functions(code: CodeType) -> Iterator[CodeType]:
    """Of a module or class, without those inside of other functions."""
    for each in code.co_consts:
        if isinstance(each, CodeType):
            if each.co_flags & inspect.CO_OPTIMIZED:
                yield each
            else:
                yield from _functions(each)


def _status(child: int, limit: float) -> int | None:
    """How a process ended; none if it has not after so many seconds, as one that waits for something for ever."""
    end = time.monotonic() + limit
    while True:
        is_late = time.monotonic() > end  # asked first: the tests may have ended while this process was stopped
        done, status = os.waitpid(child, os.WNOHANG)
        if done or is_late:
            _end_group(child)
        if done:
            return os.waitstatus_to_exitcode(status)
        if is_late:
            os.waitpid(child, 0)
            return None
        time.sleep(0.02)


def _end_group(leader: int) -> None:
    """With the processes that a test may have started."""
    with suppress(ProcessLookupError):
        os.killpg(leader, signal.SIGKILL)


if __name__ == "__main__":
    server = Server(os.fdopen(os.dup(0)), os.fdopen(os.dup(1), "w"))
    nowhere = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1, 2):
        os.dup2(nowhere, standard)
    sys.exit(pytest.main([*OPTIONS, "-p", "tests.mutation.runner", *sys.argv[1:]], plugins=[server]))
