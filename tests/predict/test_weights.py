"""Names that stand for weights."""

import os
import shutil
from pathlib import Path

import pytest

from cloud_transformers.errors import InputError
from cloud_transformers.models import load_prepared
from cloud_transformers.models import weights as place
from cloud_transformers.models.weights import boxed, find_weights, is_name
from cloud_transformers.predict.cards import card_of, read_card
from tests import forked

Weights = dict[str, Path]


def test_a_file_and_a_run(tmp_path: Path, weights: Weights, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert find_weights(weights["completion"]) == weights["completion"]
    Path("runs/first").mkdir(parents=True)  # it looks like a name on Hugging Face, but it is here
    with pytest.raises(InputError, match="neither best"):
        find_weights("runs/first")
    shutil.copy(weights["completion"], "runs/first/weights.safetensors")
    assert find_weights("runs/first") == Path("runs/first/weights.safetensors")
    shutil.copy(weights["completion"], "runs/first/best.safetensors")
    assert find_weights("runs/first") == Path("runs/first/best.safetensors")


def test_the_box_comes_first(tmp_path: Path, weights: Weights, monkeypatch: pytest.MonkeyPatch) -> None:
    box = tmp_path / "box"
    box.mkdir()
    shutil.copy(weights["completion"], box / "completer-small.safetensors")
    monkeypatch.setattr(place, "BOX", box)
    monkeypatch.chdir(tmp_path)
    Path("completer-small").mkdir()
    assert find_weights("completer-small") == box / "completer-small.safetensors"
    assert is_name("completer-small")
    assert not is_name("./completer-small")
    with pytest.raises(InputError, match="neither best"):
        find_weights("./completer-small")
    with pytest.raises(InputError, match="did you mean completer-small"):
        find_weights("completer-smal")


def test_the_box_of_this_package_is_in_order() -> None:
    """Holds for an empty box, too: until weights are put in there is nothing that could be wrong."""
    for name, path in boxed().items():
        _, preparation = load_prepared(path)
        assert preparation is not None
        assert path.stat().st_size < 6_000_000
        card = card_of(path)
        assert card is not None, f"{name} has no card"
        assert card.facts.get("license") == "mit"
        assert card.facts.get("score")


def test_an_empty_box(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for folder in (tmp_path, tmp_path / "missing"):
        monkeypatch.setattr(place, "BOX", folder)
        assert boxed() == {}
        with pytest.raises(InputError, match="there are none in the box"):
            find_weights("classifier-small")


def test_other_files_are_refused(tmp_path: Path) -> None:
    (tmp_path / "a.pth").write_bytes(b"x")
    with pytest.raises(InputError, match="import-release"):
        find_weights(tmp_path / "a.pth")
    for name in ("nowhere.safetensors", "sub/nowhere.safetensors", "a/b/c", ""):
        with pytest.raises(InputError):
            find_weights(name)


# For a new Python, which reads where Hugging Face's cache is, and that there is no network, when it starts.
HUB_PROGRAM = """
import cloud_transformers as ct
from cloud_transformers.predict import find_weights
for name in ('someone/good-model', 'someone/good-model@v1', 'someone/other', 'someone/other@v7', 'not a/name..'):
    try:
        print(find_weights(name))
    except ValueError as error:
        print(type(error).__name__, error)
print(ct.Predictor.load('someone/good-model').preparation.task)
"""


def test_hugging_face_without_a_network(tmp_path: Path, weights: Weights) -> None:
    pytest.importorskip("huggingface_hub")
    old, new = "a" * 40, "b" * 40
    model = tmp_path / "models--someone--good-model"
    for commit, task in ((old, "completion"), (new, "classification")):  # as the hub lays it out
        (model / "snapshots" / commit).mkdir(parents=True)
        shutil.copy(weights[task], model / "snapshots" / commit / "model.safetensors")
    (model / "refs").mkdir()
    (model / "refs" / "main").write_text(new, encoding="utf-8")
    (model / "refs" / "v1").write_text(old, encoding="utf-8")

    offline = {**os.environ, "HF_HUB_CACHE": str(tmp_path), "HF_HUB_OFFLINE": "1"}
    done = forked.run(HUB_PROGRAM, env=offline, strict=True)
    assert done.stderr == ""
    newest, tagged, missing, missing_revision, misspelt, task = done.stdout.strip().splitlines()
    assert Path(newest) == model / "snapshots" / new / "model.safetensors"
    assert Path(tagged) == model / "snapshots" / old / "model.safetensors"
    assert task == "classification"
    assert missing == (
        "InputError someone/other: there is no such file or folder here, Hugging Face is switched off "
        "(HF_HUB_OFFLINE), and its cache does not have it; fetch it once while online"
    )
    assert missing_revision.startswith("InputError someone/other@v7: ")
    assert misspelt.startswith("InputError not a/name..: no such weights")


def test_facts_of_a_card(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_text("---\nlicense: mit\ntags:\n- points\nscore: 'OA: 81 %'\n---\n# Name\nText\n", encoding="utf-8")
    assert read_card(path).facts == {"license": "mit", "tags": "", "score": "OA: 81 %"}
    assert read_card(path).text == "# Name\nText\n"
    path.write_text("# Name\n", encoding="utf-8")
    assert read_card(path).facts == {}
    path.write_text("---\nlicense: mit\n", encoding="utf-8")
    with pytest.raises(InputError, match="line 1"):
        read_card(path)
