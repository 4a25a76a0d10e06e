"""Say what this machine runs with, and what would make it faster.

Machine and versions, the backend in use and why, compiler, cache folder, threads, GPU; each problem with its remedy.
"""

import argparse
import os
import platform


def add_arguments(parser: argparse.ArgumentParser) -> None:
    pass


def run(args: argparse.Namespace) -> int:
    """Exit code 0 if the fast kernels of this machine run, 1 if something keeps them from running."""
    import torch

    from cloud_transformers import __version__

    problems: list[str] = []
    rows = [
        ("cloud-transformers", __version__),
        ("python", f"{platform.python_version()} on {platform.system()} {platform.machine()}"),
        ("torch", torch.__version__),
        ("processor", _processor()),
        ("threads", f"{torch.get_num_threads()} of {os.cpu_count()} (torch.set_num_threads, OMP_NUM_THREADS)"),
        *_native_rows(problems),
        *_gpu_rows(problems),
        ("backend", _backend()),
    ]
    width = max(len(name) for name, _ in rows)
    for name, value in rows:
        print(f"{name:<{width}}  {value}")
    for problem in problems:
        print(f"problem: {problem}")
    return 1 if problems else 0


def _processor() -> str:
    try:
        with open("/proc/cpuinfo") as info:
            names = [line.partition(":")[2].strip() for line in info if line.startswith("model name")]
        return names[0] if names else platform.processor()
    except OSError:
        return platform.processor()


def _native_rows(problems: list[str]) -> list[tuple[str, str]]:
    from cloud_transformers import native

    rows = []
    compiler = native.find_compiler(os.environ.get("PATH"))
    rows.append(("compiler", "none" if compiler is None else f"{compiler.path} ({compiler.version})"))
    rows.append(("kernel cache", str(native.cache_folder())))
    failures = {}
    for source in sorted(native.source_folder().glob("*.cpp")):
        try:
            native.load(source.stem)
        except native.NativeUnavailable as error:
            failures[str(error)] = source.stem
    problems.extend(f"native kernels do not run: {reason}" for reason in failures)
    rows.append(("native kernels", "built and loaded" if not failures else "not available"))
    return rows


def _gpu_rows(problems: list[str]) -> list[tuple[str, str]]:
    import importlib.util

    import torch

    if not torch.cuda.is_available():
        return [("gpu", "none that torch can use")]
    has_triton = importlib.util.find_spec("triton") is not None
    if not has_triton:
        problems.append("the GPU runs without fast kernels: Triton is missing, install it with `pip install triton`")
    return [("gpu", torch.cuda.get_device_name()), ("triton", "there" if has_triton else "missing")]


def _backend() -> str:
    import torch

    from cloud_transformers.ops.backend import asked_backend, backend_for

    device = "cuda" if torch.cuda.is_available() else "cpu"
    used = backend_for("rasterize", torch.empty(0, device=device))
    asked = asked_backend()
    why = "chosen automatically" if asked is None else f"{asked} was asked for by CLOUDT_BACKEND"
    return f"{used} for float32 on {device} ({why}); reference for float64"
