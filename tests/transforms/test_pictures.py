"""Pictures of training: zoomed, framed, before grounds and exposed, with their clouds where they then are."""

from dataclasses import replace

import numpy as np
import pytest
from PIL import Image

from cloud_transformers import transforms as tf
from cloud_transformers.cloud import PointCloud
from cloud_transformers.datasets.sample import ReconstructionSample, SegmentationSample
from cloud_transformers.predict.picture_frames import framed
from cloud_transformers.space.pictures import PICTURE_SHARE
from cloud_transformers.world import views


def a_chair(size: int = 64) -> tuple[ReconstructionSample, np.ndarray]:
    """A picture with transparent ground, and its cloud."""
    made = views.reconstruction(0, 4, num_points=400, size=size)
    cloud = PointCloud(positions=made["points"])
    return ReconstructionSample(name="", image=made["layer"], cloud=cloud, category="chair", id="a", view=0), made[
        "image"
    ]


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("limits", [(0.5, 0.9), (1.05, 1.1)])
def test_a_zoomed_picture_shows_its_zoomed_cloud(limits: tuple[float, float], seed: int) -> None:
    """The box of what is seen and that of the cloud's pixels agree as well as they did before."""
    sample, _ = a_chair()
    zoomed = tf.ImageZoom(*limits)(sample, np.random.default_rng(seed))

    def gap(shown: ReconstructionSample) -> float:
        rows, columns = np.nonzero(shown.image[..., 3] > 100)
        box = np.array([[columns.min(), rows.min()], [columns.max() + 1, rows.max() + 1]])
        pixels = views.project(shown.cloud.positions, 64)
        return float(np.abs(box - np.array([pixels.min(axis=0), pixels.max(axis=0)])).max())

    in_frame = tf.ImageZoom(*limits, framed=1.0)(sample, np.random.default_rng(seed))
    assert gap(sample) < 2
    for shown in (zoomed, in_frame):
        assert not np.array_equal(shown.image, sample.image)
        assert gap(shown) < 3.5
        np.testing.assert_allclose(shown.frame.undo(shown.cloud.positions), sample.cloud.positions, atol=1e-5)


@pytest.mark.parametrize("seed", range(3))
def test_a_framed_picture_is_what_predictors_show(seed: int) -> None:
    sample, _ = a_chair(224)
    small = tf.ImageZoom(0.4, 0.8)(sample, np.random.default_rng(seed))
    image, *_ = framed(small.image)
    shown = tf.ImageZoom(framed=1.0)(small, np.random.default_rng(seed)).image
    rows, columns = np.nonzero(shown[..., 3] > 127)
    assert max(np.ptp(rows), np.ptp(columns)) == pytest.approx(PICTURE_SHARE * 224, abs=6)
    assert abs(np.median(columns[[columns.argmin(), columns.argmax()]]) - 112) < 4
    same = np.asarray(Image.fromarray(image).resize((224, 224), Image.Resampling.BILINEAR))
    assert np.mean((same[..., 3] > 127) == (shown[..., 3] > 127)) > 0.97
    empty = replace(small, image=np.zeros_like(small.image))
    assert tf.ImageZoom(framed=1.0)(empty, np.random.default_rng(seed)).image.shape == (224, 224, 4)


def test_zoomed_pictures_without_transparency_get_white_borders() -> None:
    sample = replace(a_chair()[0], image=np.zeros((64, 64, 3), np.uint8))
    image = tf.ImageZoom(0.5, 0.6)(sample, np.random.default_rng(0)).image
    assert image.shape == (64, 64, 3)
    assert set(np.unique(image)) == {0, 255}
    assert 0.2 < (image == 0).mean() < 0.4
    with pytest.raises(ValueError, match="must be square"):
        tf.ImageZoom()(replace(sample, image=np.zeros((64, 32, 3), np.uint8)), np.random.default_rng(0))


def test_backdrops_change_the_ground_and_nothing_else() -> None:
    sample, on_white = a_chair()
    solid = sample.image[..., 3] == 255
    shown = [tf.ImageBackdrop(1.0)(sample, np.random.default_rng(seed)).image for seed in range(40)]
    for image in shown:
        np.testing.assert_array_equal(image[solid], on_white[solid])
    corners = {tuple(image[0, 0]) for image in shown}
    assert len(corners) > 30
    np.testing.assert_array_equal(tf.ImageBackdrop(0.0)(sample, np.random.default_rng(0)).image, on_white)
    opaque = replace(sample, image=on_white)
    assert tf.ImageBackdrop(1.0)(opaque, np.random.default_rng(0)) is opaque


def test_exposure_keeps_black_white_and_the_order_of_grey() -> None:
    ramp = np.repeat(np.arange(256, dtype=np.uint8)[None, :, None], 3, axis=2)
    sample = replace(a_chair()[0], image=ramp)
    shown = [tf.ImageExposure()(sample, np.random.default_rng(seed)).image for seed in range(8)]
    for image in shown:
        assert (image[0, 0] == 0).all()
        assert (image[0, -1] == 255).all()
        assert (np.diff(image[0].astype(int), axis=0) >= 0).all()
    assert len({int(image[0, 128, 0]) for image in shown}) > 4
    assert any(image[0, 128, 0] != image[0, 128, 2] for image in shown)
    with pytest.raises(ValueError, match="SegmentationSample has no picture"):
        tf.ImageExposure()(SegmentationSample(name="", cloud=sample.cloud), np.random.default_rng(0))
