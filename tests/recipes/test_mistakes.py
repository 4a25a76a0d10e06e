"""What users get wrong is said in one sentence, before the first step."""

import os
import shutil
import sys
from subprocess import CompletedProcess

import h5py
import numpy as np
import pytest

from cloud_transformers.cli import main
from cloud_transformers.datasets.s3dis.blocks import write_blocks
from cloud_transformers.recipes import recipe, with_settings
from cloud_transformers.world.layouts import LAYOUTS, LayoutJob
from tests import forked

SHORT = ("--size", "tiny", "points=32", "steps=1", "batch_size=2", "device=cpu", "validate_every=0", "holdout=0")


@pytest.fixture(scope="module")
def objects(tmp_path_factory):
    root = tmp_path_factory.mktemp("modelnet40")
    LAYOUTS["modelnet40"].write(LayoutJob(layout="modelnet40", root=root, size=40, force=True))
    return root


def train(*words) -> int:
    return main(["train", "modelnet40", *map(str, words), *SHORT])


def test_labels_out_of_range(objects, tmp_path, capsys):
    copy = shutil.copytree(objects, tmp_path / "copy")
    with h5py.File(copy / "ply_data_train0.h5", "r+") as file:
        file["label"][3] = 77
    assert train("--data", copy, "--out", tmp_path / "run") == 2
    message = capsys.readouterr().err
    assert "ply_data_train0.h5" in message
    assert "77" in message
    assert message.count("\n") == 1
    assert not (tmp_path / "run").exists()


def test_a_coordinate_that_is_no_number(objects, tmp_path, capsys):
    copy = shutil.copytree(objects, tmp_path / "copy")
    with h5py.File(copy / "ply_data_train0.h5", "r+") as file:
        file["data"][5, 7] = np.nan
    assert train("--data", copy, "--out", tmp_path / "run") == 2
    assert "ply_data_train0.h5" in capsys.readouterr().err


def test_class_weights_of_another_count(tmp_path, capsys):
    rng = np.random.default_rng(0)
    room = "Area_1_office_1", rng.random((2, 4096, 9), np.float32), np.zeros((2, 4096), np.uint8)
    write_blocks(tmp_path / "blocks", [room])
    words = ["--data", str(tmp_path / "blocks"), *SHORT, "class_weights=1,2", "--out", str(tmp_path / "run")]
    assert main(["train", "s3dis-blocks", *words]) == 2
    assert "class_weights are 2, but s3dis-blocks has 13 classes" in capsys.readouterr().err
    assert not (tmp_path / "run").exists()


def test_another_benchmark_s_folder(objects, tmp_path, capsys):
    assert main(["train", "completion", "--data", str(objects), "--size", "tiny", "--out", str(tmp_path / "run")]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_everything_held_out(objects, tmp_path, capsys):
    words = ["holdout=0.999" if word == "holdout=0" else word for word in SHORT]
    assert main(["train", "modelnet40", "--data", str(objects), *words, "--out", str(tmp_path / "run")]) == 2
    assert "leaves nothing on one side" in capsys.readouterr().err


def test_validation_without_validation_data(objects, tmp_path, capsys):
    words = ["validate_every=1" if word == "validate_every=0" else word for word in SHORT]
    assert main(["train", "modelnet40", "--data", str(objects), *words, "--out", str(tmp_path / "run")]) == 2
    assert "set validate_every=0" in capsys.readouterr().err


def test_the_run_s_folder_is_a_file(objects, tmp_path, capsys):
    (tmp_path / "run").write_text("mine")
    assert train("--data", objects, "--out", tmp_path / "run") == 2
    assert str(tmp_path / "run") in capsys.readouterr().err
    assert (tmp_path / "run").read_text() == "mine"


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="nothing is read-only for root")
def test_a_read_only_folder(objects, tmp_path, capsys):
    (tmp_path / "closed").mkdir(mode=0o500)
    assert train("--data", objects, "--out", tmp_path / "closed" / "run") == 2
    assert "closed" in capsys.readouterr().err


LIMITED = """
import resource, sys
from cloud_transformers.cli import main
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]),) * 2)
sys.exit(main(sys.argv[2:]))
"""


def limited(most: int, *words) -> CompletedProcess[str]:
    """A command that can write no file longer than this: what a full disk is like, without filling one."""
    plain = {**os.environ, "CLOUDT_BACKEND": "reference"}  # the tests' own cache has no kernels, and they take minutes
    return forked.run(LIMITED, most, *words, env=plain)


@pytest.mark.skipif(sys.platform == "win32", reason="limits of files are POSIX's")
@pytest.mark.parametrize(
    ("most", "missing"),
    [(100_000, "best.safetensors"), (400_000, "checkpoints/step-00000001"), (10, "configuration.json")],
)
def test_no_room_for_what_a_run_writes(objects, tmp_path, most, missing):
    chosen = with_settings(recipe("modelnet40", "tiny"), {"folder": str(objects)})
    chosen.data.splits(chosen.task, 0)  # so that the cache is filled, and the run's own files are what fails
    words = ["--data", objects, "--size", "tiny", "points=32", "steps=1", "batch_size=2", "device=cpu", "holdout=0.2"]
    ended = limited(most, "train", "modelnet40", *words, "validate_every=1", "--out", tmp_path / "run")
    assert ended.returncode == 2, ended.stderr
    assert "Traceback" not in ended.stderr
    assert str(tmp_path / "run" / missing) in ended.stderr.splitlines()[-1]
    assert not (tmp_path / "run" / missing).exists()
    assert not list((tmp_path / "run").rglob(".*"))


@pytest.mark.skipif(sys.platform == "win32", reason="limits of files are POSIX's")
def test_no_room_for_data(tmp_path):
    ended = limited(100_000, "data", "make", "modelnet40", tmp_path / "data", "--size", "40")
    assert ended.returncode == 2, ended.stderr
    assert "ply_data_train0.h5" in ended.stderr
    assert ended.stderr.count("\n") == 1
    assert not list((tmp_path / "data").rglob("*.h5"))


def test_evaluating_what_is_not_there(tmp_path, capsys):
    assert main(["evaluate", str(tmp_path / "none")]) == 2
    assert "no such weights" in capsys.readouterr().err
    (tmp_path / "empty").mkdir()
    assert main(["evaluate", str(tmp_path / "empty")]) == 2
    assert "--recipe NAME" in capsys.readouterr().err


def test_a_configuration_that_is_no_json(tmp_path, capsys):
    (tmp_path / "configuration.json").write_text("{broken")
    assert main(["train", str(tmp_path / "configuration.json")]) == 2
    assert "is not JSON" in capsys.readouterr().err
