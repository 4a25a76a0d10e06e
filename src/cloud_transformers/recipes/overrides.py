"""Settings given as text, `steps=200`, typed and checked, with a suggestion for what is misspelt."""

from __future__ import annotations

import difflib
import types
import typing
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, Literal

from cloud_transformers.engine.run import flat
from cloud_transformers.errors import InputError
from cloud_transformers.recipes.recipe import GROUPS, Recipe


@dataclass(frozen=True)
class Setting:
    group: str
    name: str
    hint: Any
    value: Any

    @property
    def wanted(self) -> str:
        """The type in a user's words."""
        options = [option for option in _options(self.hint) if option is not type(None)]
        if typing.get_origin(options[0]) is Literal:
            return " or ".join([*map(str, typing.get_args(options[0])), *self._or_none()])
        if typing.get_origin(options[0]) is tuple:
            return "values between commas"
        kinds = {bool: "true or false", int: "a whole number", float: "a number", str: "text"}
        return " or ".join([kinds.get(options[0], str(options[0])), *self._or_none()])

    def _or_none(self) -> list[str]:
        return ["none"] if type(None) in _options(self.hint) else []


def settings(recipe: Recipe) -> Iterator[Setting]:
    for group in GROUPS:
        part = getattr(recipe, group)
        hints = typing.get_type_hints(type(part))
        for field in fields(part):
            yield Setting(group, field.name, hints[field.name], getattr(part, field.name))


def with_settings(recipe: Recipe, values: Mapping[str, Any]) -> Recipe:
    """The recipe with these settings, named plainly (`steps`) or with their group (`training.steps`).

    Values are text, as given on a command line, or what JSON holds.
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
        changes.setdefault(setting.group, {})[setting.name] = _typed(setting, value)
    groups = {group: replace(getattr(recipe, group), **values) for group, values in changes.items()}
    return replace(recipe, **groups)


def from_configuration(content: Mapping[str, Any], source: str) -> Recipe:
    """The recipe that `Recipe.configuration` described."""
    from cloud_transformers.recipes.catalogue import recipe

    name = content.get("recipe")
    if not isinstance(name, str):
        raise InputError(f"{source}: names no recipe; it is not the configuration of a run")
    groups = {group: content.get(group, {}) for group in GROUPS}
    strangers = content.keys() - {"recipe", *GROUPS}
    if strangers or not all(isinstance(values, Mapping) for values in groups.values()):
        raise InputError(f"{source}: is not the configuration of a run ({', '.join(sorted(strangers)) or 'misshapen'})")
    try:
        # What an older version did not write down is as this size has it.
        return with_settings(recipe(name, groups["model"].get("size", "full")), flat(groups))
    except InputError as error:
        raise InputError(f"{source}: {error}") from None


def parse(words: Iterable[str]) -> dict[str, str]:
    """Settings from a command line: `key=value`, `--key value` or `--key=value`."""
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


def _options(hint: Any) -> tuple[Any, ...]:
    # `Literal[...] | None` is the one kind of union, `str | None` the other.
    return typing.get_args(hint) if typing.get_origin(hint) in (types.UnionType, typing.Union) else (hint,)


def _typed(setting: Setting, value: Any) -> Any:
    for option in _options(setting.hint):
        try:
            return _as(option, value)
        except (ValueError, TypeError):
            continue
    raise InputError(f"{setting.name} must be {setting.wanted}, got {value!r}")


def _as(hint: Any, value: Any) -> Any:
    """The value as this type, or a ValueError."""
    text = value if isinstance(value, str) else None
    if hint is type(None):
        if value is None or (text or "").lower() in ("none", "null"):
            return None
        raise ValueError
    if typing.get_origin(hint) is Literal:
        if value in typing.get_args(hint):
            return value
        raise ValueError
    if typing.get_origin(hint) is tuple:
        parts = [part for part in text.split(",") if part] if text is not None else value
        return tuple(_as(typing.get_args(hint)[0], part) for part in parts)
    if hint is bool:
        if isinstance(value, bool):
            return value
        return {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}[_lower(text)]
    if hint is int:
        number = float(value.replace("_", "")) if text is not None else value
        if isinstance(value, bool) or number != int(number):
            raise ValueError
        return int(number)
    if hint is float:
        if isinstance(value, bool):
            raise ValueError
        return float(value)
    if hint is str and text is not None and text.lower() not in ("none", "null"):
        return text
    raise ValueError


def _lower(text: str | None) -> str:
    lowered = (text or "").lower()
    if lowered not in ("true", "yes", "1", "false", "no", "0"):
        raise ValueError
    return lowered
