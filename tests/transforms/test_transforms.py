"""Properties that every transform must have: fields stay with their points, frames undo, seeds decide everything."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cloud_transformers import transforms as tf
from cloud_transformers.cloud import PointCloud
from cloud_transformers.datasets.sample import (
    ClassificationSample,
    CompletionSample,
    ReconstructionSample,
    SegmentationSample,
)
from cloud_transformers.errors import InputError
from cloud_transformers.space.frames import rotation_about
from cloud_transformers.space.subsample import grid_subsample
from cloud_transformers.world import views
from tests.search import examples

MOVES = [
    tf.Center(),
    tf.Center("box"),
    tf.UnitSphere(),
    tf.UnitDiagonal(),
    tf.UnitDiagonal(0.5),
    tf.Scale(0.1),
    tf.Upright("y", "z"),
    tf.RotateAbout("x"),
    tf.RotateAbout("y"),
    tf.RotateAbout("z", 30),
    tf.AnisotropicScale(0.7, 1.3),
    tf.IsotropicScale(0.7, 1.3),
    tf.Mirror("x", 1.0),
    tf.Mirror("z"),
    tf.Shift(0.1),
]
CROPS = [
    tf.BlockCrop(1.0),
    tf.BlockCrop(1.0, up="y"),
    tf.SphereCrop(1.0, 64),
    tf.FixedCount(100),
    tf.FixedCount(1000),
    tf.FixedCount(1000, "keep"),
    tf.PointDropout(0.9),
]
COLORS = [
    tf.ColorAutocontrast(1.0),
    tf.ColorTranslation(),
    tf.ColorJitter(),
    tf.ColorDrop(0.5),
    tf.ColorHueSaturation(),
    tf.ColorNormalize((0.5, 0.4, 0.3), (0.2, 0.2, 0.1)),
]
EVERY = [*MOVES, *CROPS, *COLORS, tf.GridSubsample(0.3), tf.Jitter(), tf.KeepHeight()]


def cloud(seed: int, num: int = 300) -> PointCloud:
    """A cloud in which `tag` is the point's number and label and mask follow from it."""
    rng = np.random.default_rng(seed)
    normals = rng.normal(size=(num, 3))
    tag = np.arange(num)
    return PointCloud(
        positions=(rng.uniform(-1, 1, (num, 3)) * (2, 1, 3) + (5, -2, 1)).astype(np.float32),
        fields={
            "color": rng.integers(0, 256, (num, 3)).astype(np.uint8),
            "normal": (normals / np.linalg.norm(normals, axis=1, keepdims=True)).astype(np.float32),
            "label": (tag % 13).astype(np.int64),
            "mask": tag % 3 == 0,
            "tag": tag,
        },
        offset=np.array([500000.0, 4000000.0, 0.0]),
    )


def segmentation(seed: int = 0, num: int = 300) -> SegmentationSample:
    return SegmentationSample(name="room", cloud=cloud(seed, num))


def completion(seed: int = 0) -> CompletionSample:
    whole = cloud(seed)
    return CompletionSample(
        name="chair", partial=whole.select(slice(0, 120)), complete=whole, taxonomy="03001627", id="a", view=3
    )


def equal(one: PointCloud, other: PointCloud) -> bool:
    return (
        np.array_equal(one.positions, other.positions)
        and one.fields.keys() == other.fields.keys()
        and all(np.array_equal(one.fields[name], other.fields[name]) for name in one.fields)
        and np.array_equal(one.offset, other.offset)
    )


@pytest.mark.parametrize("transform", EVERY, ids=repr)
def test_pure_and_seeded(transform: tf.Transform) -> None:
    sample, untouched = segmentation(), segmentation()
    first = transform(sample, np.random.default_rng(7))
    second = transform(sample, np.random.default_rng(7))
    assert equal(sample.cloud, untouched.cloud)
    assert equal(first.cloud, second.cloud)
    assert first.cloud.positions.dtype == np.float32
    assert repr(transform) == repr(eval(repr(transform), vars(tf)))


@pytest.mark.parametrize("transform", [*MOVES, *CROPS, tf.KeepHeight(), tf.Jitter()], ids=repr)
@examples(15)
@given(seed=st.integers(0, 2**32 - 1), num=st.integers(1, 400))
def test_fields_stay_with_their_points(transform: tf.Transform, seed: int, num: int) -> None:
    sample = segmentation(seed, num)
    result = transform(sample, np.random.default_rng(seed)).cloud
    tag = result.fields["tag"]
    np.testing.assert_array_equal(result.fields["label"], tag % 13)
    np.testing.assert_array_equal(result.fields["mask"], tag % 3 == 0)
    np.testing.assert_array_equal(result.fields["color"], sample.cloud.fields["color"][tag])


@pytest.mark.parametrize("transform", [*MOVES, *CROPS], ids=repr)
@examples(15)
@given(seed=st.integers(0, 2**32 - 1), num=st.integers(1, 400))
def test_frame_takes_points_back(transform: tf.Transform, seed: int, num: int) -> None:
    sample = segmentation(seed, num)
    result = transform(sample, np.random.default_rng(seed))
    back = result.frame.undo(result.cloud.positions)
    original = sample.cloud.positions[result.cloud.fields["tag"]]
    np.testing.assert_allclose(back, original, atol=2e-5)
    np.testing.assert_allclose(result.frame.apply(original), result.cloud.positions, atol=2e-5)


@examples(30)
@given(st.lists(st.sampled_from(MOVES), min_size=1, max_size=6), st.integers(0, 2**32 - 1))
def test_any_chain_of_moves_is_undone(steps: list[tf.Transform], seed: int) -> None:
    sample = completion(seed)
    result = tf.Compose(tuple(steps))(sample, np.random.default_rng(seed))
    for name in ("partial", "complete"):
        before, after = getattr(sample, name), getattr(result, name)
        np.testing.assert_allclose(result.frame.undo(after.positions), before.positions, atol=1e-4)
    # One motion for both: the partial cloud is still part of the complete one.
    np.testing.assert_allclose(result.complete.positions[:120], result.partial.positions, atol=1e-5)


@pytest.mark.parametrize("transform", MOVES, ids=repr)
def test_normals_stay_perpendicular(transform: tf.Transform) -> None:
    rng = np.random.default_rng(3)
    along, across = rng.normal(size=(2, 3))
    normal = np.cross(along, across)
    normal /= np.linalg.norm(normal)
    plane = rng.normal(size=(50, 2)) @ np.stack([along, across])
    flat = PointCloud(
        positions=plane.astype(np.float32), fields={"normal": np.tile(normal, (50, 1)).astype(np.float32)}
    )
    result = transform(SegmentationSample(name="plane", cloud=flat), rng).cloud
    edges = np.diff(result.positions, axis=0)
    assert np.abs((edges * result.fields["normal"][1:]).sum(axis=1)).max() < 1e-4
    np.testing.assert_allclose(np.linalg.norm(result.fields["normal"], axis=1), 1, atol=1e-5)


def test_mirror_flips_normals_and_zero_normals_stay_zero() -> None:
    two = PointCloud(
        positions=np.zeros((2, 3), np.float32), fields={"normal": np.array([[1, 0, 0], [0, 0, 0]], np.float32)}
    )
    result = tf.Mirror("x", 1.0)(SegmentationSample(name="", cloud=two), np.random.default_rng(0)).cloud
    np.testing.assert_array_equal(result.fields["normal"], [[-1, 0, 0], [0, 0, 0]])


def test_rotation_is_right_handed() -> None:
    quarter = np.pi / 2
    np.testing.assert_allclose(rotation_about("z", quarter) @ [1, 0, 0], [0, 1, 0], atol=1e-12)
    np.testing.assert_allclose(rotation_about("x", quarter) @ [0, 1, 0], [0, 0, 1], atol=1e-12)
    np.testing.assert_allclose(rotation_about("y", quarter) @ [0, 0, 1], [1, 0, 0], atol=1e-12)


def test_center_and_unit_sphere() -> None:
    result = tf.scanobjectnn_evaluation()(segmentation(), np.random.default_rng(0)).cloud
    np.testing.assert_allclose(result.positions.mean(axis=0), 0, atol=1e-6)
    np.testing.assert_allclose(np.linalg.norm(result.positions, axis=1).max(), 1, atol=1e-6)


@pytest.mark.parametrize("num", [0, 1])
def test_normalising_almost_nothing_is_finite(num: int) -> None:
    result = tf.scanobjectnn_evaluation()(segmentation(num=num), np.random.default_rng(0))
    assert np.isfinite(result.cloud.positions).all()
    assert len(result.cloud) == num


def test_jitter_is_clipped_and_spares_the_target() -> None:
    sample = completion()
    result = tf.Jitter(1.0, 0.05)(sample, np.random.default_rng(0))
    assert np.abs(result.partial.positions - sample.partial.positions).max() <= 0.05 + 1e-6
    assert equal(result.complete, sample.complete)
    assert not np.array_equal(
        tf.Jitter(on=("complete",))(sample, np.random.default_rng(0)).complete.positions, sample.complete.positions
    )
    with pytest.raises(ValueError, match="has no cloud 'clouds'"):
        tf.Jitter(on=("clouds",))(sample, np.random.default_rng(0))


def test_a_picture_and_its_cloud_are_not_torn_apart() -> None:
    sample = ReconstructionSample(
        name="view 3", image=np.zeros((4, 4, 3), np.uint8), cloud=cloud(0), category="chair", id="a", view=0
    )
    assert tf.Jitter()(sample, np.random.default_rng(0)).cloud is sample.cloud
    for transform in (tf.RotateAbout("z"), tf.Mirror("x", 1.0), tf.AnisotropicScale(0.8, 1.2)):
        with pytest.raises(ValueError, match="view 3: the cloud of a reconstruction sample cannot be turned"):
            transform(sample, np.random.default_rng(0))


def test_pictures_are_averaged_down() -> None:
    checkers = (np.indices((224, 224)).sum(axis=0) % 2)[..., None] * np.full(3, 255)
    sample = ReconstructionSample(
        name="", image=checkers.astype(np.uint8), cloud=cloud(0), category="chair", id="a", view=0
    )
    image = tf.ResizeImage(112)(sample, np.random.default_rng(0)).image
    assert image.shape == (112, 112, 3)
    assert np.abs(image[2:-2, 2:-2].astype(int) - 128).max() <= 2
    assert tf.ResizeImage(224)(sample, np.random.default_rng(0)) is sample
    with pytest.raises(ValueError, match="SegmentationSample has no picture"):
        tf.ResizeImage()(segmentation(), np.random.default_rng(0))


def test_a_mirrored_picture_shows_its_mirrored_cloud() -> None:
    """Of an object of the world: a point is seen where it was, counted from the other side."""
    made = views.reconstruction(0, 4, num_points=50, size=64)
    sample = ReconstructionSample(
        name="", image=made["image"], cloud=PointCloud(positions=made["points"]), category="chair", id="a", view=0
    )
    flipped = tf.MirrorImage(1.0)(sample, np.random.default_rng(0))
    seen = views.project(made["points"], 64)
    np.testing.assert_allclose(
        views.project(flipped.cloud.positions, 64), np.stack([64 - seen[:, 0], seen[:, 1]], axis=1), atol=1e-4
    )
    np.testing.assert_array_equal(flipped.image[:, ::-1], sample.image)
    assert tf.MirrorImage(0.0)(sample, np.random.default_rng(0)) is sample


@examples(30)
@given(num=st.integers(1, 60), count=st.integers(0, 60))
def test_fixed_count(num: int, count: int) -> None:
    sample = ClassificationSample(name="x", cloud=cloud(0, num), label=1)
    tags = tf.FixedCount(count)(sample, np.random.default_rng(0)).cloud.fields["tag"]
    assert len(tags) == count
    assert len(np.unique(tags)) == min(num, count)
    assert len(tf.FixedCount(count, "keep")(sample, np.random.default_rng(0)).cloud) == min(num, count)


def test_drawing_from_nothing_is_named() -> None:
    for transform in (tf.FixedCount(5), tf.BlockCrop(), tf.SphereCrop()):
        with pytest.raises(InputError, match="room: cannot"):
            transform(segmentation(num=0), np.random.default_rng(0))


def test_block_crop_is_a_block_of_the_protocol() -> None:
    sample = segmentation(num=5000)
    result = tf.BlockCrop(1.0, 100)(sample, np.random.default_rng(0)).cloud
    assert 100 <= len(result) < 5000
    np.testing.assert_allclose(result.positions[:, :2].min(axis=0), -0.5, atol=1e-5)
    assert result.positions[:, :2].max() <= 0.5 + 1e-5
    assert result.positions[:, 2].min() >= 0


def test_sphere_crop_takes_the_nearest() -> None:
    sample = segmentation(num=5000)
    result = tf.SphereCrop(1.0, 100, 0.0)(sample, np.random.default_rng(0))
    distance = np.linalg.norm(result.cloud.positions, axis=1)
    assert len(distance) == 100
    assert (np.diff(distance) >= 0).all()
    everything = np.linalg.norm(result.frame.apply(sample.cloud.positions), axis=1)
    np.testing.assert_allclose(distance, np.sort(everything)[:100], atol=1e-5)


@examples(25)
@given(st.integers(0, 2**32 - 1), st.integers(1, 300), st.floats(0.05, 5.0))
def test_grid_subsampling_by_hand(seed: int, num: int, cell: float) -> None:
    whole = cloud(seed, num)
    thin, cube = grid_subsample(whole, cell)
    world = whole.positions + whole.offset
    cells = {tuple(c) for c in np.floor(world / cell).astype(np.int64)}
    assert len(thin) == len(cells) == cube.max() + 1
    for number in range(0, len(thin), max(1, len(thin) // 7)):
        rows = np.flatnonzero(cube == number)
        assert len({tuple(c) for c in np.floor(world[rows] / cell).astype(np.int64)}) == 1
        np.testing.assert_allclose(thin.positions[number], whole.positions[rows].mean(axis=0), atol=1e-4)
        assert thin.fields["label"][number] == np.bincount(whole.fields["label"][rows]).argmax()
        mean_color = whole.fields["color"][rows].mean(axis=0)
        assert np.abs(thin.fields["color"][number] - mean_color).max() <= 0.5 + 1e-6


def test_colours_stay_in_range_and_are_floats() -> None:
    for transform in (*COLORS[:5], tf.ColorAutocontrast(0.0), tf.ColorTranslation(p=0.0), tf.ColorJitter(p=0.0)):
        for seed in range(10):
            colors = transform(segmentation(), np.random.default_rng(seed)).cloud.fields["color"]
            assert colors.dtype == np.float32
            assert colors.min() >= 0
            assert colors.max() <= 1


def test_autocontrast_of_one_colour_changes_nothing() -> None:
    flat = segmentation()
    flat = replace(flat, cloud=flat.cloud.with_fields(color=np.full((300, 3), 77, np.uint8)))
    colors = tf.ColorAutocontrast(1.0)(flat, np.random.default_rng(0)).cloud.fields["color"]
    np.testing.assert_allclose(colors, 77 / 255, atol=1e-6)


def test_colour_drop_is_rare_and_whole_and_for_training_only() -> None:
    dropped = [
        not tf.ColorDrop(0.2)(segmentation(num=5), np.random.default_rng(seed)).cloud.fields["color"].any()
        for seed in range(500)
    ]
    assert 60 < sum(dropped) < 140
    steps = (*tf.s3dis_spheres_evaluation().steps, *tf.s3dis_spheres_voting().steps)
    assert not any(isinstance(step, tf.ColorDrop) for step in steps)


def test_missing_colour_is_named() -> None:
    bare = SegmentationSample(name="room 7", cloud=PointCloud(positions=np.zeros((3, 3), np.float32)))
    with pytest.raises(InputError, match="room 7 has no field 'color'"):
        tf.ColorDrop(1.0)(bare, np.random.default_rng(0))
