"""The way to a Ray cluster: one that is started for a command, the one we are in, or one at an address."""

from __future__ import annotations

import functools
import importlib.util
import logging
import os
import re
import secrets
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from cloud_transformers.errors import InputError
from cloud_transformers.memory import available_memory
from cloud_transformers.temporary import temporary_folder

LOCAL, AUTO = "ray", "auto"
_SECONDS = 6  # until an address that does not answer is given up
_SOCKETS = 62  # characters of the longest socket below Ray's folder; a system allows 107 for the whole path
_LEAST_STORE, _MOST_STORE = 80 << 20, 512 << 20  # bytes of the object store; Ray takes no less than 75 MB
# Ray replaces 127.0.0.1 by an address that others can reach, where it can have several machines: on Linux.
_LOOPBACK = "127.0.0.2" if sys.platform == "linux" else "127.0.0.1"
_ENVIRONMENT = {
    "RAY_USAGE_STATS_ENABLED": "0",  # nothing is reported to anyone
    "RAY_ADDRESS": "",  # it would replace the address that was asked for
}
_LOCAL_ENVIRONMENT = _ENVIRONMENT | {
    # On a machine that others use too, Ray would end our workers for the memory of their programs. Ours keep to
    # --memory, and where that fails the system ends the largest worker, which is replaced.
    "RAY_memory_monitor_refresh_ms": "0",
    "RAY_enable_metrics_collection": "0",
    "RAY_worker_niceness": "0",  # else they yield to all other programs, which the command without --on does not
}


@contextmanager
def connected(on: str, *, cpus: int | None = None) -> Iterator[Any]:
    """While entered, this process is connected to a cluster; gives the module `ray`.

    - `on`: "ray" starts a Ray on this machine that ends with the block; nobody else can use it. "auto" takes the
      cluster that RAY_ADDRESS names, or the one that runs on this machine; else an address, as `head:6379` from a
      machine of the cluster, or `ray://head:10001` from outside.
    - `cpus`: cores that a Ray started here may use, by default all.

    A process that is connected already, as a Python program may be, stays so with "ray" and "auto". InputError if Ray
    is not installed, or if nobody answers.
    """
    ray = _imported()
    if on in (LOCAL, AUTO) and ray.is_initialized():
        yield ray
        return
    quietly = {"logging_level": logging.ERROR, "log_to_driver": False}
    with _started(ray, cpus, quietly) if on == LOCAL else _joined(ray, on, quietly):
        yield ray


def check_address(on: str) -> str:
    """What `--on` was given, if it can mean a cluster."""
    if on in (LOCAL, AUTO) or re.fullmatch(r"(ray://)?[\w.-]+:\d{1,5}", on) or re.fullmatch(r"(ray://)?\[.+\]:\d+", on):
        return on
    raise InputError(
        f"--on {on}: write ray for this machine, auto for the cluster that runs here, or an address as head:6379 or "
        "ray://head:10001"
    )


def _imported() -> Any:
    if importlib.util.find_spec("ray") is None:
        raise InputError("--on needs Ray, which is not installed: pip install 'cloud-transformers[cluster]'")
    import ray

    return ray


@contextmanager
def _started(ray: Any, cpus: int | None, quietly: dict[str, Any]) -> Iterator[None]:
    folder = temporary_folder(_short_folder() / "ray")
    try:
        with _environment(_LOCAL_ENVIRONMENT | {"RAY_AUTH_TOKEN": _token()}):
            ray.init(
                address="local",
                num_cpus=cpus,
                object_store_memory=min(_MOST_STORE, max(_LEAST_STORE, available_memory() // 20)),
                include_dashboard=False,
                _node_ip_address=_LOOPBACK,
                _temp_dir=str(folder),
                **quietly,
            )
        yield
    finally:
        ray.shutdown()
        shutil.rmtree(folder, ignore_errors=True)


def _short_folder() -> Path:
    """Where Ray's sockets can lie: their paths must be short, and on some systems those of temporary files are not."""
    folder = Path(tempfile.gettempdir())
    return folder if len(str(folder)) + 32 + _SOCKETS <= 107 or not Path("/tmp").is_dir() else Path("/tmp")


@contextmanager
def _joined(ray: Any, on: str, quietly: dict[str, Any]) -> Iterator[None]:
    address = _address(check_address(on))
    if not _answers(address.removeprefix("ray://")):
        raise InputError(
            f"--on {on}: no Ray answers at {address}; is the cluster up (`ray status` there), and may this machine "
            "reach that port?"
        )
    try:
        with _environment(_ENVIRONMENT):
            ray.init(address=address, **quietly)
    except (ConnectionError, RuntimeError, ValueError) as error:  # another version of Ray or Python, for one
        raise InputError(f"--on {on}: {' '.join(str(error).split())}") from error
    try:
        yield
    finally:
        ray.shutdown()


def _address(on: str) -> str:
    if on != AUTO:
        return on
    from ray._private.services import get_ray_address_from_environment

    try:
        return str(get_ray_address_from_environment(AUTO, None))
    except ConnectionError:
        raise InputError(
            "--on auto: no cluster runs on this machine, and RAY_ADDRESS names none; start one with "
            "`ray start --head`, or take --on ray"
        ) from None


def _answers(address: str) -> bool:
    """Whether a Ray is there: asked first, since Ray itself would try for two minutes."""
    import grpc

    with grpc.insecure_channel(address) as channel:
        ask = channel.unary_unary("/grpc.health.v1.Health/Check")
        try:
            ask(b"", timeout=_SECONDS)
        except grpc.RpcError as error:  # a Ray may refuse us, or not know the question; a web server is none
            silent = error.code() in (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED)
            return not silent and "http2 header" not in (error.details() or "")
    return True


@functools.cache
def _token() -> str:
    """What our processes know one another by, for a Ray that this process starts: one, since Ray remembers its first.

    Without one, Ray would make one and keep it in the user's home.
    """
    return secrets.token_hex(32)


@contextmanager
def _environment(values: dict[str, str]) -> Iterator[None]:
    """Variables for Ray's own processes, without a trace in ours. An empty one is unset."""
    before = {name: os.environ.get(name) for name in values}
    _set(values)
    try:
        yield
    finally:
        _set(before)


def _set(values: Any) -> None:
    for name, value in values.items():
        if value:
            os.environ[name] = value
        else:
            os.environ.pop(name, None)
