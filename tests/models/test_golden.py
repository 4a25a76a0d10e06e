"""Released weights, converted, give here what they give in the official release: outputs and gradients, in float64."""

import pytest
import torch
from einops import rearrange
from torch import Tensor, nn

from cloud_transformers.models import load_release
from cloud_transformers.models.release import RELEASES
from tests.golden.weights import golden_arrays, golden_description, golden_state_dict

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


@pytest.mark.parametrize("name", NAMES)
def test_outputs_and_gradients_are_those_of_the_release(name: str) -> None:
    arrays, description = golden_arrays(name), golden_description(name)
    state = golden_state_dict(name)
    model = load_release(name, state).double()
    assert sum(parameter.numel() for parameter in model.parameters()) == description["params"]

    for index, output in enumerate(run(name, model, arrays)):
        assert_close(f"eval_out{index}", output, arrays[f"eval_out{index}"])

    model.train()
    for module in model.modules():
        if isinstance(module, nn.Dropout):
            module.p = 0.0
    outputs = run(name, model, arrays)
    for index, output in enumerate(outputs):
        assert_close(f"train_out{index}", output, arrays[f"train_out{index}"])
    sum((output * arrays[f"cotangent{index}"]).sum() for index, output in enumerate(outputs)).backward()
    gradients = released_names(name, model)
    for key in arrays:
        if key.startswith("grad:"):
            assert_close(key, gradients[key.removeprefix("grad:")], arrays[key])


def released_names(name: str, model: nn.Module) -> dict[str, Tensor]:
    """Gradients under the release's names: found by loading weights in which every tensor holds its own number."""
    state = golden_state_dict(name)
    numbered = {key: torch.full(value.shape, float(number)) for number, (key, value) in enumerate(state.items())}
    numbered = {key: value.to(state[key].dtype) for key, value in numbered.items()}
    names = list(state)
    marked = load_release(name, numbered).state_dict()
    return {
        names[int(marked[own].flatten()[0])]: parameter.grad
        for own, parameter in model.named_parameters()
        if parameter.grad is not None
    }


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
    assert sum(parameter.numel() for parameter in RELEASES[name]().parameters()) == millions
