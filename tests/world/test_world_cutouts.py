import numpy as np
import pytest

from cloud_transformers.errors import InputError
from cloud_transformers.world import objects
from cloud_transformers.world.cutouts import VARIANTS, cutout, cutouts


@pytest.mark.parametrize("index", range(15))
def test_every_variant_follows_the_layout(index: int) -> None:
    for variant, sample in cutouts(0, index, VARIANTS).items():
        assert sample["data"].shape == (2048, 3)
        assert sample["data"].dtype == np.float32
        assert np.isfinite(sample["data"]).all()
        assert sample["mask"].shape == (2048,)
        assert sample["mask"].dtype == np.int32
        assert sample["label"] == index
        assert set(np.unique(sample["mask"])) <= {-1, 0}
        assert (sample["mask"] == 0).any()
        if variant == "OBJ_ONLY":
            assert (sample["mask"] == 0).all()
        assert np.abs(sample["data"]).max() < 3


def test_background_is_common_and_not_everywhere() -> None:
    share = np.array([(cutout(0, index, "OBJ_BG")["mask"] == -1).mean() for index in range(45)])
    assert (share > 0.03).mean() > 0.5
    assert share.max() < 0.95


def test_one_variant_alone_is_the_same_as_among_others() -> None:
    alone, among = cutout(5, 7, "PB_T50_RS"), cutouts(5, 7, VARIANTS)["PB_T50_RS"]
    np.testing.assert_array_equal(alone["data"], among["data"])
    np.testing.assert_array_equal(alone["mask"], among["mask"])
    assert not np.array_equal(alone["data"], cutout(6, 7, "PB_T50_RS")["data"])


def test_y_is_up() -> None:
    """A door is tall: in its own box, before any turn, y is by far the longest axis."""
    door = objects.CLASSES.index("door")
    size = np.ptp(cutout(0, door, "OBJ_ONLY")["data"], axis=0)
    assert size.argmax() == 1


def test_shifted_boxes_keep_part_of_the_object_and_centre_on_the_box() -> None:
    for index in range(15):
        whole, shifted = cutout(0, index, "OBJ_BG")["data"], cutout(0, index, "PB_T50_RS")["data"]
        assert np.abs((whole.max(axis=0) + whole.min(axis=0)) / 2).max() < 0.35
        half = np.linalg.norm(np.ptp(whole, axis=0)) / 2
        assert np.linalg.norm(shifted, axis=1).max() < 1.25 * half + 0.1


def test_unknown_variants_are_refused() -> None:
    with pytest.raises(InputError, match="PB_T99"):
        cutout(0, 0, "PB_T99")
