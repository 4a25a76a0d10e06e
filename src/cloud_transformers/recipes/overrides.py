"""Settings given as text, `steps=200`, typed and checked, with a suggestion for what is misspelt."""

from __future__ import annotations

import difflib
import typing
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

from cloud_transformers import decoding
from cloud_transformers.engine.run import flat
from cloud_transformers.errors import InputError
from cloud_transformers.recipes.recipe import GROUPS, Recipe

# What runs had that say nothing about it.
_BEFORE: dict[str, Any] = {
    "data.floor": "lowest",
    "data.holdout": 0.0,
    "model.fine": False,
    "model.max_and_mean": False,
    "model.surroundings": False,
    "training.heads_first": 0.0,
    "training.body_rate": 1.0,
    "training.points_at_first": 1.0,
}


@dataclass(frozen=True)
class Setting:
    group: str
    name: str
    hint: Any
    value: Any

    @property
    def wanted(self) -> str:
        """The type in a user's words."""
        return decoding.wanted(self.hint)


def settings(recipe: Recipe) -> Iterator[Setting]:
    """All that can be chosen about a recipe, with its present value."""
    for group in GROUPS:
        part = getattr(recipe, group)
        hints = typing.get_type_hints(type(part))
        for field in fields(part):
            yield Setting(group, field.name, hints[field.name], getattr(part, field.name))


def with_settings(recipe: Recipe, values: Mapping[str, Any]) -> Recipe:
    """The recipe with these settings, named plainly (`steps`) or with their group (`training.steps`).

    `values` are text, as given on a command line, or what JSON holds. InputError for a setting that there is not, and
    for a value that does not suit it.

    >>> chosen = ct.recipes.with_settings(ct.recipes.recipe("scanobjectnn", "tiny"), {"steps": 5, "points": "64"})
    >>> chosen.training.steps, chosen.data.points
    (5, 64)
    """
    known = {}
    for setting in settings(recipe):
        known[setting.name] = known[f"{setting.group}.{setting.name}"] = setting
    changes: dict[str, dict[str, Any]] = {}
    for name, value in values.items():
        plain = name.replace("-", "_")
        if plain not in known:
            near = difflib.get_close_matches(plain, known, n=1, cutoff=0.5)
            hint = f"did you mean {near[0]}? " if near else ""
            raise InputError(
                f"{recipe.name} has no setting {name!r}; {hint}`cloudt train {recipe.name} --help` lists all"
            )
        setting = known[plain]
        try:
            typed = decoding.typed(setting.hint, value, from_text=True)
        except ValueError as error:
            raise InputError(f"{setting.name} {error}") from None
        changes.setdefault(setting.group, {})[setting.name] = typed
    groups = {group: replace(getattr(recipe, group), **values) for group, values in changes.items()}
    return replace(recipe, **groups)


# How completers of size small were made and trained before they could move points: by runs that do not say.
_PLACING: dict[str, Any] = {
    "model.moves": False, "model.mirrors": 0, "model.fine": False, "model.style_channels": 48,
    "task.linear": 0.0, "task.predicted": None,
    "data.drawn": None, "data.truth": None, "data.stretch": 0.0, "data.quarter": 0.0,
}  # fmt: skip


def from_configuration(content: Mapping[str, Any], source: str) -> Recipe:
    """The recipe that `Recipe.configuration` described in `content`; InputError names the `source`, its file."""
    from cloud_transformers.recipes.catalogue import recipe

    name = content.get("recipe")
    if not isinstance(name, str):
        raise InputError(f"{source}: names no recipe; it is not the configuration of a run")
    groups = {group: content.get(group, {}) for group in GROUPS}
    unknown = content.keys() - {"recipe", *GROUPS}
    if unknown or not all(isinstance(values, Mapping) for values in groups.values()):
        why = f"unknown: {', '.join(sorted(unknown))}" if unknown else "its groups must be named values"
        raise InputError(f"{source}: is not the configuration of a run ({why})")
    try:
        # What an older version did not write down is as this size has it, but for what has changed since.
        base = recipe(name, groups["model"].get("size", "full"))
        placed = base.task.name == "completion" and base.model.size == "small" and "moves" not in groups["model"]
        known = {f"{setting.group}.{setting.name}" for setting in settings(base)}
        before = {key: value for key, value in (_BEFORE | _PLACING if placed else _BEFORE).items() if key in known}
        return with_settings(base, before | flat(groups))
    except InputError as error:
        raise InputError(f"{source}: {error}") from None


def parse(words: Iterable[str]) -> dict[str, str]:
    """Settings from the words of a command line: `key=value`, `--key value` or `--key=value`.

    >>> ct.recipes.parse(["steps=5", "--points", "64"])
    {'steps': '5', 'points': '64'}
    """
    found: dict[str, str] = {}
    pending: str | None = None
    for word in words:
        if pending is not None:
            name, value = pending, word
            pending = None
        elif "=" in word:
            name, _, value = word.removeprefix("--").partition("=")
        elif word.startswith("--") and len(word) > 2:
            pending = word[2:]
            continue
        else:
            raise InputError(f"{word!r} is not a setting; write key=value or --key value")
        if name in found:
            raise InputError(f"{name} is given twice")
        found[name] = value
    if pending is not None:
        raise InputError(f"--{pending} has no value")
    return found
