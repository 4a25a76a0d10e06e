"""Linear maps in bfloat16: near the answers of float32, with keys and grids left alone, and only where it pays."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from numpy.typing import NDArray
from torch import nn

import cloud_transformers as ct
from cloud_transformers.errors import InputError
from cloud_transformers.ops.transform import native as transform_native
from cloud_transformers.predict import precision as precision_module
from cloud_transformers.predict.precision import has_bfloat16

CPU = torch.device("cpu")


@pytest.mark.parametrize("task", ["segmentation", "classification", "completion", "reconstruction"])
def test_answers_are_near_those_of_float32(
    weights: dict[str, Path], points: NDArray[np.float32], task: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[torch.dtype] = []
    forward = transform_native.forward

    def recorded(values: Any, keys: Any, weight: Any, *others: Any, **options: Any) -> Any:
        seen.extend([values.dtype, keys.dtype, weight.dtype])
        return forward(values, keys, weight, *others, **options)

    monkeypatch.setattr(transform_native, "forward", recorded)
    exact = scores(ct.Predictor.load(weights[task], "cpu"), task, points)
    seen.clear()
    narrow = scores(ct.Predictor.load(weights[task], "cpu", precision="bfloat16", allow_slow=True), task, points)
    assert not np.array_equal(exact, narrow)
    np.testing.assert_allclose(narrow, exact, atol=0.05 * np.abs(exact).max())
    assert set(seen) == {torch.float32}


def scores(predictor: Any, task: str, points: NDArray[np.float32]) -> NDArray[np.float32]:
    if task == "segmentation":
        return predictor.score_regions([points], [np.ones((len(points), 3), np.float32)])[0]
    if task == "classification":
        found = predictor(points)
        return found.probabilities[np.argsort(found.classes)]
    if task == "completion":
        return predictor(points).positions
    return predictor(np.linspace(0, 1, 32 * 32 * 3).reshape(32, 32, 3)).positions


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("flags\t\t: fpu avx2 avx512f avx512bw\n", False),
        ("flags\t\t: fpu avx512f avx512_bf16\n", True),
        ("flags\t\t: fpu amx_bf16 amx_tile\n", True),
        ("Features\t: fp asimd i8mm bf16\n", True),
        ("Features\t: fp asimd\nbugs : bf16\n", False),
        ("", False),
    ],
)
def test_the_processor_is_asked(tmp_path: Path, text: str, wanted: bool) -> None:
    (tmp_path / "cpuinfo").write_text(f"processor\t: 0\n{text}")
    assert has_bfloat16(CPU, tmp_path / "cpuinfo") is wanted


def test_where_there_is_no_list_torch_is_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for known in (False, True):
        monkeypatch.setattr(torch.cpu, "_is_avx512_bf16_supported", lambda known=known: known, raising=False)
        monkeypatch.setattr(torch.cpu, "_is_amx_tile_supported", lambda: False, raising=False)
        assert has_bfloat16(CPU, tmp_path / "none") is known


def test_it_is_refused_where_it_would_be_slower(weights: dict[str, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(precision_module, "has_bfloat16", lambda device: False)
    with pytest.raises(InputError, match="slower than float32 here"):
        ct.Predictor.load(weights["classification"], "cpu", precision="bfloat16")
    monkeypatch.setattr(precision_module, "has_bfloat16", lambda device: True)
    with pytest.raises(InputError, match="gains nothing here: the widest linear map of this model has"):
        ct.Predictor.load(weights["classification"], "cpu", precision="bfloat16")


def test_wide_models_take_it_where_the_processor_does(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(precision_module, "has_bfloat16", lambda device: True)
    scope = precision_module.scope_of("bfloat16", CPU, nn.Sequential(nn.Linear(512, 600), nn.Linear(600, 3)))
    with scope():
        assert torch.is_autocast_enabled("cpu")
    assert precision_module.widest_map(nn.Sequential(nn.Linear(512, 600), nn.Linear(600, 3))) == 512
    assert precision_module.widest_map(nn.ReLU()) == 0


def test_other_precisions_are_refused(weights: dict[str, Path]) -> None:
    with pytest.raises(InputError, match="float32, bfloat16"):
        ct.Predictor.load(weights["classification"], precision="float16")  # type: ignore[arg-type]
