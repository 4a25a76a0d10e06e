"""Scenes done range by range, by processes that share nothing but a folder: the bytes are those of one process."""

import pickle
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import cloud_transformers as ct
from cloud_transformers.cloud import PointCloud
from cloud_transformers.errors import InputError
from cloud_transformers.predict.scene import SceneReport, SceneSettings, content_of, segment_file
from cloud_transformers.predict.scene import ranged as ranged_module
from cloud_transformers.predict.scene import source as source_module
from cloud_transformers.predict.scene.ranged import in_order
from cloud_transformers.predict.scene.tiles import SceneTiles, ScoredHere, TileScorer
from cloud_transformers.predict.scene.tiling import Census
from cloud_transformers.space.floors import Floors
from tests.predict.scene.scenes import AMPLE, ByHeight, prepared, room

UTM = np.array([412_345.0, 5_403_210.0, 300.0])
POINTS = 130_000  # nearly three chunks of .laz


class Elsewhere:
    """Calls what was sent, with answers that are sent back: the last item first, and some done twice."""

    workers = 1

    def __init__(self) -> None:
        self.steps: list[str] = []

    def __call__(self, function: Callable[[Any], Any], items: Iterable[Any]) -> Iterator[tuple[Any, Any]]:
        self.steps.append(type(function).__name__)
        for number, item in reversed(list(enumerate(items))):
            for _ in range(1 + number % 2):
                answer = pickle.loads(pickle.dumps(pickle.loads(pickle.dumps(function))(item)))
            yield item, answer


class Helped(TileScorer):
    def __init__(self) -> None:
        self.elsewhere = Elsewhere()
        self.fail_at: int | None = None

    @property
    def spread(self) -> Elsewhere:
        return self.elsewhere

    def __call__(self, tiles: SceneTiles, todo: Sequence[int], advance: Callable[[float], None]) -> None:
        ScoredHere(ByHeight())(tiles, todo[: self.fail_at], advance)
        if self.fail_at is not None:
            raise KeyboardInterrupt


@pytest.fixture(autouse=True)
def _small_ranges(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ranged_module, "PART", 1000)
    monkeypatch.setattr("cloud_transformers.predict.scene.source.PART", 30_000)
    monkeypatch.setattr(ranged_module, "_LEAST", 1000)


def segmented(source: Path, target: Path, scorer: Any) -> SceneReport:
    settings = SceneSettings(cell=0.1)
    options: Any = {"weights": "by height", "budget": AMPLE, "settings": settings, "tile_points": 30_000}
    return segment_file(source, target, scorer, prepared(), **options)


@pytest.fixture(params=[".las", ".laz"])
def scene(request: Any, tmp_path: Path) -> Path:
    cloud = room(POINTS, width=9.0, depth=9.0)
    rng = np.random.default_rng(0)
    fields: Any = {
        **cloud.fields,
        "return_number": rng.integers(1, 4, POINTS).astype(np.uint8),
        "heat": rng.normal(size=POINTS).astype(np.float32),
        "wave": rng.integers(-9, 9, (POINTS, 2)).astype(np.int16),
    }
    path = tmp_path / f"scene{request.param}"
    ct.write(path, PointCloud(positions=cloud.positions, fields=fields, offset=UTM), scale=0.0001)
    return path


@pytest.mark.parametrize("suffix", [".las", ".laz", ".ply"])
def test_the_answer_has_the_bytes_of_one_process(scene: Path, tmp_path: Path, suffix: str) -> None:
    here, far = tmp_path / f"here{suffix}", tmp_path / f"far{suffix}"
    alone = segmented(scene, here, ByHeight())
    helped = Helped()
    report = segmented(scene, far, helped)
    assert far.read_bytes() == here.read_bytes()
    assert (report.class_counts, report.num_tiles) == (alone.class_counts, alone.num_tiles)
    writing = [] if suffix == ".ply" else ["_Writing"]
    assert helped.elsewhere.steps == ["_Surveying", "_Counting", "_Sorting", "_Gathering", *writing]
    assert {path.name for path in tmp_path.iterdir()} == {scene.name, here.name, far.name}


def test_the_hash_of_a_large_file_is_that_of_one_process(
    scene: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So that one process can go on with what many have begun."""
    monkeypatch.setattr(source_module, "BLOCK", 1_000_000)
    alone = content_of(scene)
    monkeypatch.setattr(source_module, "WORTH_HELP", 1000)
    elsewhere = Elsewhere()
    assert content_of(scene, in_order(elsewhere)) == alone
    assert elsewhere.steps == ["_Numbered"]
    scene.write_bytes(scene.read_bytes()[:-1] + b"?")
    assert content_of(scene, in_order(elsewhere)) != alone


def test_a_run_that_stopped_goes_on(scene: Path, tmp_path: Path) -> None:
    here, far = tmp_path / "here.las", tmp_path / "far.las"
    segmented(scene, here, ByHeight())
    stopped = Helped()
    stopped.fail_at = 3
    with pytest.raises(KeyboardInterrupt):
        segmented(scene, far, stopped)
    again = Helped()
    report = segmented(scene, far, again)
    assert report.resumed_tiles == 3
    assert again.elsewhere.steps == ["_Surveying", "_Floors", "_Writing"]
    assert far.read_bytes() == here.read_bytes()


def test_what_one_process_began_another_ends(scene: Path, tmp_path: Path) -> None:
    here, far = tmp_path / "here.laz", tmp_path / "far.laz"
    segmented(scene, here, ByHeight())
    stopped = Helped()
    stopped.fail_at = 2
    with pytest.raises(KeyboardInterrupt):
        segmented(scene, far, stopped)
    assert segmented(scene, far, ByHeight()).resumed_tiles == 2
    assert far.read_bytes() == here.read_bytes()


def test_a_file_that_changes_meanwhile_is_noticed(scene: Path, tmp_path: Path) -> None:
    class Changing(Elsewhere):
        def __call__(self, function: Callable[[Any], Any], items: Iterable[Any]) -> Iterator[tuple[Any, Any]]:
            yield from super().__call__(function, items)
            if type(function).__name__ == "_Surveying":
                ct.write(scene, room(POINTS, seed=1))

    helped = Helped()
    helped.elsewhere = Changing()
    with pytest.raises(InputError, match="was changed"):
        segmented(scene, tmp_path / "far.las", helped)
    assert [path.name for path in tmp_path.iterdir()] == [scene.name]


@pytest.mark.parametrize("most", [10**6, 40])
def test_counts_and_floors_of_ranges_are_those_of_all_points(monkeypatch: pytest.MonkeyPatch, most: int) -> None:
    """Also where there are too many columns or squares, so that they become larger on the way."""
    monkeypatch.setattr("cloud_transformers.predict.scene.tiling._MOST_LEAVES", most)
    monkeypatch.setattr("cloud_transformers.space.floors._MOST_COLUMNS", most)
    positions = room(4000).positions
    start = np.zeros(2)

    def counted(parts: Sequence[Any]) -> tuple[Census, Floors]:
        census, floors = Census(0.25, 0.1, np.zeros(3)), Floors(2.0, 1.0, "robust", start)
        for part in parts:
            census.add(part)
            floors.add(part)
        return census, floors

    census, floors = counted([positions])
    merged, merged_floors = counted([])
    for part in (positions[3000:], positions[:10], positions[10:3000]):
        some = counted([part])
        merged.merge(some[0])
        merged_floors.merge(some[1])
    assert merged.side == census.side
    assert np.array_equal(merged.keys, census.keys)
    assert np.array_equal(merged.counts, census.counts)
    for x, y in ((1.0, 1.0), (5.0, 3.0)):
        assert merged_floors.at(x, y) == floors.at(x, y)


def test_a_machine_that_does_not_see_the_work_folder_is_named(scene: Path, tmp_path: Path) -> None:
    from cloud_transformers.predict.scene.ranged import _Gathering, _Surveying
    from cloud_transformers.predict.scene.work import WorkFolder

    nowhere: Any = WorkFolder(tmp_path / "nowhere", 3)
    none: Any = None
    with pytest.raises(InputError, match="does not see the work folder"):
        _Surveying(none, none, none, none, nowhere, True)(range(3))
    with pytest.raises(InputError, match="does not see the work folder"):
        _Gathering(nowhere)((0, []))
