"""The auction: always a bijection, near the optimum, the same for any number of threads."""

import itertools
import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from cloud_transformers.native import is_usable
from cloud_transformers.ops.emd import EVALUATION, TRAINING, _in_unit_cube, emd, native, reference
from tests.search import examples

# One round leaves nearly everybody to the filling of gaps; seven end in the middle of a phase.
SETTINGS = {"training": vars(TRAINING), "1": {"rounds": 1}, "7": {"rounds": 7}}


@pytest.fixture(autouse=True)
def _one_thread():
    """The reference is many small operators here: a second thread only waits."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture(params=["native", "reference"])
def kernel(request: pytest.FixtureRequest):
    if request.param == "native" and not is_usable("emd"):
        pytest.skip("no C++ compiler on this machine")
    return {"native": native, "reference": reference}[request.param]


def assign(kernel, prediction, target, *, eps=TRAINING.eps, rounds=TRAINING.rounds):
    return kernel.assign(*_in_unit_cube(prediction, target), eps, rounds)


def mean_distance(prediction, target, partner):
    matched = target.gather(1, partner[..., None].expand(-1, -1, 3))
    return (prediction - matched).norm(dim=2).mean(dim=1)


def is_bijection(partner):
    return torch.equal(partner.sort(dim=1).values, torch.arange(partner.shape[1]).expand_as(partner))


def pairs_of_clouds(n: int, seed: int = 0) -> dict[str, tuple[torch.Tensor, torch.Tensor]]:
    draw = torch.Generator().manual_seed(seed)
    x, y = torch.rand(2, 1, n, 3, generator=draw)
    sphere = torch.nn.functional.normalize(torch.randn(1, n, 3, generator=draw), dim=2)
    flat = torch.tensor([1.0, 1.0, 0.0])
    return {
        "uniform": (x, y),
        "sphere to cube": (sphere, y),
        "planar": (x * flat, y * flat),
        "shuffled": (x, x[:, torch.randperm(n, generator=draw)]),
        "nearly there": (x + 1e-3 * torch.randn(1, n, 3, generator=draw), x.flip(1)),
        "prediction in one place": (torch.full_like(x, 0.5), y),
        "target in one place": (x, torch.full_like(x, 0.5)),
        "all in one place": (torch.full_like(x, 0.5), torch.full_like(x, 0.5)),
        "every point twice": (x[:, torch.arange(n) // 2], y[:, torch.arange(n) // 2]),
        "two heaps of other sizes": (
            1e-3 * x + (torch.arange(n) < n // 2)[:, None],
            1e-3 * y + (torch.arange(n) < n // 4)[:, None],
        ),
    }


@pytest.mark.parametrize("setting", SETTINGS)
@pytest.mark.parametrize("n", [1, 2, 16, 17, 63, 300])
def test_bijection_on_every_kind_of_cloud(kernel, n, setting):
    for name, (x, y) in pairs_of_clouds(n).items():
        assert is_bijection(assign(kernel, x, y, **SETTINGS[setting])), name


@pytest.mark.parametrize("name", pairs_of_clouds(2))
def test_close_to_the_optimum(kernel, name):
    """Against scipy's exact assignment, in the evaluation setting."""
    optimize = pytest.importorskip("scipy.optimize")
    x, y = pairs_of_clouds(128)[name]
    distances = torch.cdist(x[0].double(), y[0].double())
    rows, columns = optimize.linear_sum_assignment(distances)
    exact = distances[rows, columns].mean().item()
    found = mean_distance(x, y, assign(kernel, x, y, **vars(EVALUATION))).item()
    assert exact - 1e-6 <= found <= 1.02 * exact + 1e-6


def test_optimal_on_tiny_clouds_against_all_permutations(kernel):
    draw = torch.Generator().manual_seed(1)
    x, y = torch.rand(2, 40, 5, 3, generator=draw)
    found = mean_distance(x, y, assign(kernel, x, y, **vars(EVALUATION)))
    orders = torch.tensor(list(itertools.permutations(range(5))))
    best = torch.stack([mean_distance(x, y, order.expand(40, -1)) for order in orders]).amin(dim=0)
    assert (found <= 1.01 * best + 1e-6).all()


def test_permuted_copy_is_found_exactly(kernel):
    x, y = pairs_of_clouds(500)["shuffled"]
    assert mean_distance(x, y, assign(kernel, x, y)).item() == 0


def test_more_rounds_are_no_worse(kernel):
    x, y = pairs_of_clouds(400)["sphere to cube"]
    few, some, many = (mean_distance(x, y, assign(kernel, x, y, rounds=rounds)).item() for rounds in (2, 50, 1000))
    assert many <= some * 1.001 <= few * 1.002


@examples(30)
@given(
    points=st.lists(st.tuples(*[st.integers(0, 3)] * 6), min_size=1, max_size=40),
    rounds=st.integers(1, 60),
    eps=st.floats(1e-6, 2),
)
def test_bijection_with_many_ties(points, rounds, eps):
    table = torch.tensor(points, dtype=torch.float32)
    x, y = table[None, :, :3], table[None, :, 3:]
    for kernel in (native, reference) if is_usable("emd") else (reference,):
        assert is_bijection(assign(kernel, x, y, eps=eps, rounds=rounds))


def test_batch_is_its_clouds_one_by_one(kernel):
    pairs = list(pairs_of_clouds(40).values())
    x, y = (torch.cat(clouds) for clouds in zip(*pairs, strict=True))
    together = assign(kernel, x, y)
    for partner, (one, other) in zip(together, pairs, strict=True):
        assert torch.equal(partner, assign(kernel, one, other)[0])


def test_threads_do_not_change_the_result():
    if not is_usable("emd"):
        pytest.skip("no C++ compiler on this machine")
    x, y = torch.rand(2, 5, 200, 3, generator=torch.Generator().manual_seed(0))
    results = []
    for threads in (1, 2, 7):
        torch.set_num_threads(threads)
        results.append(emd(x, y)[1])
    assert torch.equal(results[0], results[1])
    assert torch.equal(results[0], results[2])


@pytest.mark.parametrize("scale", [1e-20, 1e-3, 1e4, 1e30])
def test_scale_and_place_do_not_matter(scale):
    x, y = pairs_of_clouds(200)["sphere to cube"]
    x, y = x.double(), y.double()
    moved = emd(x * scale + 100 * scale, y * scale + 100 * scale)[1]
    expected = mean_distance(x, y, emd(x, y)[1]).item()
    assert mean_distance(x, y, moved).item() == pytest.approx(expected, rel=1e-2)


def test_distances_and_gradient_to_the_prediction_only():
    x, y = torch.rand(2, 3, 20, 3, dtype=torch.float64, generator=torch.Generator().manual_seed(0))
    x.requires_grad_()
    y.requires_grad_()
    squares, partner = emd(x, y)
    matched = torch.stack([y[b, partner[b]] for b in range(3)]).detach()
    assert torch.equal(squares, (x - matched).square().sum(-1))
    squares.sum().backward()
    torch.testing.assert_close(x.grad, 2 * (x.detach() - matched))
    assert y.grad is None
    assert torch.autograd.gradcheck(lambda p: emd(p, y)[0], x)


def test_non_contiguous_and_half_precision_input():
    x, y = torch.rand(2, 2, 3, 50, generator=torch.Generator().manual_seed(0))
    strided = emd(x.transpose(1, 2), y.transpose(1, 2))
    plain = emd(x.transpose(1, 2).contiguous(), y.transpose(1, 2).contiguous())
    assert torch.equal(strided[1], plain[1])
    squares, partner = emd(x.transpose(1, 2).half(), y.transpose(1, 2).half())
    assert squares.dtype == torch.float32
    assert is_bijection(partner)


def test_empty_clouds_and_empty_batches():
    for B, N in ((2, 0), (0, 5), (0, 0)):
        squares, partner = emd(torch.zeros(B, N, 3), torch.zeros(B, N, 3))
        assert squares.shape == partner.shape == (B, N)
        assert partner.dtype == torch.int64


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
def test_not_finite_points_keep_the_bijection(bad):
    x, y = torch.rand(2, 1, 30, 3)
    x[0, 4, 1] = bad
    squares, partner = emd(x, y)
    assert is_bijection(partner)
    assert squares.isfinite().sum() == 29


def test_sizes_that_differ_are_an_error():
    with pytest.raises(
        ValueError, match=r"target must be \[B, N, 3\] with N = 4 as in prediction, got shape \[1, 5, 3\]"
    ):
        emd(torch.zeros(1, 4, 3), torch.zeros(1, 5, 3))
    with pytest.raises(ValueError, match="eps must be above 0"):
        emd(torch.zeros(1, 4, 3), torch.zeros(1, 4, 3), eps=0)


def test_registered_operator():
    x, y = torch.rand(2, 2, 10, 3)
    torch.library.opcheck(torch.ops.cloud_transformers.emd_assign.default, (x, y, 0.005, 50))


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_compiles_as_one_graph():
    x, y = torch.rand(2, 2, 30, 3, generator=torch.Generator().manual_seed(0))
    compiled = torch.compile(emd, backend="aot_eager", fullgraph=True)
    for actual, expected in zip(compiled(x, y), emd(x, y), strict=True):
        assert torch.equal(actual, expected)
