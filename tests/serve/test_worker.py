"""The limits of a worker process, and what it says when it meets them."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = """
import json, os, sys
from cloud_transformers.errors import InputError
from cloud_transformers.serve import worker

worker._limit(1 << 29, 1 << 20)
def allocate(tell): return len(bytearray(1 << 30))
def write(tell): return open(sys.argv[1], "wb").write(bytes(1 << 21))
def refuse(tell): raise InputError("a.ply: holds no points")
def stumble(tell): return 1 / 0
def succeed(tell): tell(0.5, "half"); return 7
for action in (allocate, write, refuse, stumble, succeed):
    print(json.dumps(worker.answered(action, {}, sys.stdout)))
"""


@pytest.fixture(scope="module")
def said(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, object]]:
    file = tmp_path_factory.mktemp("worker") / "large"
    words = [sys.executable, "-c", PROGRAM, str(file)]
    result = subprocess.run(words, capture_output=True, text=True, check=True)
    assert "ZeroDivisionError" in result.stderr
    assert not Path(file).exists() or file.stat().st_size <= 1 << 20
    return [json.loads(line) for line in result.stdout.splitlines()]


def test_what_ends_badly_ends_in_a_sentence(said: list[dict[str, object]]) -> None:
    assert said[2] == {"failed": "a.ply: holds no points"}
    assert "an error in the program: ZeroDivisionError" in str(said[3])
    assert said[4:] == [{"progress": 0.5, "step": "half"}, {"done": 7}]


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux bounds the memory of a process")
def test_memory_and_files_are_bounded(said: list[dict[str, object]]) -> None:
    assert "memory ran out" in str(said[0])
    assert "File too large" in str(said[1])
