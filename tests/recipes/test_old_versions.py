"""Runs and weights of version 0.1 are taken up and used; `tests/old_versions/README.md` says how they were made."""

import json
import shutil
from pathlib import Path

import numpy as np
import torch

import cloud_transformers as ct
from cloud_transformers.checkpoints import read_safetensors
from cloud_transformers.cli import main

OLD = Path(__file__).parents[1] / "old_versions" / "run_0_1"


def test_a_run_goes_on(tmp_path, capsys):
    run = tmp_path / "run"
    shutil.copytree(OLD, run)
    (run / "weights.safetensors").unlink()
    assert main(["train", str(run)]) == 0
    said = capsys.readouterr().err
    assert "is of version 0.1" in said
    assert [json.loads(line)["step"] for line in (run / "metrics.jsonl").read_text().splitlines()] == [4]
    ours, theirs = (read_safetensors(each / "weights.safetensors")[0] for each in (run, OLD))
    start = read_safetensors(OLD / "checkpoints/step-00000002/average.safetensors")[0]
    moved = sum(float((ours[name] - start[name]).float().abs().sum()) for name in ours)
    apart = sum(float((ours[name] - theirs[name]).float().abs().sum()) for name in ours)
    assert 0 < apart < 0.5 * moved  # the same way but for weight decay

    assert main(["evaluate", str(run), "weights=final"]) == 0
    assert "mIoU" in capsys.readouterr().out


def test_weights_answer():
    predictor = ct.Predictor.load(OLD, task="segmentation")
    assert predictor.preparation.points == 64
    cloud = torch.rand(200, 3, generator=torch.Generator().manual_seed(0)).numpy()
    answer = predictor(cloud, missing_color="grey")
    assert answer.labels.shape == (200,)
    assert np.isfinite(answer.confidence).all()
