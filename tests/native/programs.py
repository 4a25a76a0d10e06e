"""Processes that use kernels: only new ones show what happens at first use, since loaded libraries stay loaded."""

import os
import subprocess
import sys


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
    output, errors = start(code, **environment).communicate(timeout=240)
    return output.strip(), errors
