"""Memory of the kernels' tensors: used again once nobody holds it, never before, and bounded."""

import gc

import pytest
import torch
from torch import Tensor

from cloud_transformers import native
from cloud_transformers.native import reuse

LIKE = torch.zeros(1)
COUNT = reuse.STEP  # floats: four steps


@pytest.fixture(autouse=True)
def _nothing_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reuse, "_unused", {})


def test_freed_memory_is_used_again() -> None:
    first = native.scratch(COUNT, like=LIKE)
    address = first.data_ptr()
    del first
    assert native.scratch(2, COUNT // 2, like=LIKE).data_ptr() == address


def test_memory_in_use_is_nobody_elses() -> None:
    tensors = [native.scratch(COUNT, like=LIKE).fill_(number) for number in range(8)]
    views = [tensor.view(2, -1)[1] for tensor in tensors]
    del tensors
    gc.collect()
    others = [native.scratch(COUNT, like=LIKE).fill_(-1) for _ in range(8)]
    assert [float(view.mean()) for view in views] == list(range(8))
    assert all(float(other.max()) == -1 for other in others)


def test_autograd_holds_it() -> None:
    weight = torch.ones(COUNT, requires_grad=True)

    def product() -> Tensor:
        return (weight * native.scratch(COUNT, like=LIKE).fill_(3)).sum()

    loss = product()
    native.scratch(COUNT, like=LIKE).fill_(7)
    loss.backward()
    assert weight.grad is not None
    assert torch.equal(weight.grad, torch.full((COUNT,), 3.0))


def test_what_is_kept_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reuse, "MOST_KEPT", 3 * 4 * COUNT)
    tensors = [native.scratch(COUNT, like=LIKE) for _ in range(5)]
    del tensors
    assert sum(size * len(blocks) for size, blocks in reuse._unused.items()) == 3 * 4 * COUNT


@pytest.mark.parametrize("count", [1, reuse.STEP // 4 - 1, reuse.LARGEST // 4 + 1])
def test_small_and_large_tensors_are_not_kept(count: int) -> None:
    assert native.scratch(count, like=LIKE).shape == (count,)
    assert not reuse._unused
