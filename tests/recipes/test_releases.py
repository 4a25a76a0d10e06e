"""Checkpoints of the official release, evaluated by the recipes that are meant for them."""

import json
from pathlib import Path

import numpy as np
import pytest
import torch

from cloud_transformers import models
from cloud_transformers.cli import main
from cloud_transformers.datasets.s3dis.blocks import write_blocks
from cloud_transformers.recipes import RELEASES, recipe
from cloud_transformers.world.layouts import LAYOUTS, LayoutJob
from tests.golden.weights import golden_state_dict


def released(kind: str) -> dict[str, torch.Tensor]:
    """Random weights under the names of the release, as its training leaves them: from several GPUs."""
    state = golden_state_dict("segmenter" if kind == "segmenter_spheres" else kind)
    if kind == "segmenter_spheres":
        state["first_process.0.weight"] = torch.rand(512, 7, 1)
    return {f"module.{name}": value for name, value in state.items()}


@pytest.fixture(scope="module")
def blocks(tmp_path_factory) -> Path:
    """Two blocks to train on and two to test on."""
    rng = np.random.default_rng(0)
    rooms = [
        (room, rng.random((2, 4096, 9), np.float32), rng.integers(0, 13, (2, 4096)).astype(np.uint8))
        for room in ("Area_1_office_1", "Area_5_office_1")
    ]
    folder = tmp_path_factory.mktemp("blocks") / "indoor3d_sem_seg_hdf5_data"
    write_blocks(folder, rooms)
    return folder


@pytest.fixture(scope="module")
def objects(tmp_path_factory) -> Path:
    root = tmp_path_factory.mktemp("scanobjectnn")
    LAYOUTS["scanobjectnn"].write(LayoutJob(layout="scanobjectnn", root=root, size=15, force=True))
    return root


@pytest.fixture(scope="module")
def checkpoints(tmp_path_factory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("checkpoints")
    for kind in ("segmenter", "classifier"):
        torch.save(released(kind), folder / f"{kind}.pth")
    return {path.stem: path for path in folder.iterdir()}


@pytest.mark.parametrize("name", RELEASES)
def test_the_release_is_the_model_of_the_recipe(name):
    chosen = recipe(name)
    model = models.load_release(RELEASES[name], released(RELEASES[name]))
    num_classes = getattr(model.config, "num_classes", 0)
    assert num_classes in (0, 13, 15)
    built = chosen.model.build(chosen.task, num_classes)
    assert type(model) is type(built)
    assert model.config == built.config


def evaluate(checkpoint: Path, name: str, data: Path, *words: str) -> int:
    return main(["evaluate", str(checkpoint), "--recipe", name, "--data", str(data), "device=cpu", *words])


@pytest.mark.parametrize(("kind", "name"), [("segmenter", "s3dis-blocks"), ("classifier", "scanobjectnn")])
def test_a_released_checkpoint_gets_a_results_card(kind, name, checkpoints, blocks, objects, capsys):
    data = blocks if kind == "segmenter" else objects
    assert evaluate(checkpoints[kind], name, data, "points=32", "batch_size=2") == 0, capsys.readouterr().err
    results = json.loads(checkpoints[kind].with_suffix(".results.json").read_text())
    assert results["weights"] == str(checkpoints[kind])
    assert all(score["value"] is not None and score["num_samples"] > 0 for score in results["scores"])
    assert results["protocol"] in capsys.readouterr().out
    assert checkpoints[kind].with_suffix(".results.html").is_file()


@pytest.mark.parametrize(
    ("kind", "name", "sentence"),
    [
        ("segmenter", "scanobjectnn", "segmenter.pth is not a released classifier"),
        ("classifier", "scanobjectnn-scales", "classifier.pth is not a released classifier_scales"),
        ("segmenter", "s3dis-spheres", "segmenter.pth is not a released segmenter_spheres: wrong shape first_process"),
        ("classifier", "modelnet40", "the official release has no checkpoint for modelnet40"),
    ],
)
def test_the_wrong_kind_is_one_sentence(kind, name, sentence, checkpoints, objects, capsys):
    assert evaluate(checkpoints[kind], name, objects) == 2
    message = capsys.readouterr().err
    assert sentence in message
    assert message.count("\n") == 1


def test_another_count_of_classes_is_one_sentence(tmp_path, objects, capsys):
    state = released("classifier")
    last = next(name for name, value in state.items() if value.shape[:1] == (15,) and name.endswith("weight"))
    state[last] = state[last][:10]
    torch.save(state, tmp_path / "ten.pth")
    assert evaluate(tmp_path / "ten.pth", "scanobjectnn", objects) == 2
    message = capsys.readouterr().err
    assert "10" in message
    assert "15" in message
    assert message.count("\n") == 1
