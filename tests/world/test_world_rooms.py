import numpy as np
import pytest

from cloud_transformers.datasets.s3dis import BLOCK_CLASSES
from cloud_transformers.world import rooms
from cloud_transformers.world.furnishing import KINDS, furnished
from cloud_transformers.world.parts import box
from cloud_transformers.world.plan import surface_height


def small_room(seed: int, index: int):
    return rooms.room(seed, index, resolution=48, max_points=20_000)


def test_classes_are_those_of_the_block_protocol() -> None:
    assert rooms.CLASSES == BLOCK_CLASSES


def test_a_room_depends_on_its_seed_and_index_alone() -> None:
    first, again, other = small_room(0, 5), small_room(0, 5), small_room(1, 5)
    np.testing.assert_array_equal(first.positions, again.positions)
    for name, values in first.fields.items():
        np.testing.assert_array_equal(values, again.fields[name])
    assert len(first) != len(other) or not np.array_equal(first.positions, other.positions)


def test_rooms_hold_all_classes_and_sound_fields() -> None:
    seen = set()
    for index in range(12):
        cloud = small_room(0, index)
        assert np.isfinite(cloud.positions).all()
        assert cloud.fields["color"].dtype == cloud.fields["label"].dtype == np.uint8
        assert cloud.metadata["area"] == index % 6 + 1
        assert cloud.metadata["kind"] == rooms.kind_of(0, index)
        labels, instances = cloud.fields["label"], cloud.fields["instance"]
        assert labels.max() < 13
        assert len(np.unique(np.stack([labels, instances]), axis=1).T) == len(np.unique(instances))
        shell = {rooms.CLASSES[k] for k in np.unique(labels)}
        assert {"ceiling", "floor", "wall"} <= shell
        assert cloud.fields["color"].std(axis=0).min() > 5
        seen |= shell
    assert seen == set(rooms.CLASSES)


def test_no_more_points_than_asked_for() -> None:
    assert len(rooms.room(0, 0, resolution=48, max_points=777)) == 777


@pytest.mark.parametrize("kind", KINDS)
def test_things_stand_inside_the_room_and_on_something(kind: str) -> None:
    for seed in range(3):
        plan = furnished(kind, np.random.default_rng(seed))
        half = np.array([plan.width, plan.depth]) / 2
        for thing in plan.things:
            low, high = thing.mesh.bounds()
            if thing.class_name in ("table", "sofa", "bookcase", "column"):
                assert (np.maximum(-low[:2], high[:2]) < half + 0.05).all(), thing.class_name
                assert low[2] > -0.01
                assert high[2] < plan.height + 0.01
            if thing.class_name in ("door", "window", "board"):
                middle = np.abs(low + high)[:2] / 2
                assert (middle > half - 1.2).any(), thing.class_name  # an open door's middle is off the wall


@pytest.mark.parametrize("seed", range(20))
def test_large_things_do_not_stand_in_each_other(seed: int) -> None:
    plan = furnished(list(KINDS)[seed % len(KINDS)], np.random.default_rng(seed))
    large = [thing.mesh.bounds() for thing in plan.things if thing.class_name in ("sofa", "bookcase", "column")]
    for k, (low, high) in enumerate(large):
        for other_low, other_high in large[:k]:
            overlap = np.minimum(high, other_high) - np.maximum(low, other_low)
            assert overlap[:2].min() < 0.02


def test_surface_height_is_the_highest_point_below_a_level() -> None:
    stack = box(1, 1, 0.5, np.ones(3))
    assert surface_height(stack, 0.2, 0.3, 1.0) == pytest.approx(0.5)
    assert surface_height(stack, 0.2, 0.3, 0.4) == pytest.approx(0.0)
    assert surface_height(stack, 2.0, 0.0, 1.0) is None
