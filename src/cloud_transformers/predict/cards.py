"""Cards: what weights were made from, how good they are and what they cannot do, as Markdown beside the file.

A card may begin with lines `key: value` between two lines `---`, as on Hugging Face; `score` is shown in lists.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from cloud_transformers.errors import InputError
from cloud_transformers.models.weights import HUB_FILES


@dataclass(frozen=True)
class Card:
    text: str  # Markdown, without the lines before it
    facts: dict[str, str] = field(default_factory=dict)


def card_of(weights: Path) -> Card | None:
    """The card NAME.md beside NAME.safetensors; of a model from Hugging Face, its README.md."""
    path = weights.with_name("README.md") if weights.name in HUB_FILES else weights.with_suffix(".md")
    return read_card(path) if path.is_file() else None


def read_card(path: Path) -> Card:
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise InputError(f"{path}, byte {error.start}: a card must be text in UTF-8") from None
    lines = text.splitlines()
    if not lines or lines[0].strip() != "---":
        return Card(text)
    end = next((number for number, line in enumerate(lines[1:], 1) if line.strip() == "---"), None)
    if end is None:
        raise InputError(f"{path}, line 1: the facts that begin with '---' have no end; close them with another '---'")
    facts = {}
    for line in lines[1:end]:
        key, colon, value = line.partition(":")
        if colon and not line.startswith((" ", "-", "#")):  # nested entries of other programs are not ours to read
            facts[key.strip()] = value.strip().strip("\"'")
    return Card("\n".join(lines[end + 1 :]).strip() + "\n", facts)
