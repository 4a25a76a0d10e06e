"""A block in evaluation on prepared weights: the plain way's output, whatever happened to the weights before."""

import copy
import pickle
import threading
from collections.abc import Callable

import pytest
import torch
from torch import Tensor, nn

from cloud_transformers.layers import (
    CloudPooling,
    KeyProjection,
    KeyValueProjection,
    MaskedBatchNorm,
    MultiHeadBlock,
)
from cloud_transformers.layers import faster as faster_module
from cloud_transformers.layers.prepared import Prepared
from cloud_transformers.ops import use_backend
from tests.layers.blocks import F, make_block
from tests.needs import needs_compiler
from tests.tolerances import assert_same

pytestmark = needs_compiler

B, N = 2, 70


@pytest.fixture(autouse=True)
def _poisoned_scratch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLOUDT_POISON_SCRATCH", "1")


def evaluated(**options: object) -> MultiHeadBlock:
    block = make_block(**options).eval()  # type: ignore[arg-type]
    draw = torch.Generator().manual_seed(5)
    for buffer in block.buffers():
        if buffer.is_floating_point():
            buffer.copy_(0.5 + torch.rand(buffer.shape, generator=draw))
    return block


def cloud(num_points: int = N) -> tuple[Tensor, Tensor]:
    draw = torch.Generator().manual_seed(1)
    return torch.randn(B, num_points, F, generator=draw), torch.rand(B, num_points, 3, generator=draw) - 0.5


@torch.no_grad()
def assert_prepared_is_plain(block: MultiHeadBlock, num_points: int = N, mask: Tensor | None = None) -> None:
    features, positions = cloud(num_points)
    actual = faster_module.faster_block(block, features, positions, mask, None)
    assert actual is not None
    with use_backend("reference"):
        expected = block(features, positions, mask)
    assert_same(actual, expected)


@pytest.mark.parametrize("num_points", [0, 1, 63, 300])
@pytest.mark.parametrize("channels", [(4, 8), (16, 32), (8,)])
def test_any_number_of_points_and_channels(num_points: int, channels: tuple[int, ...]) -> None:
    assert_prepared_is_plain(evaluated(channels=channels), num_points)


@pytest.mark.parametrize("mode", ["full", "fixed", "identity", "no_residual"])
@pytest.mark.parametrize("reduce", ["max", "sum", "mean"])
def test_any_keys_and_reduction(mode: str, reduce: str) -> None:
    assert_prepared_is_plain(evaluated(mode=mode, reduce=reduce, squash="sigmoid", scales=True, out_width=F + 3))


def test_masked_points_are_zero() -> None:
    mask = torch.rand(B, N, generator=torch.Generator().manual_seed(3)) > 0.3
    block = evaluated()
    assert_prepared_is_plain(block, mask=mask)
    with torch.no_grad():
        assert not block(*cloud(), mask)[~mask].any()


def optimizer_step(block: MultiHeadBlock) -> None:
    features, positions = cloud()
    block.train()(features, positions).square().sum().backward()
    torch.optim.AdamW(block.parameters(), lr=0.1, fused=True).step()
    block.eval()


def other_weights(block: MultiHeadBlock) -> dict[str, Tensor]:
    return {name: x * 1.5 if x.is_floating_point() else x for name, x in block.state_dict().items()}


def edit_in_inference_mode(block: MultiHeadBlock) -> None:
    with torch.inference_mode():
        block.transforms[0].conv.weight.mul_(1.5)


def replace_a_layer(block: MultiHeadBlock) -> None:
    layer = nn.Linear(block.linear.in_features, block.linear.out_features, bias=False)
    block.linear = layer


def replace_a_weight(block: MultiHeadBlock) -> None:
    block.linear.weight = nn.Parameter(torch.randn_like(block.linear.weight))


def edit_statistics(block: MultiHeadBlock) -> None:
    block.transforms[1].norm.running_var.mul_(2)


CHANGES: dict[str, Callable[[MultiHeadBlock], object]] = {
    "an optimiser's step": optimizer_step,
    "other weights loaded": lambda block: block.load_state_dict(other_weights(block)),
    "other weights put in their place": lambda block: block.load_state_dict(other_weights(block), assign=True),
    "through half precision, where memory may be used again": lambda block: block.half().float(),
    "data replaced": lambda block: setattr(block.linear.weight, "data", 2 * block.linear.weight.data),
    "an edit in place": lambda block: nn.init.normal_(block.transforms[1].projection.keys.log_rotation),
    "an edit of one number": lambda block: block.transforms[0].conv.bias.detach()[0].fill_(3),
    "an edit in inference mode": edit_in_inference_mode,
    "statistics edited": edit_statistics,
    "a layer replaced": replace_a_layer,
    "a weight replaced": replace_a_weight,
}


@pytest.mark.parametrize("change", CHANGES)
def test_it_follows_the_weights(change: str) -> None:
    block = evaluated()
    assert_prepared_is_plain(block)
    with torch.no_grad():
        before = block(*cloud())
    CHANGES[change](block)
    assert_prepared_is_plain(block)
    with torch.no_grad():
        assert not torch.equal(block(*cloud()), before)


def test_weights_are_prepared_once_and_copies_share_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    made = []
    prepare = faster_module.prepare_block
    monkeypatch.setattr(faster_module, "prepare_block", lambda block: (made.append(block), prepare(block))[1])
    block = evaluated()
    for _ in range(3):
        assert_prepared_is_plain(block)
    assert len(made) == 1
    assert copy.deepcopy(block).prepared._held is None
    assert pickle.loads(pickle.dumps(block)).prepared._held is None

    monkeypatch.setattr(faster_module, "MOST_BYTES_KEPT", 0)
    large = evaluated()
    for _ in range(2):
        assert_prepared_is_plain(large)
    assert made[1:] == [large, large]


def test_it_is_taken_only_where_nothing_depends_on_the_batch_and_nothing_asks_for_gradients() -> None:
    def is_prepared(block: MultiHeadBlock) -> bool:
        return faster_module.faster_block(block, *cloud(), None, None) is not None

    assert not is_prepared(evaluated())  # gradients are asked for
    with torch.no_grad():
        assert is_prepared(evaluated())
        assert not is_prepared(evaluated(channels=(3, 8)))
        assert not is_prepared(evaluated(mode="linear"))
        partly = evaluated()
        partly.norm.train()
        assert not is_prepared(partly)
        with use_backend("reference"):
            assert not is_prepared(evaluated())
        with torch.autocast("cpu", dtype=torch.bfloat16):  # linear maps are narrow then; tests of precision compare
            assert is_prepared(evaluated())


def test_weights_made_in_inference_mode_are_not_kept() -> None:
    with torch.inference_mode():
        block = evaluated()
        assert_prepared_is_plain(block)
        block.linear.weight.mul_(2)
        assert_prepared_is_plain(block)


def test_threads_share_it() -> None:
    block = evaluated()
    wrong: list[BaseException] = []

    def work() -> None:
        try:
            for _ in range(5):
                assert_prepared_is_plain(block)
        except BaseException as error:  # pytest does not see other threads
            wrong.append(error)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


@pytest.mark.parametrize("widths", [(6, 6), (6, 9)])
def test_pooling_folds_its_convolutions_too(widths: tuple[int, ...]) -> None:
    make = MaskedBatchNorm
    projection = KeyValueProjection(F, 6, KeyProjection(2, 3, make), make)
    pooling = CloudPooling(projection, 4, widths).double().eval()
    draw = torch.Generator().manual_seed(5)
    features, positions = (x.double() for x in cloud())
    for _ in range(2):
        for tensor in (*pooling.parameters(), *pooling.buffers()):
            if tensor.is_floating_point():
                tensor.detach().copy_(0.5 + torch.rand(tensor.shape, generator=draw))
        with torch.no_grad():
            actual = pooling(features, positions)
        assert_same(actual, pooling(features, positions).detach())  # gradients are asked for: nothing is folded
    assert all(block.prepared._held is not None for block in pooling.blocks)


def test_nothing_is_held_for_weights_that_changed() -> None:
    layer, prepared = nn.Linear(3, 3), Prepared[Tensor]()
    first = prepared.get(layer, lambda: layer.weight.detach() * 2)
    assert prepared.get(layer, lambda: torch.zeros(0)) is first
    layer.eval()
    assert prepared.get(layer, lambda: torch.zeros(0)) is not first
