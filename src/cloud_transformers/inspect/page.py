"""Pages that need nothing else: an HTML file of `pages/` with its data inside."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

PLACE = "{/* data */}"


def filled_page(name: str, data: dict[str, Any]) -> str:
    text = files("cloud_transformers.inspect").joinpath("pages", f"{name}.html").read_text(encoding="utf-8")
    assert text.count(PLACE) == 1
    # A script ends at the first "</script", wherever that stands; "<\/" means the same to JSON.
    return text.replace(PLACE, json.dumps(data, allow_nan=False).replace("</", "<\\/"))
