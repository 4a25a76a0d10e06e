"""What must hold for every model, whatever its weights: order, padding, batching, and the edges of the input."""

import gc
import weakref

import pytest
import torch
from torch import Tensor, nn

from cloud_transformers import models
from tests.export.one_block import one_block
from tests.models.tiny import BUILDERS, CLOUD_MODELS, cloud, run, tiny
from tests.tolerances import assert_same


def padded(points: Tensor, num_padded: int) -> tuple[Tensor, Tensor]:
    """Rows of NaN and of huge numbers appended, and the mask that hides them."""
    B, N, C = points.shape
    garbage = points.new_full((B, num_padded, C), float("nan"))
    garbage[:, ::2] = 1e30
    return torch.cat([points, garbage], dim=1), torch.arange(N + num_padded).expand(B, -1) < N


@pytest.mark.parametrize("name", CLOUD_MODELS)
@pytest.mark.parametrize("training", [False, True])
def test_order_of_points_does_not_matter(name: str, training: bool) -> None:
    points = cloud(40)
    order = torch.randperm(40, generator=torch.Generator().manual_seed(0))
    outputs = run(name, tiny(name).train(training), points)
    permuted = run(name, tiny(name).train(training), points[:, order])
    for key, value in outputs.items():
        assert_same(permuted[key], value[:, order] if key == "points" else value, key)


@pytest.mark.parametrize("name", CLOUD_MODELS)
@pytest.mark.parametrize("training", [False, True])
def test_masked_garbage_changes_nothing(name: str, training: bool) -> None:
    """Outputs, gradients of every parameter, and BatchNorm's statistics; in training and in evaluation."""
    points = cloud(30)
    with_garbage, mask = padded(points, 11)
    clean, dirty = tiny(name).train(training), tiny(name).train(training)
    expected, actual = run(name, clean, points), run(name, dirty, with_garbage, mask)
    for key, value in expected.items():
        assert_same(actual[key][:, :30] if key == "points" else actual[key], value, key)
    for outputs in (expected, actual):
        loss = sum((x[:, :30] if key == "points" else x).square().mean() for key, x in outputs.items())
        loss.backward()
    for parameter_name, parameter in clean.named_parameters():
        assert_same(dirty.get_parameter(parameter_name).grad, parameter.grad, parameter_name)
    for buffer_name, buffer in clean.named_buffers():
        assert_same(dirty.get_buffer(buffer_name).double(), buffer.double(), buffer_name)


@pytest.mark.parametrize("name", CLOUD_MODELS)
def test_a_wholly_masked_cloud_is_invisible_to_the_others(name: str) -> None:
    points = cloud(20, batch_size=3)
    mask = torch.tensor([True, False, True])[:, None].expand(3, 20)
    points[1] = float("nan")
    together, apart = tiny(name), tiny(name)
    expected, actual = run(name, apart, points[[0, 2]]), run(name, together, points, mask)
    for key, value in expected.items():
        if key != "shape":  # the decoder's sphere differs by place in the batch
            assert_same(actual[key][[0, 2]], value, key)
    for buffer_name, buffer in apart.named_buffers():
        assert_same(together.get_buffer(buffer_name).double(), buffer.double(), buffer_name)


@pytest.mark.parametrize("name", CLOUD_MODELS)
def test_batch_of_two_is_two_batches_of_one(name: str) -> None:
    model = tiny(name).eval()
    first, second = cloud(25, 1, seed=1), cloud(40, 1, seed=2)
    batch, mask = padded(first, 15)
    batch = torch.cat([batch, second])
    mask = torch.cat([mask, torch.ones(1, 40, dtype=torch.bool)])
    together = run(name, model, batch, mask)
    for index, points in enumerate((first, second)):
        if name == "completer":
            assert_same(together["style"][index : index + 1], run(name, model, points)["style"])
            continue
        for key, value in run(name, model, points).items():
            part = together[key][index : index + 1]
            assert_same(part[:, : points.shape[1]] if key == "points" else part, value, key)


@pytest.mark.parametrize("name", CLOUD_MODELS)
@pytest.mark.parametrize("training", [False, True])
@pytest.mark.parametrize(("num_points", "visible"), [(1, True), (5, False), (0, False)])
def test_one_point_no_visible_point_and_no_point_work(
    name: str, training: bool, num_points: int, visible: bool
) -> None:
    model = tiny(name).train(training)
    mask = torch.full((2, num_points), visible)
    outputs = run(name, model, cloud(num_points), mask)
    assert all(torch.isfinite(value).all() for value in outputs.values())
    sum(value.sum() for value in outputs.values()).backward()
    for parameter in model.parameters():
        assert parameter.grad is None or torch.isfinite(parameter.grad).all()


@pytest.mark.parametrize("name", BUILDERS)
def test_batch_of_one_trains(name: str) -> None:
    model = tiny(name)
    sum(value.square().sum() for value in run(name, model, cloud(50, 1)).values()).backward()
    assert all(torch.isfinite(p.grad).all() for p in model.parameters() if p.grad is not None)


@pytest.mark.parametrize("name", BUILDERS)
def test_every_parameter_learns(name: str) -> None:
    model = tiny(name)
    sum((value - 0.3).pow(3).sum() for value in run(name, model, cloud(60)).values()).backward()
    idle = [key for key, p in model.named_parameters() if p.grad is None or not p.grad.abs().max() > 0]
    assert not idle


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("training", [False, True])
@pytest.mark.parametrize("name", CLOUD_MODELS)
def test_an_answer_that_nobody_goes_back_from_leaves_nothing_behind(
    name: str, training: bool, dtype: torch.dtype
) -> None:
    model = tiny(name).train(training).to(dtype)
    outputs = run(name, model, cloud(20).to(dtype))
    parameters = [weakref.ref(parameter) for parameter in model.parameters()]
    del model, outputs
    gc.collect()
    assert not any(parameter() is not None for parameter in parameters)


class TestCompleter:
    def test_observed_points_come_flagged_and_the_sphere_fills_up(self) -> None:
        points = cloud(10)[..., :3]
        mask = torch.arange(10).expand(2, 10) < torch.tensor([[10], [4]])
        inputs = tiny("completer").decoder_inputs(points, 16, mask, torch.Generator().manual_seed(0))
        assert inputs.shape == (2, 16, 4)
        assert torch.equal(inputs[..., 3], torch.nn.functional.pad(mask.double(), (0, 6)))
        assert torch.equal(inputs[..., :10, :3][mask], points[mask])
        assert_same(inputs[inputs[..., 3] == 0][:, :3].norm(dim=-1), torch.ones(18, dtype=torch.float64))

    def test_seeded_and_independent_of_padding(self) -> None:
        model, points = tiny("completer").eval(), cloud(10)[..., :3]
        with_garbage, mask = padded(points, 3)
        results = [
            model(*given, num_points=32, mask=visible, generator=torch.Generator().manual_seed(5))
            for given, visible in (([points], None), ([points], None), ([with_garbage], mask))
        ]
        assert torch.equal(results[0], results[1])
        assert_same(results[2], results[0])

    def test_fewer_output_points_than_observed_is_refused(self) -> None:
        with pytest.raises(ValueError, match="at least the number of observed points, 10, got 4"):
            tiny("completer")(cloud(10)[..., :3], num_points=4)


def test_reconstruction_of_two_is_two_reconstructions_of_one() -> None:
    model = tiny("reconstructor").eval()
    images = torch.rand(2, 3, 32, 48, dtype=torch.float64, generator=torch.Generator().manual_seed(0))
    together = model(images, num_points=20, generator=torch.Generator().manual_seed(1))
    generator = torch.Generator().manual_seed(1)
    apart = torch.cat([model(image[None], num_points=20, generator=generator) for image in images])
    assert together.shape == (2, 20, 3)
    assert_same(together, apart)
    assert ((together > 0) & (together < 1)).all()


class TestMistakes:
    points = torch.rand(2, 5, 3)

    @pytest.mark.parametrize(
        ("name", "arguments", "message"),
        [
            ("segmenter", (points, torch.rand(2, 5, 2)), r"features must be.*F = 3, got shape \[2, 5, 2\]"),
            ("segmenter", (points, torch.rand(2, 6, 3)), "features must be.*N = 5 as in positions"),
            ("segmenter", (points[0], torch.rand(2, 5, 3)), r"positions must be \[B, N, 3\]"),
            ("segmenter", (points.int(), torch.rand(2, 5, 3)), "positions must hold floating-point"),
            ("segmenter", (points, torch.rand(2, 5, 3), torch.ones(2, 4) > 0), "mask must be.*N = 5"),
            ("classifier", (torch.rand(2, 5, 4),), r"positions must be \[B, N, 3\], got shape \[2, 5, 4\]"),
            ("classifier", (points, torch.ones(2, 5)), "mask must be boolean"),
            ("completer", (torch.rand(5, 3),), r"partial must be \[B, M, 3\]"),
            ("reconstructor", (torch.rand(2, 1, 32, 32),), r"images must be \[B, 3, h, w\]"),
            ("reconstructor", (torch.zeros(2, 3, 32, 32, dtype=torch.uint8),), "images must hold floating-point"),
        ],
    )
    def test_forward(self, name: str, arguments: tuple, message: str) -> None:
        with pytest.raises(ValueError, match=message):
            BUILDERS[name]("tiny")(*arguments)

    def test_devices_and_types_must_be_the_model_s(self) -> None:
        with pytest.raises(ValueError, match="features is on meta but the model is on cpu: move them"):
            models.segmenter("tiny")(self.points, self.points.to("meta"))
        with pytest.raises(ValueError, match=r"positions is torch\.float64 but the model is torch\.float32: use"):
            models.classifier("tiny")(self.points.double())

    def test_decoders(self) -> None:
        with pytest.raises(ValueError, match=r"inputs must be \[B, N, 4\]"):
            models.completer("tiny").decode(torch.rand(2, 16), torch.rand(2, 5, 3))
        with pytest.raises(ValueError, match=r"style must be.*Z = 16, got shape \[2, 9\]"):
            models.reconstructor("tiny").decode(torch.rand(2, 9), torch.rand(2, 5, 3))


class TestTracing:
    def test_export_takes_any_number_of_points(self) -> None:
        model = models.segmenter("tiny").eval()
        points = torch.export.Dim("points", min=2, max=10_000)
        example = torch.rand(2, 33, 3), torch.rand(2, 33, 3)
        program = torch.export.export(model, example, dynamic_shapes=({1: points}, {1: points}))
        other = torch.rand(2, 57, 3), torch.rand(2, 57, 3)
        assert_same(program.module()(*other).detach(), model(*other).detach())

    @pytest.mark.parametrize("name", ["segmenter", "completer"])
    def test_compiles_in_one_graph_and_trains(self, name: str) -> None:
        class Task(nn.Module):
            def __init__(self, model: nn.Module) -> None:
                super().__init__()
                self.model = model

            def forward(self, points: Tensor, mask: Tensor) -> Tensor:
                return sum(value.square().mean() for value in run(name, self.model, points, mask).values())

        points, mask = padded(cloud(20), 4)
        # One block has all that there is to trace, and compilers take time for each; the segmenter has planar heads.
        eager, traced = (Task(one_block(name, planar=name == "segmenter").double().train()) for _ in range(2))
        compiled = torch.compile(traced, fullgraph=True, backend="aot_eager")
        for task in (eager, compiled):
            task(points, mask).backward()
        for (key, expected), (_, actual) in zip(eager.named_parameters(), traced.named_parameters(), strict=True):
            if expected.grad is not None:
                assert_same(actual.grad, expected.grad, key)


def test_mixed_precision_keeps_keys_and_grids_in_float32() -> None:
    model = models.segmenter("tiny").eval()
    positions, colors = torch.rand(1, 100, 3), torch.rand(1, 100, 3)
    expected = model(positions, colors)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        actual = model(positions, colors)
    assert torch.isfinite(actual).all()
    assert (actual.float() - expected).abs().max() < 0.05 * expected.abs().max().clamp(min=1)


@pytest.mark.parametrize("name", CLOUD_MODELS)
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_evaluation_without_gradients_takes_a_shorter_way_to_the_same_answer(name: str, dtype: torch.dtype) -> None:
    model = tiny(name).eval().to(dtype)
    with_garbage, mask = padded(cloud(30).to(dtype), 5)
    answers = []
    for enabled in (True, False):
        with torch.set_grad_enabled(enabled):
            outputs = run(name, model, with_garbage, mask)
        answers.append({key: value[:, :30].detach() for key, value in outputs.items()})
    for key, value in answers[0].items():
        assert_same(answers[1][key], value, key)


def test_half_precision_is_for_autocast():
    model = models.segmenter("tiny").bfloat16()
    points = torch.rand(1, 8, 3, dtype=torch.bfloat16)
    with pytest.raises(ValueError, match=r"float32 and compute under torch\.autocast\('cpu', torch\.bfloat16\)"):
        model(points, points)
