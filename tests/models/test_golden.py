"""Released weights, converted, give here what they give in the official release: outputs and gradients, in float64."""

from collections.abc import Iterator
from functools import partial

import pytest
import torch
from einops import rearrange
from torch import Tensor, nn

from cloud_transformers.models import load_release
from cloud_transformers.models.release import RELEASES
from cloud_transformers.ops.transform import reference
from tests import memory
from tests.golden import doubles
from tests.golden.weights import golden_arrays, golden_description, golden_state_dict
from tests.tolerances import assert_same

NAMES = ("segmenter", "classifier", "classifier_scales", "inpainter", "reconstructor")
TOLERANCE = 1e-5  # relative to the array's largest magnitude; the arrays are stored in float32


def run(name: str, model: nn.Module, arrays: dict[str, Tensor]) -> list[Tensor]:
    """The model's outputs, channels first as the release has them."""
    if name == "segmenter":
        points = rearrange(arrays["points"], "b c n -> b n c")
        return [rearrange(model(points[..., :3], points[..., 3:]), "b n c -> b c n")]
    if name.startswith("classifier"):
        classes, mask = model(rearrange(arrays["points"], "b c n -> b n c"))
        return [classes, rearrange(mask, "b n -> b 1 n")]
    source = arrays["image"] if name == "reconstructor" else rearrange(arrays["partial"], "b c n -> b n c")
    inputs = rearrange(arrays["generator_input"], "b c n -> b n c")
    return [rearrange(model.decode(model.encode(source), inputs), "b n c -> b c n")]


def assert_close(name: str, actual: Tensor, expected: Tensor) -> None:
    error = (actual.reshape(expected.shape) - expected).abs().max() / expected.abs().max()
    assert error < TOLERANCE, f"{name}: relative error {error:.2e}"


@pytest.fixture
def _quick_doubles(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(reference, "aten", doubles)
    with memory.kept():
        yield


@pytest.mark.parametrize("groups", [1, 4])
def test_quick_doubles_are_torch_s(groups: int) -> None:
    shapes = (2, 8, 5, 4, 3), (12, 8 // groups, 3, 3, 3), (12,), (2, 12, 5, 4, 3)
    grid, weight, bias, gradient = (torch.randn(shape, dtype=torch.float64) for shape in shapes)
    forward, backward = (
        (weight, bias, *doubles.PLAIN, groups),
        (grid, weight, [12], *doubles.PLAIN, groups, [True, True, True]),
    )
    assert_same(doubles.convolution(grid, *forward), torch.ops.aten.convolution(grid, *forward))
    expected = torch.ops.aten.convolution_backward(gradient, *backward)
    for ours, theirs in zip(doubles.convolution_backward(gradient, *backward), expected, strict=True):
        assert_same(ours, theirs)


@pytest.mark.usefixtures("_quick_doubles")
@pytest.mark.parametrize("name", NAMES)
def test_outputs_and_gradients_are_those_of_the_release(name: str) -> None:
    """Memory is what it costs: names are found first, and a gradient goes as soon as it has been compared."""
    arrays, description, names = golden_arrays(name), golden_description(name), released_names(name)
    model = load_release(name, golden_state_dict(name)).double()
    assert sum(parameter.numel() for parameter in model.parameters()) == description["params"]
    with torch.no_grad():
        assert_outputs_are("eval", name, model, arrays)
    memory.give_back()

    model.train()
    for module in model.modules():
        if isinstance(module, nn.Dropout):
            module.p = 0.0
    outputs = assert_outputs_are("train", name, model, arrays)
    wanted = {key for key in arrays if key.startswith("grad:")}

    def compare(key: str, parameter: Tensor) -> None:
        assert parameter.grad is not None
        if key in wanted:
            assert_close(key, parameter.grad, arrays[key])
            wanted.remove(key)
        parameter.grad = None

    for own, parameter in model.named_parameters():
        parameter.register_post_accumulate_grad_hook(partial(compare, f"grad:{names[own]}"))
    sum((output * arrays[f"cotangent{index}"]).sum() for index, output in enumerate(outputs)).backward()
    assert not wanted, "parameters without a gradient"


def assert_outputs_are(mode: str, name: str, model: nn.Module, arrays: dict[str, Tensor]) -> list[Tensor]:
    outputs = run(name, model, arrays)
    for index, output in enumerate(outputs):
        assert_close(f"{mode}_out{index}", output, arrays[f"{mode}_out{index}"])
    return outputs


def released_names(name: str) -> dict[str, str]:
    """Our names of parameters -> the release's: found by loading weights in which every tensor holds its own number."""
    shapes = golden_description(name)["state_dict"]
    counts = (torch.tensor(number) for number in range(len(shapes)))
    numbers = {
        key: (count if key.endswith("num_batches_tracked") else count.float()).expand(shape)
        for (key, shape), count in zip(shapes.items(), counts, strict=True)
    }
    names = list(shapes)
    marked = load_release(name, numbers)
    return {own: names[int(parameter.flatten()[0])] for own, parameter in marked.named_parameters()}


@pytest.mark.parametrize(
    ("name", "millions"),
    [
        ("segmenter", 9_220_109),
        ("segmenter_spheres", 9_220_621),
        ("classifier", 24_021_136),
        ("classifier_scales", 24_022_176),
        ("inpainter", 53_406_107),
        ("reconstructor", 53_824_091),
    ],
)
def test_parameter_counts_are_the_release_s(name: str, millions: int) -> None:
    with torch.device("meta"):  # counted, never filled
        model = RELEASES[name]()
    assert sum(parameter.numel() for parameter in model.parameters()) == millions
