"""Which implementation of an operator runs: the plain-PyTorch reference, the native CPU kernels or the Triton ones.

Left alone, the fastest one that the tensors allow. `use_backend` asks for one in a scope, the environment variable
CLOUDT_BACKEND from outside. What an asked-for backend cannot take (native: anything but float32 on the CPU; triton:
anything not on a GPU) still runs, with the reference.
"""

import importlib
import importlib.util
import os
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from types import ModuleType

import torch
from torch import Tensor

from cloud_transformers import native
from cloud_transformers.errors import InputError
from cloud_transformers.ops.verification import verified

BACKENDS = ("reference", "native", "triton")
MODULES = {"reference": "reference", "native": "native", "triton": "triton_kernels"}  # in every operator's folder

_scoped: ContextVar[str | None] = ContextVar("cloud_transformers_backend", default=None)


@contextmanager
def use_backend(name: str) -> Iterator[None]:
    """Run the operators with one backend inside a `with` block, in this thread (or task) only.

    `name` is "reference", "native" or "triton"; InputError for another one.

    >>> with ct.ops.use_backend("reference"):
    ...     square, index = ct.ops.nearest(torch.zeros(1, 2, 3), torch.ones(1, 4, 3))

    Autograd runs the backward pass of GPU tensors in threads of its own, which do not see the scope; there it runs
    with CLOUDT_BACKEND's choice, or the automatic one. Backends agree on what they save, so they can be mixed.
    """
    token = _scoped.set(_checked(name, "use_backend"))
    try:
        yield
    finally:
        _scoped.reset(token)


def asked_backend() -> str | None:
    """What `use_backend` or CLOUDT_BACKEND asks for; None: nothing, the choice is automatic."""
    scoped = _scoped.get()
    if scoped is not None:
        return scoped
    name = os.environ.get("CLOUDT_BACKEND")
    return _checked(name, "CLOUDT_BACKEND") if name else None


def implementation(operator: str, tensor: Tensor) -> ModuleType:
    """The module of ops/OPERATOR/ which computes on tensors like this one."""
    return _module(operator, backend_for(operator, tensor))


def backend_for(operator: str, tensor: Tensor) -> str:
    asked = asked_backend()
    if asked == "reference":
        return "reference"
    if asked == "native" and _suits_native(tensor):
        try:
            native.load(operator)
        except native.NativeUnavailable as error:
            raise InputError(f"the native backend was asked for, but {error}") from error
        return "native"
    if asked in (None, "native") and _suits_native(tensor):
        return "native" if native.is_usable(operator) else "reference"
    if asked in (None, "triton") and _has_triton(operator, tensor):
        return "triton"
    return "reference"


def _suits_native(tensor: Tensor) -> bool:
    return tensor.device.type == "cpu" and tensor.dtype == torch.float32


def _has_triton(operator: str, tensor: Tensor) -> bool:
    """Triton comes with CUDA builds of torch. Its interpreter also takes CPU tensors, for tests without a GPU."""
    interpreted = os.environ.get("TRITON_INTERPRET") == "1" and asked_backend() == "triton"
    if not (tensor.is_cuda or interpreted) or importlib.util.find_spec("triton") is None:
        return False
    if importlib.util.find_spec(f"cloud_transformers.ops.{operator}.{MODULES['triton']}") is None:
        return False
    return interpreted or verified(tensor.device)


def _module(operator: str, backend: str) -> ModuleType:
    return importlib.import_module(f"cloud_transformers.ops.{operator}.{MODULES[backend]}")


def _checked(name: str, source: str) -> str:
    if name not in BACKENDS:
        raise InputError(f"{source} must be one of {', '.join(BACKENDS)}, got {name!r}")
    return name
