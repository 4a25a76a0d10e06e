"""Every public name explains itself: what it does, and each of its parameters.

Public is what the packages of the README's tree export. A parameter is explained if the docstring names it, or if a comment stands
beside it in the signature (shapes and units stand there, close to the types).
"""

import ast
import importlib
import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import cloud_transformers

PACKAGES = (
    "cloud_transformers", "cloud", "space", "io", "render", "datasets", "transforms", "world", "ops", "layers", "models", "export",
    "losses", "metrics", "tasks", "engine", "recipes", "predict", "report", "inspect",
)  # fmt: skip
ROOT = Path(cloud_transformers.__file__).parent


def exported() -> Iterator[tuple[str, Any]]:
    for package in PACKAGES:
        module = importlib.import_module(
            package if package == "cloud_transformers" else f"cloud_transformers.{package}"
        )
        for name in getattr(module, "__all__", [name for name in vars(module) if not name.startswith("_")]):
            thing = getattr(module, name)
            is_ours = getattr(thing, "__module__", "").startswith("cloud_transformers")
            if is_ours and (inspect.isclass(thing) or inspect.isfunction(thing)):
                yield f"{package}.{name}", thing


PUBLIC = dict(exported())


def functions(name: str, thing: Any) -> Iterator[tuple[str, Any]]:
    """The thing itself, or a class's own public methods."""
    if inspect.isfunction(thing):
        yield name, thing
        return
    for method_name, method in vars(thing).items():
        method = method.__func__ if isinstance(method, (classmethod, staticmethod)) else method
        if inspect.isfunction(method) and (method_name == "__init__" or not method_name.startswith("_")):
            yield f"{name}.{method_name}", method


COMMENTED = re.compile(r"\s*\*{0,2}(\w+)\s*(?::.*|,)?#\s*\S")
OBVIOUS = {"self", "cls", "path", "seed", "rng"}  # explained once, in docs/design.md


def commented(thing: Any) -> set[str]:
    """Parameters and fields that have a comment on their line, in the source of a function or a class."""
    return {match[1] for line in inspect.getsource(thing).splitlines() if (match := COMMENTED.match(line))}


def words_of(thing: Any, method: str) -> str:
    """Docstrings of a class and of a method, and those of the protocols that the class fulfils."""
    package = thing.__module__.split(".")[1]
    protocols = [each for name, each in PUBLIC.items() if name.startswith(f"{package}.") and is_protocol(each)]
    fulfilled = [each for each in protocols if hasattr(each, method)]
    return "\n".join(
        inspect.getdoc(part) or ""
        for each in (thing, *fulfilled)
        for part in (each, getattr(each, method, None))
        if part
    )


def is_protocol(thing: Any) -> bool:
    return inspect.isclass(thing) and getattr(thing, "_is_protocol", False)


def unexplained(name: str, thing: Any) -> list[str]:
    words = inspect.getdoc(thing) or ""
    missing = [] if words else [f"{name} has no docstring"]
    beside = commented(thing) | (set() if inspect.isfunction(thing) else base_comments(thing))
    for function_name, function in functions(name, thing):
        own = words if inspect.isfunction(thing) else words_of(thing, function.__name__)
        missing += [
            f"{function_name} does not say what {parameter} is"
            for parameter in inspect.signature(function).parameters
            if parameter not in OBVIOUS | beside and not re.search(rf"\b{parameter}\b", own)
        ]
    return missing


def base_comments(thing: type) -> set[str]:
    bases = [base for base in thing.__mro__[1:] if base.__module__.startswith("cloud_transformers")]
    return {name for base in bases for name in commented(base)}


@pytest.mark.parametrize("name", sorted(PUBLIC))
def test_a_public_name_explains_itself(name: str) -> None:
    assert unexplained(name, PUBLIC[name]) == []
