"""Muon and AdamW as one optimiser do what each does alone."""

import pytest
import torch

from cloud_transformers import models
from cloud_transformers.checkpoints import FINAL, read_safetensors
from cloud_transformers.engine.muon import orthogonal
from cloud_transformers.engine.schedule import make_optimizer, set_learning_rate
from tests.engine import toy

OPTIONS = toy.options(optimizer="muon", weight_decay=0.05, schedule="cosine")


def gradients(model: torch.nn.Module, seed: int) -> None:
    generator = torch.Generator().manual_seed(seed)
    for parameter in model.parameters():
        parameter.grad = torch.randn(parameter.shape, generator=generator)


def is_for_muon(name: str, parameter: torch.Tensor) -> bool:
    is_key_transform = name.endswith(("log_rotation", "shift", "scales"))
    return parameter.dim() == 2 and not is_key_transform and not name.startswith(("class_head", "mask_head"))


def test_matrices_before_the_heads_are_muons_and_all_else_adamws() -> None:
    ours, theirs = models.classifier("tiny", scales=True), models.classifier("tiny", scales=True)
    theirs.load_state_dict(ours.state_dict())
    together = make_optimizer(ours, OPTIONS)
    named = dict(theirs.named_parameters())
    matrices = [parameter for name, parameter in named.items() if is_for_muon(name, parameter)]
    decayed = [p for name, p in named.items() if not is_for_muon(name, p) and p.dim() > 1 and name.endswith("weight")]
    chosen = {id(parameter) for parameter in (*matrices, *decayed)}
    spared = [parameter for parameter in named.values() if id(parameter) not in chosen]
    assert min(len(matrices), len(decayed), len(spared)) > 0
    muon = torch.optim.Muon(matrices, weight_decay=0.05, adjust_lr_fn="match_rms_adamw")
    adamw = torch.optim.AdamW([{"params": decayed, "weight_decay": 0.05}, {"params": spared, "weight_decay": 0.0}])
    for step in range(3):
        for model in (ours, theirs):
            gradients(model, seed=step)
        rate = set_learning_rate(together, OPTIONS, step)
        for group in (*muon.param_groups, *adamw.param_groups):
            group["lr"] = rate
        for optimizer in (together, muon, adamw):
            optimizer.step()
    for name, parameter in ours.named_parameters():
        # torch's Muon computes in bfloat16: what it moves, 0.2 of the rate in each step, is right to some hundredths.
        close = {"rtol": 0, "atol": 0.04 * OPTIONS.learning_rate} if is_for_muon(name, parameter) else {}
        torch.testing.assert_close(parameter, named[name], msg=name, **close)


@pytest.mark.parametrize("shape", [(5, 5), (3, 40), (40, 3), (1, 7), (64, 96)])
def test_momenta_of_one_shape_become_orthogonal_together(shape: tuple[int, int]) -> None:
    matrices = torch.randn(4, *shape, dtype=torch.float64, generator=torch.Generator().manual_seed(0))
    matrices[3] *= 1e-5  # how long a gradient is does not count
    found = orthogonal(matrices)
    values = torch.linalg.svdvals(found)
    assert ((values > 0.3) & (values < 1.3)).all()
    before_left, _, before_right = torch.linalg.svd(matrices, full_matrices=False)
    nearest = before_left @ before_right
    cosines = (found * nearest).sum((1, 2)) / (found.norm(dim=(1, 2)) * nearest.norm(dim=(1, 2)))
    assert (cosines > 0.95).all()
    torch.testing.assert_close(found, torch.cat([orthogonal(matrices[place : place + 1]) for place in range(4)]))


def test_no_gradient_moves_no_direction() -> None:
    assert torch.equal(orthogonal(torch.zeros(2, 3, 4)), torch.zeros(2, 3, 4))


def test_a_step_changes_every_parameter_about_as_far_as_adamw_does() -> None:
    moved = []
    for optimizer in ("adamw", "muon"):
        torch.manual_seed(0)
        model = models.segmenter("tiny")
        before = {name: parameter.clone() for name, parameter in model.named_parameters()}
        gradients(model, seed=0)
        make_optimizer(model, toy.options(optimizer=optimizer, learning_rate=1e-2)).step()
        moved.append({name: (value - before[name]).square().mean().sqrt() for name, value in model.named_parameters()})
    for name, far in moved[1].items():
        assert 0.1 < far / moved[0][name] < 1.1, name


@pytest.mark.parametrize("ema", [0.0, 0.9])
def test_taken_up_again_it_ends_with_the_same_bits(tmp_path, ema) -> None:
    toy.run(tmp_path / "whole", optimizer="muon", steps=6, ema=ema)
    toy.run(tmp_path / "parts", optimizer="muon", steps=4, ema=ema)
    toy.run(tmp_path / "parts", optimizer="muon", steps=6, ema=ema)
    whole, parts = (read_safetensors(tmp_path / name / FINAL)[0] for name in ("whole", "parts"))
    assert all(torch.equal(whole[name], value) for name, value in parts.items())
