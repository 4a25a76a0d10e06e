"""`cloudt classify`, `complete` and `reconstruct`, from the arguments to the exit code."""

from __future__ import annotations

import argparse
import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

import cloud_transformers as ct
from cloud_transformers import cli
from cloud_transformers.cli.shared.answering import Predicting, answer_all
from cloud_transformers.cli.shared.many_files import Failures, Job
from cloud_transformers.io import read_shape

FILES = Path(__file__).parents[1] / "io" / "files"
Weights = dict[str, Path]
Capture = pytest.CaptureFixture[str]


def main(*words: object) -> int:
    return cli.main([str(word) for word in words])


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def mixed(points: NDArray[np.float32]) -> Path:
    """What people have in a folder."""
    folder = Path("mixed")
    (folder / "deeper" / ".hidden").mkdir(parents=True)
    shutil.copy(FILES / "open3d_box.obj", folder / "cad.obj")
    shutil.copy(FILES / "open3d_box.ply", folder / "cad.ply")
    shutil.copy(FILES / "open3d_binary.pcd", folder / "kinect.pcd")
    phone = ct.PointCloud(positions=points, fields={"color": np.full((200, 3), 0.25, np.float32)})
    ct.write(folder / "deeper" / "phone.ply", phone)
    ct.write(folder / "deeper" / "airborne.laz", ct.PointCloud(positions=points, offset=np.array([5e5, 4e6, 100.0])))
    rows = "\n".join(f"{x},{y},{z},7" for x, y, z in points)
    (folder / "deeper" / "header.csv").write_text(f"x,y,z,label\n{rows}\nnan,0,0,1\n", encoding="utf-8")
    ct.write(folder / "deeper" / ".hidden" / "other.ply", phone)
    (folder / "empty.ply").touch()
    (folder / "one.xyz").write_text("1 2 3\n", encoding="utf-8")
    (folder / "notes.md").write_text("not a cloud", encoding="utf-8")
    return folder


GOOD = ("cad.obj", "cad.ply", "kinect.pcd", "deeper/airborne.laz", "deeper/header.csv", "deeper/phone.ply")


def test_a_folder_of_mixed_files(weights: Weights, mixed: Path, capsys: Capture) -> None:
    code = main("classify", mixed, "--weights", weights["classification"], "--json", "all.json", "-o", "out")
    shown = capsys.readouterr()
    assert code == 1
    assert "mixed/empty.ply: is empty" in shown.err.replace("\\", "/")
    assert "one.xyz: holds a single point" in shown.err
    assert "1 point was left out" in shown.err
    assert "is a mesh of 12 faces: 192 points were drawn" in shown.err
    assert "Traceback" not in shown.err
    content = json.loads(Path("all.json").read_text(encoding="utf-8"))
    assert {Path(each["file"]) for each in content["files"]} == {mixed / name for name in GOOD}
    assert {Path(name) for name in content["failed"]} == {mixed / "empty.ply", mixed / "one.xyz"}
    answers = {path.relative_to("out").as_posix() for path in Path("out").rglob("*") if path.is_file()}
    assert answers == {name.replace("cad.obj", "cad.obj.ply") for name in GOOD}

    written = ct.read("out/deeper/phone.ply")
    assert {"label", "confidence", "color"} <= written.fields.keys()
    assert written.fields["color"].dtype == np.uint8
    assert ct.read("out/deeper/header.csv").fields["original_label"].tolist() == [7] * 200

    # A second time there is nothing left to do but the bad ones; without being told so, nothing is replaced.
    assert main("classify", mixed, "--weights", weights["classification"], "-o", "out") == 2
    assert "out/cad.obj.ply (and 5 more): exists" in capsys.readouterr().err.replace("\\", "/")
    (Path("out") / "kinect.pcd").unlink()
    main("classify", mixed, "--weights", weights["classification"], "-o", "out", "--skip-existing")
    rows = capsys.readouterr().out.splitlines()
    assert len(rows) == 2
    assert "kinect.pcd" in rows[1]


def test_the_command_says_what_python_says(weights: Weights, mixed: Path, capsys: Capture) -> None:
    options = ("--votes", 2, "--seed", 9, "--up", "z", "--batch", 4)
    main("classify", *(mixed / name for name in GOOD), "--weights", weights["classification"], "--json", "-", *options)
    content = json.loads(capsys.readouterr().out)
    predictor = ct.Predictor.load(weights["classification"])
    for name, said in zip(GOOD, content["files"], strict=True):
        cloud = read_shape(mixed / name, 64 * 2, seed=9, non_finite="drop")
        answer = predictor(cloud, votes=2, seed=9, up="z")
        assert [each["name"] for each in said["classes"]] == list(answer.classes)
        np.testing.assert_allclose([each["probability"] for each in said["classes"]], answer.probabilities, atol=1e-5)
        assert said["object_share"] == pytest.approx(answer.mask.mean(), abs=0.02)


@pytest.mark.parametrize("suffix", [".ply", ".pcd", ".las", ".laz", ".npz", ".csv"])
def test_completing_is_the_same_in_python_and_any_format(
    weights: Weights, points: NDArray[np.float32], suffix: str
) -> None:
    world = points.astype(np.float64) * 2 + [431_000, 5_410_000, 300]
    ct.write("part.npz", ct.PointCloud(positions=points * 2, offset=np.array([431_000.0, 5_410_000.0, 300.0])))
    assert (
        main("complete", "part.npz", "-o", f"full{suffix}", "--weights", weights["completion"], "--keep-observed") == 0
    )
    answer = ct.read(f"full{suffix}")
    wanted = ct.Predictor.load(weights["completion"])(world, keep_observed=True)
    np.testing.assert_allclose(answer.world, wanted.world, atol=2e-3)
    assert answer.fields["observed"].tolist() == [1] * 200 + [0] * 96


def test_a_depth_camera_with_holes(weights: Weights, points: NDArray[np.float32], capsys: Capture) -> None:
    raster = points.astype(str)
    raster[::4] = "nan"
    header = "VERSION .7\nFIELDS x y z\nSIZE 4 4 4\nTYPE F F F\nCOUNT 1 1 1\nWIDTH 20\nHEIGHT 10\n"
    header += "VIEWPOINT 0 0 0 1 0 0 0\nPOINTS 200\nDATA ascii\n"
    Path("kinect.pcd").write_text(header + "\n".join(map(" ".join, raster)) + "\n", encoding="utf-8")
    words = ("--weights", weights["completion"], "--keep-observed", "--up", "z")
    assert main("complete", "kinect.pcd", "-o", "full.pcd", *words) == 0
    assert "50 points were left out" in capsys.readouterr().err
    seen = np.delete(points, slice(0, None, 4), axis=0)
    answer = ct.read("full.pcd")
    np.testing.assert_allclose(answer.positions[:150], seen, atol=1e-6)
    np.testing.assert_allclose(
        answer.positions,
        ct.Predictor.load(weights["completion"])(seen, up="z", keep_observed=True).positions,
        atol=1e-5,
    )


def test_an_airborne_scan_keeps_its_place(weights: Weights, points: NDArray[np.float32]) -> None:
    corner = np.array([431_000.0, 5_410_000.0, 300.0])
    scan = ct.PointCloud(positions=points, offset=corner, fields={"intensity": np.arange(200, dtype=np.uint16)})
    ct.write("scan.las", scan)
    assert main("complete", "scan.las", "-o", "full.las", "--weights", weights["completion"]) == 0
    wanted = ct.Predictor.load(weights["completion"])(ct.read("scan.las"), up="z")
    np.testing.assert_allclose(ct.read("full.las").world, wanted.world, atol=1e-3)
    assert main("classify", "scan.las", "-o", "object.las", "--weights", weights["classification"]) == 0
    kept = ct.read("object.las")
    assert kept.fields["intensity"].tolist() == list(range(200))
    np.testing.assert_allclose(kept.world, ct.read("scan.las").world, atol=1e-6)


def test_pictures(weights: Weights, capsys: Capture) -> None:
    picture = np.random.default_rng(0).integers(0, 256, (40, 50, 3), np.uint8)
    Path("photos/deep").mkdir(parents=True)
    for name in ("photos/a.png", "photos/deep/b.JPG"):
        Image.fromarray(picture).save(name)
    Path("photos/broken.png").write_bytes(b"\x89PNG and no more")
    assert main("reconstruct", "photos/**/*", "-o", "out", "--weights", weights["reconstruction"]) == 1
    shown = capsys.readouterr()
    assert "broken.png: not a readable picture" in shown.err
    assert "50 x 40 pixels are not square" in shown.err
    answer = ct.Predictor.load(weights["reconstruction"])("photos/a.png")
    np.testing.assert_allclose(ct.read("out/a.ply").positions, answer.positions, atol=1e-6)
    assert Path("out/deep/b.ply").is_file()
    assert sorted(path.name for path in Path("out").iterdir()) == ["a.ply", "deep"]


def test_answers_in_the_input_folder_are_not_taken_for_inputs(weights: Weights, mixed: Path) -> None:
    words = ("complete", mixed, "-o", mixed / "full", "--weights", weights["completion"], "--format", "xyz")
    main(*words)
    answers = sorted((mixed / "full").rglob("*.xyz"))
    assert len(answers) == len(GOOD)
    before = [path.stat().st_mtime_ns for path in answers]
    main(*words, "--skip-existing")
    assert sorted((mixed / "full").rglob("*.xyz")) == answers
    assert [path.stat().st_mtime_ns for path in answers] == before
    main(*words, "--force")
    assert [path.stat().st_mtime_ns for path in answers] != before


def test_the_same_name_in_two_folders(weights: Weights, points: NDArray[np.float32], capsys: Capture) -> None:
    for folder in ("a", "b"):
        Path(folder).mkdir()
        ct.write(f"{folder}/part.ply", ct.PointCloud(positions=points))
    words = ("--weights", weights["completion"], "-o", "out")
    assert main("complete", "a/part.ply", "b/part.ply", *words) == 2
    assert "would both be written" in capsys.readouterr().err
    assert main("complete", ".", *words) == 0
    assert {path.as_posix() for path in Path("out").rglob("*.ply")} == {"out/a/part.ply", "out/b/part.ply"}


MISTAKES = {
    "complete a.ply -o b.ply --weights classification": "use them with `cloudt classify`",
    "classify a.ply --weights segmentation": "use them with `cloudt segment`",
    "classify a.ply --weights nothing": "no such weights",
    "complete a.ply -o a.ply --force --weights completion": "replace the input",
    "complete a.ply -o b.doc --weights completion": "suffix '.doc'",
    "complete a.ply -o b.ply --format pcd --weights completion": "--format is for answers in a folder",
    "complete . -o out --format obj --weights completion": "clouds are written as .ply",
    "complete a.ply -o no/b.ply --weights completion": "does not exist",
    "complete . -o b.ply --weights completion": "must be a folder",
    "complete a.ply -o old.ply --weights completion": "old.ply: exists",
    "classify a.ply --json old.ply --weights classification": "old.ply: exists",
    "complete a.ply -o b.ply --points 3 --weights completion": "at least as many",
    "complete a.ply -o b.ply --scale 3 --weights completion": "--as-is",
    "classify a.ply --scale 0.001 --weights classification": "objects of any unit; leave --scale out",
    "classify a.ply --device abacus --weights classification": "'abacus'",
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_one_sentence(
    weights: Weights, points: NDArray[np.float32], capsys: Capture, mistake: str
) -> None:
    for name in ("a.ply", "old.ply"):
        ct.write(name, ct.PointCloud(positions=points))
    before = {path: path.read_bytes() for path in Path().iterdir()}
    assert main(*(weights.get(word, word) for word in mistake.split())) == 2
    shown = capsys.readouterr().err
    lines = [line for line in shown.splitlines() if "taken to point up" not in line]
    assert len(lines) == 1
    assert MISTAKES[mistake] in lines[0]
    assert {path: path.read_bytes() for path in Path().iterdir()} == before


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("nowhere.ply",), "nowhere.ply: there is no such file"),
        (("*.ply",), "no file in it ends in"),
        (("folder",), "no file in it ends in"),
        (("a.doc",), "suffix '.doc'"),
    ],
)
def test_files_that_are_not_there(weights: Weights, capsys: Capture, words: tuple[str, ...], sentence: str) -> None:
    Path("folder").mkdir()
    Path("a.doc").touch()
    assert main("classify", *words, "--weights", weights["classification"]) == 1
    assert sentence in capsys.readouterr().err


def test_a_reader_that_has_enough_is_no_fault_of_a_file() -> None:
    """As in `cloudt classify ... | head -1`: the command ends, as all of them do, without complaints."""
    failures = Failures()

    class Unheard(Predicting):
        def open(self) -> None: ...

        def prepare(self, path: Path) -> Any:
            return path

        def score(self, prepared: list[Any]) -> Any:
            return prepared

        def finish(self, job: Job, prepared: Any, result: Any) -> Any: ...

        def tell(self, job: Job, told: Any) -> None:
            raise BrokenPipeError(32, "Broken pipe")

    with pytest.raises(BrokenPipeError):
        answer_all(Unheard(argparse.Namespace(on=None)), [Job(Path("a.ply"), None)], failures, batch_size=1)
    assert failures.reasons == {}


@pytest.mark.parametrize("option", [("--up", "w"), ("--votes", "0"), ("--batch", "-1"), ("--votes", "many")])
def test_options_are_checked_before_anything_is_loaded(capsys: Capture, option: tuple[str, str]) -> None:
    with pytest.raises(SystemExit):
        main("classify", "a.ply", *option)
    assert option[0] in capsys.readouterr().err


def test_the_axis_of_a_format_is_known_and_another_is_said(
    weights: Weights, points: NDArray[np.float32], capsys: Capture
) -> None:
    ct.write("a.laz", ct.PointCloud(positions=points))
    ct.write("a.ply", ct.PointCloud(positions=ct.read("a.laz").positions))
    arguments = ("--weights", weights["classification"], "--json", "-")

    def said(*words: str) -> tuple[Any, str]:
        main("classify", *words, *arguments)
        shown = capsys.readouterr()
        return json.loads(shown.out)["files"][0]["classes"], shown.err

    las, silence = said("a.laz")
    turned, also_silence = said("a.ply", "--up", "z")
    taken, note = said("a.ply")
    assert las == turned != taken
    assert silence == also_silence == ""
    assert note.startswith("cloudt: y is taken to point up")


@pytest.mark.parametrize("suffix", [".ply", ".pcd", ".npy", ".npz", ".csv", ".las", ".laz", ".h5"])
def test_an_answer_that_cannot_be_written_leaves_nothing(
    weights: Weights, points: NDArray[np.float32], capsys: Capture, suffix: str
) -> None:
    resource = pytest.importorskip("resource")  # to limit the size of files: the system's way to run out of room
    for name in ("a.npz", "b.npz"):
        ct.write(name, ct.PointCloud(positions=points))
    words = ("complete", "a.npz", "b.npz", "-o", "out", "--format", suffix, "--weights", weights["completion"])
    assert main(*words) == 0
    before = {path: path.read_bytes() for path in Path("out").iterdir()}
    unlimited = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (200, unlimited[1]))
    try:
        code = main(*words, "--force")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, unlimited)
    assert code == 1
    lines = capsys.readouterr().err.splitlines()
    for name in "ab":  # one sentence each, which names what was read or what could not be written
        assert sum(f"{name}.npz" in line or f"out/{name}{suffix}" in line for line in lines) == 1
    assert {path: path.read_bytes() for path in Path("out").iterdir()} == before
