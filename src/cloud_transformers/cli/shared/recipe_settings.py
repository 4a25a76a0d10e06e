"""From the words of a command line to a recipe."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from cloud_transformers.errors import InputError
from cloud_transformers.remote import is_url, located

if TYPE_CHECKING:
    from cloud_transformers.recipes import Recipe

# Words of the command line that are no settings of the recipe.
RESERVED = ("out", "recipe", "weights")


def chosen_recipe(name: str, words: Sequence[str], *, also: Sequence[str] = ()) -> tuple[Recipe, dict[str, str]]:
    """The recipe with its settings, and what was reserved, by every verb or `also` by this one.

    "help" is among it if it was asked for.
    """
    from cloud_transformers.decoding import read_object
    from cloud_transformers.engine.run import CONFIGURATION
    from cloud_transformers.recipes import from_configuration, parse, recipe, starting_recipe, with_settings

    asked = [word for word in words if word not in ("-h", "--help")]
    values = parse(asked)
    for key in ("data", "folder"):
        if is_url(values.get(key, "")):
            text = "training and scores read data again and again: copy it to a disk, or mount it"
            raise InputError(text, path=located(values[key]))
    rest = {key: values.pop(key) for key in (*RESERVED, *also) if key in values}
    if len(asked) < len(words):
        rest["help"] = "yes"
    if "data" in values:
        values["folder"] = values.pop("data")
        if not Path(values["folder"]).is_dir():
            raise InputError(f"{values['folder']}: no such folder")
    if "from" in values:
        values["start"] = _named_weights(values.pop("from"))
    path = Path(name)
    path = path / CONFIGURATION if (path / CONFIGURATION).is_file() else path
    if path.is_file():
        if "size" in values:
            raise InputError(f"{path} has its size already; size is chosen with the name of a recipe")
        base = from_configuration(read_object(path), str(path))
    elif values.get("start", "none").lower() != "none":
        base = starting_recipe(name, values["start"], values.pop("size", None))
    else:
        base = recipe(name, values.pop("size", "full"))
    return with_settings(base, values), rest


def word_of(name: str, words: Sequence[str]) -> str | None:
    """The value that is given among settings for one name, as for `--recipe`."""
    from cloud_transformers.recipes import parse

    return parse([word for word in words if word not in ("-h", "--help")]).get(name)


def reserved(options: Sequence[str], words: Sequence[str]) -> tuple[str, ...]:
    """A verb's own options; with `--on`, `--workers` is among them.

    Else it is a setting, how many processes prepare batches, which is `training.workers` beside `--on`.
    """
    return (*options, "workers") if word_of("on", words) is not None else tuple(options)


def taken_out(name: str, words: Sequence[str]) -> tuple[list[str], list[str]]:
    """All values of an option that may be given several times, and the other words."""
    values, others, rest = [], [], iter(words)
    for word in rest:
        if word == f"--{name}":
            values.append(next(rest, ""))
        elif word.removeprefix("--").startswith(f"{name}="):
            values.append(word.partition("=")[2])
        else:
            others.append(word)
    return values, others


def _named_weights(name: str) -> str:
    """Names of the box and of Hugging Face stand for files; files and folders stay as they were named."""
    from cloud_transformers.models.weights import find_weights, is_name

    return str(find_weights(name)) if is_name(name) else name


def describe(recipe: Recipe) -> str:
    """All settings of a recipe and their values."""
    from cloud_transformers.recipes import RECIPES, settings

    lines = [f"{recipe.name}: {RECIPES[recipe.name].__doc__}"]
    group = ""
    for setting in settings(recipe):
        if setting.group != group:
            group = setting.group
            lines.append(f"{group}")
        value = ",".join(map(str, setting.value)) if isinstance(setting.value, tuple) else setting.value
        lines.append(f"  {f'{setting.name}={value}':<36} {setting.wanted}")
    return "\n".join(lines)
