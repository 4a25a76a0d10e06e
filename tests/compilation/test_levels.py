"""Levels: each has what the one before has, the processor's are found, and a wrong wish is one sentence."""

import builtins
import io
import subprocess
import sys
from collections.abc import Iterator

import pytest

from cloud_transformers.compilation import levels
from cloud_transformers.errors import InputError

HASWELL = "flags : fpu cx16 lahf_lm popcnt pni ssse3 sse4_1 sse4_2 avx avx2 bmi1 bmi2 f16c fma abm movbe\n"
SKYLAKE_SERVER = f"{HASWELL.strip()} avx512f avx512bw avx512cd avx512dq avx512vl\n"


@pytest.fixture
def processor(monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    """Detection that has seen nothing yet, on x86-64."""
    monkeypatch.setattr(levels.platform, "machine", lambda: "x86_64")
    levels.processor_levels.cache_clear()
    yield monkeypatch
    levels.processor_levels.cache_clear()


def names_with(processor: pytest.MonkeyPatch, cpuinfo: str) -> list[str]:
    processor.setattr(builtins, "open", lambda path: io.StringIO(cpuinfo))
    return [level.name for level in levels.processor_levels()]


def test_levels_of_processors(processor: pytest.MonkeyPatch) -> None:
    assert names_with(processor, f"processor : 0\n{HASWELL}{HASWELL}") == ["baseline", "avx2"]


def test_the_highest_level(processor: pytest.MonkeyPatch) -> None:
    assert names_with(processor, SKYLAKE_SERVER) == ["baseline", "avx2", "avx512"]
    assert levels.best_level().name == "avx512"


def test_one_feature_less_is_a_level_less(processor: pytest.MonkeyPatch) -> None:
    assert names_with(processor, SKYLAKE_SERVER.replace("avx512cd", "")) == ["baseline", "avx2"]


def test_a_processor_below_all_levels_gets_its_own(processor: pytest.MonkeyPatch) -> None:
    assert names_with(processor, "flags : fpu sse2\n") == []
    assert levels.best_level() is levels.NATIVE


@pytest.mark.parametrize(("capability", "best"), [("DEFAULT", "baseline"), ("AVX2", "avx2"), ("AVX512", "avx512")])
def test_on_other_systems_torch_is_asked(processor: pytest.MonkeyPatch, capability: str, best: str) -> None:
    import torch

    def nothing_there(path: str) -> None:
        raise FileNotFoundError(path)

    processor.setattr(builtins, "open", nothing_there)
    processor.setattr(torch.backends.cpu, "get_cpu_capability", lambda: capability)
    assert levels.best_level().name == best


def test_arm_has_one(processor: pytest.MonkeyPatch) -> None:
    processor.setattr(levels.platform, "machine", lambda: "arm64")
    assert [level.name for level in levels.processor_levels()] == ["baseline"]
    processor.setenv("CLOUDT_CPU", "avx2")
    with pytest.raises(InputError, match=r"asks for avx2, which this processor does not have: .* baseline, native"):
        levels.asked_level()


def test_levels_grow() -> None:
    for lower, higher in zip(levels.X86_64, levels.X86_64[1:], strict=False):
        assert lower.features < higher.features
        assert set(lower.flag_choices[0]) < set(higher.flag_choices[0])


def test_asking(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CLOUDT_CPU", raising=False)
    assert levels.asked_level() is None
    for level in (*levels.processor_levels(), levels.NATIVE):
        monkeypatch.setenv("CLOUDT_CPU", level.name)
        assert levels.asked_level() == level
    monkeypatch.setenv("CLOUDT_CPU", "AVX2")
    with pytest.raises(InputError, match="must be one of baseline, avx2, avx512, native, got 'AVX2'"):
        levels.asked_level()


def test_compiling_needs_neither_torch_nor_numpy() -> None:
    """It runs where wheels are made."""
    program = "import sys, cloud_transformers.compilation; sys.exit(bool({'torch', 'numpy'} & set(sys.modules)))"
    subprocess.run([sys.executable, "-c", program], check=True)
