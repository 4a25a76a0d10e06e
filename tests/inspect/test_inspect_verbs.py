"""`cloudt inspect`, from the arguments to the exit code and the file."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image
from tqdm import tqdm

import cloud_transformers as ct
from cloud_transformers import cli
from cloud_transformers.pages import filled

Weights = dict[str, Path]
Capture = pytest.CaptureFixture[str]


def main(*words: object) -> int:
    return cli.main(["inspect", *(str(word) for word in words)])


def size_of(path: str) -> tuple[int, int]:
    with Image.open(path) as picture:
        return picture.size


@pytest.fixture(autouse=True)
def _files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, points: NDArray[np.float32]) -> None:
    monkeypatch.chdir(tmp_path)
    grey = np.full(points.shape, 128, np.uint8)  # the segmenter would say that it misses colours
    ct.write("cloud.ply", ct.PointCloud(positions=points, fields={"color": grey}))
    Path("empty.xyz").write_text("", encoding="utf-8")
    Path("notes.txt.png").mkdir()
    Image.fromarray(np.full((32, 32, 3), 200, np.uint8)).save("photo.png")


def test_interaction_prints_and_writes(weights: Weights, capsys: Capture) -> None:
    for suffix in ("json", "png", "html"):
        assert main("interaction", weights["completion"], "cloud.ply", "-o", f"out.{suffix}") == 0
    shown = capsys.readouterr().out
    assert "encoder: 1 cloud of 48 points" in shown
    assert "decoder: 1 cloud of 96 points" in shown
    content = json.loads(Path("out.json").read_text(encoding="utf-8"))
    first = content["parts"]["encoder"]["blocks"][0]
    assert f"{100 * first['reached']:.1f} %" in shown
    assert first == {key: content["clouds"][0]["blocks"][0][key] for key in first}
    assert size_of("out.png")[0] == 1000
    page = Path("out.html").read_text(encoding="utf-8")
    assert "data:image/png;base64" in page
    assert "http" not in page.replace("http://www.w3.org", "")  # nothing is fetched


def test_interaction_of_a_new_model_and_a_folder(points: NDArray[np.float32], capsys: Capture) -> None:
    Path("folder").mkdir()
    for name in "ab":
        ct.write(f"folder/{name}.ply", ct.PointCloud(positions=points))
    assert main("interaction", "classifier:tiny", "folder") == 0
    shown = capsys.readouterr()
    assert shown.out.startswith("classifier:tiny, untrained, seed 0\nencoder: 2 clouds")


def test_heads_writes_numbers_and_a_picture(weights: Weights) -> None:
    assert main("heads", weights["segmentation"], "cloud.ply", "-o", "heads.json") == 0
    content = json.loads(Path("heads.json").read_text(encoding="utf-8"))
    assert [len(block["heads"]) for block in content["blocks"]] == [8, 8, 8]
    assert main("heads", weights["segmentation"], "cloud.ply", "-o", "two.png", "--block", 3, "--heads", "1,4") == 0
    assert main("heads", weights["segmentation"], "cloud.ply", "-o", "one.png", "--heads", "2") == 0
    assert size_of("two.png")[1] > size_of("one.png")[1]


def test_folding_writes_points_a_picture_and_a_page(weights: Weights) -> None:
    for suffix in ("json", "png", "html"):
        assert main("folding", weights["reconstruction"], "photo.png", "-o", f"out.{suffix}", "--points", 70) == 0
    content = json.loads(Path("out.json").read_text(encoding="utf-8"))
    assert len(content["start"]) == len(content["end"]) == len(content["colors"]) == 70
    assert size_of("out.png")[0] > 900
    assert "default-src 'none'" in Path("out.html").read_text(encoding="utf-8")  # nothing is fetched


def test_a_bar_counts_the_blocks(weights: Weights, monkeypatch: pytest.MonkeyPatch) -> None:
    bars: list[tqdm[None]] = []

    def open_bar(what: str, total: int) -> tqdm[None]:
        bars.append(tqdm(desc=what, total=total, file=io.StringIO()))
        return bars[-1]

    monkeypatch.setattr("cloud_transformers.progress.steps_bar", open_bar)
    assert main("folding", weights["completion"], "cloud.ply", "-o", "out.json") == 0
    assert main("heads", weights["segmentation"], "cloud.ply", "-o", "out.json") == 0
    blocks = json.loads(Path("out.json").read_text(encoding="utf-8"))["blocks"]
    assert all(bar.n == bar.total for bar in bars)
    assert bars[1].total == len(blocks)


def test_a_scene_without_colours_has_those_that_were_chosen(
    weights: Weights, points: NDArray[np.float32], capsys: Capture
) -> None:
    ct.write("plain.ply", ct.PointCloud(positions=points))
    scene = (weights["segmentation"], "plain.ply", "-o", "out.json")
    written = {}
    for colour in ("grey", "black"):
        assert main("heads", *scene, "--missing-color", colour) == 0
        assert f"sees every point {colour}" in capsys.readouterr().err
        written[colour] = Path("out.json").read_text(encoding="utf-8")
    assert written["grey"] != written["black"]
    assert main("heads", *scene, "--missing-color", "refuse") == 2
    assert "plain.ply: has no colours" in capsys.readouterr().err


def test_names_cannot_end_the_script() -> None:
    text = filled("cloud_transformers.inspect", "interaction.html", data={"title": "</script><b>"})
    assert text.count("</script") == 1
    assert json.loads(re.search(r"^const data = (.*);$", text, flags=re.MULTILINE)[1]) == {"title": "</script><b>"}


WRONG = {
    "no such weights": (("interaction", "nothing-small", "cloud.ply"), "no such weights"),
    "no such size": (("interaction", "segmenter:huge", "cloud.ply"), "full, small, tiny"),
    "no such file": (("interaction", "{classification}", "none.ply"), "none.ply"),
    "no file in it": (("interaction", "{classification}", "notes.txt.png"), "no file in it ends in"),
    "an empty cloud": (("heads", "{classification}", "empty.xyz", "-o", "a.png"), "empty.xyz"),
    "unknown suffix": (("heads", "{classification}", "cloud.ply", "-o", "a.gif"), "must end in .png or .html or .json"),
    "unwritable": (("folding", "{completion}", "cloud.ply", "-o", "none/a.png"), "the folder none does not exist"),
    "a folder": (("folding", "{completion}", "cloud.ply", "-o", "notes.txt.png"), "is a folder; name a file"),
    "block": (("heads", "{segmentation}", "cloud.ply", "-o", "a.png", "--block", "4"), "the trunk has blocks 1 to 3"),
    "head": (("heads", "{segmentation}", "cloud.ply", "-o", "a.png", "--heads", "5"), "heads 1 to 4 of each kind"),
    "head 0": (("heads", "{segmentation}", "cloud.ply", "-o", "a.png", "--heads", "0"), "numbers from 1"),
    "part": (("heads", "{segmentation}", "cloud.ply", "-o", "a.png", "--part", "decoder"), "has trunk only"),
    "wrong kind": (("folding", "{segmentation}", "cloud.ply", "-o", "a.png"), "is for segmentation"),
    "a cloud for a picture": (("folding", "{reconstruction}", "cloud.ply", "-o", "a.png"), "takes pictures"),
    "a picture for a cloud": (("folding", "{completion}", "photo.png", "-o", "a.png"), "photo.png"),
    "too few points": (("folding", "{completion}", "cloud.ply", "-o", "a.png", "--points", "9"), "at least 48"),
    "seed": (("interaction", "{classification}", "cloud.ply", "--seed", "-1"), "must not be negative"),
    "cell": (("interaction", "{segmentation}", "cloud.ply", "--cell", "-1"), "cell must be a side"),
    "device": (("interaction", "{classification}", "cloud.ply", "--device", "abacus"), "'abacus' cannot be used"),
}


@pytest.mark.parametrize("case", WRONG)
def test_a_mistake_gets_one_sentence(case: str, weights: Weights, capsys: Capture) -> None:
    words, wanted = WRONG[case]
    assert main(*(word.format(**{task: str(path) for task, path in weights.items()}) for word in words)) == 2
    complaint = [line for line in capsys.readouterr().err.splitlines() if "is taken to point up" not in line]
    assert len(complaint) == 1, complaint
    assert complaint[0].startswith("cloudt: ")
    assert wanted in complaint[0]
    assert not list(Path().glob("a.*"))
