"""New processes without the seconds that importing torch takes: copies of one that has imported it and done no more.

For what only a process of its own can show: that it is killed, that it may write no more, that kernels are loaded for
the first time, how much memory something takes.
"""

from __future__ import annotations

import multiprocessing
import os
import sys
import warnings
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.reduction import DupFd
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import pytest
import torch

CONTEXT = multiprocessing.get_context("forkserver" if hasattr(os, "fork") else "spawn")
# Libraries alone, nothing of this project. The second comes with the first call of an operator.
CONTEXT.set_forkserver_preload(["torch", "torch._dynamo", "pytest", "h5py", "laspy", "trimesh"])
PATIENCE = 240.0  # seconds: a machine may be busy


def run(
    code: str, *words: object, cwd: Path | None = None, env: Mapping[str, str] | None = None, strict: bool = False
) -> CompletedProcess[str]:
    """What `python -c CODE WORDS` would do, with this environment in place of ours; `strict` is Python's `-W error`.

    It has as many threads as this process, more than cores if need be: sums depend on it.
    """
    arguments, environment = [*map(str, words)], dict(os.environ if env is None else env)
    pipes = [os.pipe(), os.pipe()]
    said = [DupFd(writer) for _, writer in pipes]
    where = cwd or Path.cwd()
    process = CONTEXT.Process(
        target=_work, args=(code, arguments, where, environment, said, strict, torch.get_num_threads())
    )
    try:
        process.start()
    finally:
        for _, writer in pipes:
            os.close(writer)
    with ThreadPoolExecutor(len(pipes)) as pool:
        heard = pool.map(_text, [reader for reader, _ in pipes])
        process.join(PATIENCE)
        if process.exitcode is None:
            process.kill()
            pytest.fail(f"not done after {PATIENCE:.0f} seconds")
        return CompletedProcess(arguments, process.exitcode, *heard)


def _text(reader: int) -> str:
    with open(reader, encoding="utf-8") as file:
        return file.read()


def _work(
    code: str, words: list[str], cwd: Path, env: dict[str, str], said: list[Any], strict: bool, threads: int
) -> None:
    for number, descriptor in enumerate(said, start=1):
        given = descriptor.detach()
        os.dup2(given, number)
        os.close(given)
    os.environ.clear()
    os.environ.update(env)
    os.chdir(cwd)
    sys.argv = ["-c", *words]
    torch.set_num_threads(threads)
    if strict:
        warnings.simplefilter("error")
    exec(compile(code, "<string>", "exec"), {"__name__": "__main__"})
