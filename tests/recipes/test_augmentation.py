"""Augmentation and class weights as settings of a recipe."""

import pytest

from cloud_transformers.errors import InputError
from cloud_transformers.recipes import recipe, with_settings
from cloud_transformers.recipes.augmentation import SegmentationAugmentation
from cloud_transformers.recipes.experiment import balanced_weights
from cloud_transformers.transforms import s3dis_blocks_training


def test_the_defaults_are_those_of_the_blocks() -> None:
    usual = SegmentationAugmentation()
    assert repr(usual.augmentation(color=True)) == repr(s3dis_blocks_training(hue=False).steps)
    assert len(usual.augmentation(color=False)) == 5


def test_settings_leave_steps_out_and_put_others_in() -> None:
    words = {"rotate": "0", "scale": "0", "mirror": "false", "jitter": "0", "shift": "0", "color_drop": "0.3"}
    data = with_settings(recipe("own-segmentation", "tiny"), words | {"color_noise": "no"}).data
    assert repr(data.augmentation(color=True)) == "(ColorDrop(p=0.3),)"  # type: ignore[attr-defined]
    with pytest.raises(InputError, match="scale in"):
        SegmentationAugmentation(scale=1.5).augmentation(color=True)


def test_rare_classes_weigh_more_within_bounds() -> None:
    assert balanced_weights([100, 300, 200, 0]) == (1.5, 0.5, 0.75, 1.0)
    assert balanced_weights([1, 10_000]) == (10.0, 0.5)
    chosen = with_settings(recipe("own-segmentation", "tiny"), {"class_weights": "balanced"})
    assert chosen.task.class_weights == "balanced"  # type: ignore[attr-defined]
    assert with_settings(chosen, {"class_weights": "1,2"}).task.class_weights == (1.0, 2.0)  # type: ignore[attr-defined]
