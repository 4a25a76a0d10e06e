"""Which implementation runs: automatic choice, scopes, the environment variable, and registration with torch."""

import threading

import pytest
import torch

from cloud_transformers.errors import InputError
from cloud_transformers.ops import cloud_transform, normalize, project_keys, use_backend
from cloud_transformers.ops.backend import backend_for
from cloud_transformers.ops.keys import _project
from cloud_transformers.ops.norm import _normalize
from cloud_transformers.ops.transform import _transform
from tests.needs import needs_compiler

FLOAT, DOUBLE = torch.empty(0), torch.empty(0, dtype=torch.float64)


@needs_compiler
def test_float32_on_the_cpu_runs_natively_and_double_by_the_reference() -> None:
    assert backend_for("rasterize", FLOAT) == "native"
    assert backend_for("rasterize", DOUBLE) == "reference"


@needs_compiler
def test_a_scope_ends_where_it_ends_and_nests() -> None:
    with use_backend("reference"):
        assert backend_for("rasterize", FLOAT) == "reference"
        with use_backend("native"):
            assert backend_for("rasterize", FLOAT) == "native"
            assert backend_for("rasterize", DOUBLE) == "reference"
        assert backend_for("rasterize", FLOAT) == "reference"
    assert backend_for("rasterize", FLOAT) == "native"


@needs_compiler
def test_a_scope_is_not_seen_by_other_threads() -> None:
    seen = []
    with use_backend("reference"):
        thread = threading.Thread(target=lambda: seen.append(backend_for("rasterize", FLOAT)))
        thread.start()
        thread.join()
    assert seen == ["native"]


def test_the_environment_chooses_and_a_scope_overrules_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLOUDT_BACKEND", "reference")
    assert backend_for("rasterize", FLOAT) == "reference"
    monkeypatch.setenv("CLOUDT_BACKEND", "fastest")
    with pytest.raises(InputError, match=r"CLOUDT_BACKEND must be one of reference, native, triton, got 'fastest'"):
        backend_for("rasterize", FLOAT)
    with use_backend("reference"):
        assert backend_for("rasterize", FLOAT) == "reference"


@pytest.mark.parametrize("backend", ["reference", pytest.param("native", marks=needs_compiler)])
class TestRegistration:
    """torch.library's own checks: schema, fake tensors, autograd."""

    def test_transform(self, backend: str) -> None:
        values, keys = torch.randn(2, 3, 9, 4, requires_grad=True), torch.rand(2, 3, 9, 2).requires_grad_()
        weight, bias = torch.randn(12, 4, 3, 3, requires_grad=True), torch.randn(12, requires_grad=True)
        with use_backend(backend):
            torch.library.opcheck(_transform, (values, keys, weight, bias, [5, 6], "max", None, True))

    def test_normalize(self, backend: str) -> None:
        features = [torch.randn(2, 9, channels, requires_grad=True) for channels in (3, 5)]
        weight, bias = torch.randn(1, 8, requires_grad=True), torch.randn(1, 8, requires_grad=True)
        residual = torch.randn(2, 9, 8, requires_grad=True)
        with use_backend(backend):
            torch.library.opcheck(_normalize, (features, weight, bias, torch.rand(2, 9) > 0.3, True, residual, [8]))
            torch.library.opcheck(_normalize, (features, weight, bias, None, False, None, [2, 6]))

    def test_keys(self, backend: str) -> None:
        positions, residuals = torch.randn(2, 9, 3, requires_grad=True), torch.randn(2, 9, 12, requires_grad=True)
        shift, matrix = torch.randn(4, 3, requires_grad=True), torch.randn(4, 3, 3, requires_grad=True)
        with use_backend(backend):
            torch.library.opcheck(_project, (positions, residuals, shift, matrix, "tanh"))


class TestReferencesInDouble:
    """The references are specifications, so their hand-written gradients are held to differences of their outputs."""

    draw = torch.Generator().manual_seed(0)

    def leaf(self, *shape: int) -> torch.Tensor:
        return torch.randn(shape, generator=self.draw, dtype=torch.float64).requires_grad_()

    def test_transform(self) -> None:
        keys = (torch.rand(1, 2, 5, 2, generator=self.draw, dtype=torch.float64) * 1.6 - 0.8).requires_grad_()
        leaves = [self.leaf(1, 2, 5, 3), keys, self.leaf(6, 3, 3, 3), self.leaf(6)]
        mask = torch.tensor([[True, True, False, True, True]])
        assert torch.autograd.gradcheck(
            lambda v, k, w, b: cloud_transform(v, k, w, b, (3, 4), reduce="sum", mask=mask, balance=False), leaves
        )

    @pytest.mark.parametrize("groups", [1, 2])
    def test_normalize(self, groups: int) -> None:
        leaves = [
            self.leaf(2, 6, 3),
            self.leaf(2, 6, 2),
            self.leaf(groups, 5),
            self.leaf(groups, 5),
            self.leaf(2, 6, 5),
        ]
        mask = torch.arange(6) < torch.tensor([[6], [4]])
        assert torch.autograd.gradcheck(
            lambda x, y, w, b, r: normalize([x, y], w, b, mask=mask, relu=True, residual=r)[0], leaves
        )

    @pytest.mark.parametrize("squash", ["tanh", "sigmoid"])
    def test_keys(self, squash: str) -> None:
        leaves = [self.leaf(2, 4, 3), self.leaf(2, 4, 6), self.leaf(2, 3), self.leaf(2, 3, 2)]
        assert torch.autograd.gradcheck(lambda p, r, s, m: project_keys(p, r, s, m, squash=squash), leaves)
