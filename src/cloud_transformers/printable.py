"""Text from outside (names of files, fields and classes, remarks in files) made harmless for terminals and pages."""

from __future__ import annotations

import re
from typing import Any

# Control characters but newline and tab, those that turn the direction of what follows, and halves of characters, which
# stand for the bytes of file names that are no text.
_HARMFUL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def printable(text: str) -> str:
    """The text with every character that does more than show itself written as JSON writes it, like \\u001b."""
    return _HARMFUL.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


class PrintableStream:
    """A stream of text to which nothing harmful is written, by whomever; all else is the stream's own.

    A carriage return at either end of what is written stays: progress bars draw themselves anew with it.
    """

    def __init__(self, stream: Any) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        inner = text.strip("\r")
        if inner:
            before, _, after = text.partition(inner)
            text = before + printable(inner) + after
        return int(self._stream.write(text))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)
