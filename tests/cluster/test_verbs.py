"""The verbs with `--on ray`: what they write and say is what they write and say without it."""

import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import cloud_transformers as ct
from cloud_transformers import cli
from cloud_transformers.cli.files.convert import Converting
from tests.predict.conftest import weights  # noqa: F401  # the fixture

pytestmark = pytest.mark.cluster


class Fatal(Converting):
    """Crashes over text, as a parser might."""

    def _convert(self, job: Any) -> Any:
        if job.source.suffix == ".xyz":
            os.abort()
        return super()._convert(job)


Weights = dict[str, Path]
Capture = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def _here(ray: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """With one thread, as every worker has here: sums of several may differ in their last bits."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("cloud_transformers.cluster.pool._PATIENCE", 1e4)  # a slow machine says nothing more
    yield
    torch.set_num_threads(before)


def clouds(folder: str, count: int) -> None:
    Path(folder).mkdir()
    for number in range(count):
        rng = np.random.default_rng(number)
        cloud = ct.PointCloud(positions=(rng.random((300, 3)) * 2).astype(np.float32))
        ct.write(f"{folder}/{number:02d}.ply", cloud)


def main(*words: object) -> int:
    return cli.main([str(word) for word in words])


def both(capsys: Capture, *words: object) -> tuple[int, str]:
    """Exit code and complaints of a command on two workers; all that it says is the same as in this process."""
    codes, shown = [], []
    for place, far in (("here", ()), ("far", ("--on", "ray", "--workers", "2"))):
        codes.append(main(*(str(word).replace("OUT", place) for word in words), *far))
        heard = capsys.readouterr()
        shown.append((heard.out.replace(place, "OUT"), heard.err.replace(place, "OUT")))
    assert codes[0] == codes[1]
    assert shown[0] == shown[1]
    return codes[1], shown[1][1]


def same_files() -> list[str]:
    """The names of the answers in both folders, which are alike to the byte."""
    found = {place: {each.name: each.read_bytes() for each in Path(place).iterdir()} for place in ("here", "far")}
    assert found["here"] == found["far"]
    return sorted(found["far"])


def test_classify_with_a_file_that_cannot_be_read(weights: Weights, capsys: Capture) -> None:  # noqa: F811
    clouds("in", 11)
    Path("in/03.ply").write_text("no cloud")
    model = weights["classification"]
    words = ("classify", "in", "-o", "OUT", "--json", "OUT.json", "--weights", model, "--batch", 3)
    code, said = both(capsys, *words)
    assert code == 1
    assert said.count("in/03.ply") == 1
    assert same_files() == [f"{number:02d}.ply" for number in range(11) if number != 3]
    here, far = (json.loads(Path(f"{place}.json").read_text().replace(place, "OUT")) for place in ("here", "far"))
    assert here == far


def test_complete_and_going_on_with_what_is_missing(weights: Weights, capsys: Capture) -> None:  # noqa: F811
    clouds("in", 4)
    words = ("complete", "in", "-o", "OUT", "--weights", weights["completion"], "--batch", 1)
    assert both(capsys, *words)[0] == 0
    written = same_files()
    Path("far/02.ply").unlink()
    again = (*(str(word).replace("OUT", "far") for word in words), "--on", "ray", "--workers", "2")
    assert main(*again) == 2
    assert "--skip-existing" in capsys.readouterr().err
    assert main(*again, "--skip-existing") == 0
    assert capsys.readouterr().out.startswith("far/02.ply")
    assert same_files() == written


def test_reconstruct(weights: Weights, capsys: Capture) -> None:  # noqa: F811
    from PIL import Image

    Path("in").mkdir()
    for number in range(2):
        Image.fromarray(np.full((32, 32, 3), 100 + number, np.uint8)).save(f"in/{number}.png")
    assert both(capsys, "reconstruct", "in", "-o", "OUT", "--weights", weights["reconstruction"])[0] == 0
    assert same_files() == ["0.ply", "1.ply"]


def test_convert(capsys: Capture) -> None:
    clouds("in", 3)
    assert both(capsys, "convert", "in", "OUT", "--to", "csv")[0] == 0
    assert same_files() == ["00.csv", "01.csv", "02.csv"]


@pytest.mark.parametrize("adapt", [(), ("--adapt", 0.7)])
def test_segment_small_scenes_and_a_large_one(
    adapt: tuple[object, ...],
    weights: Weights,  # noqa: F811
    capsys: Capture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A small scene is a worker's as a whole; of a large one, here of more than 4 KB, workers do the tiles."""
    clouds("in", 2)
    large = ct.PointCloud(positions=(np.random.default_rng(9).random((4000, 3)) * 3).astype(np.float32))
    ct.write("in/large.ply", large)
    monkeypatch.setattr("cloud_transformers.cli.answers.segment.SMALL_BYTES", 10_000)
    for place, far in (("here", ()), ("far", ("--on", "ray", "--workers", "2"))):
        words = ("segment", "in", "-o", place, "--weights", weights["segmentation"], "--scale", 1, *adapt)
        assert main(*words, *far) == 0
    assert "far/large.ply: 4,000 points" in capsys.readouterr().out
    assert same_files() == ["00.ply", "01.ply", "large.ply"]


def test_data_check(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", "cache")
    assert main("data", "make", "completion", "world", "--size", 6) == 0
    broken = next(Path("world").rglob("*.pcd"))
    broken.write_bytes(broken.read_bytes()[:200])
    for words in ((), ("--on", "ray", "--workers", "2")):
        shutil.rmtree("cache", ignore_errors=True)
        assert main("data", "check", "completion", "world", *words) == 1
        shown = capsys.readouterr().out
        assert str(broken) in shown
        assert "1 problem" in shown


def test_workers_without_a_cluster_are_a_mistake(capsys: Capture) -> None:
    clouds("in", 1)
    assert main("classify", "in", "--workers", 2) == 2
    assert "say which with --on" in capsys.readouterr().err


def test_a_file_that_kills_its_worker_is_named_and_stops_no_other(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    clouds("in", 4)
    Path("in/01.ply").unlink()
    Path("in/01.xyz").write_text("1 2 3\n")
    monkeypatch.setattr("cloud_transformers.cli.files.convert.Converting", Fatal)
    assert main("convert", "in", "out", "--to", "csv", "--on", "ray", "--workers", "2") == 1
    heard = capsys.readouterr()
    assert "in/01.xyz: 3 workers in a row died" in heard.err
    assert sorted(each.name for each in Path("out").iterdir()) == ["00.csv", "02.csv", "03.csv"]
