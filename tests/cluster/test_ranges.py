"""Workers survey, sort and write a scene range by range; whoever dies, the file is that of one process."""

import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import cloud_transformers as ct
from cloud_transformers.cluster.pool import pool_of
from cloud_transformers.cluster.scenes import ScoredByWorkers
from cloud_transformers.predict.scene import ranged
from tests.cluster.ranges import STEPS, Dying, segmented
from tests.predict.scene.scenes import ByHeight, room

pytestmark = pytest.mark.cluster


@pytest.fixture
def scene(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Of three ranges."""
    monkeypatch.setattr(ranged, "PART", 1000)
    monkeypatch.setattr(ranged, "_LEAST", 1000)
    ct.write(tmp_path / "scene.laz", room(130_000, width=9.0, depth=9.0), scale=0.0001)
    return tmp_path / "scene.laz"


def by_workers(ray: Any, scene: Path, target: Path, work: Dying) -> Any:
    with pool_of(ray, work, workers=2, memory=300 << 20) as pool:
        return segmented(scene, target, ScoredByWorkers(pool, str(scene)))


@pytest.mark.parametrize("suffix", [".las", ".laz"])
def test_a_worker_that_dies_in_any_step_is_made_up_for(ray: Any, scene: Path, tmp_path: Path, suffix: str) -> None:
    here, far, marks = tmp_path / f"here{suffix}", tmp_path / f"far{suffix}", tmp_path / "marks"
    marks.mkdir()
    alone = segmented(scene, here, ByHeight())
    report = by_workers(ray, scene, far, Dying(marks))
    assert {each.name for each in marks.iterdir()} == set(STEPS)
    assert far.read_bytes() == here.read_bytes()
    assert report.class_counts == alone.class_counts
    assert {each.name for each in tmp_path.iterdir()} == {scene.name, here.name, far.name, "marks"}


@pytest.mark.parametrize("begun", ["parts/*/*", "ranges/*", "written/*"])
def test_a_command_that_is_killed_in_any_step_can_be_given_again(
    ray: Any, scene: Path, tmp_path: Path, begun: str
) -> None:
    here, far = tmp_path / "here.las", tmp_path / "far.las"
    command = [sys.executable, "-m", "tests.cluster.ranges", str(scene), str(far)]
    process = subprocess.Popen(command, cwd=Path(__file__).parents[2], stderr=subprocess.DEVNULL)
    while process.poll() is None and not list(tmp_path.glob(f".far.las.*.work/{begun}")):
        time.sleep(0.02)
    assert process.poll() is None, "it was done before it could be killed"
    process.send_signal(signal.SIGKILL)
    process.wait()
    by_workers(ray, scene, far, Dying(tmp_path, ()))
    segmented(scene, here, ByHeight())
    assert far.read_bytes() == here.read_bytes()
