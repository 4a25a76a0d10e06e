"""Nearest neighbours against comparing everything with everything."""

import multiprocessing
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cloud_transformers.space import neighbours
from cloud_transformers.space.neighbours import nearest_points
from tests.search import examples


def brute(points: np.ndarray, queries: np.ndarray) -> np.ndarray:
    return np.linalg.norm(points[None].astype(float) - queries[:, None], axis=2)


@examples(30)
@given(st.integers(0, 2**32 - 1), st.integers(1, 200), st.integers(0, 50), st.data())
def test_nearest(seed: int, num: int, num_queries: int, data: st.DataObject) -> None:
    rng = np.random.default_rng(seed)
    points, queries = rng.normal(size=(num, 3)), rng.normal(size=(num_queries, 3))
    k = data.draw(st.integers(1, num))
    distances, indices = nearest_points(points, queries, k)
    truth = brute(points, queries)
    np.testing.assert_allclose(distances, np.sort(truth, axis=1)[:, :k], atol=1e-5)
    np.testing.assert_allclose(np.take_along_axis(truth, indices, axis=1), distances, atol=1e-5)


def test_without_any_tree(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("pykdtree.kdtree", "scipy.spatial"):
        monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.setattr(neighbours, "_CHUNK", 1000)
    rng = np.random.default_rng(0)
    points, queries = rng.normal(size=(300, 3)) + 1000, rng.normal(size=(50, 3)) + 1000
    distances, _ = nearest_points(points, queries, 3)
    np.testing.assert_allclose(distances, np.sort(brute(points, queries), axis=1)[:, :3], atol=1e-3)


def _nearest_sum(seed: int) -> float:
    points = np.random.default_rng(seed).normal(size=(2000, 3))
    return float(nearest_points(points, points, 2)[0].sum())


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no fork")
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")  # that forking is risky is the reason for this test
def test_a_forked_process_does_not_wait_for_threads_it_does_not_have() -> None:
    here = _nearest_sum(0)
    with multiprocessing.get_context("fork").Pool(1) as pool:
        assert pool.apply_async(_nearest_sum, (0,)).get(timeout=60) == pytest.approx(here, rel=1e-5)
