"""Models that get used to their input: statistics are those of what was shown, by a share; nothing else changes."""

from pathlib import Path

import numpy as np
import pytest
import torch
from torch import nn

import cloud_transformers as ct
from cloud_transformers.cli import main
from cloud_transformers.cloud import PointCloud
from cloud_transformers.errors import InputError
from cloud_transformers.layers import MaskedBatchNorm
from cloud_transformers.models.adaptation import adapted
from cloud_transformers.predict.scene import SceneSettings, sampled


class Normalized(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.dropout = nn.Dropout(0.5)
        self.norm = MaskedBatchNorm(2)

    def forward(self, features: torch.Tensor) -> torch.Tensor:
        found: torch.Tensor = self.norm(self.dropout(features))
        return found


BATCHES = [torch.randn(3, 40, 2) * 3 + 5, torch.randn(3, 40, 2) - 1]


def shown(model: nn.Module) -> None:
    for batch in BATCHES:
        model(batch)


@pytest.mark.parametrize("share", [0.0, 0.25, 1.0])
def test_statistics_are_by_a_share_the_mean_over_the_batches(share: float) -> None:
    model = Normalized().eval()
    model.norm.running_mean += 7
    found = adapted(model, shown, share)
    mean = torch.stack([batch.mean((0, 1)) for batch in BATCHES]).mean(0)
    variance = torch.stack([batch.flatten(0, 1).var(0) for batch in BATCHES]).mean(0)
    assert isinstance(found, Normalized)
    torch.testing.assert_close(found.norm.running_mean, share * mean + (1 - share) * 7)
    torch.testing.assert_close(found.norm.running_var, share * variance + (1 - share) * torch.ones(2))
    assert not found.training
    assert found.norm.momentum == 0.1


def test_the_model_itself_stays_as_it_is() -> None:
    model = Normalized().eval()
    before = {name: value.clone() for name, value in model.state_dict().items()}
    adapted(model, shown, 0.5)
    assert all(torch.equal(value, before[name]) for name, value in model.state_dict().items())


@pytest.mark.parametrize("share", [-0.1, 1.5, float("nan")])
def test_what_is_no_share_is_refused(share: float) -> None:
    with pytest.raises(InputError, match="adapt must be a share between 0 and 1"):
        adapted(Normalized(), shown, share)


@pytest.fixture(scope="module")
def room() -> PointCloud:
    rng = np.random.default_rng(3)
    positions = (rng.random((900, 3)) * [2, 2, 1]).astype(np.float32)
    return PointCloud(positions=positions, fields={"color": rng.integers(0, 256, (900, 3), np.uint8)})


def test_a_room_that_is_adapted_to_has_other_answers_and_the_same_each_time(
    weights: dict[str, Path], room: PointCloud
) -> None:
    predictor = ct.Predictor.load(weights["segmentation"], task="segmentation")
    plain, none, full, again = (predictor(room, adapt=share).confidence for share in (None, 0.0, 1.0, 1.0))
    np.testing.assert_array_equal(plain, none)
    np.testing.assert_array_equal(full, again)
    assert np.abs(plain - full).max() > 1e-3


def test_a_file_has_the_answers_of_its_cloud(weights: dict[str, Path], room: PointCloud, tmp_path: Path) -> None:
    predictor = ct.Predictor.load(weights["segmentation"], task="segmentation")
    ct.write(tmp_path / "room.ply", room)
    words = [str(tmp_path / "room.ply"), "-o", str(tmp_path / "out.ply"), "--weights", str(weights["segmentation"])]
    assert main(["segment", *words, "--adapt", "0.7"]) == 0
    found = ct.read(tmp_path / "out.ply")
    np.testing.assert_allclose(found.fields["confidence"], predictor(room, adapt=0.7).confidence, atol=1e-5)


def test_a_share_that_is_none_is_a_sentence(
    weights: dict[str, Path], room: PointCloud, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ct.write(tmp_path / "room.ply", room)
    words = [str(tmp_path / "room.ply"), "-o", str(tmp_path / "out.ply"), "--weights", str(weights["segmentation"])]
    assert main(["segment", *words, "--adapt", "2"]) == 2
    assert "adapt must be a share between 0 and 1, got 2" in capsys.readouterr().err
    assert not (tmp_path / "out.ply").exists()


def test_weights_get_used_to_several_files(
    weights: dict[str, Path], room: PointCloud, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """`cloudt adapt`: what the predictor does with all of them, in a file; a broken one is named and passed over."""
    other = PointCloud(positions=room.positions * [3, 1, 1], fields=room.fields)
    folder, out = tmp_path / "scans", tmp_path / "mine.safetensors"
    folder.mkdir()
    ct.write(folder / "a.ply", room)
    ct.write(folder / "b.ply", other)
    words = ["adapt", str(folder), "--weights", str(weights["segmentation"]), "-o", str(out), "--share", "0.7"]
    assert main(words) == 0, capsys.readouterr().err
    assert "used to 2 files" in capsys.readouterr().out
    predictor = ct.Predictor.load(weights["segmentation"], task="segmentation")
    wanted = predictor.used_to([(each, SceneSettings()) for each in (room, other)], 0.7)
    found = ct.Predictor.load(out, task="segmentation")
    np.testing.assert_allclose(found(room).confidence, wanted(room).confidence, atol=1e-5)
    assert np.abs(found(room).confidence - predictor(room, adapt=0.7).confidence).max() > 1e-4
    assert found.preparation.data.endswith("statistics by 0.7 those of 2 files without labels")

    assert main(words) == 2
    assert "mine.safetensors: exists; replace it with --force" in capsys.readouterr().err
    (folder / "c.ply").write_bytes(b"ply\nnonsense")
    assert main([*words, "--force"]) == 1
    told = capsys.readouterr()
    assert "c.ply" in told.err
    assert "used to 2 files" in told.out
    assert main(["adapt", str(folder), "-o", str(tmp_path / "mine.onnx")]) == 2
    assert "weights are written as .safetensors" in capsys.readouterr().err
    assert main([*words[:-1], "0"]) == 2
    assert "--share must be above 0" in capsys.readouterr().err


def test_nothing_to_get_used_to_is_a_sentence(
    weights: dict[str, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "c.ply").write_bytes(b"ply\nnonsense")
    out = tmp_path / "mine.safetensors"
    assert main(["adapt", str(tmp_path / "c.ply"), "--weights", str(weights["segmentation"]), "-o", str(out)]) == 2
    assert "none of the files could be read" in capsys.readouterr().err
    assert not out.exists()


@pytest.mark.parametrize("size", [1, 7, 100, 1000])
def test_a_sample_is_spread_over_the_scene_however_it_is_cut(size: int) -> None:
    whole = PointCloud(positions=np.zeros((100, 3), np.float32), fields={"row": np.arange(100)})
    parts = [whole.select(slice(start, start + size)) for start in range(0, 100, size)]
    assert sampled(parts, 30).fields["row"].tolist() == list(range(0, 100, 4))
    assert len(sampled(parts, 100)) == 100
