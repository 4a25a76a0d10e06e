"""rasterize and derasterize: hand-made tables, loops written from the paper, gradients, masks, and the registration."""

import pytest
import torch
from torch import Tensor

from cloud_transformers.ops import derasterize, rasterize
from cloud_transformers.ops.rasterize.reductions import REDUCTIONS
from tests.ops import naive
from tests.tolerances import assert_same

SIZES = [(4, 4), (3, 5), (1, 4), (2, 3, 4), (3, 3, 3), (4, 1, 2)]
UNEQUAL_SIZES = [(3, 5), (1, 4), (2, 3, 4), (4, 1, 2)]  # equal sides hide an axis that was taken for another


def random_input(
    size: tuple[int, ...], num_points: int = 9, channels: int = 3, seed: int = 0, heads: int = 3
) -> tuple[Tensor, Tensor, Tensor]:
    """Values, keys and a mask, in double; some keys lie outside the range."""
    generator = torch.Generator().manual_seed(seed)
    values = torch.randn(2, heads, num_points, channels, generator=generator, dtype=torch.float64)
    keys = 2.2 * torch.rand(2, heads, num_points, len(size), generator=generator, dtype=torch.float64) - 1.1
    return values, keys, torch.rand(2, num_points, generator=generator) > 0.3


def one_head(rows: list[list[float]]) -> Tensor:  # [N, C] -> [1, 1, N, C]
    return torch.tensor(rows, dtype=torch.float64)[None, None]


class TestTables:
    """Grids small enough to be worked out by hand."""

    # Two points on a 3 x 2 grid. Coordinates are ((k0 + 1) * 1, (k1 + 1) * 0.5).
    keys = one_head([[-0.5, 0.0], [0.5, 0.0]])  # coordinates (0.5, 0.5) and (1.5, 0.5): every weight is 1/4
    values = one_head([[4.0, -4.0], [8.0, -8.0]])

    @pytest.mark.parametrize(
        ("reduce", "first_channel", "second_channel"),
        [
            ("max", [[1, 1], [2, 2], [2, 2]], [[0, 0], [0, 0], [0, 0]]),
            ("sum", [[1, 1], [3, 3], [2, 2]], [[-1, -1], [-3, -3], [-2, -2]]),
            ("mean", [[1, 1], [1.5, 1.5], [2, 2]], [[-1, -1], [-1.5, -1.5], [-2, -2]]),
        ],
    )
    def test_planar(self, reduce: str, first_channel: list[list[float]], second_channel: list[list[float]]) -> None:
        grid = rasterize(self.values, self.keys, (3, 2), reduce=reduce)[0, 0]
        assert_same(grid[..., 0], torch.tensor(first_channel, dtype=torch.float64))
        assert_same(grid[..., 1], torch.tensor(second_channel, dtype=torch.float64))

    def test_volumetric_corner_order_first_axis_is_slowest(self) -> None:
        # On a 2 x 2 x 2 grid the weights of key (-0.5, 0, 0.5) are (3/4, 1/4) x (1/2, 1/2) x (1/4, 3/4).
        grid = rasterize(one_head([[32.0]]), one_head([[-0.5, 0.0, 0.5]]), 2)[0, 0, ..., 0]
        expected = [3.0, 9, 3, 9, 1, 3, 1, 3]
        assert_same(grid.flatten(), torch.tensor(expected, dtype=torch.float64))

    def test_derasterize_reads_back_a_linear_ramp_exactly(self) -> None:
        ramp = torch.arange(5, dtype=torch.float64)[:, None].expand(5, 3)[None, None, ..., None]
        read = derasterize(ramp, one_head([[-0.75, 0.1], [0.25, -0.9]]))
        assert_same(read.flatten(), torch.tensor([0.5, 2.5], dtype=torch.float64))

    def test_empty_grid_is_zero(self) -> None:
        for reduce in REDUCTIONS:
            grid = rasterize(torch.zeros(1, 2, 0, 3), torch.zeros(1, 2, 0, 2), (3, 4), reduce=reduce)
            assert grid.shape == (1, 2, 3, 4, 3)
            assert (grid == 0).all()


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("masked", [False, True])
class TestAgainstLoops:
    @pytest.mark.parametrize("reduce", REDUCTIONS)
    def test_rasterize(self, size: tuple[int, ...], masked: bool, reduce: str) -> None:
        values, keys, mask = random_input(size)
        expected = naive.rasterize(values, keys, size, reduce, mask if masked else None)
        assert_same(rasterize(values, keys, size, reduce=reduce, mask=mask if masked else None), expected)

    def test_derasterize(self, size: tuple[int, ...], masked: bool) -> None:
        _, keys, mask = random_input(size)
        grid = torch.randn(2, 3, *size, 4, dtype=torch.float64, generator=torch.Generator().manual_seed(1))
        expected = naive.derasterize(grid, keys, mask if masked else None)
        assert_same(derasterize(grid, keys, mask=mask if masked else None), expected)


class TestGradients:
    @pytest.mark.parametrize("size", UNEQUAL_SIZES)
    @pytest.mark.parametrize("reduce", REDUCTIONS)
    def test_rasterize_without_balancing_is_exact(self, size: tuple[int, ...], reduce: str) -> None:
        values, keys, mask = random_input(size, num_points=5, channels=2, heads=2)

        def function(values: Tensor, keys: Tensor) -> Tensor:
            return rasterize(values, keys, size, reduce=reduce, mask=mask, balance=False)

        assert torch.autograd.gradcheck(function, (values.requires_grad_(), keys.requires_grad_()))

    @pytest.mark.parametrize("size", UNEQUAL_SIZES)
    def test_derasterize_without_balancing_is_exact(self, size: tuple[int, ...]) -> None:
        _, keys, mask = random_input(size, num_points=5, heads=2)
        grid = torch.randn(2, 2, *size, 2, dtype=torch.float64, requires_grad=True)

        def function(grid: Tensor, keys: Tensor) -> Tensor:
            return derasterize(grid, keys, mask=mask, balance=False)

        assert torch.autograd.gradcheck(function, (grid, keys.requires_grad_()))

    @pytest.mark.parametrize("size", [(4, 7), (2, 5, 9)])
    @pytest.mark.parametrize("reduce", REDUCTIONS)
    def test_balancing_leaves_out_exactly_half_of_w_minus_1_per_axis(self, size: tuple[int, ...], reduce: str) -> None:
        factor = torch.tensor([(side - 1) / 2 for side in size], dtype=torch.float64)
        values, keys, _ = random_input(size)
        cotangent = torch.randn(2, 3, *size, 3, dtype=torch.float64)
        gradients = {}
        for balance in (True, False):
            leaves = values.clone().requires_grad_(), keys.clone().requires_grad_()
            grid = rasterize(*leaves, size, reduce=reduce, balance=balance)
            gradients[balance] = torch.autograd.grad((grid * cotangent).sum(), leaves)
        assert_same(gradients[True][0], gradients[False][0])
        assert_same(gradients[True][1] * factor, gradients[False][1])
        assert gradients[True][1].abs().max() > 0

    def test_balancing_of_derasterize(self) -> None:
        size = (4, 7)
        grid, keys = torch.randn(1, 2, *size, 3, dtype=torch.float64), random_input(size)[1][:1, :2]
        gradients = {}
        for balance in (True, False):
            leaves = grid.clone().requires_grad_(), keys.clone().requires_grad_()
            gradients[balance] = torch.autograd.grad(derasterize(*leaves, balance=balance).square().sum(), leaves)
        assert_same(gradients[True][0], gradients[False][0])
        assert_same(gradients[True][1] * torch.tensor([1.5, 3.0], dtype=torch.float64), gradients[False][1])

    @pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
    def test_of_equal_points_the_lowest_index_takes_the_gradient(self, dtype: torch.dtype) -> None:
        values = torch.tensor([[1.0], [2.0], [2.0], [2.0]], dtype=dtype)[None, None].requires_grad_()
        keys = torch.full((1, 1, 4, 2), 0.1, dtype=dtype, requires_grad=True)
        grid = rasterize(values, keys, 3)
        value_gradient, key_gradient = torch.autograd.grad(grid.square().sum(), (values, keys))
        assert (value_gradient[0, 0, :, 0] != 0).tolist() == [False, True, False, False]
        assert (key_gradient[0, 0] != 0).any(-1).tolist() == [False, True, False, False]

    def test_where_zero_wins_nobody_gets_gradient(self) -> None:
        values = torch.tensor([[-1.0], [0.0]])[None, None].requires_grad_()
        keys = torch.zeros(1, 1, 2, 3, requires_grad=True)
        grid = rasterize(values, keys, 4)
        assert (grid == 0).all()
        for gradient in torch.autograd.grad(grid.sum(), (values, keys)):
            assert (gradient == 0).all()

    def test_clamped_keys_write_at_the_edge_and_get_no_gradient(self) -> None:
        values = torch.ones(1, 1, 2, 1)
        keys = torch.tensor([[1.5, 0.3], [-0.2, 0.3]])[None, None].requires_grad_()
        grid = rasterize(values, keys, (3, 3))
        at_edge = rasterize(values, keys.detach().clamp(-1, 1), (3, 3))
        assert_same(grid.detach(), at_edge)
        gradient = torch.autograd.grad(grid.square().sum(), keys)[0][0, 0]
        assert gradient[0, 0] == 0
        assert gradient[0, 1] != 0
        assert (gradient[1] != 0).all()


class TestMasks:
    @pytest.mark.parametrize("garbage", [1e30, float("nan"), float("inf")])
    @pytest.mark.parametrize("reduce", REDUCTIONS)
    @pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
    def test_masked_points_may_hold_anything(self, garbage: float, reduce: str, dtype: torch.dtype) -> None:
        size = (3, 4)
        values, keys, mask = (x.to(dtype) if x.is_floating_point() else x for x in random_input(size))
        expected: dict[str, list[Tensor]] = {}
        for name, fill in (("clean", 0.0), ("garbage", garbage)):
            leaves = [x.masked_fill(~mask[:, None, :, None], fill).requires_grad_() for x in (values, keys)]
            grid = rasterize(leaves[0], leaves[1], size, reduce=reduce, mask=mask)
            read = derasterize(grid, leaves[1], mask=mask)
            gradients = torch.autograd.grad(read.square().sum(), leaves)
            expected[name] = [grid.detach(), read.detach(), *gradients]
        for clean, dirty in zip(expected["clean"], expected["garbage"], strict=True):
            assert torch.equal(clean, dirty)
        for gradient in expected["garbage"][2:]:
            assert (gradient[(~mask)[:, None, :, None].expand_as(gradient)] == 0).all()

    def test_padding_changes_nothing(self) -> None:
        values, keys, _ = random_input((3, 3, 3), num_points=5)
        padded = [torch.cat([x, torch.full_like(x[:, :, :2], float("nan"))], dim=2) for x in (values, keys)]
        mask = torch.arange(7).expand(2, 7) < 5
        for reduce in REDUCTIONS:
            expected = rasterize(values, keys, 3, reduce=reduce)
            assert torch.equal(rasterize(*padded, 3, reduce=reduce, mask=mask), expected)

    def test_fully_masked_cloud_leaves_an_empty_grid(self) -> None:
        values, keys, _ = random_input((3, 3))
        nobody = torch.zeros(2, values.shape[2], dtype=torch.bool)
        for reduce in REDUCTIONS:
            assert (rasterize(values, keys, 3, reduce=reduce, mask=nobody) == 0).all()


class TestPrecision:
    @pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
    def test_half_is_raised_to_float32(self, dtype: torch.dtype) -> None:
        values, keys, _ = random_input((4, 4))
        values, keys = values.to(dtype), keys.float()
        grid = rasterize(values, keys, 4)
        assert grid.dtype == torch.float32
        assert torch.equal(grid, rasterize(values.float(), keys, 4))
        assert derasterize(grid.to(dtype), keys).dtype == torch.float32

    def test_under_autocast_they_compute_in_float32(self) -> None:
        values, keys, _ = (x.float() for x in random_input((4, 4)))
        expected = rasterize(values, keys, 4)
        with torch.autocast("cpu", dtype=torch.bfloat16):
            grid = rasterize(values, keys, 4)
            read = derasterize(grid, keys)
        assert grid.dtype == read.dtype == torch.float32
        assert torch.equal(grid, expected)


class TestRegistration:
    @pytest.mark.parametrize("reduce", REDUCTIONS)
    @pytest.mark.parametrize("size", [(3, 4), (2, 3, 4)])
    def test_opcheck(self, size: tuple[int, ...], reduce: str) -> None:
        values, keys, mask = random_input(size)
        arguments = (values.requires_grad_(), keys.requires_grad_(), list(size), reduce, mask, True)
        torch.library.opcheck(torch.ops.cloud_transformers.rasterize.default, arguments)
        grid = rasterize(values.detach(), keys.detach(), size).requires_grad_()
        torch.library.opcheck(torch.ops.cloud_transformers.derasterize.default, (grid, keys, mask, True))

    def test_export_with_any_number_of_points(self) -> None:
        class Splat(torch.nn.Module):
            def forward(self, values: Tensor, keys: Tensor) -> Tensor:
                return derasterize(rasterize(values, keys, (4, 4)), keys)

        values, keys, _ = random_input((4, 4))
        points = torch.export.Dim("points", min=2, max=4096)
        program = torch.export.export(Splat(), (values, keys), dynamic_shapes=({2: points}, {2: points}))
        values, keys, _ = random_input((4, 4), num_points=31)
        assert_same(program.module()(values, keys), Splat()(values, keys))

    def test_compile_in_one_graph(self) -> None:
        def function(values: Tensor, keys: Tensor) -> Tensor:
            return derasterize(rasterize(values, keys, (4, 4)).square(), keys)

        values, keys, _ = random_input((4, 4))
        leaves = values.requires_grad_(), keys.requires_grad_()
        # aot_eager traces forward and backward as the default backend does, and needs no compiler.
        compiled = torch.compile(function, fullgraph=True, backend="aot_eager")
        assert_same(compiled(*leaves).detach(), function(*leaves).detach())
        expected = torch.autograd.grad(function(*leaves).square().sum(), leaves)
        actual = torch.autograd.grad(compiled(*leaves).square().sum(), leaves)
        for one, other in zip(actual, expected, strict=True):
            assert_same(one, other)


class TestMistakes:
    values, keys = torch.zeros(2, 3, 5, 4), torch.zeros(2, 3, 5, 2)

    @pytest.mark.parametrize(
        ("change", "message"),
        [
            ({"values": torch.zeros(2, 3, 5)}, r"values must be \[B, H, N, C\], got shape \[2, 3, 5\]"),
            ({"values": torch.zeros(2, 3, 5, 4, dtype=torch.int64)}, "values must hold floating-point numbers.*int64"),
            ({"keys": torch.zeros(2, 3, 6, 2)}, r"keys must be.* N = 5 as in values, got shape \[2, 3, 6, 2\]"),
            ({"keys": torch.zeros(2, 3, 5, 4)}, r"keys must be.* D = 2 or 3"),
            ({"keys": torch.zeros(2, 3, 5, 2, dtype=torch.float64)}, "keys are torch.float64.*torch.float32"),
            ({"keys": torch.zeros(2, 3, 5, 2, device="meta")}, "keys is on meta but values is on cpu"),
            ({"mask": torch.ones(2, 6, dtype=torch.bool)}, r"mask must be.* N = 5"),
            ({"mask": torch.ones(2, 5)}, "mask must be boolean.*float32"),
            ({"size": (4, 4, 4)}, "size must be 2 positive numbers"),
            ({"size": (4, 0)}, "size must be 2 positive numbers"),
            ({"reduce": "min"}, "reduce must be one of max, .*, got 'min'"),
            ({"values": [[1.0]]}, "values must be a torch tensor.*list"),
        ],
    )
    def test_rasterize(self, change: dict, message: str) -> None:
        arguments = {"values": self.values, "keys": self.keys, "size": (4, 4)} | change
        with pytest.raises(ValueError, match=message):
            rasterize(**arguments)

    @pytest.mark.parametrize(
        ("grid", "message"),
        [
            (torch.zeros(2, 3, 4, 4, 4, 1), r"grid must be \[B, H, X, Y, C\]"),
            (torch.zeros(2, 2, 4, 4, 1), r"grid must be.* H = 3 as in keys"),
            (torch.zeros(2, 3, 4, 0, 1), "at least one node per axis"),
            (torch.zeros(2, 3, 4, 4, 1, dtype=torch.int32), "grid must hold floating-point numbers"),
        ],
    )
    def test_derasterize(self, grid: Tensor, message: str) -> None:
        with pytest.raises(ValueError, match=message):
            derasterize(grid, self.keys)


def test_permuting_the_points_permutes_the_reading_and_nothing_else() -> None:
    values, keys, mask = random_input((4, 5))
    order = torch.randperm(values.shape[2], generator=torch.Generator().manual_seed(3))
    for reduce in REDUCTIONS:
        grid = rasterize(values, keys, (4, 5), reduce=reduce, mask=mask)
        permuted = rasterize(values[:, :, order], keys[:, :, order], (4, 5), reduce=reduce, mask=mask[:, order])
        assert_same(permuted, grid)
        read = derasterize(grid, keys, mask=mask)
        assert_same(derasterize(grid, keys[:, :, order], mask=mask[:, order]), read[:, :, order])
