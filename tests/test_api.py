"""The package as its users see it: what can be reached, what help says, and how long calls may get."""

import importlib
import inspect
import pkgutil
import pydoc
import re
from collections.abc import Iterator
from dataclasses import is_dataclass
from pathlib import Path
from typing import Any

import pytest

import cloud_transformers as ct

ROOT = Path(__file__).parents[1]
MOST_PARAMETERS = 8
# Kernels take each tensor by itself; nobody calls them but the operator above them.
BACKENDS = ("native", "reference", "triton_kernels", "triton_corners", "folded")


def parts_of_the_readme() -> list[str]:
    tree = (ROOT / "README.md").read_text(encoding="utf-8").partition("## The tree")[2].partition("\ntests ")[0]
    names = re.findall(r"^  (\w+)(?:\.py)? ", tree, re.MULTILINE)
    return [name for name in names if name not in ("cli", "weights")]  # a command, and a folder of files


@pytest.mark.parametrize("name", parts_of_the_readme())
def test_what_the_readme_shows_can_be_reached(name: str) -> None:
    assert inspect.ismodule(getattr(ct, name))
    assert name in dir(ct)


def test_nothing_else_pretends_to_be_there() -> None:
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        ct.nothing  # noqa: B018
    assert all(hasattr(ct, name) for name in dir(ct))


def test_help_names_every_part_and_explains_every_name() -> None:
    page = pydoc.render_doc(ct, renderer=pydoc.plaintext)
    introduction = inspect.getdoc(ct) or ""
    for part in ("io", "datasets", "ops", "layers", "models", "losses", "metrics", "tasks", "engine", "predict"):
        assert re.search(rf"^ +{part} ", introduction, re.MULTILINE), part
    for name in ct.__all__:
        if name != "__version__":
            assert inspect.getdoc(getattr(ct, name)), name
            assert re.search(rf"\b{name}\b", page)


def public_functions() -> Iterator[tuple[str, Any]]:
    for module in pkgutil.walk_packages(ct.__path__, "cloud_transformers."):
        last = module.name.rpartition(".")[2]
        if last.startswith("_") or last in BACKENDS or ".cli" in module.name:
            continue
        found = importlib.import_module(module.name)
        for name, value in vars(found).items():
            if name.startswith("_") or getattr(value, "__module__", None) != module.name:
                continue
            if inspect.isfunction(value):
                yield f"{module.name}.{name}", value
            elif inspect.isclass(value):
                yield from methods(f"{module.name}.{name}", value)


def methods(place: str, owner: type) -> Iterator[tuple[str, Any]]:
    for name, value in vars(owner).items():
        function = getattr(value, "__func__", value)
        is_ours = name in ("__init__", "__call__") or not name.startswith("_")
        # The fields of a dataclass are options, each with its name and default.
        if inspect.isfunction(function) and is_ours and not (name == "__init__" and is_dataclass(owner)):
            yield f"{place}.{name}", function


def test_no_call_takes_more_than_eight_parameters() -> None:
    """Options of a family go into a frozen dataclass, or a TypedDict that is unpacked."""
    long = []
    for place, function in public_functions():
        names = [name for name in inspect.signature(function).parameters if name not in ("self", "cls")]
        if len(names) > MOST_PARAMETERS:
            long.append(f"{place}: {len(names)}")
    assert not long
