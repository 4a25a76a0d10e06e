"""`cloudt segment`, and that it says what `ct.Predictor` says."""

from pathlib import Path

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

import cloud_transformers as ct
from cloud_transformers.cli import main
from cloud_transformers.cloud import PointCloud
from tests.predict.scene.scenes import room


def segment(weights: dict[str, Path], *words: object) -> int:
    return main(["segment", "--weights", str(weights["segmentation"]), *map(str, words)])


def test_the_verb_and_the_predictor_agree(weights: dict[str, Path], tmp_path: Path) -> None:
    cloud = room(600, width=3, depth=2)
    ct.write(tmp_path / "scene.laz", cloud)
    assert segment(weights, tmp_path / "scene.laz", "-o", tmp_path / "out.laz", "--memory", "2GB") == 0
    out = ct.read(tmp_path / "out.laz")
    answer = ct.Predictor.load(weights["segmentation"])(ct.read(tmp_path / "scene.laz"))
    assert np.array_equal(out.fields["label"], answer.labels)
    assert np.allclose(out.fields["confidence"], answer.confidence, atol=1e-6)
    assert np.array_equal(answer.cloud.fields["label"], answer.labels)
    assert answer.classes == ("floor", "wall")


def test_answers_do_not_depend_on_the_batch_size(weights: dict[str, Path]) -> None:
    cloud = room(600, width=3, depth=2)
    one, many = (ct.Predictor.load(weights["segmentation"], batch_size=size)(cloud) for size in (1, 16))
    assert np.allclose(one.confidence, many.confidence, atol=1e-5)
    assert (one.labels == many.labels).mean() > 0.999  # but for points between two classes to the last bit


def test_answers_do_not_depend_on_threads(weights: dict[str, Path]) -> None:
    cloud = room(3000, width=12, depth=8)
    before = torch.get_num_threads()
    predictor = ct.Predictor.load(weights["segmentation"], "cpu")
    answers = []
    try:
        for threads in (1, 2, 8):
            torch.set_num_threads(threads)
            assert predictor.workers == threads
            answers.append(predictor(cloud))
            assert torch.get_num_threads() == threads
    finally:
        torch.set_num_threads(before)
    for answer in answers[1:]:
        assert np.array_equal(answer.labels, answers[0].labels)
        assert np.array_equal(answer.confidence, answers[0].confidence)


def test_arrays_go_in_and_arrays_come_out(weights: dict[str, Path], points: NDArray[np.float32]) -> None:
    predictor = ct.Predictor.load(weights["segmentation"])
    answer = predictor(points + np.array([5e5, 5e6, 0.0]), up="y", scale=0.5)
    assert answer.labels.shape == answer.confidence.shape == (len(points),)
    assert "no colours" in answer.notes[0]
    with pytest.raises(ct.errors.InputError, match="no such setting"):
        predictor(points, upwards="y")
    with pytest.raises(ct.errors.InputError, match="NaN"):
        predictor(np.full((3, 3), np.nan))


def test_many_files_go_on_after_a_bad_one(
    weights: dict[str, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "in" / "deep").mkdir(parents=True)
    ct.write(tmp_path / "in" / "a.ply", room(300))
    (tmp_path / "in" / "b.ply").write_bytes(b"")
    (tmp_path / "in" / "c.pcd").write_bytes(b"nothing of the kind")
    ct.write(tmp_path / "in" / "deep" / "d.xyz", PointCloud(positions=np.zeros((1, 3), np.float32)))
    assert segment(weights, tmp_path / "in", "-o", tmp_path / "out", "--colors") == 1
    said = capsys.readouterr()
    assert "b.ply: is empty" in said.err
    assert "c.pcd" in said.err
    assert "grey" in said.err  # d.xyz has no colours
    assert "Traceback" not in said.err
    written = sorted(path.relative_to(tmp_path / "out").as_posix() for path in (tmp_path / "out").rglob("*.*"))
    assert written == ["a.ply", "deep/d.xyz"]
    assert len(np.unique(ct.read(tmp_path / "out" / "a.ply").fields["color"], axis=0)) <= 2


def test_one_sentence_each(weights: dict[str, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ct.write(tmp_path / "scene.ply", room(50))
    scene, out = tmp_path / "scene.ply", tmp_path / "out.ply"
    wrong = [
        [scene, "-o", scene, "--force"],
        [scene, "-o", tmp_path / "out.doc"],
        [scene, "-o", tmp_path / "nowhere" / "out.ply"],
        [scene, "-o", out, "--memory", "lots"],
        [scene, "-o", out, "--overlap", "1.5"],
        [scene, "-o", out, "--work", tmp_path / "nowhere"],
        [scene, "-o", out, "--weights", weights["classification"]],
        [tmp_path / "missing.ply", "-o", out],
    ]
    for words in wrong:
        assert segment(weights, *words) in (1, 2), words
        said = capsys.readouterr().err
        assert said.startswith("cloudt: "), words
        assert said.count("\n") == 1, said
        assert [path.name for path in tmp_path.iterdir()] == ["scene.ply"]
