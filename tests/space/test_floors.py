"""Where the floor is, whatever lies below it, in whatever parts its points come."""

import numpy as np
import pytest

from cloud_transformers.space import floors as module
from cloud_transformers.space.floors import Floors, floor_of, floor_under


def points(num: int = 20_000, seed: int = 0) -> np.ndarray:
    """A room of 6 x 4 m: half of its points on the floor at 1 m, with noise of 5 mm, the others above."""
    rng = np.random.default_rng(seed)
    places = rng.uniform(0, 1, (num, 3)) * [6, 4, 2.5] + [0, 0, 1]
    places[::2, 2] = 1 + rng.normal(0, 0.005, num // 2)
    return places


@pytest.mark.parametrize("share", [0.0, 0.005, 0.05])
def test_strays_do_not_move_a_robust_floor(share: float) -> None:
    rng = np.random.default_rng(1)
    room = points()
    stray = room[rng.permutation(len(room))[: int(share * len(room))]]
    stray[:, 2] = 1 - rng.uniform(0.05, 0.6, len(stray))
    both = np.concatenate([room, stray])
    assert abs(floor_under(both, 2, 1.0, "robust") - 1) < 0.02
    assert floor_under(both, 2, 1.0, "lowest") == both[:, 2].min()


def test_any_axis_points_up_and_any_scale_is_the_same() -> None:
    room = points()
    wanted = floor_under(room, 2, 1.0, "robust")
    assert floor_under(room[:, [0, 2, 1]], 1, 1.0, "robust") == wanted
    assert floor_under(1000 * room, 2, 1000.0, "robust") == pytest.approx(1000 * wanted)


def test_parts_in_any_order_are_the_whole() -> None:
    room = points()
    whole, in_parts = Floors(0, 1.0, "robust"), Floors(0, 1.0, "robust", room[:, :2].min(axis=0))
    whole.add(room)
    for part in np.array_split(room[np.random.default_rng(2).permutation(len(room))], 7):
        in_parts.add(part)
    assert in_parts.at(0, 0) == whole.at(0, 0)


def test_columns_grow_where_they_are_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    room, fine, coarse = points(), Floors(2.0, 1.0, "robust"), Floors(2.0, 1.0, "robust")
    fine.add(room)
    monkeypatch.setattr(module, "_MOST_COLUMNS", 200)
    coarse.add(room)
    assert len(coarse._keys) <= 200 < len(fine._keys)
    assert abs(coarse.at(3, 2) - fine.at(3, 2)) < 0.02


def test_the_floor_of_a_place_is_that_around_it() -> None:
    upper, lower = points(), points(seed=1) + np.array([100, 0, -30])
    floors = Floors(10.0, 1.0, "robust")
    floors.add(np.concatenate([upper, lower]))
    assert abs(floors.at(3, 2) - 1) < 0.02
    assert abs(floors.at(103, 2) + 29) < 0.02


def test_on_a_slope_few_columns_lie_below() -> None:
    heights = np.linspace(0, 100, 1000)
    assert (heights < floor_of(heights, "robust", 1.0)).mean() == pytest.approx(0.05, abs=0.01)


def test_few_columns_have_their_lowest() -> None:
    assert floor_of(np.array([3.0, 1.0, 2.0]), "robust", 1.0) == 1.0
