"""Your own folders, end to end: trained, stopped, resumed, evaluated; and what users get wrong in one sentence."""

import json
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pytest
import torch

from cloud_transformers.checkpoints import read_safetensors
from cloud_transformers.cli import main
from cloud_transformers.models import load_prepared
from tests.recipes import own_folders

SHORT = (
    "--size", "tiny", "--steps", "4", "batch_size=4", "checkpoint_every=2", "keep=5", "log_every=1", "device=cpu",
)  # fmt: skip


@dataclass(frozen=True)
class Case:
    recipe: str
    write: Callable[[Path], Path]
    settings: tuple[str, ...]
    scores: tuple[str, ...]
    classes: tuple[str, ...] = ()


CASES = {
    "scans": Case("own-segmentation", own_folders.scans, ("points=128", "crops=3"), ("mIoU", "OA"), ("2", "5")),
    "scans with dataset.toml": Case(
        "own-segmentation",
        partial(own_folders.scans, named=False),
        ("points=128", "extent=2", "features=color,height"),
        ("mIoU",),
        ("floor", "pole"),
    ),
    "scans without colours": Case(
        "own-segmentation",
        partial(own_folders.scans, color=False),
        ("points=64", "features=height"),
        ("mIoU",),
        ("2", "5"),
    ),
    "objects": Case(
        "own-classification", own_folders.objects, ("points=64",), ("OA", "mAcc"), ("ball", "plate", "stick")
    ),
    "objects with masks": Case(
        "own-classification",
        partial(own_folders.objects, mask=True),
        ("points=64", "with_mask=true", "up=y", "turn=0"),
        ("OA", "mask accuracy"),
        ("ball", "plate", "stick"),
    ),
    "pairs": Case(
        "own-completion", own_folders.pairs, ("points=64", "num_points=128", "emd_steps=2", "turn=20"), ("CD-L2",)
    ),
    "pictures": Case(
        "own-reconstruction", own_folders.pictures, ("num_points=64", "drawn=100", "pixels=32"), ("F@0.05", "CD-L1")
    ),
}


def same_bits(left: Path, right: Path) -> bool:
    ours, theirs = read_safetensors(left)[0], read_safetensors(right)[0]
    return ours.keys() == theirs.keys() and all(torch.equal(ours[name], theirs[name]) for name in ours)


@pytest.mark.parametrize("name", CASES)
def test_trained_stopped_resumed_evaluated(name, tmp_path, capsys):
    case = CASES[name]
    words = ["--data", str(case.write(tmp_path / "mine")), *SHORT, *case.settings, "validate_every=2"]
    whole, stopped = tmp_path / "whole", tmp_path / "stopped"
    assert main(["train", case.recipe, *words, "--out", str(whole)]) == 0, capsys.readouterr().err

    # What a process killed after its second step leaves behind.
    shutil.copytree(whole, stopped)
    shutil.rmtree(stopped / "checkpoints/step-00000004")
    for path in stopped.glob("*.safetensors"):
        path.unlink()
    assert main(["train", case.recipe, *words, "--out", str(stopped)]) == 0, capsys.readouterr().err
    assert same_bits(whole / "weights.safetensors", stopped / "weights.safetensors")

    assert main(["evaluate", str(whole)]) == 0, capsys.readouterr().err
    results = json.loads((whole / "results.json").read_text())
    assert "own data (mine), test split" in results["protocol"]
    found = {score["name"]: score for score in results["scores"]}
    assert all(found[score]["value"] is not None for score in case.scores)
    assert results["data"]["data_fingerprint"]
    preparation = load_prepared(whole / "weights.safetensors")[1]
    assert preparation.task == case.recipe.removeprefix("own-")
    assert preparation.classes == case.classes
