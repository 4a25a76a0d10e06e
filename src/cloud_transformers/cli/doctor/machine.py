"""What the computer has, and which of our kernels run on it."""

import importlib.util
import os
import platform
import warnings
from collections.abc import Iterator

from cloud_transformers import __version__
from cloud_transformers.cli.doctor.finding import Finding, problem
from cloud_transformers.errors import InputError


def findings() -> Iterator[Finding]:
    import torch

    yield Finding("cloud-transformers", __version__)
    yield Finding("python", f"{platform.python_version()} on {platform.system()} {platform.machine()}")
    yield Finding("torch", torch.__version__)
    yield Finding("processor", _processor())
    yield _threads()
    yield _memory()
    yield from _native()
    yield from _gpu()
    yield _backend()


def _processor() -> str:
    from cloud_transformers.compilation import best_level

    return f"{_model_name()}, level {best_level().name}"


def _model_name() -> str:
    try:
        with open("/proc/cpuinfo") as info:
            names = [line.partition(":")[2].strip() for line in info if line.startswith("model name")]
        return names[0] if names else platform.processor()
    except OSError:
        return platform.processor()


def _threads() -> Finding:
    import torch

    allowed = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    used = torch.get_num_threads()
    value = f"{used}, on {allowed} of {os.cpu_count()} processors"
    if used >= allowed:
        return Finding("threads", value)
    return Finding("threads", value, "more of them if OMP_NUM_THREADS is unset or larger, or by torch.set_num_threads")


def _memory() -> Finding:
    import psutil

    from cloud_transformers.memory import available_memory

    machine, ours = psutil.virtual_memory().total, available_memory()
    limit = "" if ours == machine else f", of which a container allows {ours / 2**30:.1f} GB"
    return Finding("memory", f"{machine / 2**30:.1f} GB{limit}")


def _native() -> Iterator[Finding]:
    from cloud_transformers import native
    from cloud_transformers.compilation import asked_level, best_level, kernel_names

    try:
        asked = asked_level()
    except InputError as error:
        yield problem("native kernels", "do not run", str(error))
        return
    compiler = native.find_compiler()
    yield Finding("compiler", "none" if compiler is None else f"{compiler.path} ({compiler.version})")
    reasons, kinds = set(), set()
    for name in kernel_names():
        try:
            found = native.load(name)
            kinds.add(f"{found.level}, {found.origin}")
        except native.NativeUnavailable as error:
            reasons.add(str(error))
    remedy = ""
    if asked and asked != best_level():
        remedy = f"CLOUDT_CPU asks for {asked.name}, unset it for speed"
    for kind in sorted(kinds):
        yield Finding("native kernels", kind, remedy)
    for reason in sorted(reasons):  # each reason ends with what to do
        yield problem("native kernels", "do not run, everything is slower", reason)


def _gpu() -> Iterator[Finding]:
    import torch

    if not torch.cuda.is_available():
        yield Finding("gpu", "none that torch can use")
        return
    name = torch.cuda.get_device_name()
    if importlib.util.find_spec("triton") is None:
        yield problem("gpu", f"{name}, without fast kernels, since Triton is missing", "pip install triton")
    else:
        yield Finding("gpu", f"{name}, with Triton")


def _backend() -> Finding:
    import torch

    from cloud_transformers.ops.backend import BACKENDS, asked_backend, backend_for

    device = "cuda" if torch.cuda.is_available() else "cpu"
    try:
        asked = asked_backend()
    except InputError as error:
        return problem("backend", str(error), f"unset CLOUDT_BACKEND, or set it to one of {', '.join(BACKENDS)}")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # that a fast backend is missing stands in a line of its own
            used = backend_for("rasterize", torch.empty(0, device=device))
    except InputError as error:
        return problem("backend", str(error), "or unset CLOUDT_BACKEND" if asked else "see native kernels")
    why = "chosen automatically" if asked is None else f"CLOUDT_BACKEND asks for {asked}"
    value = f"{used} for float32 on {device} ({why}); reference for float64"
    if asked is not None and asked != used:
        return problem("backend", value, f"{asked} does not run on {device}, unset CLOUDT_BACKEND")
    if asked == "reference":
        return Finding("backend", value, "slow, but for doubt and tests; unset CLOUDT_BACKEND for speed")
    return Finding("backend", value)
