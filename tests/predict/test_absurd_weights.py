"""Weight files that claim absurd things: refused in a sentence, before anything is built or computed."""

import json
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import cloud_transformers as ct
from cloud_transformers.checkpoints import read_safetensors, write_safetensors
from cloud_transformers.cli import main
from cloud_transformers.errors import InputError
from cloud_transformers.models import saving

Weights = dict[str, Path]


def changed(source: Path, target: Path, part: str, *changes: tuple[str, Any]) -> Path:
    """The file with other numbers in its configuration or preparation, each named by its place."""
    tensors, metadata = read_safetensors(source)
    content = json.loads(metadata[part])
    for place, value in changes:
        *groups, name = place.split(".")
        inner = content
        for group in groups:
            inner = inner[group]
        inner[name] = value
    write_safetensors(target, tensors, {**metadata, part: json.dumps(content)})
    return target


@pytest.mark.parametrize(
    "change",
    [
        ("trunk.num_cascades", 10**6),
        ("trunk.width", 10**6),
        ("trunk.width", 0),
        ("trunk.width", -1),
        ("trunk.width", "32"),
        ("trunk.width", True),
        ("trunk.width", 10**400),
        ("trunk.num_heads", 10**6),
        ("trunk.planar", [[10**6, 4]] * 3),
        ("trunk.volumetric", [[512, 4], [4, 4], [4, 4]]),
        ("trunk.planar", [[8, 4]]),
        ("trunk.volumetric", []),
        ("trunk.planar", [[16, 4]] * 10**4),
        ("num_classes", 10**9),
        ("num_classes", 0),
        ("dropout", math.nan),
        ("dropout", 2),
        ("pooling.volumetric.widths", []),
        ("pooling.volumetric.side", 2),
        ("pooling.out_channels", 10**9),
    ],
    ids=lambda value: str(value)[:40],
)
def test_absurd_configurations(
    tmp_path: Path, weights: Weights, change: tuple[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = changed(weights["classification"], tmp_path / "absurd.safetensors", "config", change)
    built: list[str] = []
    kind = saving.KINDS["classifier"]

    def build(config: Any) -> Any:
        model = kind.build(config)
        built.append(next(model.parameters()).device.type)
        return model

    monkeypatch.setitem(saving.KINDS, "classifier", replace(kind, build=build))
    with pytest.raises(InputError, match=r"absurd\.safetensors: its (configuration cannot be read|weights do not fit)"):
        ct.load(file)
    assert built in ([], ["meta"])


@pytest.mark.parametrize(
    "value", ["[" * 100_000, '{"trunk": ' * 5000, "9" * 5000, '{"a":1e999}'], ids=lambda value: value[:8]
)
def test_configurations_that_are_hard_to_parse(tmp_path: Path, weights: Weights, value: str) -> None:
    tensors, metadata = read_safetensors(weights["classification"])
    for part in ("config", "preparation"):
        file = tmp_path / f"{part}.safetensors"
        write_safetensors(file, tensors, {**metadata, part: value})
        with pytest.raises(InputError, match="cannot be read"):
            ct.Predictor.load(file)


@pytest.mark.parametrize(
    ("task", "change"),
    [
        ("segmentation", ("points", 10**12)),
        ("segmentation", ("points", 0)),
        ("segmentation", ("points", 64.5)),
        ("segmentation", ("extent", 0)),
        ("segmentation", ("extent", -1)),
        ("segmentation", ("extent", math.nan)),
        ("segmentation", ("extent", 1e30)),
        ("segmentation", ("extent", "1")),
        ("segmentation", ("scale", 0)),
        ("segmentation", ("features", "color")),
        ("segmentation", ("classes", "floor")),
        ("segmentation", ("color_mean", [0.5])),
        ("segmentation", ("color_std", [0, 0, 0])),
        ("segmentation", ("values", [1e300, 2])),
        ("reconstruction", ("passes", 10**12)),
        ("reconstruction", ("passes", 0)),
        ("reconstruction", ("pixels", 10**6)),
        ("reconstruction", ("num_points", 10**12)),
        ("completion", ("num_points", 10**12)),
        ("completion", ("points", -5)),
    ],
    ids=lambda value: str(value)[:40],
)
def test_absurd_preparations(tmp_path: Path, weights: Weights, task: str, change: tuple[str, Any]) -> None:
    file = changed(weights[task], tmp_path / "absurd.safetensors", "preparation", change)
    with pytest.raises(InputError, match=r"absurd\.safetensors: what it says about its input"):
        ct.Predictor.load(file)


@pytest.mark.parametrize("task", ["segmentation", "classification", "completion", "reconstruction"])
@pytest.mark.parametrize("value", [math.nan, math.inf])
def test_weights_that_are_no_numbers(tmp_path: Path, weights: Weights, task: str, value: float) -> None:
    tensors, metadata = read_safetensors(weights[task])
    name = next(name for name, tensor in tensors.items() if tensor.is_floating_point())
    tensors[name].flatten()[0] = value
    write_safetensors(tmp_path / "damaged.safetensors", tensors, metadata)
    with pytest.raises(InputError, match="holds NaN or infinite numbers"):
        ct.load(tmp_path / "damaged.safetensors")


@pytest.mark.parametrize("task", ["segmentation", "classification", "completion", "reconstruction"])
def test_answers_that_are_no_numbers_are_not_written(
    tmp_path: Path, weights: Weights, task: str, capsys: pytest.CaptureFixture[str]
) -> None:
    tensors, metadata = read_safetensors(weights[task])
    for name, tensor in tensors.items():
        if tensor.is_floating_point() and "running" not in name:
            tensor.fill_(1e38)  # finite, and too large to be multiplied
    file = tmp_path / "huge.safetensors"
    write_safetensors(file, tensors, metadata)
    verb = {"segmentation": "segment", "classification": "classify", "completion": "complete"}.get(task, "reconstruct")
    rng = np.random.default_rng(0)
    if task == "reconstruction":
        from PIL import Image

        given = tmp_path / "in.png"
        Image.fromarray(rng.integers(0, 255, (32, 32, 3), np.uint8)).save(given)
    else:
        given = tmp_path / "in.ply"
        colors = rng.integers(0, 255, (200, 3), np.uint8)
        ct.write(given, ct.PointCloud(positions=rng.random((200, 3), np.float32), fields={"color": colors}))
    out = ["--json", str(tmp_path / "out.json")] if task == "classification" else ["-o", str(tmp_path / "out.ply")]
    assert main([verb, str(given), *out, "--weights", str(file)]) != 0
    assert "answer is not finite" in capsys.readouterr().err
    assert not (tmp_path / "out.ply").exists()
    if task == "classification":
        assert json.loads((tmp_path / "out.json").read_text())["files"] == []


def test_bytes_do_not_differ_from_run_to_run(tmp_path: Path) -> None:
    tensors = {"b": torch.zeros(3), "a": torch.ones(2)}
    notes = {f"note {number}": str(number) for number in range(20)}
    for name, order in (("first", notes), ("second", dict(reversed(notes.items())))):
        write_safetensors(tmp_path / name, tensors, order)
    assert (tmp_path / "first").read_bytes() == (tmp_path / "second").read_bytes()
