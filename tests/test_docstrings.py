"""Every public name explains itself: what it does, and each of its parameters.

Public is what the packages of the README's tree export; of those that export modules, what these define. A parameter is
explained if the docstring names it, or if a comment stands beside it in the signature: shapes and units stand there,
close to the types. What a protocol says about a method need not be said again by those who fulfil it, nor what a module
says about all of its functions, where one reaches them through it.
"""

import importlib
import inspect
import pkgutil
import re
import sys
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import pytest

PACKAGES = (
    "cloud", "space", "io", "render", "datasets", "transforms", "world", "ops", "layers", "models", "export", "losses",
    "metrics", "tasks", "engine", "recipes", "predict", "report", "inspect", "viewer",
)  # fmt: skip
# What is reached as `space.MODULE.NAME`; everywhere else names are reached from the package.
OF_MODULES = ("space", "render")
OBVIOUS = {"self", "cls", "path", "seed", "rng"}


def exported() -> Iterator[tuple[str, Any]]:
    for package in ("", *PACKAGES):
        module = importlib.import_module(f"cloud_transformers.{package}".rstrip("."))
        for name, thing in members(module):
            yield f"{package}.{name}".lstrip("."), thing


def members(module: ModuleType) -> Iterator[tuple[str, Any]]:
    names = getattr(module, "__all__", None) or [name for name in vars(module) if not name.startswith("_")]
    things = [(name, getattr(module, name)) for name in names]
    if module.__name__.rpartition(".")[2] in OF_MODULES:
        found = [each.name for each in pkgutil.iter_modules(module.__path__)]
        things += [(name, importlib.import_module(f"{module.__name__}.{name}")) for name in found]
    for name, thing in things:
        if inspect.ismodule(thing) and thing.__name__.startswith("cloud_transformers."):
            own = [pair for pair in members(thing) if pair[1].__module__ == thing.__name__]
            yield from ((f"{name}.{inner}", each) for inner, each in own)
        elif is_ours(thing):
            yield name, thing


def is_ours(thing: Any) -> bool:
    is_code = inspect.isclass(thing) or inspect.isfunction(thing)
    return is_code and thing.__module__.startswith("cloud_transformers.")


PUBLIC = dict(exported())


def functions(name: str, thing: Any) -> Iterator[tuple[str, Any]]:
    """The thing itself, or a class's own public methods."""
    if inspect.isfunction(thing):
        yield name, thing
        return
    for method_name, method in vars(thing).items():
        method = method.__func__ if isinstance(method, (classmethod, staticmethod)) else method
        if not inspect.isfunction(method) or (method_name == "__init__" and is_protocol(thing)):
            continue
        if method_name == "__init__" or not method_name.startswith("_"):
            yield f"{name}.{method_name}", method


def is_protocol(thing: Any) -> bool:
    return inspect.isclass(thing) and getattr(thing, "_is_protocol", False)


def docstring(thing: Any) -> str:
    """Its own: neither that of a base class, nor the signature that a dataclass or tuple without one is given."""
    words = vars(thing).get("__doc__") if inspect.isclass(thing) else thing.__doc__
    return "" if words is None or words.startswith(f"{thing.__name__}(") else words


def words_about(name: str, thing: Any, method: str) -> str:
    """Docstrings of a class and its method, of the same in the protocols that it fulfils, and of its module."""
    page = sys.modules[thing.__module__].__doc__ if name.count(".") > 1 else ""
    if inspect.isfunction(thing):
        return f"{docstring(thing)}\n{page}"
    owners = [thing, *(each for each in PUBLIC.values() if is_protocol(each) and fulfils(thing, each))]
    methods = [vars(each).get(method) for each in owners]
    return "\n".join([*map(docstring, owners), *(each.__doc__ or "" for each in methods if each is not None)])


def fulfils(thing: type, protocol: type) -> bool:
    return all(hasattr(thing, name) for name, value in vars(protocol).items() if inspect.isfunction(value))


COMMENTED = re.compile(r"\s*\*{0,2}(\w+)\s*(?::.*|,)?#\s*\S")


def commented(thing: Any) -> set[str]:
    """Parameters and fields that have a comment on their line, in the source of a function, of a class or its bases."""
    sources = [thing] if inspect.isfunction(thing) else thing.__mro__
    ours = [each for each in sources if each.__module__.startswith("cloud_transformers.")]
    lines = [line for each in ours for line in inspect.getsource(each).splitlines()]
    return {match[1] for line in lines if (match := COMMENTED.match(line))}


def unexplained(name: str, thing: Any) -> list[str]:
    missing = [] if docstring(thing) else [f"{name} has no docstring"]
    known = OBVIOUS | commented(thing)
    for function_name, function in functions(name, thing):
        words = words_about(name, thing, function.__name__)
        missing += [
            f"{function_name} does not say what {parameter} is"
            for parameter in inspect.signature(function).parameters
            if parameter not in known and not re.search(rf"\b{parameter}\b", words)
        ]
    return missing


@pytest.mark.parametrize("name", sorted(PUBLIC))
def test_a_public_name_explains_itself(name: str) -> None:
    assert unexplained(name, PUBLIC[name]) == []


@pytest.mark.parametrize("package", PACKAGES)
def test_a_package_says_what_is_in_it(package: str) -> None:
    module = importlib.import_module(f"cloud_transformers.{package}")
    assert len((module.__doc__ or "").splitlines()) > 1
