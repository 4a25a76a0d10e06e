"""A new kind of model is a line in one table: files, recipes, training, prediction and export follow it."""

from dataclasses import asdict, dataclass, replace
from pathlib import Path

import numpy as np
import pytest
import torch
from torch import Tensor, nn

import cloud_transformers as ct
from cloud_transformers import models
from cloud_transformers.errors import InputError
from cloud_transformers.export.interface import interface_of
from cloud_transformers.models.kinds import KINDS, Kind, chosen_kind, kind_name
from cloud_transformers.models.preparation import Preparation
from cloud_transformers.recipes import recipe, with_settings
from cloud_transformers.recipes.finetune import options_of
from cloud_transformers.recipes.recipe import ModelOptions
from cloud_transformers.tasks import Segmentation


@dataclass(frozen=True, kw_only=True)
class PlainConfig:
    num_classes: int = 13
    num_features: int = 3
    width: int = 8


class Plain(nn.Module):
    """Each point by itself."""

    config: PlainConfig

    def __init__(self, config: PlainConfig) -> None:
        super().__init__()
        self.config = config
        self.layers = nn.Sequential(
            nn.Linear(3 + config.num_features, config.width), nn.ReLU(), nn.Linear(config.width, config.num_classes)
        )

    def forward(self, positions: Tensor, features: Tensor, mask: Tensor | None = None) -> Tensor:
        return self.layers(torch.cat([positions, features], dim=-1))


def plain(size: str = "full", num_classes: int = 13, *, num_features: int = 3) -> Plain:
    width = {"full": 64, "small": 32, "tiny": 8}[size]
    return Plain(PlainConfig(num_classes=num_classes, num_features=num_features, width=width))


@pytest.fixture(autouse=True)
def _plain(monkeypatch: pytest.MonkeyPatch) -> None:
    kind = Kind(task="segmentation", verb="segment", model=Plain, configuration=PlainConfig, build=Plain, builder=plain)
    monkeypatch.setitem(KINDS, "plain", kind)


def test_the_table_is_whole() -> None:
    for name, kind in KINDS.items():
        model = kind.builder("tiny")
        assert kind_name(model) == name
        assert isinstance(model.config, kind.configuration)
        rebuilt = kind.build(model.config)
        assert {n: v.shape for n, v in rebuilt.state_dict().items()} == {
            n: v.shape for n, v in model.state_dict().items()
        }


def test_the_first_kind_of_a_task_is_the_usual_one() -> None:
    assert chosen_kind("segmentation") == "segmenter"
    assert chosen_kind("segmentation", "plain") == "plain"
    with pytest.raises(InputError, match="one of segmenter, plain for segmentation, got 'classifier'"):
        chosen_kind("segmentation", "classifier")
    with pytest.raises(ValueError, match="none of the kinds segmenter"):
        kind_name(nn.Linear(1, 1))


def test_a_derived_model_is_of_the_nearest_kind() -> None:
    class Other(Plain):
        pass

    assert kind_name(Other(PlainConfig())) == "plain"


def test_a_new_kind_is_saved_used_and_exported(tmp_path: Path) -> None:
    model = plain("tiny", 2)
    preparation = Preparation(
        task="segmentation", classes=("floor", "wall"), up="z", region="block", points=64, features=("color",)
    )
    ct.save(model, tmp_path / "plain.safetensors", preparation=preparation)
    assert isinstance(ct.load(tmp_path / "plain.safetensors"), Plain)
    predictor = ct.Predictor.load(tmp_path / "plain.safetensors", task="segmentation")
    cloud = np.random.default_rng(0).random((90, 3)).astype(np.float32)
    assert predictor(cloud, missing_color="grey").labels.shape == (90,)
    assert interface_of(model).outputs[0].shape == ("B", "N", 2)


def test_recipes_build_it_and_start_from_it(tmp_path: Path) -> None:
    chosen = with_settings(recipe("s3dis-blocks", "tiny"), {"kind": "plain"})
    model = chosen.model.build(chosen.task, 13)
    assert isinstance(model, Plain)
    models.save(model, tmp_path / "plain.safetensors")
    options = options_of(recipe("s3dis-blocks", "small"), str(tmp_path / "plain.safetensors"))
    assert asdict(options) == asdict(replace(chosen.model, kind="plain"))
    with pytest.raises(InputError, match="a plain does not have all of these options"):
        ModelOptions(size="tiny", kind="plain", keys="linear").build(Segmentation(), 13)
