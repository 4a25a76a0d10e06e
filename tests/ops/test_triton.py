"""The Triton kernels: under Triton's interpreter against the reference, and compiled for a GPU that need not be here.

The interpreter takes some 0.1 s for a program, so cases are few and each covers much.
"""

import math
import os
import subprocess
import sys
from pathlib import Path

import pytest
import torch

pytest.importorskip("triton", reason="Triton is not installed; there is one for Linux only: pip install triton")

from cloud_transformers.ops import derasterize, rasterize, triton_corners, verification
from cloud_transformers.ops.backend import backend_for, use_backend
from cloud_transformers.ops.derasterize import reference as read_reference
from cloud_transformers.ops.derasterize import triton_kernels as read_kernels
from cloud_transformers.ops.rasterize import reference as write_reference
from cloud_transformers.ops.rasterize import triton_kernels as write_kernels

DEVICE = torch.device("cuda" if torch.cuda.is_available() else "cpu")
TOLERANCES = {"rtol": verification.RELATIVE, "atol": verification.ABSOLUTE}


@pytest.fixture(autouse=True)
def _poisoned_scratch(monkeypatch):
    monkeypatch.setenv("CLOUDT_POISON_SCRATCH", "1")


@pytest.fixture
def _large_blocks(monkeypatch):
    """Fewer programs; what the kernels compute does not depend on it."""
    monkeypatch.setattr(triton_corners, "ELEMENTS_PER_PROGRAM", 1 << 14)


def sample(N, D, *, C=4, B=1, H=2, seed=0):
    """Keys also beyond the limits, and every fourth point a copy of an earlier one: ties."""
    draw = torch.Generator().manual_seed(seed)
    values = torch.randn(B, H, N, C, generator=draw)
    keys = torch.rand(B, H, N, D, generator=draw) * 2.2 - 1.1
    copies = len(range(3, N, 4))
    values[:, :, 3::4], keys[:, :, 3::4] = values[:, :, :copies].clone(), keys[:, :, :copies].clone()
    mask = torch.rand(B, N, generator=draw) < 0.7
    return values.to(DEVICE), keys.to(DEVICE), mask.to(DEVICE)


def check_rasterize(values, keys, size, reduce, mask, balance):
    expected, note = write_reference.forward(values, keys, size, reduce, mask)
    grid, actual_note = write_kernels.forward(values, keys, size, reduce, mask)
    torch.testing.assert_close(actual_note, note, rtol=0, atol=0)
    exact = {"rtol": 0, "atol": 0} if reduce == "max" else TOLERANCES
    torch.testing.assert_close(grid, expected, equal_nan=True, **exact)
    arguments = (torch.randn_like(grid), values, keys, size, reduce, mask, balance, note)
    torch.testing.assert_close(
        write_kernels.backward(*arguments), write_reference.backward(*arguments), equal_nan=True, **TOLERANCES
    )


def check_derasterize(grid, keys, mask, balance):
    read = read_kernels.forward(grid, keys, mask)
    torch.testing.assert_close(read, read_reference.forward(grid, keys, mask), **TOLERANCES)
    arguments = (torch.randn_like(read), grid, keys, mask, balance)
    torch.testing.assert_close(read_kernels.backward(*arguments), read_reference.backward(*arguments), **TOLERANCES)


SIZES = [(6, 5), (4, 3, 5)]


@pytest.mark.usefixtures("_large_blocks")
@pytest.mark.parametrize("masked", [False, True])
@pytest.mark.parametrize("reduce", ["max", "sum", "mean"])
@pytest.mark.parametrize("size", SIZES)
def test_rasterize(size, reduce, masked):
    values, keys, mask = sample(63, len(size))
    check_rasterize(values, keys, size, reduce, mask if masked else None, balance=masked)


@pytest.mark.usefixtures("_large_blocks")
@pytest.mark.parametrize("masked", [False, True])
@pytest.mark.parametrize("size", SIZES)
def test_derasterize(size, masked):
    _, keys, mask = sample(63, len(size))
    grid = torch.randn(1, 2, *size, 4, device=DEVICE)
    check_derasterize(grid, keys, mask if masked else None, balance=masked)


@pytest.mark.usefixtures("_large_blocks")
@pytest.mark.parametrize("N", [0, 1, 1000])
def test_awkward_numbers_of_points(N):
    values, keys, mask = sample(N, 3, C=3)
    check_rasterize(values, keys, (4, 4, 4), "max", mask, balance=True)
    check_derasterize(torch.randn(1, 2, 4, 4, 4, 3, device=DEVICE), keys, mask, balance=True)


def test_many_blocks_and_clouds():
    values, keys, mask = sample(70, 2, C=33, B=2, H=1)
    assert triton_corners.programs(2, 1, 70, 33) == (5, 2)
    check_rasterize(values, keys, (3, 4), "max", mask, balance=True)
    check_derasterize(torch.randn(2, 1, 3, 4, 33, device=DEVICE), keys, mask, balance=True)


@pytest.mark.usefixtures("_large_blocks")
@pytest.mark.parametrize("size", [(1, 4), (3, 1, 2)])
def test_axes_of_one_node(size):
    values, keys, mask = sample(20, len(size), H=1)
    for reduce in ("max", "mean"):
        check_rasterize(values, keys, size, reduce, mask, balance=False)
    check_derasterize(torch.randn(1, 1, *size, 4, device=DEVICE), keys, mask, balance=False)


@pytest.mark.usefixtures("_large_blocks")
def test_not_a_number_and_keys_on_nodes_and_limits():
    values, keys, _ = sample(12, 2, H=1)
    keys[0, 0, :6] = torch.tensor([[-1.0, 1], [0, 0], [1, 1], [-2, 2], [0.5, -0.5], [math.nan, 0]])
    values[0, 0, 7, 0] = math.nan
    for reduce in ("max", "sum"):
        check_rasterize(values, keys, (5, 5), reduce, None, balance=True)


@pytest.mark.usefixtures("_large_blocks")
def test_masked_points_may_hold_anything_and_inputs_any_layout():
    values, keys, mask = sample(40, 3)
    dirty = [x.masked_fill(~mask[:, None, :, None], math.nan) for x in (values, keys)]
    strided = [x.transpose(1, 2).contiguous().transpose(1, 2) for x in dirty]
    for reduce in ("max", "mean"):
        check_rasterize(*strided, (3, 3, 3), reduce, mask, balance=True)
    grid = torch.randn(1, 2, 4, 3, 3, 3, device=DEVICE).movedim(2, -1)
    check_derasterize(grid, strided[1], mask, balance=True)
    nobody = torch.zeros_like(mask)
    check_rasterize(values, keys, (3, 3, 3), "max", nobody, balance=True)


@pytest.mark.usefixtures("_large_blocks")
def test_public_operators_choose_the_kernels():
    values, keys, mask = sample(30, 2, H=1)
    values.requires_grad_()
    keys.requires_grad_()
    gradients = {}
    for backend in ("reference", "triton"):
        with use_backend(backend):
            assert backend_for("rasterize", values) == backend
            read = derasterize(rasterize(values, keys, 5, mask=mask), keys, mask=mask)
            gradients[backend] = torch.autograd.grad(read.square().sum(), (values, keys))
    torch.testing.assert_close(gradients["triton"], gradients["reference"], **TOLERANCES)


@pytest.fixture
def _nothing_verified_yet():
    verification.verified.cache_clear()
    yield
    verification.verified.cache_clear()


@pytest.mark.usefixtures("_large_blocks", "_nothing_verified_yet")
def test_kernels_that_agree_are_verified_once(monkeypatch):
    assert verification.verified(DEVICE)
    monkeypatch.setattr(verification, "_differences", lambda device: pytest.fail("verified twice"))
    assert verification.verified(DEVICE)


@pytest.mark.usefixtures("_nothing_verified_yet")
@pytest.mark.parametrize(
    ("module", "function", "change"),
    [
        (write_kernels, "forward", lambda result: (result[0] * (1 + 1e-6), result[1])),
        (write_kernels, "forward", lambda result: (result[0], result[1] - 1)),
        (write_kernels, "backward", lambda result: (result[0], -result[1])),
        (read_kernels, "forward", lambda result: result.roll(1, 2)),
        (read_kernels, "backward", lambda result: (result[0] * float("nan"), result[1])),
    ],
)
def test_broken_kernels_are_refused_with_a_warning(monkeypatch, module, function, change):
    """Each is broken in one place; the others stand in for themselves by the reference, which is faster here."""
    for kernels, reference in ((write_kernels, write_reference), (read_kernels, read_reference)):
        for name in ("forward", "backward"):
            monkeypatch.setattr(kernels, name, getattr(reference, name))
    sound = getattr(module, function)
    monkeypatch.setattr(module, function, lambda *arguments: change(sound(*arguments)))
    with pytest.warns(RuntimeWarning, match="runs without its Triton kernels on .*differs from the reference"):
        assert not verification.verified(DEVICE)
    assert not verification.verified(DEVICE)  # remembered, and warned of once


@pytest.mark.usefixtures("_nothing_verified_yet")
def test_kernels_that_do_not_compile_are_refused_with_a_warning(monkeypatch):
    def fails(*arguments):
        raise RuntimeError("no such architecture")

    monkeypatch.setattr(write_kernels, "forward", fails)
    with pytest.warns(RuntimeWarning, match="RuntimeError: no such architecture"):
        assert not verification.verified(DEVICE)


def test_kernels_compile_for_a_gpu():
    """All the way to machine code, without a GPU; and nothing is fused into multiply-adds, which would move maxima."""
    script = Path(__file__).with_name("compile_triton.py")
    environment = {name: value for name, value in os.environ.items() if name != "TRITON_INTERPRET"}
    done = subprocess.run([sys.executable, str(script)], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["8", "kernels"]
