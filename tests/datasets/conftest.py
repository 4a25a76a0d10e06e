"""Set-up of the tests of data: a cache of their own, and real data for those that want it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test may see another one's cache, let alone the user's."""
    monkeypatch.setenv("CLOUDT_CACHE", str(tmp_path_factory.mktemp("cache")))


@pytest.fixture(scope="session")
def real_data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with 64 real samples of ModelNet40, completion and reconstruction, in the public layouts.

    They come from $CLOUDT_TEST_DATA, or from a folder shared/data beside the checkout.
    """
    packed = Path(os.environ.get("CLOUDT_TEST_DATA") or Path(__file__).parents[3] / "shared" / "data")
    script = packed / "unpack.py"
    if not script.is_file():
        pytest.skip(f"no real data: {script} is not there; set CLOUDT_TEST_DATA to its folder")
    out = tmp_path_factory.mktemp("real")
    subprocess.run([sys.executable, str(script), str(out), "--limit", "64"], check=True, capture_output=True)
    return out
