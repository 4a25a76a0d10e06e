"""Nearest neighbours: the tree against every distance computed."""

import math
import multiprocessing

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from cloud_transformers.native import is_usable
from cloud_transformers.ops.nearest import native, nearest, reference
from tests.search import examples


def brute_force(queries, points):
    return (queries[:, :, None] - points[:, None]).square().sum(-1).min(dim=2).values


def clouds(B, N, M, seed=0, dtype=torch.float32):
    draw = torch.Generator().manual_seed(seed)
    queries = torch.rand(B, N, 3, generator=draw, dtype=dtype)
    return queries, torch.rand(B, M, 3, generator=draw, dtype=dtype)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.float16])
@pytest.mark.parametrize(("N", "M"), [(1, 1), (1, 63), (63, 1), (63, 17), (1000, 255), (300, 1000)])
def test_every_distance_computed(N, M, dtype):
    queries, points = (x.to(dtype) for x in clouds(2, N, M))
    square, index = nearest(queries, points)
    raised = torch.float64 if dtype == torch.float64 else torch.float32
    assert square.dtype == raised
    torch.testing.assert_close(square, brute_force(queries.to(raised), points.to(raised)), rtol=1e-5, atol=1e-12)
    chosen = torch.stack([points[b, index[b]] for b in range(2)])
    torch.testing.assert_close(square, (queries.to(raised) - chosen.to(raised)).square().sum(-1))


@examples(50)
@given(
    queries=st.lists(st.tuples(*[st.integers(-4, 4)] * 3), min_size=1, max_size=40),
    points=st.lists(st.tuples(*[st.integers(-4, 4)] * 3), min_size=1, max_size=70),
)
def test_on_a_lattice_full_of_ties_and_duplicates(queries, points):
    queries, points = torch.tensor([queries]).float(), torch.tensor([points]).float()
    is_there = torch.ones(points.shape[:2], dtype=torch.bool)
    for kernel in (native, reference) if is_usable("nearest") else (reference,):
        index = kernel.search(queries, points, is_there)
        assert torch.equal((queries[0] - points[0, index[0]]).square().sum(-1), brute_force(queries, points)[0])


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_masked_points_are_not_there(dtype):
    queries, points = clouds(3, 40, 50, dtype=dtype)
    query_mask, point_mask = torch.rand(3, 40) < 0.5, torch.rand(3, 50) < 0.5
    point_mask[1] = False  # a cloud without a single point
    dirty_queries = queries.masked_fill(~query_mask[..., None], math.nan).requires_grad_()
    dirty_points = points.masked_fill(~point_mask[..., None], math.nan).requires_grad_()
    square, index = nearest(dirty_queries, dirty_points, masks=(query_mask, point_mask))
    assert (square[~query_mask] == 0).all()
    assert (index[~query_mask] == -1).all()
    assert (square[1][query_mask[1]] == math.inf).all()
    assert (index[1] == -1).all()
    for b in (0, 2):
        alone, _ = nearest(queries[b, query_mask[b]][None], points[b, point_mask[b]][None])
        torch.testing.assert_close(square[b, query_mask[b]], alone[0])
    square[::2].sum().backward()
    assert dirty_queries.grad.isfinite().all()
    assert dirty_points.grad.isfinite().all()
    assert (dirty_queries.grad[~query_mask] == 0).all()
    assert (dirty_points.grad[~point_mask] == 0).all()


def test_gradient_of_both_clouds():
    queries, points = clouds(2, 9, 7, dtype=torch.float64)
    assert torch.autograd.gradcheck(
        lambda q, p: nearest(q, p)[0], (queries.requires_grad_(), points.requires_grad_()), eps=1e-7
    )


def test_empty():
    for B, N, M in ((2, 0, 5), (2, 5, 0), (0, 5, 5), (1, 0, 0)):
        for dtype in (torch.float32, torch.float64):
            square, index = nearest(*clouds(B, N, M, dtype=dtype))
            assert square.shape == index.shape == (B, N)
            assert (square == math.inf).all() if M == 0 else True
            assert (index == -1).all() if M == 0 else True


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_not_finite(bad, dtype):
    queries, points = clouds(1, 30, 40, dtype=dtype)
    points[0, ::3, 1] = bad
    queries[0, 4, 0] = bad
    square, index = nearest(queries, points)
    assert (index % 3 != 0)[0].sum() == 30
    assert square.isfinite().sum() == 29


def test_non_contiguous_input_and_threads_give_equal_bits():
    queries, points = clouds(3, 700, 600)
    expected = nearest(queries, points)
    strided = (x.transpose(1, 2).contiguous().transpose(1, 2) for x in (queries, points))
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        actual = nearest(*strided)
    finally:
        torch.set_num_threads(before)
    assert torch.equal(actual[0], expected[0])
    assert torch.equal(actual[1], expected[1])


@pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="the system cannot fork")
@pytest.mark.filterwarnings("ignore:.*multi-threaded, use of fork:DeprecationWarning")
def test_forked_worker_does_not_hang():
    if not is_usable("nearest"):
        pytest.skip("no C++ compiler on this machine")
    queries, points = clouds(1, 2000, 1000)
    expected = nearest(queries, points)[1].sum().item()
    context = multiprocessing.get_context("fork")
    queue = context.SimpleQueue()
    child = context.Process(target=_native_search_in_child, args=(queue, queries, points))
    child.start()
    child.join(timeout=60)
    if child.is_alive():
        child.kill()
        pytest.fail("the forked process hangs")
    assert queue.get() == expected


def _native_search_in_child(queue, queries, points):
    """The kernel alone: torch's own threads are not this test's affair."""
    index = native.search(queries, points, torch.ones(points.shape[:2], dtype=torch.bool))
    queue.put(int(index.numpy().sum()))


def test_mistakes_get_one_sentence():
    queries, points = clouds(1, 3, 4)
    with pytest.raises(ValueError, match=r"points must be \[B, M, 3\], got shape \[1, 4, 2\]"):
        nearest(queries, points[..., :2])
    with pytest.raises(ValueError, match="convert one of them"):
        nearest(queries, points.double())
    with pytest.raises(ValueError, match=r"masks\[1\] must be \[B, M\] with M = 4"):
        nearest(queries, points, masks=(None, torch.ones(1, 3, dtype=torch.bool)))


def test_registered_operator():
    torch.library.opcheck(torch.ops.cloud_transformers.nearest.default, (*clouds(2, 5, 6), None))
    torch.library.opcheck(
        torch.ops.cloud_transformers.nearest.default, (*clouds(2, 5, 6), torch.ones(2, 6, dtype=torch.bool))
    )
