"""Every point gets an answer, from regions that are what the model was trained on."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from cloud_transformers import models
from cloud_transformers.cloud import PointCloud
from cloud_transformers.cloud.coordinates import choose_offset, split
from cloud_transformers.datasets.s3dis.room_blocks import room_to_blocks
from cloud_transformers.errors import InputError
from cloud_transformers.models.preparation import Calibration
from cloud_transformers.predict.batches import Batches
from cloud_transformers.predict.scene import SceneSettings, scoring, segment_cloud
from cloud_transformers.predict.scene.intake import Survey
from cloud_transformers.predict.scene.points import thin
from cloud_transformers.predict.scene.regions import SceneRegion
from cloud_transformers.predict.segmentation import SegmentationPredictor
from cloud_transformers.world import rooms
from tests.predict.scene.scenes import ByHeight, classes_by_height, prepared, room
from tests.search import examples

REGIONS = ["block", "sphere"]


def answered(*given: Any, **options: Any) -> tuple[NDArray[Any], NDArray[np.float32], list[str]]:
    said, notes = segment_cloud(*given, **options)
    return said.labels, said.confidence, notes


@st.composite
def clouds(draw: st.DrawFn) -> PointCloud:
    """Clusters, lines, lone points and heaps of equal ones, near and thousands of kilometres apart."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    parts = []
    for kind in draw(st.lists(st.sampled_from(["cluster", "line", "one", "equal", "plane"]), min_size=1, max_size=4)):
        place = rng.normal(size=3) * draw(st.sampled_from([0, 1, 100, 1e6]))
        count = draw(st.integers(1, 400))
        along = rng.uniform(size=(count, 1))
        shape = {
            "cluster": rng.normal(size=(count, 3)) * 0.3,
            "line": along * rng.normal(size=3) * 5,
            "one": np.zeros((1, 3)),
            "equal": np.zeros((count, 3)),
            "plane": rng.integers(0, 8, (count, 3)) * [0.5, 0.5, 0],  # on the very borders of blocks
        }[kind]
        parts.append(place + shape)
    points = rng.permutation(np.concatenate(parts)).astype(np.float32)
    return PointCloud(positions=points, offset=np.array(draw(st.sampled_from([[0.0, 0, 0], [5e5, 5.4e6, 300]]))))


@examples(60)
@given(clouds(), st.sampled_from(REGIONS), st.sampled_from([0.0, 0.04, None]), st.sampled_from([0.0, 0.3, 0.5, 0.75]))
def test_every_point_of_any_cloud_gets_an_answer(
    cloud: PointCloud, region: str, cell: float | None, overlap: float
) -> None:
    scorer = ByHeight()
    labels, confidence, notes = answered(
        cloud, scorer, prepared(region, points=64), SceneSettings(cell=cell, overlap=overlap, scale=1.0)
    )
    assert labels.shape == confidence.shape == (len(cloud),)
    assert ((confidence > 0) & (confidence <= 1)).all()
    assert max(len(positions) for positions, _ in scorer.regions) <= 64
    assert "no colours" in notes[0]


@pytest.mark.parametrize("region", REGIONS)
@pytest.mark.parametrize("cell", [0.0, 0.03])
def test_the_answer_is_right(region: str, cell: float) -> None:
    cloud = room(20_000)
    labels, confidence, notes = answered(cloud, ByHeight(), prepared(region), SceneSettings(cell=cell))
    wanted = classes_by_height(cloud.positions[:, 2])
    if cell == 0:
        assert np.array_equal(labels, wanted)
    assert (labels == wanted).mean() > 0.99  # a cube of the thinning may hold points of two classes
    assert confidence.min() > 0.6 - 1e-6
    assert notes == []


def test_up_and_scale_bring_a_cloud_to_metres_with_z_up() -> None:
    cloud = room(5000)
    turned = replace(
        cloud, positions=np.asarray((cloud.positions * [1, -1, 1])[:, [0, 2, 1]] * 1000, np.float32)
    )  # y up, millimetres
    answers = [
        answered(turned, ByHeight(), prepared(), SceneSettings(cell=0, up="y", scale=0.001)),
        answered(cloud, ByHeight(), prepared(), SceneSettings(cell=0)),
    ]
    assert np.array_equal(answers[0][0], answers[1][0])


def numbered_room(max_points: int, block_points: int, width: float) -> tuple[PointCloud, NDArray[Any]]:
    """A room of the world whose colours tell each point's number, and its blocks as the benchmark stores them.

    None of its points lies on the very border of a block, where rounding would decide.
    """
    cloud = rooms.room(3, 1, max_points=max_points)
    places = (cloud.positions - cloud.positions.min(axis=0))[:, :2]
    to_border = np.abs((places + 0.25) % 0.5 - 0.25)
    cloud = cloud.select(((places < width) & ((to_border > 1e-3) | (places < 0.1))).all(axis=1))
    number = np.arange(len(cloud))
    cloud = cloud.with_fields(color=np.stack([number >> 16, number >> 8 & 255, number & 255], axis=1).astype(np.uint8))
    points = np.concatenate([cloud.positions, cloud.fields["color"]], axis=1)
    labels, rng = np.zeros(len(cloud), np.int64), np.random.default_rng(0)
    data, _ = room_to_blocks(points, labels, rng, num_points=block_points)
    return cloud, data


def numbers(colors: NDArray[Any]) -> NDArray[np.int64]:
    return np.rint(colors * 255).astype(np.int64) @ [1 << 16, 1 << 8, 1]


def test_regions_are_the_blocks_of_the_training() -> None:
    cloud, stored = numbered_room(20_000, 4096, 99)
    scorer = ByHeight()
    answered(cloud, scorer, prepared(points=4096), SceneSettings(cell=0))
    given = {tuple(numbers(features)): positions for positions, features in scorer.regions}
    assert len(given) >= len(stored) > 20
    for block in stored:
        found, first = np.unique(numbers(block[:, 3:6]), return_index=True)
        assert np.abs(given[tuple(found)] - block[first, :3]).max() < 2e-6


def test_labels_are_those_of_the_recipes_evaluation() -> None:
    """Stored blocks of one size, repetitions among them, through the same model: the mean of what they say."""
    cloud, stored = numbered_room(6000, 640, 2.2)
    model = models.segmenter("tiny", num_classes=13)
    preparation = prepared(points=640, classes=tuple(f"class {k}" for k in range(13)))
    predictor = SegmentationPredictor(model, preparation, device=torch.device("cpu"), batches=Batches(8))
    labels, confidence, _ = answered(cloud, predictor.score_regions, preparation, SceneSettings(cell=0))

    sums, visits = np.zeros((len(cloud), 13)), np.zeros((len(cloud), 1))
    answers = predictor.score_regions(list(stored[:, :, :3]), list(stored[:, :, 3:6]))
    for block, answer in zip(stored, answers, strict=True):
        found, first = np.unique(numbers(block[:, 3:6]), return_index=True)
        sums[found] += answer[first]
        visits[found] += 1
    seen = visits[:, 0] > 0
    mean = sums[seen] / visits[seen]
    chances = np.exp(mean) / np.exp(mean).sum(axis=1, keepdims=True)
    assert seen.mean() > 0.9
    assert np.abs(chances.max(axis=1) - confidence[seen]).max() < 1e-4
    assert np.abs(mean.max(axis=1) - mean[np.arange(len(mean)), labels[seen]]).max() < 1e-4


def test_spheres_are_those_of_the_training() -> None:
    """Positions around a point of the scene, within the radius, normalised colours, heights above the floor."""
    cloud = room(4000)
    scorer = ByHeight()
    preparation = prepared("sphere", color_mean=(0.5, 0.4, 0.3), color_std=(0.2, 0.25, 0.5), points=300)
    answered(cloud, scorer, preparation, SceneSettings(cell=0))
    colors = (cloud.fields["color"] / 255 - [0.5, 0.4, 0.3]) / [0.2, 0.25, 0.5]
    known = np.concatenate([colors, cloud.positions[:, 2:]], axis=1)
    for positions, features in scorer.regions[:40]:
        assert np.linalg.norm(positions, axis=1).max() <= 1 + 1e-6
        assert np.abs(positions).max(axis=1).min() == 0  # the centre is one of the points
        center = np.abs(known - features[np.abs(positions).max(axis=1).argmin()]).max(axis=1).argmin()
        places = cloud.positions[center] + positions
        nearest = np.abs(cloud.positions[None] - places[:50, None]).max(axis=2).argmin(axis=1)
        assert np.abs(known[nearest] - features[:50]).max() < 1e-5


def test_a_crowded_block_is_drawn_until_all_its_points_are_seen() -> None:
    rng = np.random.default_rng(0)
    cloud = PointCloud(positions=rng.uniform(0, 0.99, (1000, 3)).astype(np.float32))
    scorer = ByHeight()
    answered(cloud, scorer, prepared(points=256), SceneSettings(cell=0))
    assert [len(positions) for positions, _ in scorer.regions] == [256] * 4
    other = ByHeight()
    answered(cloud, other, prepared(points=256), SceneSettings(cell=0, seed=1))
    assert not np.array_equal(scorer.regions[0][0], other.regions[0][0])


def test_the_models_scale_and_axes_are_applied_to_regions() -> None:
    """Coordinates are multiplied and turned, heights stay in metres."""
    cloud = room(3000)
    plain, changed = ByHeight(), ByHeight()
    told = {"features": ("color", "height"), "extent": 2.0}
    answered(cloud, plain, prepared(**told), SceneSettings(cell=0))
    answered(cloud, changed, prepared(**told, scale=0.5, up="y"), SceneSettings(cell=0))
    for (before, features), (after, same_features) in zip(plain.regions, changed.regions, strict=True):
        assert np.allclose(after, (before * [1, -1, 1])[:, [0, 2, 1]] / 2, atol=1e-6)
        assert np.array_equal(features, same_features)


def test_floors_are_local() -> None:
    """A second room of the scene, far away and deep below, is judged by its own floor."""
    upper, lower = room(4000), room(4000, seed=1)
    down = lower.positions + np.array([100, 0, -30], np.float32)
    both = PointCloud(
        positions=np.concatenate([upper.positions, down]),
        fields={"color": np.concatenate([upper.fields["color"], lower.fields["color"]])},
    )
    labels, _, _ = answered(both, ByHeight(), prepared(), SceneSettings(cell=0))
    heights = np.concatenate([upper.positions[:, 2], lower.positions[:, 2]])
    assert np.array_equal(labels, classes_by_height(heights))
    labels, _, _ = answered(both, ByHeight(), prepared(), SceneSettings(cell=0, floor=0))
    assert not np.array_equal(labels, classes_by_height(heights))


def test_stray_points_below_the_floor_move_no_robust_floor() -> None:
    cloud = room(20_000)
    stray = cloud.positions[::200] * np.array([1, 1, 0], np.float32) - np.linspace(0.6, 1.9, 100)[:, None] * [0, 0, 1]
    both = PointCloud(positions=np.concatenate([cloud.positions, stray]).astype(np.float32))
    wanted = classes_by_height(cloud.positions[:, 2])
    for floor, is_right in (("robust", True), ("lowest", False)):
        labels, _, _ = answered(both, ByHeight(), prepared(floor=floor), SceneSettings(cell=0))
        assert np.array_equal(labels[: len(cloud)], wanted) == is_right


@pytest.mark.parametrize(("region", "cell"), [("block", 0.0), ("block", None), ("sphere", 0.0), ("sphere", None)])
def test_a_scene_that_is_moved_as_a_whole_is_cut_into_the_same_regions(region: str, cell: float | None) -> None:
    """Coordinates in millimetres, as files have them: thousands of points lie on borders of cubes and blocks."""
    rng = np.random.default_rng(0)
    world = np.round(rng.uniform(0, 1, (20_000, 3)) * [12, 7, 2.5], 3)
    regions = []
    for shift in ([0, 0, 0], [500_001, 5_400_000, 300], [0.37, 0.81, 0.2], [12.5, -8.25, 0]):
        moved = world + shift
        offset = choose_offset(moved)
        cloud = PointCloud(positions=split(moved, offset, "room"), offset=offset)
        scorer = ByHeight()
        answered(cloud, scorer, prepared(region), SceneSettings(cell=cell))
        # Points of a sphere come by their distance, of which some are equal: their order may change, not their set.
        regions.append([np.sort(positions, axis=0) for positions, _ in scorer.regions])
    for other in regions[1:]:
        assert len(other) == len(regions[0])
        same = [a.shape == b.shape and np.abs(a - b).max() < 1e-3 for a, b in zip(regions[0], other, strict=True)]
        assert np.mean(same) > 0.995


@pytest.mark.parametrize(
    ("colors", "wanted", "num_notes"),
    [
        (np.array([[255, 0, 51]], np.uint8), [1, 0, 0.2], 0),
        (np.array([[65535, 0, 13107]], np.uint16), [1, 0, 0.2], 0),
        (np.array([[255, 0, 51]], np.uint16), [1, 0, 0.2], 1),
        (np.array([[1, 0, 0.2]], np.float32), [1, 0, 0.2], 0),
        (np.array([[255.0, 0, 51]], np.float32), [1, 0, 0.2], 1),
        (np.array([[0, 0, 0]], np.uint16), [0.5, 0.5, 0.5], 1),
        (None, [0.5, 0.5, 0.5], 1),
    ],
)
def test_colors_of_any_kind_come_as_the_model_wants_them(colors: Any, wanted: list[float], num_notes: int) -> None:
    fields = {} if colors is None else {"color": colors}
    scorer = ByHeight()
    cloud = PointCloud(positions=np.zeros((1, 3), np.float32), fields=fields)
    *_, notes = answered(cloud, scorer, prepared())
    assert np.allclose(scorer.regions[0][1], [wanted])
    assert "holds 1 point," in notes[-1]
    assert len(notes) == num_notes + 1


@pytest.mark.parametrize("value", [np.nan, np.inf, -1.0])
def test_colours_that_are_none_are_refused(value: float) -> None:
    colors = np.full((500, 3), 0.5, np.float32)
    colors[7, 1] = value
    cloud = replace(room(500), fields={"color": colors})
    with pytest.raises(InputError, match=r"a colour is .* leave them out with --drop color"):
        segment_cloud(cloud, ByHeight(), prepared())


def test_progress_counts_the_points_of_the_scene() -> None:
    """Thinning changes how many are scored, not how many the bar counts."""
    cloud, seen = room(3000), []
    survey = Survey("room", prepared(), SceneSettings(cell=0.2))
    points = survey.points(survey.add(cloud), 0)
    thinned, _ = thin(points, np.zeros(3), 0.2)
    extent = survey.extent()
    extent.floors.add(points.positions)
    piece = scoring.Piece(thinned, np.ones(len(thinned), bool), num_raw=len(cloud))
    list(scoring.score([piece], extent, ByHeight(), prepared(), SceneSettings(cell=0.2), advance=seen.append))
    assert len(thinned) < len(cloud)
    assert sum(seen) == pytest.approx(len(cloud))


def test_missing_colors_can_be_refused() -> None:
    cloud = PointCloud(positions=np.zeros((1, 3), np.float32))
    with pytest.raises(InputError, match="no colours"):
        answered(cloud, ByHeight(), prepared(), SceneSettings(missing_color="refuse"))


def test_an_unvisited_point_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scoring, "regions_of", lambda *scene: iter(()))
    with pytest.raises(RuntimeError, match="10 of 10 points"):
        answered(room(10), ByHeight(), prepared())


def test_answers_that_are_not_finite_are_refused() -> None:
    with pytest.raises(InputError, match="not finite"):
        answered(
            room(10), lambda positions, _: [np.full((len(p), 3), np.nan, np.float32) for p in positions], prepared()
        )


def test_other_weights_are_refused() -> None:
    with pytest.raises(InputError, match="segmentation"):
        answered(room(10), ByHeight(), prepared("whole", task="classification"))


def test_no_points_have_no_answers() -> None:
    labels, confidence, _ = answered(room(10).select(slice(0)), ByHeight(), prepared())
    assert len(labels) == len(confidence) == 0


def test_points_unlike_the_held_out_data_are_unsure() -> None:
    """The scorer's logits have a log-sum-exp of 0; a temperature changes confidences, not labels."""
    cloud = room(5000)
    plain, _ = segment_cloud(cloud, ByHeight(), prepared())
    assert plain.unsure is None
    for below, share in ((-0.1, 0.0), (0.1, 1.0)):
        calibration = Calibration(
            temperature=2.0, unsure_below=below, share=0.05, error=1.0, error_before=2.0, answers=10
        )
        said, notes = segment_cloud(cloud, ByHeight(), prepared(calibration=calibration))
        assert said.unsure is not None
        assert said.unsure.mean() == share
        assert any("100% of the points are unlike" in note for note in notes) == (share == 1)
        assert np.array_equal(said.labels, plain.labels)
        assert (said.confidence < plain.confidence).all()


@pytest.mark.parametrize("region", REGIONS)
def test_regions_are_looked_at_from_several_sides(region: str) -> None:
    class FromOneSide:
        """Says that what lies at x > 0 is high, and how far."""

        def __call__(self, positions: Any, features: Any) -> list[NDArray[np.float32]]:
            self.looks = [*getattr(self, "looks", []), [places.copy() for places in positions]]
            return [np.stack([-places[:, 0], np.zeros(len(places)), places[:, 0]], axis=1) for places in positions]

    scorer = FromOneSide()
    cloud = room(3000)
    found: list[NDArray[np.float32]] = []
    segment_cloud(cloud, scorer, prepared(region), SceneSettings(turns=4), probabilities=found.append)
    first, quarter = scorer.looks[:2]
    for before, after in zip(first, quarter, strict=True):
        np.testing.assert_allclose(after, before[:, [1, 0, 2]] * [-1, 1, 1], atol=1e-6)
    np.testing.assert_allclose(found[0], 1 / 3, atol=1e-5)  # opposite sides cancel out
    with pytest.raises(InputError, match="turns must be at least 1"):
        SceneSettings(turns=0)


def test_normals_turn_with_their_points() -> None:
    rng = np.random.default_rng(0)
    places, channels = rng.normal(size=(2, 5, 3)).astype(np.float32)
    features = np.concatenate([np.full((5, 3), 0.5, np.float32), channels], axis=1)
    region = SceneRegion(np.arange(5), places, features, np.ones(5, bool))
    quarter = np.array([[0, -1, 0], [1, 0, 0], [0, 0, 1]], np.float32)
    turned = region.turned(quarter, prepared(features=("color", "normal")))
    np.testing.assert_allclose(turned.positions, places[:, [1, 0, 2]] * [-1, 1, 1])
    np.testing.assert_allclose(
        turned.features, np.concatenate([features[:, :3], channels[:, [1, 0, 2]] * [-1, 1, 1]], axis=1)
    )
