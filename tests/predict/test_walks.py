"""The way from a command to an answer goes through each door once: weights are found, read and decoded once."""

from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

import cloud_transformers as ct
from cloud_transformers.cli import main
from cloud_transformers.cli.answers import segment
from cloud_transformers.models import saving
from cloud_transformers.models.kinds import KINDS
from cloud_transformers.predict import predictor
from tests.counting import count_calls

KINDS_OF = {kind.task: kind for kind in KINDS.values()}


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often each of these was called."""
    return count_calls(
        monkeypatch,
        [
            (predictor, "find_weights"),
            (saving, "read_safetensors"),
            (saving, "decode"),
            (saving, "preparation_from_json"),
            (segment, "settings_for"),
        ],
    )


@pytest.mark.parametrize("task", KINDS_OF)
def test_a_verb_opens_its_weights_once(
    task: str, tmp_path: Path, weights: dict[str, Path], points: NDArray[np.float32], calls: Counter[str]
) -> None:
    verb = KINDS_OF[task].verb
    given = tmp_path / ("given.png" if verb == "reconstruct" else "given.ply")
    if verb == "reconstruct":
        Image.fromarray(np.zeros((16, 16, 3), np.uint8)).save(given)
    else:
        ct.write(given, ct.PointCloud(positions=points))
    assert main([verb, str(given), "--weights", str(weights[task]), "-o", str(tmp_path / "out.ply")]) == 0
    opened = {"find_weights": 1, "read_safetensors": 1, "decode": 1, "preparation_from_json": 1}
    assert calls == (opened | {"settings_for": 1} if verb == "segment" else opened)
