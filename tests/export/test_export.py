"""Exported files, opened by what will run them, against the models: any size, any mask, any number of clouds."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
import torch
from torch import Tensor

import cloud_transformers.export as export_part
from cloud_transformers import models
from cloud_transformers.cli import main
from cloud_transformers.errors import InputError
from cloud_transformers.export import agreement, export
from cloud_transformers.export.framing import box_frame
from cloud_transformers.export.interface import interface_of
from cloud_transformers.models.preparation import Preparation
from cloud_transformers.models.saving import FORMAT
from tests.export.conftest import OPTIONS, Written
from tests.export.one_block import one_block
from tests.tolerances import assert_same

KINDS = ("segmenter", "classifier", "completer", "reconstructor")
CLOUD_KINDS = KINDS[:3]
SIZES = ((1, 64), (4, 23), (2, 1))


def visible(written: Written, inputs: tuple[Tensor, ...], outputs: list[Tensor]) -> list[Tensor]:
    """Without the rows of masked points, which mean nothing."""
    place = written.interface.points_mask
    return [
        output[inputs[place]] if place is not None and port.shape[:2] == ("B", "N") else output
        for port, output in zip(written.interface.outputs, outputs, strict=True)
    ]


@pytest.mark.parametrize("name", OPTIONS)
@pytest.mark.parametrize("runtime", ["onnx", "pt2"])
def test_any_size_and_mask_gives_what_the_model_gives(
    written: Callable[[str], Written], name: str, runtime: str
) -> None:
    """Masked points hold NaN. The model runs with this machine's fast kernels."""
    exported = written(name)
    run = exported.run_onnx if runtime == "onnx" else exported.run_pt2
    for seed, size in enumerate(SIZES, start=3):
        inputs = exported.interface.sample(*size, seed)
        with torch.no_grad():
            expected = visible(exported, inputs, exported.interface.module(*inputs))
        for actual, wanted in zip(visible(exported, inputs, run(*inputs)), expected, strict=True):
            assert_same(actual, wanted, f"{name}, {size}")


@pytest.mark.parametrize("name", KINDS)
def test_two_clouds_at_once_are_two_clouds_one_by_one(written: Callable[[str], Written], name: str) -> None:
    exported = written(name)
    inputs = exported.interface.sample(2, 40, 5)
    together = visible(exported, inputs, exported.run_onnx(*inputs))
    halves = [tuple(value[index : index + 1] for value in inputs) for index in range(2)]
    apart = [visible(exported, half, exported.run_onnx(*half)) for half in halves]
    for both, *single in zip(together, *apart, strict=True):
        assert_same(both, torch.cat(single))


@pytest.mark.parametrize("name", CLOUD_KINDS)
def test_a_masked_cloud_is_the_shorter_cloud(written: Callable[[str], Written], name: str) -> None:
    exported = written(name)
    inputs = exported.interface.sample(2, 40, 6)
    inputs = tuple(value[1:] for value in inputs)
    mask = next(value for value in inputs if value.dtype == torch.bool)
    count = int(mask.sum())
    assert 0 < count < 40
    # The completer's noise is not of the cloud's length: it keeps all of it.
    shorter = tuple(value[:, :count] if value.shape[1] == 40 else value for value in inputs)
    longer = visible(exported, inputs, exported.run_onnx(*inputs))
    for actual, wanted in zip(longer, visible(exported, shorter, exported.run_onnx(*shorter)), strict=True):
        assert_same(actual, wanted)


@pytest.mark.parametrize("name", ["completer", "reconstructor"])
def test_noise_is_what_the_model_would_draw(written: Callable[[str], Written], name: str) -> None:
    exported = written(name)
    given = exported.interface.sample(1, 30, 7)[0]
    noise = torch.randn(48, 3, generator=torch.Generator().manual_seed(11))[None]
    generator = torch.Generator().manual_seed(11)
    masks = (torch.ones(1, 30, dtype=torch.bool),) if name == "completer" else ()
    middle, factor = box_frame(given, *masks, 0.75) if masks else (torch.zeros(1), torch.ones(1))
    with torch.no_grad():
        expected = exported.model((given - middle) * factor, num_points=48, generator=generator)
    assert_same(exported.run_onnx(given, *masks, noise)[0], expected / factor + middle)


@pytest.mark.parametrize("name", KINDS)
def test_the_onnx_file_is_enough(written: Callable[[str], Written], name: str) -> None:
    """Standard operators only, named and documented ports, and the model's description; no path of this machine."""
    import onnx

    exported = written(name)
    content = onnx.load(exported.onnx)
    onnx.checker.check_model(content)
    assert {node.domain for node in content.graph.node} <= {"", "ai.onnx"}
    properties = {entry.key: entry.value for entry in content.metadata_props}
    assert (properties["format"], properties["kind"], properties["preparation"]) == (FORMAT, name, "{}")
    assert json.loads(properties["config"])
    for values, ports in (
        (content.graph.input, exported.interface.inputs),
        (content.graph.output, exported.interface.outputs),
    ):
        assert [value.name for value in values] == [port.name for port in ports]
        for value, port in zip(values, ports, strict=True):
            shape = tuple(dim.dim_param or dim.dim_value for dim in value.type.tensor_type.shape.dim)
            assert shape == port.shape
            assert value.doc_string == port.meaning
    assert str(Path(__file__).parents[2]).encode() not in exported.onnx.read_bytes()


def test_a_file_that_differs_is_refused_and_leaves_nothing(
    written: Callable[[str], Written], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Here what is written is another model's program than the one that it is compared with."""
    exported = written("segmenter")
    monkeypatch.setattr(export_part, "traced", lambda interface: exported.program)
    with pytest.raises(InputError, match=r"model\.pt2 was not written: for 1 clouds of 50 points its logits differs"):
        export(one_block("segmenter", seed=1), tmp_path / "model.pt2")
    assert not list(tmp_path.iterdir())


def test_a_reduction_that_is_written_nowhere_is_a_sentence(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("cloud_transformers.export.operators.REDUCTIONS", ("sum", "mean"))
    with pytest.raises(InputError, match="reduce='max' cannot be exported"):
        export(one_block("segmenter", planar=False), tmp_path / "model.onnx")


def test_nan_is_no_agreement() -> None:
    interface = interface_of(one_block("classifier"))
    with pytest.raises(InputError, match="class_logits differs"):
        agreement.largest_difference(
            lambda *inputs: [x.detach() * float("nan") for x in interface.module(*inputs)], interface, "model.onnx"
        )


class TestVerb:
    def test_writes_and_describes(
        self,
        written: Callable[[str], Written],
        tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch,
        capsys: pytest.CaptureFixture[str],
    ) -> None:
        exported = written("segmenter")
        monkeypatch.setattr(export_part, "traced", lambda interface: exported.program)
        preparation = Preparation(task="segmentation", classes=("floor", "wall"))
        models.save(exported.model, tmp_path / "weights.safetensors", preparation=preparation)
        target = tmp_path / "model.pt2"
        assert main(["export", str(tmp_path / "weights.safetensors"), "-o", str(target)]) == 0
        text = capsys.readouterr().out
        assert "input   positions  float32  [B, N, 3]" in text
        assert "output  logits     float32  [B, N, 5]" in text
        extra = {"kind": "", "preparation": ""}
        torch.export.load(target, extra_files=extra)
        assert extra["kind"] == "segmenter"
        assert json.loads(extra["preparation"])["classes"] == ["floor", "wall"]

    def test_mistakes_are_one_sentence(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        weights = tmp_path / "weights.safetensors"
        assert main(["export", str(weights), "-o", str(tmp_path / "model.tflite")]) == 2
        assert "exported as .onnx or .pt2; change the file's ending" in capsys.readouterr().err
        assert main(["export", str(weights), "-o", str(tmp_path / "model.pt2")]) == 2
        assert "weights.safetensors: no such weights" in capsys.readouterr().err
        models.save(one_block("segmenter"), weights)
        assert main(["export", str(weights), "-o", str(tmp_path / "nowhere" / "model.pt2")]) == 2
        assert "create it first" in capsys.readouterr().err
