"""The augmentations of the paper's protocols do what the protocols say, by what they do to points and colours."""

import colorsys

import numpy as np
import pytest

from cloud_transformers import transforms as tf
from cloud_transformers.cloud import PointCloud
from cloud_transformers.datasets.sample import ClassificationSample, SegmentationSample

SEEDS = range(40)


def block(num: int = 200) -> SegmentationSample:
    rng = np.random.default_rng(7)
    color = rng.integers(0, 256, (num, 3)).astype(np.uint8)
    return SegmentationSample(name="block", cloud=PointCloud(positions=points(num), fields={"color": color}))


def points(num: int) -> np.ndarray:
    return np.random.default_rng(3).uniform(-1, 1, (num, 3)).astype(np.float32)


def matrices(augmentation: tf.Compose) -> np.ndarray:
    """The linear part of what the augmentation does, for many seeds."""
    return np.stack([augmentation(block(), np.random.default_rng(seed)).frame.matrix for seed in SEEDS])


@pytest.mark.parametrize(
    ("augmentation", "low", "high"), [(tf.s3dis_blocks_training(), 0.8, 1.2), (tf.s3dis_spheres_voting(), 0.7, 1.3)]
)
def test_rooms_are_turned_about_z_then_stretched_then_mirrored_along_x(augmentation, low, high):
    found = matrices(augmentation)
    np.testing.assert_array_equal(found[:, :2, 2], 0)  # z stays z, whatever happens to x and y
    np.testing.assert_array_equal(found[:, 2, :2], 0)
    # Stretch after turn: the rows of a rotation, each times its factor, are still perpendicular.
    np.testing.assert_allclose((found[:, 0] * found[:, 1]).sum(axis=1), 0, atol=1e-12)
    factors = np.linalg.norm(found, axis=2)
    assert low <= factors.min() < low + 0.05
    assert high >= factors.max() > high - 0.05
    assert np.ptp(factors, axis=1).min() > 1e-3  # each axis has a factor of its own
    angles = np.arctan2(found[:, 1, 0], found[:, 1, 1])
    assert np.ptp(angles) > 1.8 * np.pi
    handedness = np.sign(np.linalg.det(found))
    assert set(handedness) == {-1, 1}
    assert (found[:, 2, 2] > 0).all()


@pytest.mark.parametrize(
    ("augmentation", "sigma", "clip"),
    [(tf.s3dis_blocks_training(), 0.01, 0.05), (tf.s3dis_spheres_voting(), 0.001, 0.05)],
)
def test_noise_comes_last_and_is_not_stretched(augmentation, sigma, clip):
    noise = []
    for seed in SEEDS:
        sample = augmentation(block(), np.random.default_rng(seed))
        noise.append(sample.cloud.positions - sample.frame.apply(points(200)))
    assert np.std(noise, axis=(0, 1)) == pytest.approx([sigma] * 3, rel=0.05)
    assert np.abs(noise).max() <= clip + 1e-6


def test_sphere_colours_are_normalised_by_the_protocol_s_mean_and_deviation():
    mean, deviation = (0.5136457, 0.49523646, 0.44921124), (0.18308958, 0.18415008, 0.19252081)
    wanted = (block().cloud.fields["color"] / 255 - mean) / deviation
    for augmentation in (tf.s3dis_spheres_evaluation(), tf.s3dis_spheres_voting()):
        found = augmentation(block(), np.random.default_rng(0)).cloud.fields["color"]
        np.testing.assert_allclose(found, wanted, atol=1e-5)
    trained = [tf.s3dis_spheres_training()(block(), np.random.default_rng(s)).cloud.fields["color"] for s in SEEDS]
    dropped = [not colors.any() for colors in trained]
    assert any(dropped)
    for colors, is_dropped in zip(trained, dropped, strict=True):
        np.testing.assert_allclose(colors, 0 if is_dropped else wanted, atol=1e-5)


def test_hue_and_saturation_shift_as_colorsys_has_them():
    shift = tf.ColorHueSaturation(0.5, 0.2)
    turns, factors = [], []
    for seed in SEEDS:
        rng = np.random.default_rng(seed)
        turn, factor = rng.uniform(-0.5, 0.5), 1 + rng.uniform(-0.2, 0.2)
        turns.append(turn), factors.append(factor)
        found = shift(block(), np.random.default_rng(seed)).cloud.fields["color"]
        for before, after in zip(block().cloud.fields["color"][:20] / 255, found, strict=False):
            hue, saturation, value = colorsys.rgb_to_hsv(*before)
            wanted = colorsys.hsv_to_rgb((hue + turn) % 1, min(saturation * factor, 1), value)
            np.testing.assert_allclose(after, wanted, atol=1e-6)
    grey = block().cloud.with_fields(color=np.full((200, 3), 80, np.uint8))
    unchanged = shift(SegmentationSample(name="grey", cloud=grey), np.random.default_rng(0)).cloud.fields["color"]
    np.testing.assert_allclose(unchanged, 80 / 255, atol=1e-6)
    black = block().cloud.with_fields(color=np.zeros((200, 3), np.uint8))
    assert (
        not shift(SegmentationSample(name="black", cloud=black), np.random.default_rng(0)).cloud.fields["color"].any()
    )


def test_the_release_s_hue_shift_comes_after_all_other_colour_changes():
    *_, last = tf.s3dis_blocks_training().steps
    assert last == tf.ColorHueSaturation(0.5, 0.2)
    assert tf.s3dis_blocks_training(hue=False).steps == tf.s3dis_blocks_training().steps[:-1]


def test_objects_of_scanobjectnn_are_turned_about_y_and_nothing_else():
    sample = ClassificationSample(name="object", cloud=PointCloud(positions=points(200)), label=0)
    clean = tf.scanobjectnn_evaluation()(sample, np.random.default_rng(0))
    assert np.linalg.norm(clean.cloud.positions, axis=1).max() == pytest.approx(1)
    np.testing.assert_allclose(clean.cloud.positions.mean(axis=0), 0, atol=1e-6)
    for seed in SEEDS:
        turned = tf.scanobjectnn_training()(sample, np.random.default_rng(seed)).frame.matrix
        turn = turned @ np.linalg.inv(clean.frame.matrix)
        np.testing.assert_allclose(turn @ turn.T, np.eye(3), atol=1e-9)
        np.testing.assert_allclose(turn[1], [0, 1, 0], atol=1e-9)


def test_modelnet40_is_augmented_as_pointnet2_has_it():
    sample = ClassificationSample(name="object", cloud=PointCloud(positions=points(400)), label=0)
    clean = tf.scanobjectnn_evaluation()(sample, np.random.default_rng(0))
    factors, shifts, kept = [], [], []
    for seed in range(200):
        changed = tf.modelnet40_training()(sample, np.random.default_rng(seed))
        assert len(changed.cloud) == 400
        relative = changed.frame.matrix @ np.linalg.inv(clean.frame.matrix)
        factor = relative[0, 0]
        np.testing.assert_allclose(relative, np.eye(3) * factor, atol=1e-9)  # one factor for all axes, no turn
        factors.append(factor)
        shifts.append(changed.frame.shift - factor * clean.frame.shift)
        kept.append(len(np.unique(changed.cloud.positions, axis=0)) / 400)
        first = (changed.cloud.positions == changed.cloud.positions[0]).all(axis=1)
        assert first.sum() == 400 - len(np.unique(changed.cloud.positions, axis=0)) + 1  # copies of the first alone
    assert 0.8 <= min(factors) < 0.81
    assert 1.24 < max(factors) <= 1.25
    assert 0.095 < np.abs(shifts).max() <= 0.1
    assert min(kept) < 0.2  # up to 0.875 of the points dropped
    assert max(kept) > 0.95
    assert np.mean(kept) == pytest.approx(1 - 0.875 / 2, abs=0.05)
