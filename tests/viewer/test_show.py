"""Answers show themselves, with what they know."""

import json
import struct

import numpy as np
import pytest

import cloud_transformers as ct
from cloud_transformers.cli import main
from cloud_transformers.models import Preparation
from cloud_transformers.predict import Classification


def header_of(page):
    content = page.scene.to_bytes()
    (length,) = struct.unpack("<I", content[8:12])
    return json.loads(content[12 : 12 + length])


def points(count=300):
    return np.random.default_rng(0).random((count, 3)).astype(np.float32)


def test_a_segmentation_with_names_confidence_and_truth():
    preparation = Preparation(
        task="segmentation", classes=("a", "b"), values=(3, 9), up="z", region="block", points=64, features=()
    )
    model = ct.models.segmenter("tiny", num_classes=2, num_features=0)
    cloud = ct.PointCloud(positions=points(), fields={"label": np.full(300, 9, np.uint8)})
    header = header_of(ct.Predictor.of(model, preparation)(cloud).show("room"))
    assert [(each["name"], each["value"]) for each in header["classes"]] == [("a", 3), ("b", 9)]
    assert header["clouds"][0]["counts"]["truth"] == [0, 300]
    assert "confidence" in header["clouds"][0]["arrays"]


def test_a_classification_with_its_object_and_its_chances():
    preparation = Preparation(task="classification", classes=("chair", "lamp"), points=64)
    given = points()
    given[7] = np.nan
    answer = ct.Predictor.of(ct.models.classifier("tiny", num_classes=2), preparation)(given)
    header = header_of(answer.show())
    assert header["title"] == f"cloud: {answer.label}"
    assert header["clouds"][0]["total"] == 299
    assert sum(header["clouds"][0]["counts"]["label"]) == 299
    assert answer.label in header["notes"][0]
    with pytest.raises(ct.InputError, match="does not know its cloud"):
        Classification(classes=("a",), probabilities=np.ones(1, np.float32), foreground=None).show()


def test_the_verb_says_what_is_wrong(tmp_path, capsys):
    (tmp_path / "bad.ply").write_text("nothing")
    ct.write(tmp_path / "good.ply", ct.PointCloud(positions=points()))
    out = tmp_path / "page.html"
    assert main(["view", str(tmp_path / "bad.ply"), "-o", str(out)]) == 2
    assert not out.exists()
    assert main(["view", str(tmp_path), "-o", str(out)]) == 1  # the other file is shown
    assert out.exists()
    assert main(["view", str(tmp_path / "good.ply"), "-o", str(tmp_path / "page.png")]) == 2
    assert main(["view", str(tmp_path / "good.ply"), "-o", str(tmp_path / "no" / "page.html")]) == 2
    said = capsys.readouterr().err
    assert "must end in .html" in said
    assert "Traceback" not in said


def test_without_a_page_to_write_the_browser_opens(tmp_path, capsys, monkeypatch):
    opened = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    ct.write(tmp_path / "good.ply", ct.PointCloud(positions=points()))
    assert main(["view", str(tmp_path / "good.ply")]) == 0
    (address,) = opened
    assert address.startswith("file://")
    assert address.removeprefix("file://") in capsys.readouterr().out
