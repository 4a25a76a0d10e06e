"""The API is what /openapi.json says: schemathesis makes right and wrong requests from it, and checks each answer.

This is the short form; docs/serve.md has the command for thousands of requests.
"""

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

from tests.serve.servers import LIGHT, running

MANY = ("--max-jobs", 100000, "--jobs-per-client", 100000)
PROGRAM = "from schemathesis.cli import schemathesis; schemathesis()"


@pytest.mark.skipif(importlib.util.find_spec("schemathesis") is None, reason="schemathesis is not installed")
def test_every_answer_is_as_described(tmp_path: Path) -> None:
    with running(LIGHT, tmp_path / "jobs", *MANY) as server:
        words = ["run", f"{server.address}openapi.json", "--checks", "all", "--max-examples", "8", "--seed", "1"]
        words += ["--phases", "fuzzing,stateful", "--no-color", "--suppress-health-check", "all"]
        said = subprocess.run(
            [sys.executable, "-c", PROGRAM, *words], cwd=tmp_path, capture_output=True, text=True, timeout=600
        )
        assert said.returncode == 0, said.stdout
        assert server.client.get("/api/health").status == 200
