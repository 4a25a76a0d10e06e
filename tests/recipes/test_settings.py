"""Scores in docs/ and weight files were measured with these settings: a recipe changes on purpose, or not at all.

python -m tests.recipes.test_settings    # after a change on purpose: writes settings.json again
"""

import json
from pathlib import Path
from typing import Any, get_args

import pytest

from cloud_transformers.models.trunk import Size
from cloud_transformers.recipes import RECIPES, recipe

FILE = Path(__file__).with_name("settings.json")
CHOICES = [f"{name} {size}" for name in RECIPES for size in get_args(Size)]


def settings(choice: str) -> dict[str, Any]:
    chosen = recipe(*choice.split())
    preparation = json.loads(chosen.preparation(()).to_json())
    return json.loads(json.dumps({**chosen.configuration(), "preparation": preparation}))


@pytest.mark.parametrize("choice", CHOICES)
def test_a_recipe_is_what_was_measured(choice: str) -> None:
    assert settings(choice) == json.loads(FILE.read_text(encoding="utf-8"))[choice]


@pytest.mark.parametrize("name", RECIPES)
def test_the_paper_s_size_is_the_default(name: str) -> None:
    make: Any = RECIPES[name]
    assert make().configuration() == recipe(name, "full").configuration()


def write() -> None:
    """A line per group of settings."""
    recipes = []
    for choice in CHOICES:
        groups = [f"{json.dumps(group)}: {json.dumps(values)}" for group, values in settings(choice).items()]
        recipes.append(f"{json.dumps(choice)}: {{\n  " + ",\n  ".join(groups) + "\n}")
    FILE.write_text("{\n" + ",\n".join(recipes) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    write()
