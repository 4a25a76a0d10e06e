"""A scene that is replaced while it is segmented: labels of the old points never stand beside the new ones."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import cloud_transformers as ct
from cloud_transformers.cli import main
from cloud_transformers.errors import InputError
from cloud_transformers.predict.scene.writing import LabelledFile
from tests.predict.conftest import weights  # noqa: F401  # the fixture
from tests.predict.scene.scenes import ByHeight, room
from tests.predict.scene.test_streamed import segmented


class Meddling(ByHeight):
    """Answers as usual, after somebody has done something to the scene's file."""

    def __init__(self, deed: Callable[[], object]) -> None:
        super().__init__()
        self.deed: Callable[[], object] | None = deed

    def __call__(self, positions: Any, features: Any) -> Any:
        if self.deed is not None:
            self.deed()
            self.deed = None
        return super().__call__(positions, features)


@pytest.fixture
def scene(tmp_path: Path) -> Path:
    ct.write(tmp_path / "scene.ply", room(3000))
    return tmp_path / "scene.ply"


def replace_quietly(scene: Path) -> None:
    """Other content of the same length, with the time of the old one."""
    before = scene.stat()
    ct.write(scene, room(3000, seed=1))
    os.utime(scene, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert scene.stat().st_size == before.st_size


def overwrite(scene: Path) -> None:
    """The same file, another content: a byte of the last point."""
    with scene.open("r+b") as file:
        file.seek(-20, os.SEEK_END)
        file.write(b"\1")


@pytest.mark.parametrize("in_parts", [False, True])
@pytest.mark.parametrize(
    "deed",
    [
        replace_quietly,
        overwrite,
        lambda scene: scene.unlink(),
        lambda scene: os.truncate(scene, scene.stat().st_size - 100),
        lambda scene: ct.write(scene, room(4000)),
    ],
    ids=["replaced", "overwritten", "removed", "truncated", "longer"],
)
def test_a_change_is_one_sentence_and_no_output(
    tmp_path: Path, scene: Path, deed: Callable[[Path], object], in_parts: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if in_parts:
        monkeypatch.setattr(LabelledFile, "fits", lambda answer, few: False)
    with pytest.raises(InputError, match=r"scene\.ply: was changed, replaced or removed"):
        segmented(scene, tmp_path / "out.ply", scorer=Meddling(lambda: deed(scene)))
    assert not (tmp_path / "out.ply").exists()


def test_a_model_is_not_adapted_to_another_scene(
    tmp_path: Path,
    scene: Path,
    weights: dict[str, Path],  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Replaced after the model has seen what is usual in it, and before it is read to be answered."""
    from cloud_transformers.predict.segmentation import SegmentationPredictor

    adapted = SegmentationPredictor.adapted

    def adapted_late(predictor: Any, *given: Any) -> Any:
        replace_quietly(scene)
        return adapted(predictor, *given)

    monkeypatch.setattr(SegmentationPredictor, "adapted", adapted_late)
    words = ["segment", str(scene), "-o", str(tmp_path / "out.ply"), "--weights", str(weights["segmentation"])]
    assert main([*words, "--adapt", "0.5", "--scale", "1"]) == 2
    assert "scene.ply: was changed, replaced or removed" in capsys.readouterr().err
    assert not (tmp_path / "out.ply").exists()


def test_a_file_that_was_only_touched_is_the_same(tmp_path: Path, scene: Path) -> None:
    segmented(scene, tmp_path / "whole.ply")
    segmented(scene, tmp_path / "out.ply", scorer=Meddling(scene.touch))
    assert (tmp_path / "out.ply").read_bytes() == (tmp_path / "whole.ply").read_bytes()
