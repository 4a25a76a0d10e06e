"""The demonstration, small: four verbs on data made on the spot, and a page on which everything is to be seen."""

import base64
import contextlib
import io
import re
import shlex
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest
import torch
from PIL import Image

from cloud_transformers import models
from cloud_transformers.cli import main
from cloud_transformers.cli.demo import WEIGHTS, show
from cloud_transformers.io import read
from cloud_transformers.models import Preparation
from cloud_transformers.world import objects, rooms
from cloud_transformers.world.showcase import Showcase

SMALL = Showcase(room_points=2000, room_resolution=16, num_objects=2, num_partial=2, num_pictures=2)
SCORES = ["mIoU", "OA", "mask accuracy", "CD-L2", "F@5 %"]


@pytest.fixture(scope="module")
def box(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Weights of models that have learned nothing, under the names of the box."""
    torch.manual_seed(3)
    folder = tmp_path_factory.mktemp("box")
    made = {
        "segmentation": (
            models.segmenter("tiny"),
            Preparation(
                task="segmentation", classes=rooms.CLASSES, up="z", region="block", points=256, features=("color",)
            ),
        ),
        "classification": (
            models.classifier("tiny", num_classes=15),
            Preparation(task="classification", classes=objects.CLASSES, points=256),
        ),
        "completion": (models.completer("tiny"), Preparation(task="completion", points=64, scale=2.0, num_points=128)),
        "reconstruction": (
            models.reconstructor("tiny"),
            Preparation(task="reconstruction", num_points=64, passes=2, pixels=32),
        ),
    }
    for task, (model, preparation) in made.items():
        models.save(model, folder / f"{WEIGHTS[task]}.safetensors", preparation=preparation)
    return folder


@pytest.fixture(scope="module")
def demo(box: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """The folder of a demonstration, and what it printed."""
    folder = tmp_path_factory.mktemp("somewhere") / "demo"
    return folder, shown(folder, SMALL, box)


def shown(folder: Path, showcase: Showcase, box: Path) -> str:
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        show(folder, showcase, box)
    return printed.getvalue()


class Page(HTMLParser):
    def __init__(self, path: Path) -> None:
        super().__init__()
        self.images: list[dict[str, str | None]] = []
        self.captions: list[str] = []
        self.commands: list[str] = []
        self.ids: list[str] = []
        self.inside = ""
        self.text = path.read_text(encoding="utf-8")
        self.words = ""
        self.feed(self.text)

    def handle_starttag(self, tag, attrs):
        values = dict(attrs)
        self.inside = tag
        self.ids += [values["id"]] if tag == "section" else []
        if tag == "img":
            self.images.append(values)

    def handle_endtag(self, tag):
        self.inside = ""

    def handle_data(self, data):
        self.words += data
        if self.inside == "figcaption":
            self.captions.append(data)
        if self.inside == "pre":
            self.commands.append(data)


def hidden(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.name.startswith(".")]


def test_every_picture_decodes_and_has_a_caption(demo: tuple[Path, str]) -> None:
    page = Page(demo[0] / "index.html")
    assert len(page.images) == 4 + 2 * 4 + 2 * 3 + 2 * 4
    assert len(page.captions) == len(page.images)
    for image in page.images:
        kind, _, content = (image["src"] or "").partition(",")
        assert kind == "data:image/png;base64"
        with Image.open(io.BytesIO(base64.b64decode(content))) as picture:
            picture.load()
            assert picture.size == (int(image["width"] or 0), int(image["height"] or 0))
            assert len(picture.convert("RGB").getcolors(1 << 20) or []) > 1, "a blank picture shows nothing"
        assert image["alt"]
    assert all(caption.strip() for caption in page.captions)


def test_page_needs_nothing_from_elsewhere(demo: tuple[Path, str]) -> None:
    page = Page(demo[0] / "index.html")
    assert page.ids == list(WEIGHTS)
    # The viewer's own code aside, which a browser test watches.
    outside = re.sub(r"<script(?: id=\"[\w-]+\" type=\"text/plain\")?>.*?</script>", "", page.text, flags=re.DOTALL)
    assert not re.search(r"https?://|<script|<link|url\(", outside)
    assert "viewport" in page.text
    assert "prefers-color-scheme: dark" in page.text


def test_scores_stand_in_the_terminal_and_on_the_page(demo: tuple[Path, str]) -> None:
    folder, printed = demo
    words = Page(folder / "index.html").words
    for name in SCORES:
        assert name in printed
        assert name in words
    assert (folder / "index.html").resolve().as_uri() in printed
    assert all(name in words for name in ("bookcase", "the object", "seen by the camera"))  # the legends


def test_overview_is_a_picture(demo: tuple[Path, str]) -> None:
    with Image.open(demo[0] / "overview.png") as picture:
        assert picture.width > 1000


def test_commands_are_shown_and_give_the_same_again(demo: tuple[Path, str]) -> None:
    folder, printed = demo
    commands = Page(folder / "index.html").commands
    assert [shlex.split(command)[1] for command in commands] == ["segment", "classify", "complete", "reconstruct"]
    assert all(f"$ {command}\n" in printed for command in commands)
    answers = {path: path.read_bytes() for path in (folder / "answers").rglob("*") if path.is_file()}
    assert len(answers) == 1 + (2 + 1) + 2 + 2
    for command in commands:
        assert main(shlex.split(command)[1:]) == 0
    assert {path: path.read_bytes() for path in answers} == answers


def test_models_are_not_shown_the_truth(demo: tuple[Path, str]) -> None:
    folder, _ = demo
    assert set(read(folder / "room.ply").fields) == {"color"}
    assert not any(read(path).fields for kind in ("objects", "partial") for path in (folder / kind).glob("*.ply"))
    truth = read(folder / "truth/room.ply")
    assert (truth.positions == read(folder / "room.ply").positions).all()
    assert len(np.unique(truth.fields["label"])) > 3


def test_a_second_run_overwrites_and_leaves_the_users_files(demo: tuple[Path, str], box: Path, tmp_path: Path) -> None:
    folder, _ = demo
    only = tmp_path / "box"
    only.mkdir()
    for name in (WEIGHTS["completion"], WEIGHTS["classification"]):
        (only / f"{name}.safetensors").write_bytes((box / f"{name}.safetensors").read_bytes())
    target = tmp_path / "demo"
    shown(target, SMALL, only)
    (target / "objects/mine.txt").write_text("1 2 3\n4 5 6\n7 8 10\n1 5 2\n8 0 3\n")
    (target / "index.html").write_text("old")
    shown(target, SMALL, only)
    assert (target / "objects/mine.txt").exists()
    assert not hidden(target)
    page = Page(target / "index.html")
    assert page.ids == ["classification", "completion"]
    for path in (target / "truth").rglob("*.*"):
        assert path.read_bytes() == (folder / path.relative_to(target)).read_bytes()


def test_missing_weights_are_said_and_the_rest_is_shown(box: Path, tmp_path: Path) -> None:
    only = tmp_path / "box"
    only.mkdir()
    name = f"{WEIGHTS['completion']}.safetensors"
    (only / name).write_bytes((box / name).read_bytes())
    printed = shown(tmp_path / "demo", SMALL, only)
    page = Page(tmp_path / "demo/index.html")
    assert page.ids == ["completion"]
    for task in ("Segmentation", "Classification", "Reconstruction"):
        assert f"{task} is not shown" in printed
        assert f"{task} is not shown" in page.words
    assert not (tmp_path / "demo/room.ply").exists()


def test_no_weights_at_all_is_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["demo", "--weights", str(tmp_path), "-o", str(tmp_path / "demo")]) == 2
    captured = capsys.readouterr()
    assert captured.err.count("\n") == 1
    assert "segmenter-small" in captured.err
    assert not captured.out
    assert not (tmp_path / "demo").exists()


def test_an_interrupt_leaves_no_half_written_file(box: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    only = tmp_path / "box"
    only.mkdir()
    name = f"{WEIGHTS['completion']}.safetensors"
    (only / name).write_bytes((box / name).read_bytes())
    folder = tmp_path / "demo"
    folder.mkdir()
    (folder / "index.html").write_text("an older page")
    write = Path.write_text

    def interrupted(path: Path, text: str, **options: str) -> int:
        write(path, text[: len(text) // 2], **options)
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "write_text", interrupted)
    with pytest.raises(KeyboardInterrupt):
        shown(folder, SMALL, only)
    assert (folder / "index.html").read_text() == "an older page"
    assert not hidden(folder)
