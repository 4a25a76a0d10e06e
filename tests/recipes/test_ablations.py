"""Ablations as variants of a recipe."""

import pytest

from cloud_transformers.cli import main
from cloud_transformers.models import ABLATIONS
from cloud_transformers.recipes import recipe
from cloud_transformers.recipes.ablations import ABLATED, PAPER, variant


def test_every_ablation_has_its_place_in_the_paper_s_table():
    assert PAPER.keys() == ABLATIONS.keys()
    assert all(scores.keys() == set(ABLATED) for scores in PAPER.values())


@pytest.mark.parametrize("name", ABLATED)
@pytest.mark.parametrize("ablation", ABLATIONS)
def test_every_variant_builds(name, ablation):
    changed = variant(recipe(name, "tiny"), ablation)
    model = changed.model.build(changed.task, 13)
    trunk = model.config.trunk
    for option, value in ABLATIONS[ablation].items():
        assert getattr(changed.model, option) == value
        assert getattr(trunk, option, value) == value or option == "planar"


def test_a_set_of_them_runs_and_prints_both_columns(tmp_path, capsys):
    words = ["--size", "tiny", "world_size=16", "points=32", "holdout=0", "steps=1", "batch_size=2", "validate_every=0"]
    out = ["--only", "full, sum", "--out", str(tmp_path / "runs")]
    assert main(["ablate", "scanobjectnn", *words, *out]) == 0, capsys.readouterr().err
    shown = capsys.readouterr().out
    assert "82.1" in shown
    assert (tmp_path / "runs/sum/results.json").is_file()


def test_mistakes_are_sentences(capsys):
    assert main(["ablate", "completion"]) == 2
    assert "ablations of s3dis-blocks and scanobjectnn" in capsys.readouterr().err
    assert main(["ablate", "scanobjectnn", "--only", "linear key"]) == 2
    assert "did you mean 'linear keys'?" in capsys.readouterr().err
