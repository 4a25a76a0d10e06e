"""Training and evaluating go through each door once: data is opened, a model built and weights are read one time."""

from collections.abc import Callable
from pathlib import Path

import pytest

from cloud_transformers import recipes
from cloud_transformers.cli import main
from cloud_transformers.models import saving
from cloud_transformers.recipes import objects
from cloud_transformers.recipes.recipe import ModelOptions
from tests.counting import count_calls

SETTINGS = ["points=32", "batch_size=4", "device=cpu"]


def test_training_and_evaluation_open_everything_once(
    data: Callable[[str, int], Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, run = data("scanobjectnn", 30), tmp_path / "run"
    doors = [
        (recipes, "from_configuration"),
        (objects, "open_scanobjectnn"),
        (ModelOptions, "build"),
        (saving, "read_safetensors"),
        (saving, "decode"),
    ]
    with monkeypatch.context() as patch:
        calls = count_calls(patch, doors)
        words = ["train", "scanobjectnn", "--size", "tiny", "--data", str(folder), "--out", str(run), "--steps", "2"]
        assert main([*words, *SETTINGS]) == 0
        # At its end each of the two files, best and last, is loaded to be calibrated, and written with what was found.
        assert calls == {"open_scanobjectnn": 1, "build": 1, "read_safetensors": 4, "decode": 4}
    with monkeypatch.context() as patch:
        calls = count_calls(patch, doors)
        assert main(["evaluate", str(run)]) == 0
        assert calls == {"from_configuration": 1, "open_scanobjectnn": 1, "read_safetensors": 1, "decode": 1}
