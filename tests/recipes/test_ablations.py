"""Ablations: rows that are what they are called, the paper's numbers, runs that can be stopped and shared."""

import json
import shutil
from dataclasses import replace

import pytest
from benchmarks.ablations import DOCS, HEADING, publish, section, without_paths

from cloud_transformers.cli import main
from cloud_transformers.errors import InputError
from cloud_transformers.models import ablations
from cloud_transformers.recipes import recipe
from cloud_transformers.recipes import trials as module
from cloud_transformers.recipes.ablation_table import ablation_summary, differences, disagreements
from cloud_transformers.recipes.ablations import ABLATED, PAPER, ablation_base, ablation_trials, variant, variants
from cloud_transformers.recipes.trial_table import table
from cloud_transformers.recipes.trials import FINISHED, Trial

TINY = ["--size", "tiny", "world_size=16", "points=32", "holdout=0", "steps=1", "batch_size=2", "validate_every=0"]

# As printed in the paper: its table, and the sentences below the table. S3DIS mIoU, ScanObjectNN accuracy.
PRINTED = """
CT (full)                63.7  85.0  full
Linear key prediction    62.5  81.9  linear keys
Sum aggregation          57.9  82.1  sum
Mean aggregation         61.3  83.4  mean
Without planar heads     63.4  84.8  no planar heads
Coarser feature maps     62.2  84.4  coarser grids
No multihead             63.1  84.0  single head
Non-learnable keys       62.5  84.9  fixed keys
2x shallower             62.2  84.1  half depth
2x deeper                64.1  -     double depth
T = Id                   61.9  -     identity transform
d = 0, a drop of 0.04    63.66 -     no residual
no gradient balancing    62.8  -     no gradient balancing
linear and unbalanced    diverged -  unbalanced linear keys
+ scales                 -     85.5  scales
"""


def printed(text: str) -> float | str | None:
    return None if text == "-" else text if text == "diverged" else float(text)


def test_the_paper_s_columns_are_what_the_paper_printed():
    expected = {}
    for line in PRINTED.strip().splitlines():
        segmentation, classification, *name = line[25:].split()
        expected[" ".join(name)] = {"s3dis-blocks": printed(segmentation), "scanobjectnn": printed(classification)}
    assert expected == PAPER


def test_every_ablation_has_its_place_in_the_paper_s_table():
    assert PAPER.keys() == ablations("full").keys() == ablations("small").keys()


@pytest.mark.parametrize("name", ABLATED)
@pytest.mark.parametrize("ablation", ablations("tiny"))
def test_every_variant_builds(name, ablation):
    base = ablation_base(recipe(name, "tiny"))
    changed = variant(base, ablation)
    model = changed.model.build(changed.task, 13)
    trunk = model.config.trunk
    for option, value in variants(base)[ablation].items():
        assert getattr(changed.model, option) == value
        assert getattr(trunk, option, value) == value or option == "planar"
    assert trunk.heads.scales == (ablation == "scales")


def test_a_name_that_is_nearly_right_is_offered():
    with pytest.raises(InputError, match="did you mean 'linear keys'"):
        variant(recipe("scanobjectnn", "tiny"), "linear")


def test_of_data_that_are_given_no_setting_of_the_world_differs(tmp_path):
    base = recipe("scanobjectnn", "tiny")
    base = replace(base, data=replace(base.data, world_size=7))
    assert "world_" in differences(base)["settings"]
    given = replace(base, data=replace(base.data, folder=str(tmp_path)))
    assert "world_" not in differences(given)["settings"]
    assert "data" not in differences(given)


def test_depth_is_relative_to_the_depth_that_was_set():
    base = recipe("scanobjectnn", "tiny")
    deeper = replace(base, model=replace(base.model, num_cascades=4))
    assert variant(deeper, "half depth").model.num_cascades == 2
    assert variant(deeper, "double depth").model.num_cascades == 8


def test_a_set_of_them_runs_and_says_above_the_table_what_differs(tmp_path, capsys):
    out = tmp_path / "runs"
    words = [*TINY, "--only", "full, sum,single head", "--out", str(out)]
    assert main(["ablate", "scanobjectnn", *words]) == 0, capsys.readouterr().err
    above, _, below = capsys.readouterr().out.partition("parameters")
    for said in ("the embedded world", "size      tiny; the paper: full", "steps 1 (428400)", "points 32 (2048)"):
        assert said in above
    found = json.loads((out / "ablations.json").read_text())
    full, total, single = found["rows"]
    assert [row["variant"] for row in found["rows"]] == ["full", "sum", "single head"]
    assert full["parameters"] == total["parameters"] < single["parameters"]
    for row in found["rows"]:
        assert f"{row['parameters']:,}" in below
        assert [run["seed"] for run in row["runs"]] == [0, 1]
    assert "82.1" in below
    assert total["paper"] == {"ScanObjectNN OA": 82.1}
    assert (out / "sum/seed-1/results.json").is_file()
    assert "<svg" in (out / "ablations.html").read_text()
    assert (out / "ablations.svg").is_file()


def test_a_killed_command_goes_on_and_keeps_what_is_finished(tmp_path, capsys, monkeypatch):
    words = [*TINY, "steps=4", "checkpoint_every=2", "--only", "full,mean", "--seeds", "1"]
    words.remove("steps=1")
    assert main(["ablate", "scanobjectnn", *words, "--out", str(tmp_path / "whole")]) == 0, capsys.readouterr().err
    # What a process killed in its second variant, after two steps, leaves behind.
    shutil.copytree(tmp_path / "whole", tmp_path / "killed")
    second = tmp_path / "killed/mean/seed-0"
    shutil.rmtree(second / "checkpoints/step-00000004")
    for name in ("weights.safetensors", "results.json", FINISHED):
        (second / name).unlink()
    trained = []
    monkeypatch.setattr(
        module, "run_training", lambda made, out, train=module.run_training: trained.append(out) or train(made, out)
    )
    assert main(["ablate", "scanobjectnn", *words, "--out", str(tmp_path / "killed")]) == 0, capsys.readouterr().err
    assert trained == [second]
    scores = [
        [row["scores"] for row in json.loads((tmp_path / name / "ablations.json").read_text())["rows"]]
        for name in ("whole", "killed")
    ]
    assert scores[0] == scores[1]


def test_parts_share_the_work_and_the_last_one_has_the_whole_table(tmp_path, capsys):
    words = [*TINY, "--only", "full,sum,mean", "--seeds", "1", "--out", str(tmp_path)]
    assert main(["ablate", "scanobjectnn", *words, "--part", "1/2"]) == 0, capsys.readouterr().err
    assert "2 of 3 runs are finished" in capsys.readouterr().out
    assert not (tmp_path / "sum").exists()
    assert main(["ablate", "scanobjectnn", *words, "--part", "2/2"]) == 0, capsys.readouterr().err
    assert "runs are finished" not in capsys.readouterr().out
    assert json.loads((tmp_path / "ablations.json").read_text())["finished"] == 3


def test_runs_of_other_settings_are_not_taken_for_these(tmp_path, capsys):
    words = [*TINY, "--only", "full", "--seeds", "1", "--out", str(tmp_path)]
    assert main(["ablate", "scanobjectnn", *words]) == 0, capsys.readouterr().err
    assert main(["ablate", "scanobjectnn", *words, "learning_rate=0.5"]) == 1
    assert "holds a run with another configuration (training.learning_rate was" in capsys.readouterr().err


def finish(trial: Trial, out, **scores: float) -> None:
    """As `run_trial` leaves it, without the training."""
    trial.folder(out).mkdir(parents=True)
    record = {
        "variant": trial.variant, "seed": trial.seed, "parameters": 7, "scores": scores, "loss": 1.0, "skipped": 0,
        "cpu_seconds": 90.0, "protocol": "once", "configuration": trial.recipe.configuration(),
    }  # fmt: skip
    (trial.folder(out) / FINISHED).write_text(json.dumps(record))


def test_mean_spread_and_change(tmp_path):
    base = ablation_base(recipe("modelnet40", "small"))
    wanted = ablation_trials(base, ["full", "sum"], 2)
    assert [str(trial) for trial in wanted] == ["full, seed 0", "sum, seed 0", "full, seed 1", "sum, seed 1"]
    for trial, accuracy in zip(wanted, (80.0, 70.5, 81.0, 72.0), strict=True):
        finish(trial, tmp_path, OA=accuracy)
    found = ablation_summary(base, wanted, tmp_path)
    assert [row["scores"]["OA"] for row in found["rows"]] == [
        {"mean": 80.5, "sd": 0.7071, "spread": 1.0, "shown": "80.50 ± 0.71"},
        {"mean": 71.25, "sd": 1.0607, "spread": 1.5, "shown": "71.25 ± 1.06"},
    ]
    assert found["cpu_minutes"] == 6.0
    assert found["rows"][1]["paper"] == {"S3DIS mIoU": 57.9, "ScanObjectNN OA": 82.1}
    assert table(found).splitlines()[-1].endswith("-9.25")


def test_a_row_disagrees_if_it_moves_the_other_way_by_more_than_seeds_do(tmp_path):
    base = ablation_base(recipe("modelnet40", "small"))
    names = ["full", "sum", "mean", "linear keys"]
    wanted = ablation_trials(base, names, 2)
    for trial, accuracy in zip(wanted, (80.0, 84.0, 80.4, 70.0, 81.0, 84.0, 81.4, 70.0), strict=True):
        finish(trial, tmp_path, OA=accuracy)
    found = ablation_summary(base, wanted, tmp_path)  # mean is higher too, but by less than the seeds' spread of 1
    assert disagreements(found) == ["sum (+3.50; S3DIS mIoU -5.80)", "sum (+3.50; ScanObjectNN OA -2.90)"]


def test_a_finished_table_goes_into_the_docs_again_and_again(tmp_path):
    base = ablation_base(recipe("modelnet40", "small"))
    data = replace(base.data, folder=str(tmp_path / "mine/modelnet40_ply_hdf5_2048"))
    base = replace(base, data=data, training=replace(base.training, steps=5, ema=0.0))
    wanted = ablation_trials(base, ["full", "sum"], 1)
    for trial in wanted:
        finish(trial, tmp_path / "runs", OA=80.0)
    found = without_paths(ablation_summary(base, wanted, tmp_path / "runs"))
    (tmp_path / "images").mkdir()
    (tmp_path / "ablations.md").write_text("# Title\nwords\n")
    publish(found, tmp_path)
    once = (tmp_path / "ablations.md").read_text()
    publish(found, tmp_path)
    assert (tmp_path / "ablations.md").read_text() == once
    assert once.startswith("# Title\nwords\n")
    assert table(found) in once
    command = (
        "cloudt ablate modelnet40 --size small --data modelnet40_ply_hdf5_2048 steps=5 ema=0.0 --seeds 1 --out DIR"
    )
    assert command in once
    assert str(tmp_path) not in once + (tmp_path / "ablations.json").read_text()
    assert "<svg" in (tmp_path / "images/ablations.svg").read_text()


def test_the_table_in_the_docs_is_the_stored_one():
    stored, text = DOCS / "ablations.json", (DOCS / "ablations.md").read_text(encoding="utf-8")
    assert stored.is_file() == (HEADING in text)
    assert not stored.is_file() or section(json.loads(stored.read_text())) in text


def test_a_table_of_the_paper_s_own_experiment_has_nothing_to_say_about_differences():
    base = ablation_base(recipe("scanobjectnn", "full"))
    real = replace(base, data=replace(base.data, folder="h5_files"))
    assert differences(real) == {}
    assert differences(base).keys() == {"data"}
    shorter = replace(real, training=replace(real.training, steps=10))
    assert differences(shorter) == {"settings": "steps 10 (428400); in brackets: those of size full"}
    assert differences(ablation_base(recipe("modelnet40", "small"))).keys() == {"data", "size", "settings"}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["completion"], "ablations are those of s3dis-blocks, scanobjectnn, modelnet40, not of 'completion'"),
        (["scanobjectnn", "--only", "linear key"], "did you mean 'linear keys'?"),
        (["scanobjectnn", "--size", "tiny", "--only", "half depth"], "there is no 'half depth' of 1 cascade(s)"),
        (["scanobjectnn", "--seeds", "none"], "seeds must be a whole number from 1 to 10,000, got 'none'"),
        (["scanobjectnn", "--seeds", "0"], "seeds must be a whole number from 1 to 10,000, got '0'"),
        (["scanobjectnn", "--part", "3/2"], "part must be as 1/2 and 2/2, got '3/2'"),
    ],
)
def test_mistakes_are_sentences(words, said, capsys):
    assert main(["ablate", *words]) == 2
    assert said in capsys.readouterr().err


def test_words_of_ablate_are_unknown_to_train(capsys):
    assert main(["train", "scanobjectnn", "--only", "sum"]) == 2
    assert "has no setting 'only'" in capsys.readouterr().err
