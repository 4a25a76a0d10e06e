"""Your own folders, end to end: trained, stopped, resumed, evaluated; and what users get wrong in one sentence."""

import json
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
import pytest
import torch

from cloud_transformers.checkpoints import read_safetensors
from cloud_transformers.cli import main
from cloud_transformers.cloud import PointCloud
from cloud_transformers.datasets import ClassificationSample, CompletionSample
from cloud_transformers.errors import InputError
from cloud_transformers.io import read
from cloud_transformers.models import load_prepared
from cloud_transformers.predict import Predictor
from cloud_transformers.recipes import experiment, recipe, with_settings
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
    "objects whose sizes matter": Case(
        "own-classification", own_folders.objects, ("points=64", "extent=1.2"), ("OA",), ("ball", "plate", "stick")
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
    card = (whole / "weights.md").read_text()
    assert f"Weights for {preparation.task}" in card
    assert (preparation.calibration is not None) == bool(case.classes) == ("calibration error" in card)
    if preparation.task == "segmentation":  # the answers call classes as the user's own files do
        assert preparation.values == (2, 5)
        words = [
            "segment",
            str(tmp_path / "mine/test/a.ply"),
            "-o",
            str(tmp_path / "answer.ply"),
            "--weights",
            str(whole),
        ]
        assert main(words) == 0, capsys.readouterr().err
        answer = read(tmp_path / "answer.ply")
        assert set(answer.fields["label"].tolist()) <= {2, 5}
        assert set(answer.fields["unsure"].tolist()) <= {0, 1}


def test_objects_keep_their_sizes_where_these_matter(tmp_path):
    """In training as in answers: what is 1.2 m long is 1 long in the model, stretched a little in training."""
    mine = own_folders.objects(tmp_path / "mine")
    base = with_settings(recipe("own-classification", "tiny"), {"folder": str(mine), "points": "64", "extent": "1.2"})
    said = base.data.preparation(base.task, ("ball",))
    assert said.knows_sizes
    sizes = {}
    for name, extent in (("sized", "1.2"), ("larger", "2.4"), ("one size", "0")):
        data = with_settings(base, {"extent": extent}).data
        test = data.protocol(base.task, batch_size=1, workers=0).passes[0].dataset
        sizes[name] = np.linalg.norm(test[0].cloud.positions, axis=1).max()
    assert sizes["sized"] == pytest.approx(2 * sizes["larger"], rel=1e-5)
    assert sizes["one size"] == pytest.approx(1, rel=1e-5)
    with pytest.raises(InputError, match="extent must not be negative"):
        with_settings(base, {"extent": "-1"}).data.splits(base.task, 0)


def test_weights_are_calibrated_by_a_command(tmp_path, capsys):
    mine, run = own_folders.objects(tmp_path / "mine"), tmp_path / "run"
    words = ["--data", str(mine), *SHORT, "points=32"]
    assert main(["train", "own-classification", *words, "validate_every=0", "--out", str(run)]) == 0
    assert "What to do next" in capsys.readouterr().out
    file = run / "weights.safetensors"
    before, said = read_safetensors(file)[0], load_prepared(file)[1]
    assert said.calibration is None
    assert main(["calibrate", str(run)]) == 0, capsys.readouterr().err
    assert "calibration error" in capsys.readouterr().out
    assert main(["calibrate", str(run)]) == 0  # once more: the card has the paragraph once
    card = (run / "weights.md").read_text()
    assert card.count("**Certainty**: on ") == card.count("cloudt calibrate weights.safetensors") == 1
    assert "cloudt classify FILES" in card
    found = load_prepared(file)[1].calibration
    assert found.answers > 0
    assert found.temperature > 0
    assert all(torch.equal(before[name], tensor) for name, tensor in read_safetensors(file)[0].items())
    copied = tmp_path / "copy.safetensors"
    shutil.copy(file, copied)
    assert main(["calibrate", str(copied)]) == 2
    assert "--recipe NAME" in capsys.readouterr().err
    assert main(["calibrate", str(copied), "--recipe", "own-classification", *words]) == 0, capsys.readouterr().err
    assert load_prepared(copied)[1].calibration == found
    answer = Predictor.load(copied)(np.random.default_rng(0).random((50, 3)))
    assert answer.unsure in (True, False)


def refused(capsys, tmp_path: Path, task: str, *words: object) -> str:
    out = tmp_path / "run"
    assert main(["train", f"own-{task}", *map(str, words), *SHORT, "validate_every=0", "--out", str(out)]) == 2
    assert not out.exists()
    message = capsys.readouterr().err
    assert message.count("\n") == 1
    return message


@pytest.mark.parametrize("task", ["segmentation", "classification", "completion", "reconstruction"])
def test_a_folder_is_needed(task, tmp_path, capsys):
    assert f"own-{task} trains on your own files" in refused(capsys, tmp_path, task)
    (tmp_path / "empty").mkdir()
    assert str(tmp_path / "empty") in refused(capsys, tmp_path, task, "--data", tmp_path / "empty")


def test_wrong_labels_and_columns(tmp_path, capsys):
    mine = own_folders.scans(tmp_path / "mine")
    (mine / "dataset.toml").write_text("[classes]\nfloor = 2\nroof = 6\n")
    message = refused(capsys, tmp_path, "segmentation", "--data", mine)
    assert "label 5" in message
    assert "none of the classes (2 floor, 6 roof)" in message
    (mine / "dataset.toml").write_text("label = 'kind'\n")
    assert "has no field 'kind' with labels" in refused(capsys, tmp_path, "segmentation", "--data", mine)
    (mine / "dataset.toml").write_text("[classes]\nfloor = 2\npole = 5\n")
    (mine / "test/a.ply").write_bytes(b"ply")  # of the test split: better known now than after training
    assert "a.ply" in refused(capsys, tmp_path, "segmentation", "--data", mine)


def test_missing_colours_are_a_choice(tmp_path, capsys):
    mine = own_folders.scans(tmp_path / "mine", color=False)
    message = refused(capsys, tmp_path, "segmentation", "--data", mine)
    assert "has no colours" in message
    (mine / "dataset.toml").write_text("missing_color = 'leave'\n")
    assert "features=height" in refused(capsys, tmp_path, "segmentation", "--data", mine)
    grey = ["--data", str(mine), *SHORT, "points=32", "missing_color=grey", "validate_every=0"]
    assert main(["train", "own-segmentation", *grey, "--out", str(tmp_path / "grey")]) == 0, capsys.readouterr().err


def test_empty_splits(tmp_path, capsys):
    mine = own_folders.scans(tmp_path / "mine")
    shutil.rmtree(mine / "val")
    shutil.rmtree(mine / "test")
    words = ["--data", str(mine), *SHORT, "points=32"]
    held = ["holdout=0", "validate_every=2", "--out", str(tmp_path / "no")]
    assert main(["train", "own-segmentation", *words, *held]) == 2
    assert "some in the split val" in capsys.readouterr().err
    assert main(["train", "own-segmentation", *words, "validate_every=0", "--out", str(tmp_path / "run")]) == 0
    assert main(["evaluate", str(tmp_path / "run")]) == 2
    assert "none of the 5 files is in the split 'test'" in capsys.readouterr().err
    for path in (mine / "train").iterdir():
        path.unlink()
    assert "no file of a known format" in refused(capsys, tmp_path / "x", "segmentation", "--data", mine)


@pytest.mark.parametrize("task", ["segmentation", "completion"])
def test_without_val_some_of_train_is_kept_for_validation(task, tmp_path):
    mine = {"segmentation": own_folders.scans, "completion": own_folders.pairs}[task](tmp_path / "mine")
    shutil.rmtree(mine / "val")
    chosen = with_settings(recipe(f"own-{task}", "tiny"), {"folder": str(mine), "holdout": 0.3})
    once, again = (chosen.data.splits(chosen.task, 0) for _ in range(2))
    trained = {once.train.source.group(row) for row in once.train.rows.tolist()}
    assert once.validation is not None
    assert "kept of train for validation" in once.notes[0]
    assert once.train.rows.tolist() == again.train.rows.tolist()
    for name in once.notes[0].partition("(")[2].rstrip(")").split(", "):
        assert name not in trained


def test_a_class_weighs_by_its_points_and_1_where_it_has_none(tmp_path):
    mine = own_folders.scans(tmp_path / "mine")
    (mine / "dataset.toml").write_text("[classes]\nfloor = 2\npole = 5\nroof = 9\n")
    settings = {"folder": str(mine), "class_weights": "balanced"}
    chosen = with_settings(recipe("own-segmentation", "tiny"), settings)
    splits = chosen.data.splits(chosen.task, 0)
    weights = experiment._with_balance(chosen, splits.train).task.class_weights
    assert weights[0] < weights[1]
    assert weights[2] == 1


def test_a_run_knows_the_size_of_its_data(tmp_path):
    mine = own_folders.pairs(tmp_path / "mine")
    chosen = with_settings(recipe("own-completion", "tiny"), {"folder": str(mine)})
    files = [path for path in mine.rglob("*") if path.is_file()]
    facts = chosen.data.fingerprint()
    assert (facts["data_files"], facts["data_bytes"]) == (len(files), sum(path.stat().st_size for path in files))


def test_unknown_classes_and_masks(tmp_path, capsys):
    mine = own_folders.objects(tmp_path / "mine", count=4)
    (mine / "dataset.toml").write_text("classes = ['ball', 'stick']\n")
    message = refused(capsys, tmp_path, "classification", "--data", mine)
    assert "a folder 'plate', which is none of the classes" in message
    (mine / "dataset.toml").unlink()
    message = refused(capsys, tmp_path, "classification", "--data", mine, "with_mask=true")
    assert "has no field 'mask'" in message


def test_settings_that_cannot_be(tmp_path, capsys):
    mine = own_folders.pairs(tmp_path / "mine")
    message = refused(capsys, tmp_path, "completion", "--data", mine, "points=64", "num_points=32")
    assert "64 observed points do not fit into 32 predicted ones" in message
    chosen = with_settings(recipe("own-completion", "tiny"), {"folder": str(mine), "points": 64, "num_points": 32})
    with pytest.raises(InputError, match="64 observed points do not fit into 32 predicted ones"):
        chosen.data.protocol(chosen.task, batch_size=1, workers=0)
    chosen = with_settings(chosen, {"num_points": 64})  # each observed point moves, and none is added
    assert chosen.data.protocol(chosen.task, batch_size=1, workers=0).passes
    mine = own_folders.scans(tmp_path / "scans")
    assert "extent must be above 0" in refused(capsys, tmp_path, "segmentation", "--data", mine, "extent=0")
    assert "crops must be at least 1" in refused(capsys, tmp_path, "segmentation", "--data", mine, "crops=0")
    message = refused(capsys, tmp_path, "segmentation", "--data", mine, "features=intensity")
    assert "has no field 'intensity', which the model learns from (fields: " in message
    message = refused(capsys, tmp_path, "segmentation", "--data", mine, "features=color,normals")
    assert "has no normals (nx, ny, nz), and they are taken from the file, never guessed" in message
    assert "features must name at least one" in refused(capsys, tmp_path, "segmentation", "--data", mine, "features=")
    assert "must not name the label" in refused(capsys, tmp_path, "segmentation", "--data", mine, "features=label")


def test_corrupt_files_are_left_out_if_the_user_says_so(tmp_path, capsys):
    mine = own_folders.objects(tmp_path / "mine")
    for path in sorted(mine.rglob("*.xyz")):
        path.write_bytes(b"\0")
    assert "on_corrupt='skip'" in refused(capsys, tmp_path, "classification", "--data", mine)
    words = ["--data", str(mine), *SHORT, "points=32", "on_corrupt=skip", "validate_every=0"]
    assert main(["train", "own-classification", *words, "--out", str(tmp_path / "run")]) == 0, capsys.readouterr().err


def test_what_is_up_is_turned_to_where_the_models_have_it():
    """A pole along the files' up axis stands along y; that it stands along z for segmentation, test_tiles says."""
    for up in "xyz":
        pole = np.zeros((50, 3), np.float32)
        pole[:, "xyz".index(up)] = np.arange(50)
        sample = ClassificationSample(name="pole", cloud=PointCloud(positions=pole), label=0)
        data = with_settings(recipe("own-classification", "tiny"), {"up": up}).data
        turned = data._clean()(sample, np.random.default_rng(0)).cloud.positions
        assert np.ptp(turned[:, 1]) > 1.8
        assert np.ptp(turned[:, [0, 2]]) < 1e-6
        assert (turned[:, 1] > 0).sum() > 10


def test_pairs_are_measured_on_what_is_given():
    """The partial cloud's box decides, however the draw falls; the complete one is moved with it."""
    rng = np.random.default_rng(0)
    complete = rng.uniform(-1, 1, (500, 3)).astype(np.float32) * (3, 4, 5) + (1000, 50, 7)
    partial_ = complete[complete[:, 0] < 1000]
    sample = CompletionSample(
        name="a",
        partial=PointCloud(positions=partial_.astype(np.float32)),
        complete=PointCloud(positions=complete.astype(np.float32)),
        taxonomy="",
        id="a",
        view=0,
    )
    made = with_settings(recipe("own-completion", "tiny"), {"points": 64, "num_points": 600, "up": "y"})
    moved = made.data._steps(64, 600)(sample, np.random.default_rng(1))
    low, high = partial_.min(axis=0), partial_.max(axis=0)
    scale = 1 / np.linalg.norm(high - low)
    np.testing.assert_allclose(moved.frame.matrix, np.eye(3) * scale, rtol=1e-5)
    assert (len(moved.partial), len(moved.complete)) == (64, 600)
    np.testing.assert_allclose(
        moved.complete.positions.max(axis=0), ((complete - (low + high) / 2) * scale).max(axis=0), atol=1e-3
    )
