"""Released checkpoints in, our own files out and back: and what is said when a file is wrong."""

import json
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save_file

import cloud_transformers as ct
from cloud_transformers.cli import main
from cloud_transformers.datasets.s3dis.classes import BLOCK_CLASSES
from cloud_transformers.errors import InputError
from cloud_transformers.models.classifier import ClassifierConfig
from tests.golden.weights import golden_state_dict
from tests.models.tiny import BUILDERS, VARIANTS, cloud, run, tiny


@pytest.fixture(scope="module")
def released() -> dict[str, torch.Tensor]:
    return golden_state_dict("segmenter")


class TestRelease:
    def test_prefix_and_buffers_of_published_checkpoints(self, released: dict, tmp_path: Path) -> None:
        published = {f"module.{name}": value for name, value in released.items()}
        published["module.attentions_encoder.0.attentions.0.tensor_mod"] = torch.zeros(3)
        torch.save(published, tmp_path / "segmenter.pth")
        expected, actual = (
            ct.load_release("segmenter", released),
            ct.load_release("segmenter", tmp_path / "segmenter.pth"),
        )
        assert not actual.training
        for name, value in expected.state_dict().items():
            assert torch.equal(actual.state_dict()[name], value)

    def test_spheres_take_seven_inputs(self, released: dict) -> None:
        wider = {**released, "first_process.0.weight": torch.rand(512, 7, 1)}
        model = ct.load_release("segmenter_spheres", wider)
        assert model.trunk.in_channels == 7

    def test_all_that_does_not_fit_is_listed_in_one_error(self, released: dict) -> None:
        damaged = {**released, "final.0.weight": torch.rand(512, 100, 1), "final.9.extra": torch.rand(3)}
        del damaged["first_process.1.bias"]
        with pytest.raises(InputError) as caught:
            ct.load_release("segmenter", damaged)
        message = str(caught.value)
        assert "wrong shape final.0.weight: [512, 100, 1] where [512, 512] is needed" in message
        assert "unexpected final.9.extra" in message
        assert "missing trunk.norm.bias" in message

    def test_the_wrong_model_is_refused_briefly(self, released: dict) -> None:
        with pytest.raises(InputError, match=r"not a released classifier: .* and \d+ more$") as caught:
            ct.load_release("classifier", released)
        assert len(str(caught.value)) < 2000

    def test_unknown_name(self, released: dict) -> None:
        with pytest.raises(InputError, match="unknown release 'segmentor': choose one of segmenter"):
            ct.load_release("segmentor", released)

    @pytest.mark.parametrize(
        ("content", "message"),
        [
            (b"", "not a checkpoint that can be read safely"),
            (b"not a checkpoint", "not a checkpoint that can be read safely"),
            ([1, 2], "holds a list, not a state dict"),
            ({"epoch": 3, "model": {}}, "its entries epoch, model are not tensors"),
        ],
    )
    def test_wrong_files(self, content: object, message: str, tmp_path: Path) -> None:
        path = tmp_path / "wrong.pth"
        path.write_bytes(content) if isinstance(content, bytes) else torch.save(content, path)
        with pytest.raises(InputError, match=message):
            ct.load_release("segmenter", path)

    def test_truncated_file(self, released: dict, tmp_path: Path) -> None:
        path = tmp_path / "cut.pth"
        torch.save(dict(list(released.items())[:20]), path)
        path.write_bytes(path.read_bytes()[:-1000])
        with pytest.raises(InputError, match=r"cut\.pth is not a checkpoint that can be read safely"):
            ct.load_release("segmenter", path)

    def test_code_in_a_checkpoint_is_not_run(self, tmp_path: Path) -> None:
        class Attack:
            def __reduce__(self) -> tuple:
                return (Path.touch, (tmp_path / "ran",))

        torch.save({"weight": Attack()}, tmp_path / "attack.pth")
        with pytest.raises(InputError, match="can be read safely"):
            ct.load_release("segmenter", tmp_path / "attack.pth")
        assert not (tmp_path / "ran").exists()


class TestOwnFormat:
    @pytest.mark.parametrize("name", BUILDERS)
    @pytest.mark.parametrize("options", [{}, {"flavour": "paper", "planar": False}, {"keys": "fixed", "scales": True}])
    def test_a_file_is_enough(self, name: str, options: dict, tmp_path: Path) -> None:
        model = tiny(name, **options).float().eval()
        ct.save(model, tmp_path / "weights.safetensors")
        loaded = ct.load(tmp_path / "weights.safetensors")
        assert loaded.config == model.config
        assert not loaded.training
        points = cloud(20).float()
        for key, value in run(name, model, points.double().float()).items() if name == "segmenter" else ():
            assert torch.equal(run(name, loaded, points)[key], value)
        for key, value in model.state_dict().items():
            assert torch.equal(loaded.state_dict()[key], value)

    @pytest.mark.parametrize("name", VARIANTS)
    def test_a_classifier_with_options_is_saved_with_them(self, name: str, tmp_path: Path) -> None:
        model = tiny(name).float().eval()
        ct.save(model, tmp_path / "weights.safetensors")
        points = cloud(20).float()
        assert torch.equal(run(name, ct.load(tmp_path / "weights.safetensors"), points)["cloud"],
                           run(name, model, points)["cloud"])  # fmt: skip

    def test_cells_too_small_to_be_built_are_refused(self) -> None:
        with pytest.raises(ValueError, match="are too large"):
            ClassifierConfig(surroundings=(0.02,))

    def test_weights_are_as_readable_as_any_file(self, tmp_path: Path) -> None:
        ct.save(ct.models.segmenter("tiny"), tmp_path / "weights.safetensors")
        (tmp_path / "any").touch()
        assert (tmp_path / "weights.safetensors").stat().st_mode == (tmp_path / "any").stat().st_mode

    def test_what_is_not_ours_is_refused(self, tmp_path: Path) -> None:
        path = tmp_path / "other.safetensors"
        save_file({"weight": torch.rand(3)}, path)
        with pytest.raises(InputError, match="holds no cloud-transformers model"):
            ct.load(path)
        path.write_bytes(b"nothing")
        with pytest.raises(InputError, match="not a readable safetensors file"):
            ct.load(path)
        with pytest.raises(InputError, match="no such file"):
            ct.load(tmp_path / "absent.safetensors")

    @pytest.mark.parametrize("change", ["missing", "misshapen", "config"])
    def test_weights_that_do_not_fit_their_configuration(self, change: str, tmp_path: Path) -> None:
        path = tmp_path / "weights.safetensors"
        model = ct.models.segmenter("tiny")
        ct.save(model, path)
        tensors = load_file(path)
        config = {"num_classes": 13, "num_features": 3, "trunk": {"width": 32, "depth": 5}}
        metadata = {"format": "cloud-transformers 1", "kind": "segmenter"}
        if change == "config":
            metadata["config"] = json.dumps(config)
        else:
            from dataclasses import asdict

            metadata["config"] = json.dumps(asdict(model.config))
            if change == "missing":
                del tensors["head.linear2.bias"]
            else:
                tensors["head.linear2.bias"] = torch.zeros(4)
        save_file(tensors, path, metadata=metadata)
        with pytest.raises(InputError, match="depth" if change == "config" else r"head\.linear2\.bias"):
            ct.load(path)

    def test_nothing_is_left_behind_when_writing_fails(self, tmp_path: Path) -> None:
        with pytest.raises(InputError, match="does not exist"):
            ct.save(ct.models.segmenter("tiny"), tmp_path / "absent" / "weights.safetensors")
        with pytest.raises(InputError, match=r"written as \.safetensors"):
            ct.save(ct.models.segmenter("tiny"), tmp_path / "weights.pth")
        with pytest.raises(ValueError, match="only models made by"):
            ct.save(torch.nn.Linear(2, 2), tmp_path / "weights.safetensors")
        assert not list(tmp_path.iterdir())


class TestCommands:
    def test_import_release_then_info(self, released: dict, tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
        torch.save(released, tmp_path / "checkpoint.pth")
        output = tmp_path / "weights.safetensors"
        assert main(["import-release", "segmenter", str(tmp_path / "checkpoint.pth"), "-o", str(output)]) == 0
        assert "9,220,109 parameters" in capsys.readouterr().out
        expected = ct.load_release("segmenter", released)
        for name, value in ct.load(output).state_dict().items():
            assert torch.equal(value, expected.state_dict()[name])
        assert ct.Predictor.load(output, device="cpu").classes == BLOCK_CLASSES
        assert main(["info", str(output)]) == 0
        described = capsys.readouterr().out
        for text in ("segmenter", "9,220,109", "official release", "trunk.num_cascades", "num_classes"):
            assert text in described

    @pytest.mark.parametrize(
        "arguments",
        [
            ["info", "absent.safetensors"],
            ["import-release", "segmenter", "absent.pth", "-o", "weights.safetensors"],
            ["import-release", "nonsense", "absent.pth", "-o", "weights.safetensors"],
        ],
    )
    def test_mistakes_are_one_sentence(self, arguments: list[str], capsys: pytest.CaptureFixture) -> None:
        assert main(arguments) == 2
        message = capsys.readouterr().err
        assert message.startswith("cloudt: ")
        assert message.count("\n") == 1


def test_what_a_model_expects_of_its_input_stands_in_its_file(tmp_path: Path) -> None:
    said = ct.models.Preparation(task="segmentation", classes=("floor", "wall"), up="z", region="block", points=512)
    ct.save(ct.models.segmenter("tiny", num_classes=2), tmp_path / "a.safetensors", preparation=said)
    assert ct.models.load_prepared(tmp_path / "a.safetensors")[1] == said
    ct.save(ct.models.segmenter("tiny"), tmp_path / "b.safetensors")
    assert ct.models.load_prepared(tmp_path / "b.safetensors")[1] is None
