"""A short run of the fuzzer; the long one is `make torture`."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from cloud_transformers.io.formats import FORMATS
from cloud_transformers.io.packed import SUFFIXES
from tests.io.samples import MESH_FORMATS, POINT_FORMATS
from tests.torture import fuzz
from tests.torture.clouds import CLOUDS
from tests.torture.fuzz import run_here
from tests.torture.targets import KINDS, target


@pytest.mark.parametrize("kind", KINDS)
def test_damaged_files_are_read_or_refused(kind: str) -> None:
    if kind == "e57":
        pytest.importorskip("pye57")
    counts, bad = run_here(kind, range(40))
    assert not bad
    assert counts["read"] + counts["refused"] == 40
    assert counts["refused"]


def test_every_format_is_among_them(tmp_path: Path) -> None:
    pytest.importorskip("pye57")
    fuzzed = set()
    for kind in (*POINT_FORMATS, *MESH_FORMATS, *CLOUDS):
        (tmp_path / kind).mkdir()
        fuzzed |= {Path(f"a{suffix}").suffix for suffix in target(kind, tmp_path / kind).suffixes}
    assert fuzzed >= {*FORMATS, *SUFFIXES} - {".hdf5"}  # another name for .h5


HANGING = """
from tests.torture import fuzz

fuzz._HANGS = 0.1
fuzz._end_what_hangs()
while True:
    pass
"""


@pytest.mark.skipif(sys.platform != "linux", reason="it needs a clock that counts work")
def test_a_reader_that_hangs_is_ended_and_named() -> None:
    ended = subprocess.run([sys.executable, "-c", HANGING], capture_output=True, text=True)
    assert ended.returncode == -signal.SIGPROF
    assert 'File "<string>", line' in ended.stderr


WAITING = """
import time
from tests.torture import fuzz

fuzz._end_what_hangs()
print("at 1", flush=True)
time.sleep(600)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="it needs a clock that counts work")
def test_a_reader_that_waits_is_ended_and_named(monkeypatch: pytest.MonkeyPatch) -> None:
    command = [sys.executable, "-c", WAITING]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as worker:
        lines = fuzz._lines(worker)
        assert next(lines) == "at 1\n"
        monkeypatch.setattr(fuzz, "_WAITS", 1)
        assert list(lines) == []
        assert worker.stderr is not None
        assert 'File "<string>", line' in worker.stderr.read()
    assert worker.returncode == -signal.SIGPROF
