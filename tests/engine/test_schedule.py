"""Which parameters weight decay touches, and what becomes of checkpoints from before that changed."""

import pytest
import torch

from cloud_transformers import models
from cloud_transformers.engine.schedule import make_optimizer
from cloud_transformers.errors import InputError
from tests.engine import toy


@pytest.mark.parametrize(
    "model", [models.segmenter("tiny", scales=True), models.classifier("tiny", scales=True), models.completer("tiny")]
)
def test_decay_spares_biases_normalisations_and_the_keys_transforms(model):
    groups = make_optimizer(model, toy.options(optimizer="adamw", weight_decay=0.05)).param_groups
    decay = {id(p): group["weight_decay"] for group in groups for p in group["params"]}
    found = {name: decay[id(parameter)] for name, parameter in model.named_parameters()}
    spared = {name.rpartition(".")[2] for name, value in found.items() if value == 0}
    decayed = {name for name, value in found.items() if value == 0.05}
    assert spared >= {"log_rotation", "shift", "bias"}
    assert {name.rpartition(".")[2] for name in decayed} == {"weight"}
    assert all(dict(model.named_parameters())[name].dim() > 1 for name in decayed)
    assert len(decay) == len(found)


def test_decay_moves_no_rotation():
    """A parameter without a gradient changes under AdamW by its decay alone."""
    model = models.segmenter("tiny", scales=True)
    before = {name: value.clone() for name, value in model.named_parameters()}
    optimizer = make_optimizer(model, toy.options(optimizer="adamw", weight_decay=0.5))
    for parameter in model.parameters():
        parameter.grad = torch.zeros_like(parameter)
    optimizer.step()
    for name, value in model.named_parameters():
        is_matrix = name.endswith("weight") and value.dim() > 1
        assert torch.equal(value, before[name]) != is_matrix, name


def test_a_checkpoint_with_other_groups_is_refused_in_a_sentence(tmp_path):
    toy.run(tmp_path / "run", steps=2)
    path = tmp_path / "run/checkpoints/step-00000002/state.pt"
    state = torch.load(path)
    first, second = state["optimizer"]["param_groups"]
    first["params"].append(second["params"].pop())
    torch.save(state, path)
    with pytest.raises(InputError, match="applied weight decay to other parameters"):
        toy.run(tmp_path / "run", steps=4)
