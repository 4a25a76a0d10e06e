"""Processes that use kernels: only new ones show what happens at first use, since loaded libraries stay loaded."""

import os
import shlex
import subprocess
import sys
from pathlib import Path

from cloud_transformers.compilation import Compiler
from tests import forked


def start(code: str, **environment: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", code],
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def outcome(code: str, **environment: str) -> tuple[str, str]:
    """What a program printed, and its complaints."""
    done = forked.run(code, env={**os.environ, **environment})
    return done.stdout.strip(), done.stderr


def quick_compiler(folder: Path, compiler: Compiler, *flags: str) -> str:
    """The path of a compiler with flags of its own, whose last one stops it from looking for the fastest code."""
    wrapper = folder / "c++"
    wrapper.write_text(f'#!/bin/sh\nexec {shlex.join([compiler.path, *flags])} "$@" -O1\n')
    wrapper.chmod(0o755)
    return str(wrapper)
