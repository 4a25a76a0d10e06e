"""Which parameters weight decay touches, and what becomes of checkpoints from before that changed."""

from itertools import pairwise

import pytest
import torch

from cloud_transformers import models
from cloud_transformers.engine.checkpoint import Checkpoints, Progress
from cloud_transformers.engine.schedule import make_optimizer, set_learning_rate, share_of_points
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


def test_heads_learn_alone_first_and_the_other_layers_slower_from_then_on():
    model = models.classifier("tiny")
    options = toy.options(steps=10, learning_rate=0.1, schedule="constant", heads_first=0.3, body_rate=0.25)
    optimizer = make_optimizer(model, options)
    rates = []
    for step in range(10):
        assert set_learning_rate(optimizer, options, step) == 0.1
        rate = {id(p): group["lr"] for group in optimizer.param_groups for p in group["params"]}
        of = {name: rate[id(parameter)] for name, parameter in model.named_parameters()}
        assert {value for name, value in of.items() if name.startswith(("class_head", "mask_head"))} == {0.1}
        (body,) = {value for name, value in of.items() if name.startswith("encoder")}
        rates.append(body)
    assert rates == [0.0] * 3 + [0.025] * 7
    # Without these options nothing waits, and a checkpoint has the groups that it always had.
    assert len(make_optimizer(model, toy.options(heads_first=0.0, body_rate=1.0)).param_groups) == 2
    with pytest.raises(InputError, match="body_rate=2"):
        toy.options(body_rate=2.0)


def test_a_run_may_begin_with_fewer_points():
    options = toy.options(steps=20, points_at_first=0.25)
    shares = [share_of_points(options, step) for step in range(20)]
    assert shares[0] == 0.25
    assert shares[17:] == [1.0, 1.0, 1.0]
    assert [after / before for before, after in pairwise(shares[:18])] == pytest.approx([4 ** (1 / 17)] * 17)
    assert {share_of_points(toy.options(steps=10), step) for step in range(10)} == {1.0}


def test_a_checkpoint_of_another_model_is_refused_in_a_sentence(tmp_path):
    toy.run(tmp_path / "run", steps=2)
    path = tmp_path / "run/checkpoints/step-00000002/state.pt"
    state = torch.load(path)
    first, second = state["optimizer"]["param_groups"]
    first["params"].append(second["params"].pop())
    torch.save(state, path)
    with pytest.raises(InputError, match="does not belong to this model"):
        toy.run(tmp_path / "run", steps=4)


def test_a_checkpoint_of_version_0_1_keeps_what_it_knows_of_each_parameter(tmp_path):
    """That version had two groups: what has several dimensions, and the rest."""
    model = models.segmenter("tiny", scales=True)
    parameters = list(model.parameters())
    groups = [{"params": [p for p in parameters if p.dim() > 1]}, {"params": [p for p in parameters if p.dim() <= 1]}]
    before = torch.optim.AdamW(groups)
    for number, parameter in enumerate(parameters):
        parameter.grad = torch.full_like(parameter, number + 1.0)
    before.step()
    Checkpoints(tmp_path, keep=1).write(Progress(step=1), model, before, None, None)

    now = make_optimizer(model, toy.options(optimizer="adamw", weight_decay=0.05))
    checkpoints = Checkpoints(tmp_path, keep=1)
    assert checkpoints.restore(model, now, None, None).step == 1
    assert "version 0.1" in checkpoints.notes[0]
    assert [group["weight_decay"] for group in now.param_groups] == [0.05, 0.0]
    for parameter in parameters:
        for name in ("step", "exp_avg", "exp_avg_sq"):
            assert torch.equal(now.state[parameter][name], before.state[parameter][name])


@pytest.mark.parametrize(("before", "now"), [(None, 4.0), (4.0, None), (4.0, 64.0)])
def test_a_run_may_change_its_precision_on_the_way(tmp_path, before, now):
    """The scale of gradients in float16 is that of the checkpoint, if both have one."""
    model = models.segmenter("tiny")
    optimizer = torch.optim.SGD(model.parameters())
    old, new = (None if scale is None else torch.amp.GradScaler("cpu", init_scale=scale) for scale in (before, now))
    Checkpoints(tmp_path, keep=1).write(Progress(step=1), model, optimizer, None, old)
    assert Checkpoints(tmp_path, keep=1).restore(model, optimizer, None, new).step == 1
    if new is not None:
        assert new.get_scale() == 4.0
