"""Pages and vector pictures in one file that needs nothing else: templates, filled with values."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from cloud_transformers.files import whole_file
from cloud_transformers.printable import printable


def filled(package: str, template: str, **values: Any) -> str:
    """A template of `package`'s folder templates/ with these values, in which nothing can become markup by accident."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader(package),
        autoescape=True,
        finalize=lambda value: printable(value) if type(value) is str else value,  # Markup is our own
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.policies["json.dumps_kwargs"] = {"allow_nan": False}  # and keys in their own order
    return environment.get_template(template).render(**values)


def save_page(path: Path, text: str) -> None:
    """Write a page's text; it appears whole or not at all."""
    with whole_file(path) as temporary:
        temporary.write_text(f"{text}\n", encoding="utf-8")
