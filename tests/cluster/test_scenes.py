"""One scene, scored by several processes: the local answer to the byte, also through kills."""

import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import psutil
import pytest

import cloud_transformers as ct
from cloud_transformers.cluster.pool import pool_of
from cloud_transformers.cluster.scenes import ScoredByWorkers
from cloud_transformers.errors import InputError
from tests.cluster.rules import ByRule, segmented
from tests.predict.scene.scenes import ByHeight, room

pytestmark = pytest.mark.cluster
MEMORY = 300 << 20


@pytest.fixture
def scene(tmp_path: Path) -> Path:
    ct.write(tmp_path / "scene.ply", room(15_000))
    return tmp_path / "scene.ply"


def by_workers(ray: Any, scene: Path, target: Path, rule: ByRule) -> Any:
    with pool_of(ray, rule, workers=2, memory=MEMORY) as pool:
        return segmented(scene, target, ScoredByWorkers(pool, str(scene)))


def test_tiles_scored_by_workers_give_the_local_file(ray: Any, scene: Path, tmp_path: Path) -> None:
    """Also when one of them is killed in the middle of a tile."""
    report = segmented(scene, tmp_path / "local.ply", ByHeight())
    assert report.num_tiles > 5
    far = by_workers(ray, scene, tmp_path / "far.ply", ByRule(mark=tmp_path / "died"))
    assert (tmp_path / "died").exists()
    assert (tmp_path / "far.ply").read_bytes() == (tmp_path / "local.ply").read_bytes()
    assert (far.num_tiles, far.class_counts) == (report.num_tiles, report.class_counts)


def test_a_scene_that_kills_every_worker_is_named(ray: Any, scene: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"scene\.ply, tile \d+ of it: 3 workers in a row died"):
        by_workers(ray, scene, tmp_path / "far.ply", ByRule(mark=tmp_path / "died", always=True))
    assert not (tmp_path / "far.ply").exists()


def test_a_killed_command_leaves_no_worker_and_goes_on_where_it_stopped(ray: Any, scene: Path, tmp_path: Path) -> None:
    """Killed so that it cannot say goodbye; the workers' answers until then are kept.

    Two small processes of Ray's, its agents, first report for a minute to nobody; they are not waited for.
    """
    out = tmp_path / "out.ply"
    command = [sys.executable, "-m", "tests.cluster.rules", str(scene), str(out)]
    process = subprocess.Popen(command, cwd=Path(__file__).parents[2], stderr=subprocess.DEVNULL)
    while process.poll() is None and len(list(tmp_path.glob(".out.ply.*.work/tiles/*/label"))) < 3:
        time.sleep(0.05)
    assert process.poll() is None, "it was done before it could be killed"
    others = [each for each in psutil.Process(process.pid).children(recursive=True) if "Agent" not in each.name()]
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert others
    _, alive = psutil.wait_procs(others, timeout=150)
    assert not [each for each in alive if each.status() != psutil.STATUS_ZOMBIE], "Ray outlives the command"
    report = by_workers(ray, scene, out, ByRule())
    assert report.resumed_tiles >= 3
    segmented(scene, tmp_path / "local.ply", ByHeight())
    assert out.read_bytes() == (tmp_path / "local.ply").read_bytes()


def test_a_work_folder_that_a_machine_does_not_see_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import ray as module

    from cloud_transformers.cluster.scenes import TileTask, TileWork
    from cloud_transformers.predict.scene.work import WorkFolder

    class Elsewhere:
        work = WorkFolder(tmp_path / "not here", 3)

    monkeypatch.setattr(module, "get", lambda kept: kept)
    with pytest.raises(InputError, match="does not see the work folder"):
        TileWork(ByHeight(), 1)(TileTask("score", 0, Elsewhere(), "a scene"))
