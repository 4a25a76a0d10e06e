"""The golden values again, in float32, with the fast kernels and without: loosely, as rounding adds up over blocks."""

import pytest
import torch
from torch import Tensor, nn

from cloud_transformers.models import load_release
from cloud_transformers.ops import use_backend
from tests.golden.weights import golden_arrays, golden_state_dict
from tests.models.test_golden import run
from tests.needs import needs_compiler

TOLERANCE = 2e-3  # relative to the array's largest magnitude


@pytest.fixture(scope="module", params=["segmenter", "classifier_scales", "inpainter"])
def golden(request: pytest.FixtureRequest) -> tuple[str, nn.Module, dict[str, Tensor]]:
    name = request.param
    arrays = {key: value.float() if value.is_floating_point() else value for key, value in golden_arrays(name).items()}
    return name, load_release(name, golden_state_dict(name)).float(), arrays


@pytest.mark.parametrize("backend", [pytest.param("native", marks=needs_compiler), "reference"])
def test_outputs_in_single_precision(golden: tuple[str, nn.Module, dict[str, Tensor]], backend: str) -> None:
    name, model, arrays = golden
    with torch.no_grad(), use_backend(backend):
        outputs = run(name, model, arrays)
    for index, output in enumerate(outputs):
        expected = arrays[f"eval_out{index}"]
        error = (output.reshape(expected.shape) - expected).abs().max() / expected.abs().max()
        assert error < TOLERANCE, f"eval_out{index}: relative error {error:.2e}"
