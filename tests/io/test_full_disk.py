"""A full disk is the system's error, not a complaint about the cloud."""

import errno
import sys
from pathlib import Path

import numpy as np
import pytest

import cloud_transformers as ct
from cloud_transformers.cloud import PointCloud


@pytest.mark.skipif(sys.platform != "linux", reason="needs /dev/full")
@pytest.mark.parametrize("suffix", [".las", ".laz", ".ply", ".csv"])
def test_a_full_disk_says_so(suffix: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(0)
    cloud = PointCloud(positions=rng.normal(size=(100_000, 3)).astype(np.float32))
    plain = Path.open

    def full(path: Path, mode: str = "r", *rest: object) -> object:
        return plain(Path("/dev/full") if "w" in mode else path, mode)

    monkeypatch.setattr(Path, "open", full)
    with pytest.raises(OSError, match="No space left") as caught:
        ct.write(tmp_path / f"cloud{suffix}", cloud)
    assert caught.value.errno == errno.ENOSPC
    assert not list(tmp_path.iterdir())
