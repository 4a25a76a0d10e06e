"""From file to file: the same answers however the scene is cut, in the file's order, through kills and full disks."""

import errno
import os
import signal
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import cloud_transformers as ct
from cloud_transformers.cloud import PointCloud
from cloud_transformers.errors import InputError
from cloud_transformers.models.preparation import Calibration
from cloud_transformers.predict.scene import (
    SceneReport,
    SceneSettings,
    memory_budget,
    segment_cloud,
    segment_file,
)
from cloud_transformers.predict.scene.budget import Budget
from cloud_transformers.predict.scene.scoring import Answers
from cloud_transformers.predict.scene.work import WorkFolder
from cloud_transformers.predict.scene.writing import LabelledFile
from tests import forked
from tests.predict.scene.scenes import AMPLE, ByHeight, classes_by_height, prepared, room

UTM = np.array([412_345.0, 5_403_210.0, 300.0])


def segmented(source: Path, target: Path, region: str = "block", **changes: Any) -> SceneReport:
    told: dict[str, Any] = {"weights": "by height", "budget": AMPLE, "settings": SceneSettings(cell=0)}
    scorer = changes.pop("scorer", ByHeight())
    preparation = changes.pop("preparation", prepared(region))
    return segment_file(source, target, scorer, preparation, **(told | changes))


@pytest.fixture
def scene(tmp_path: Path) -> Path:
    cloud = room(15_000)
    ct.write(tmp_path / "scene.ply", cloud)
    return tmp_path / "scene.ply"


@pytest.mark.parametrize("region", ["block", "sphere"])
@pytest.mark.parametrize(("cell", "floor"), [(0.0, "lowest"), (0.05, "robust")])
def test_budgets_agree(tmp_path: Path, region: str, cell: float, floor: str) -> None:
    calibration = Calibration(temperature=1.5, unsure_below=0.1, share=0.05, error=1.0, error_before=2.0, answers=10)
    settings, preparation = SceneSettings(cell=cell), prepared(region, floor=floor, calibration=calibration)
    answers = []
    scene = tmp_path / "scene.ply"
    ct.write(scene, room(5000))
    for number, tile_points in enumerate([100_000, 1500, 300]):
        out = tmp_path / f"{number}.ply"
        report = segmented(scene, out, preparation=preparation, tile_points=tile_points, settings=settings)
        assert (report.num_tiles == 1) == (number == 0)
        answers.append(ct.read(out))
    assert report.num_tiles > 15
    in_memory, _ = segment_cloud(ct.read(scene), ByHeight(), preparation, settings)
    for cloud in answers:
        assert np.array_equal(cloud.fields["label"], in_memory.labels)
        assert np.array_equal(cloud.fields["confidence"], in_memory.confidence)
        assert np.array_equal(cloud.fields["unsure"], in_memory.unsure)
    assert report.num_unsure == in_memory.unsure.sum() > 0


@pytest.mark.parametrize("suffix", [".las", ".laz", ".ply", ".csv", ".npz", ".pcd"])
@pytest.mark.parametrize("in_parts", [False, True])
def test_points_fields_and_places_are_kept(
    tmp_path: Path, suffix: str, in_parts: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    cloud = room(3000)
    cloud = PointCloud(positions=cloud.positions, fields=cloud.fields, offset=UTM)
    source, target = tmp_path / f"scene{suffix}", tmp_path / f"out{suffix}"
    ct.write(source, cloud, scale=0.0001)
    before = ct.read(source)
    if in_parts:
        monkeypatch.setattr(LabelledFile, "fits", lambda answer, few: False)
        monkeypatch.setattr("cloud_transformers.predict.scene.source.PART", 1000)
    if in_parts and suffix in (".npz", ".pcd"):
        with pytest.raises(InputError, match="cannot be written in parts"):
            segmented(source, target)
        return
    report = segmented(source, target)
    after = ct.read(target)
    assert report.num_points == len(after) == 3000
    assert np.abs(after.world - before.world).max() < 1e-3
    for name, values in before.fields.items():
        name = "original_label" if name == "label" else name  # LAS always has a class, if only 0
        assert np.array_equal(after.fields[name], values), name
    assert np.array_equal(after.fields["label"], classes_by_height(cloud.positions[:, 2]))
    assert sum(report.class_counts) == 3000
    if suffix in (".las", ".laz"):
        assert after.metadata["las"]["scales"] == before.metadata["las"]["scales"]
        assert after.metadata["las"]["offsets"] == before.metadata["las"]["offsets"]
    assert sorted(path.name for path in tmp_path.iterdir()) == [target.name, source.name]


def test_what_was_labelled_before_is_kept(tmp_path: Path) -> None:
    cloud = room(500).with_fields(label=np.arange(500, dtype=np.uint16) % 7)
    ct.write(tmp_path / "scene.laz", cloud.without_fields("time"))
    segmented(tmp_path / "scene.laz", tmp_path / "out.laz")
    out = ct.read(tmp_path / "out.laz")
    assert np.array_equal(out.fields["original_label"], np.arange(500) % 7)
    assert np.array_equal(out.fields["label"], classes_by_height(cloud.positions[:, 2]))


class Mortal(ByHeight):
    """Answers some regions and then fails."""

    def __init__(self, calls: int, error: BaseException) -> None:
        super().__init__()
        self.calls, self.error = calls, error

    def __call__(self, positions: Any, features: Any) -> Any:
        self.calls -= 1
        if self.calls < 0:
            raise self.error
        return super().__call__(positions, features)


def test_what_was_done_is_not_done_again(tmp_path: Path, scene: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        segmented(scene, tmp_path / "out.ply", tile_points=2000, scorer=Mortal(5, KeyboardInterrupt()))
    assert not (tmp_path / "out.ply").exists()
    report = segmented(scene, tmp_path / "out.ply", tile_points=2000)
    assert 0 < report.resumed_tiles < report.num_tiles
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out.ply", "scene.ply"]
    segmented(scene, tmp_path / "whole.ply", tile_points=2000)
    assert (tmp_path / "out.ply").read_bytes() == (tmp_path / "whole.ply").read_bytes()


@pytest.mark.parametrize("change", ["input", "weights", "settings"])
def test_another_scene_or_model_does_not_take_up_what_is_there(tmp_path: Path, scene: Path, change: str) -> None:
    with pytest.raises(KeyboardInterrupt):
        segmented(scene, tmp_path / "out.ply", tile_points=2000, scorer=Mortal(5, KeyboardInterrupt()))
    if change == "input":
        ct.write(scene, room(15_000, seed=1))
    told = {"weights": {"weights": "others"}, "settings": {"settings": SceneSettings(cell=0, seed=1)}}
    assert segmented(scene, tmp_path / "out.ply", tile_points=2000, **told.get(change, {})).resumed_tiles == 0


KILLED = """
import os, signal, sys
from pathlib import Path
from cloud_transformers.predict.scene.work import WorkFolder
from tests.predict.scene.test_streamed import segmented

keep, kept = WorkFolder.keep_answers, []

def keep_two(work, tile, *answers):
    if len(kept) == 2:
        os.kill(os.getpid(), signal.SIGKILL)
    kept.append(tile)
    keep(work, tile, *answers)

WorkFolder.keep_answers = keep_two
segmented(Path(sys.argv[1]), Path(sys.argv[2]), tile_points=1500)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there is no kill -9")
def test_killed_in_the_middle_the_same_command_ends_with_the_same_bits(tmp_path: Path, scene: Path) -> None:
    out = tmp_path / "out.ply"
    ended = forked.run(KILLED, scene, out)
    assert ended.returncode == -signal.SIGKILL, ended.stderr
    assert not out.exists()
    report = segmented(scene, out, tile_points=1500)
    assert 2 == report.resumed_tiles < report.num_tiles
    segmented(scene, tmp_path / "whole.ply", tile_points=1500)
    assert out.read_bytes() == (tmp_path / "whole.ply").read_bytes()
    assert not list(tmp_path.glob(".*"))


def test_a_full_disk_is_one_sentence_and_loses_nothing(
    tmp_path: Path, scene: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep, kept = WorkFolder.keep_answers, []

    def full(work: WorkFolder, tile: int, *answers: Any) -> None:
        if len(kept) == 2:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        kept.append(tile)
        keep(work, tile, *answers)

    monkeypatch.setattr(WorkFolder, "keep_answers", full)
    with pytest.raises(InputError, match="disk is full"):
        segmented(scene, tmp_path / "out.ply", tile_points=2000)
    monkeypatch.undo()
    assert not (tmp_path / "out.ply").exists()
    assert segmented(scene, tmp_path / "out.ply", tile_points=2000).resumed_tiles == 2


def test_a_point_without_an_answer_is_an_error(tmp_path: Path, scene: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def forgetful(work: WorkFolder, first: int, count: int) -> Any:
        labels = np.zeros(count, np.int32)
        labels[7] = -1
        return Answers(labels, np.zeros(count, np.float32), None)

    monkeypatch.setattr(WorkFolder, "answers", forgetful)
    with pytest.raises(RuntimeError, match="1 points"):
        segmented(scene, tmp_path / "out.ply")
    assert not (tmp_path / "out.ply").exists()


def test_what_the_output_cannot_hold_is_said_before_the_work(tmp_path: Path) -> None:
    scorer = ByHeight()
    cloud = room(100).with_fields(wild=np.zeros(100, np.int64))
    ct.write(tmp_path / "scene.npz", cloud)
    with pytest.raises(InputError, match="wild"):
        segmented(tmp_path / "scene.npz", tmp_path / "out.ply", scorer=scorer)
    assert not scorer.regions
    assert [path.name for path in tmp_path.iterdir()] == ["scene.npz"]


def test_float_colors_go_to_las(tmp_path: Path) -> None:
    cloud = room(100)
    ct.write(tmp_path / "scene.ply", cloud, cast={"color": np.float32})
    segmented(tmp_path / "scene.ply", tmp_path / "out.laz")
    assert np.array_equal(ct.read(tmp_path / "out.laz").fields["color"], cloud.fields["color"] * np.uint16(257))


def test_non_finite_points_are_left_out_and_said(tmp_path: Path) -> None:
    lines = ["x y z", "0 0 0", "nan 1 1", "1 1 1"]
    (tmp_path / "scene.txt").write_text("\n".join(lines) + "\n")
    notes: list[str] = []
    report = segmented(tmp_path / "scene.txt", tmp_path / "out.txt", tell=notes.append)
    assert report.num_points == 2
    assert "1 points with a NaN" in notes[0]


def test_a_mesh_is_drawn_on(tmp_path: Path) -> None:
    (tmp_path / "scene.obj").write_text("v 0 0 0\nv 3 0 0\nv 0 3 0\nf 1 2 3\n")
    report = segmented(tmp_path / "scene.obj", tmp_path / "out.ply", mesh_points=2000)
    assert report.num_points == len(ct.read(tmp_path / "out.ply")) == 2000


@pytest.mark.parametrize(("text", "wanted"), [("2GB", 2 << 30), ("1.5 gib", 3 << 29), ("900MB", 900 << 20)])
def test_memory_is_understood(text: str, wanted: int) -> None:
    assert memory_budget(text).total == wanted


@pytest.mark.parametrize("text", ["much", "-1GB", "2XB", "100MB"])
def test_other_memory_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="memory"):
        memory_budget(text)


def test_half_of_the_machine_is_the_default() -> None:
    assert memory_budget(None).tile_points > 100_000


def test_files_that_need_more_than_the_budget_are_refused(tmp_path: Path) -> None:
    ct.write(tmp_path / "scene.npz", room(1000))
    small = Budget(Budget(0).total - Budget(0).free + 10_000)
    with pytest.raises(InputError, match="cannot be read in parts"):
        segmented(tmp_path / "scene.npz", tmp_path / "out.ply", budget=small)
    ct.write(tmp_path / "scene.ply", room(1000))
    with pytest.raises(InputError, match="points lie within"):
        segmented(tmp_path / "scene.ply", tmp_path / "out.ply", budget=small)
