"""Every experiment of the paper, end to end on data in its exact layout: trained, stopped, resumed, evaluated."""

import json
import shutil
from dataclasses import dataclass
from pathlib import Path

import pytest
import torch

from cloud_transformers.checkpoints import read_safetensors
from cloud_transformers.cli import main
from cloud_transformers.recipes import recipe as make_recipe
from cloud_transformers.recipes import with_settings


@dataclass(frozen=True)
class Case:
    layout: str
    size: int  # of the layout
    settings: tuple[str, ...]
    scores: tuple[str, ...]
    protocol: str


SHORT = (
    "batch_size=4", "checkpoint_every=2", "keep=5", "log_every=1", "--steps", "4", "device=cpu",
)  # fmt: skip
CASES = {
    "s3dis-blocks": Case("s3dis", 6, ("points=128", "holdout=0.2"), ("mIoU", "OA", "mAcc"), "S3DIS blocks, Area 5"),
    "s3dis-spheres": Case(
        "s3dis",
        6,
        ("points=8192", "radius=2", "train_spheres=20", "spheres=30", "votes=2", "validation_spheres=8"),
        ("mIoU",),
        "2 votes x 30",
    ),
    "scanobjectnn": Case(
        "scanobjectnn", 30, ("points=64",), ("OA", "mAcc", "mask accuracy"), "ScanObjectNN PB_T50_RS, main split"
    ),
    "scanobjectnn-scales": Case("scanobjectnn", 30, ("points=64",), ("OA", "mAcc"), "ScanObjectNN PB_T50_RS"),
    "modelnet40": Case("modelnet40", 80, ("points=64",), ("OA", "mAcc"), "ModelNet40, 64 points"),
    "completion": Case(
        "completion",
        16,
        ("points=64", "num_points=128", "emd_steps=2"),
        ("CD-L2", "F@0.01", "CD-L1", "EMD", "EMD gap"),
        "PCN completion",
    ),
    "reconstruction": Case(
        "reconstruction", 16, ("num_points=64", "drawn=100", "pixels=32"), ("F@0.01", "CD-L1"), "2 passes of 64 points"
    ),
}  # fmt: skip


def folder_of(name: str, root: Path) -> str:
    return str(root / "indoor3d_sem_seg_hdf5_data" if name == "s3dis-blocks" else root)


def same_bits(left: Path, right: Path) -> bool:
    ours, theirs = read_safetensors(left)[0], read_safetensors(right)[0]
    return ours.keys() == theirs.keys() and all(torch.equal(ours[name], theirs[name]) for name in ours)


@pytest.mark.parametrize("name", CASES)
def test_trained_stopped_resumed_evaluated(name, data, tmp_path, capsys):
    case = CASES[name]
    words = [
        "--data",
        folder_of(name, data(case.layout, case.size)),
        "--size",
        "tiny",
        *case.settings,
        *SHORT,
        "validate_every=2",
    ]
    whole, stopped = tmp_path / "whole", tmp_path / "stopped"
    assert main(["train", name, *words, "--out", str(whole)]) == 0, capsys.readouterr().err

    # What a process killed after its second step leaves behind.
    shutil.copytree(whole, stopped)
    shutil.rmtree(stopped / "checkpoints/step-00000004")
    for path in stopped.glob("*.safetensors"):
        path.unlink()
    assert main(["train", name, *words, "--out", str(stopped)]) == 0
    assert same_bits(whole / "weights.safetensors", stopped / "weights.safetensors")

    assert main(["evaluate", str(whole)]) == 0, capsys.readouterr().err
    card = capsys.readouterr().out
    results = json.loads((whole / "results.json").read_text())
    assert case.protocol in results["protocol"]
    assert results["protocol"] in card
    found = {score["name"]: score for score in results["scores"]}
    for score in case.scores:
        assert found[score]["definition"] in card
        assert found[score]["num_samples"] > 0
        assert found[score]["value"] is not None
    assert results["data"]["data_fingerprint"]
    assert json.loads((whole / "environment.json").read_text())["data_fingerprint"]


def test_a_saved_configuration_is_accepted_back(data, tmp_path):
    words = ["--data", str(data("modelnet40", 80)), "--size", "tiny", "points=64", *SHORT]
    assert main(["train", "modelnet40", *words, "--out", str(tmp_path / "one")]) == 0
    assert main(["train", str(tmp_path / "one/configuration.json"), "--out", str(tmp_path / "two")]) == 0
    assert same_bits(tmp_path / "one/weights.safetensors", tmp_path / "two/weights.safetensors")
    # A finished run, named by its folder, is found finished.
    assert main(["train", str(tmp_path / "one")]) == 0


def test_without_data_the_embedded_world_serves(tmp_path, capsys):
    words = ["--size", "tiny", "points=64", "world_size=40", "holdout=0.2", *SHORT]
    assert main(["train", "modelnet40", *words, "--out", str(tmp_path / "run")]) == 0, capsys.readouterr().err
    assert main(["evaluate", str(tmp_path / "run"), "--weights", "last"]) == 0
    assert "not the benchmark" in capsys.readouterr().out


def test_weights_are_evaluated_by_a_named_recipe(data, tmp_path, capsys):
    words = ["--data", str(data("scanobjectnn", 30)), "--size", "tiny", "points=64", *SHORT]
    assert main(["train", "scanobjectnn", *words, "--out", str(tmp_path / "run")]) == 0
    weights = str(tmp_path / "run/weights.safetensors")
    assert main(["evaluate", weights]) == 2
    assert "--recipe NAME" in capsys.readouterr().err
    assert main(["evaluate", weights, "--recipe", "scanobjectnn", "points=64", *words[:2]]) == 0
    assert (tmp_path / "run/weights.results.json").is_file()
    assert main(["evaluate", weights, "--recipe", "modelnet40", "--data", str(data("modelnet40", 80))]) == 2
    assert "knows 15 classes, the data has 40" in capsys.readouterr().err
    assert main(["evaluate", weights, "--recipe", "completion", "--data", str(data("completion", 16))]) == 2
    assert "holds a classifier" in capsys.readouterr().err


def test_spheres_of_held_out_rooms_are_of_no_room_that_is_trained_on(data):
    recipe = with_settings(
        make_recipe("s3dis-spheres", "tiny"), {"folder": str(data("s3dis", 6)), "holdout": "0.4", "radius": "2"}
    )
    splits = recipe.data.splits(recipe.task, 0)
    train, kept = (
        {(area, room.name) for area, rooms in dataset.source.rooms.items() for room in rooms}
        for dataset in (splits.train, splits.validation)
    )
    assert kept
    assert not train & kept
    whole = with_settings(recipe, {"holdout": "0"}).data.splits(recipe.task, 0)
    assert whole.validation is None
    assert {(area, room.name) for area, rooms in whole.train.source.rooms.items() for room in rooms} == train | kept
    # The same spheres whenever weights are compared.
    one, other = (splits.validation[3].cloud.positions for _ in range(2))
    assert (one == other).all()
    assert splits.validation[3].scene in splits.validation.source.scenes


def test_spheres_that_miss_points_are_an_error(data, tmp_path, capsys):
    words = ["--data", str(data("s3dis", 6)), "--size", "tiny", "points=256", "train_spheres=20", "spheres=4", *SHORT]
    assert main(["train", "s3dis-spheres", *words, "--out", str(tmp_path / "run")]) == 0
    assert main(["evaluate", str(tmp_path / "run")]) == 2
    assert "were in no sphere" in capsys.readouterr().err
