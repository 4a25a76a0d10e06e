"""`cloudt weights`."""

import shutil
from pathlib import Path

import pytest

from cloud_transformers.cli import main
from cloud_transformers.models import weights as place

Capture = pytest.CaptureFixture[str]


def test_an_empty_box_is_said(tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(place, "BOX", tmp_path)
    assert main(["weights"]) == 0
    assert "no weights in the box" in capsys.readouterr().out


def test_the_list_and_a_card(
    tmp_path: Path, weights: dict[str, Path], capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(place, "BOX", tmp_path)
    shutil.copy(weights["classification"], tmp_path / "classifier-small.safetensors")
    shutil.copy(weights["completion"], tmp_path / "completer-small.safetensors")
    card = "---\nlicense: mit\nscore: OA 81.0 %, 375 objects\n---\n# A classifier\nIt knows five classes.\n"
    (tmp_path / "classifier-small.md").write_text(card, encoding="utf-8")
    assert main(["weights"]) == 0
    shown = capsys.readouterr().out
    classifier, completer = shown.splitlines()[1:3]
    assert classifier.split()[:3] == ["classifier-small", "classification", "5"]
    assert classifier.endswith("OA 81.0 %, 375 objects")
    assert completer.split()[:3] == ["completer-small", "completion", "-"]

    assert main(["weights", "classifier-small"]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("# A classifier\nIt knows five classes.\n")
    assert "parameters" in shown
    assert main(["weights", str(weights["completion"])]) == 0
    assert "completer" in capsys.readouterr().out
    assert main(["weights", "classifier-smal"]) == 2
    assert "did you mean classifier-small" in capsys.readouterr().err
