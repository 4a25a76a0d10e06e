"""Levels: which instructions of the processor the kernels may use.

    level       x86-64                            aarch64
    baseline    x86-64-v2: SSE4.2, 4 lanes        armv8-a: NEON, 4 lanes
    avx2        x86-64-v3: AVX2 and FMA, 8 lanes
    avx512      x86-64-v4: AVX-512, 16 lanes
    native      all that this very processor has, as the compiler sees it: for experiments, never in a wheel

Left alone, kernels are of the best named level that the processor has, so that those of a wheel and those compiled at
first use are the same. CLOUDT_CPU asks for another one, to test and to measure what other machines run.
"""

import os
import platform
from dataclasses import dataclass
from functools import lru_cache

from cloud_transformers.errors import InputError


@dataclass(frozen=True)
class Level:
    name: str
    flag_choices: tuple[tuple[str, ...], ...]  # for the compiler: the first that it knows
    features: frozenset[str] = frozenset()  # that the processor must have, as Linux names them


NATIVE = Level("native", (("-march=native",), ("-mcpu=native",), ()))


def _x86_64() -> tuple[Level, ...]:
    """Each level is the one before and more. Spelt out, since compilers before 2021 do not know `-march=x86-64-v3`."""
    table = (  # level, flags, features
        (
            "baseline",
            "-march=x86-64 -mcx16 -msahf -mpopcnt -msse3 -mssse3 -msse4.1 -msse4.2",
            "cx16 lahf_lm popcnt pni ssse3 sse4_1 sse4_2",
        ),
        (
            "avx2",
            "-mavx -mavx2 -mbmi -mbmi2 -mf16c -mfma -mlzcnt -mmovbe",
            "avx avx2 bmi1 bmi2 f16c fma abm movbe",
        ),
        (
            "avx512",
            "-mavx512f -mavx512bw -mavx512cd -mavx512dq -mavx512vl -mprefer-vector-width=512",
            "avx512f avx512bw avx512cd avx512dq avx512vl",
        ),
    )
    levels, flags, features = [], "", ""
    for name, more_flags, more_features in table:
        flags, features = f"{flags} {more_flags}", f"{features} {more_features}"
        levels.append(Level(name, (tuple(flags.split()),), frozenset(features.split())))
    return tuple(levels)


X86_64 = _x86_64()
AARCH64 = (Level("baseline", (("-march=armv8-a",),)),)
ARCHITECTURES = {"x86_64": X86_64, "amd64": X86_64, "aarch64": AARCH64, "arm64": AARCH64}
NAMES = (*(level.name for level in X86_64), NATIVE.name)


def levels_of(machine: str) -> tuple[Level, ...]:
    """The named levels of an architecture, lowest first; none where we know none."""
    return ARCHITECTURES.get(machine.lower(), ())


@lru_cache
def processor_levels() -> tuple[Level, ...]:
    """The named levels that this processor has, lowest first."""
    levels = levels_of(platform.machine())
    features = _features(levels)
    return tuple(level for level in levels if level.features <= features)


def best_level() -> Level:
    return processor_levels()[-1] if processor_levels() else NATIVE


def asked_level() -> Level | None:
    """What CLOUDT_CPU asks for; None: nothing."""
    name = os.environ.get("CLOUDT_CPU")
    if not name:
        return None
    if name not in NAMES:
        raise InputError(f"CLOUDT_CPU must be one of {', '.join(NAMES)}, got {name!r}")
    for level in (*processor_levels(), NATIVE):
        if level.name == name:
            return level
    has = ", ".join(level.name for level in (*processor_levels(), NATIVE))
    raise InputError(f"CLOUDT_CPU asks for {name}, which this processor does not have: choose among {has}, or unset it")


def _features(levels: tuple[Level, ...]) -> frozenset[str]:
    if not any(level.features for level in levels):
        return frozenset()
    try:
        with open("/proc/cpuinfo") as info:  # Linux, which leaves out what it does not save between threads
            lines = (line.partition(":") for line in info)
            return frozenset(next((words.split() for key, _, words in lines if key.strip() == "flags"), []))
    except OSError:
        import torch  # asks the processor itself, on every system, but tells no level below `avx2` from another

        known = {"AVX2": 2, "AVX512": 3}.get(torch.backends.cpu.get_cpu_capability(), 1)
        return levels[known - 1].features
