"""How many workers there are, and what each of them has of a machine: cores, memory, a graphics card."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from cloud_transformers.errors import InputError

_MOST_THREADS = 8  # of one worker: more processes serve better than more threads


@dataclass(frozen=True, kw_only=True)
class Workers:
    count: int
    cpus: int  # of each; as many threads are at work there
    gpus: int = 0
    memory: int  # bytes


def plan_workers(
    machines: Sequence[Mapping[str, float]],  # of each its CPU, GPU and memory in bytes, in Ray's words
    *,
    wanted: int | None,
    memory: int,
    device: str | None,
) -> Workers:
    """As many workers as fit on the machines, or as many as are wanted, with the cores shared among them.

    - `memory`: bytes that one worker takes.
    - `device`: where a model runs; None takes graphics cards, one per worker, if there are any.

    InputError if not a single worker fits.
    """
    cards = int(sum(machine.get("GPU", 0) for machine in machines))
    if device is not None and device != "cpu" and not cards:
        raise InputError(f"--device {device}: no machine of the cluster has a graphics card to offer")
    on_cards = cards > 0 and device != "cpu"
    fit = sum(_fitting(machine, memory, on_cards) for machine in machines)
    if not fit:
        most = max((machine.get("memory", 0) for machine in machines), default=0)
        raise InputError(
            f"no machine of the cluster has room for a worker: each takes a core and {memory / 2**30:.1f} GB, and the "
            f"largest has {most / 2**30:.1f} GB; give less --memory"
        )
    count = min(fit, wanted or fit)
    cores = sum(int(machine.get("CPU", 0)) for machine in machines)
    fewest = min(int(machine["CPU"]) for machine in machines if machine.get("CPU", 0) >= 1)
    threads = max(1, min(_MOST_THREADS, cores // count, fewest))
    return Workers(count=count, cpus=threads, gpus=int(on_cards), memory=memory)


def _fitting(machine: Mapping[str, float], memory: int, on_cards: bool) -> int:
    fit = min(int(machine.get("CPU", 0)), int(machine.get("memory", 0) // memory))
    return min(fit, int(machine.get("GPU", 0))) if on_cards else fit
