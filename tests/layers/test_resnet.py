"""The image trunk: the standard names and shapes, loaded from files."""

from pathlib import Path

import pytest
import torch
from safetensors.torch import save_file

from cloud_transformers.errors import InputError
from cloud_transformers.layers import ResNetTrunk


def test_resnet50_has_the_standard_parameters() -> None:
    trunk = ResNetTrunk()
    names = trunk.state_dict()
    # ResNet-50 has 25,557,032 parameters, of which the classifier's 2048 * 1000 + 1000 are not here.
    assert sum(parameter.numel() for parameter in trunk.parameters()) == 25_557_032 - 2_049_000
    assert names["conv1.weight"].shape == (64, 3, 7, 7)
    assert names["layer1.0.downsample.0.weight"].shape == (256, 64, 1, 1)
    assert names["layer4.2.bn3.running_var"].shape == (2048,)
    assert trunk.out_channels == 2048


@pytest.mark.parametrize("suffix", [".pth", ".safetensors"])
def test_public_weights_load_from_a_file(tmp_path: Path, suffix: str) -> None:
    torch.manual_seed(1)
    source, path = ResNetTrunk((1, 1, 1, 1), 4), tmp_path / f"resnet{suffix}"
    content = {
        **{name: value for name, value in source.state_dict().items() if not name.endswith("num_batches_tracked")},
        "fc.weight": torch.zeros(1000, 128),
        "fc.bias": torch.zeros(1000),
    }
    save_file(content, path) if suffix == ".safetensors" else torch.save(content, path)
    trunk = ResNetTrunk((1, 1, 1, 1), 4)
    trunk.load_pretrained(path)
    for name, value in source.named_parameters():
        assert torch.equal(trunk.get_parameter(name), value)


def test_weights_of_another_network_are_refused_by_name(tmp_path: Path) -> None:
    path = tmp_path / "other.pth"
    torch.save(ResNetTrunk((1, 1, 1, 1), 8).state_dict(), path)
    with pytest.raises(InputError, match=r"other.pth does not hold.*conv1.weight.* and \d+ more"):
        ResNetTrunk((1, 1, 1, 1), 4).load_pretrained(path)
    with pytest.raises(InputError, match="no such file"):
        ResNetTrunk((1, 1, 1, 1), 4).load_pretrained(tmp_path / "absent.pth")
