"""Damage: one broken file, made of one or two sound ones.

Mutators know what harm is made of: numbers in headers, whether text or binary; lengths that point beyond the file;
parts that are missing, doubled or taken from another file.
"""

from __future__ import annotations

import json
from typing import Any

import numpy as np

_NUMBERS = (
    b"1000000000000",
    b"4294967295",
    b"2147483648",
    b"-1",
    b"0",
    b"nan",
    b"inf",
    b"1e400",
    b"99999999999999999999",
)
_BINARY = (
    (10**12).to_bytes(8, "little"), b"\xff" * 4, b"\xff" * 8, b"\0" * 4, b"\0" * 8, (2**31).to_bytes(4, "little"),
    (2**31 - 1).to_bytes(4, "little"), np.float64(np.nan).tobytes(), np.float32(np.inf).tobytes(), b"\x7f" * 2,
)  # fmt: skip
_ABSURD: tuple[Any, ...] = (
    0, -1, 1, 2, 10**6, 10**12, 10**30, 1e-30, 1e30, 0.5, float("nan"), float("inf"), None, True, "", "x" * 1000, [],
    [[]], {}, [1, 2], [[10**6, 4]], {"a": 1}, "\x1b[2J",
)  # fmt: skip


def mutate(samples: list[bytes], generator: np.random.Generator) -> bytes:
    """One damaged file, made of one or two valid ones."""
    data = bytearray(samples[generator.integers(len(samples))])
    for _ in range(int(generator.integers(1, 4))):
        kind = generator.integers(12)
        at = int(generator.integers(len(data) + 1))
        if generator.random() < 0.5:
            at = min(at, int(generator.integers(400)))  # headers are where the harm is
        if kind <= 1:
            for _ in range(int(generator.integers(1, 9))):
                if data:
                    data[min(int(generator.integers(len(data))), len(data) - 1)] ^= 1 << int(generator.integers(8))
        elif kind == 2:
            data = data[:at]
        elif kind == 3:
            word = _BINARY[generator.integers(len(_BINARY))]
            data[at : at + len(word)] = word
        elif kind == 4:
            _replace_number(data, generator)
        elif kind == 5:
            del data[at : at + int(generator.integers(1, 40))]
        elif kind == 6:
            data[at:at] = generator.bytes(int(generator.integers(1, 20)))
        elif kind == 7:
            other = samples[generator.integers(len(samples))]
            cut = int(generator.integers(min(len(other), len(data)) + 1))
            data = bytearray(other[:cut]) + data[cut:]
        elif kind == 8:
            data[at:at] = data[at // 2 : at]
        elif kind <= 10:
            _change_field(data, at, generator)
        elif generator.random() < 0.1:
            data = bytearray()
        elif data:
            data[min(at, len(data) - 1)] = int(generator.integers(256))
    return bytes(data)


def _change_field(data: bytearray, at: int, generator: np.random.Generator) -> None:
    """A count, length or place in a header: a little more or less, or as large as the file."""
    size = int(generator.choice([1, 2, 4, 8]))
    order: Any = ("little", "big")[generator.integers(2)]
    at -= at % size
    if at + size > len(data):
        return
    value = int.from_bytes(data[at : at + size], order)
    choices = (
        value + 1,
        value - 1,
        2 * value,
        value // 2,
        len(data),
        len(data) + 1,
        len(data) - at,
        value << 8,
        ~value,
    )
    data[at : at + size] = (choices[generator.integers(len(choices))] % (1 << 8 * size)).to_bytes(size, order)


def _replace_number(data: bytearray, generator: np.random.Generator) -> None:
    """Puts an absurd number in the place of one that stands in the file as text."""
    digits = np.frombuffer(bytes(data), np.uint8)
    is_digit = (digits >= ord("0")) & (digits <= ord("9"))
    starts = np.flatnonzero(is_digit & ~np.r_[False, is_digit[:-1]])
    if not len(starts):
        return
    start = int(starts[min(int(generator.integers(len(starts))), int(generator.integers(60)))])
    end = start
    while end < len(data) and chr(data[end]).isdigit():
        end += 1
    data[start:end] = _NUMBERS[generator.integers(len(_NUMBERS))]


def mutate_json(text: str, generator: np.random.Generator) -> str:
    """JSON in which one value, or the way to it, is absurd."""
    content = json.loads(text)
    if generator.random() < 0.2:
        return mutate([text.encode()], generator).decode("utf-8", "replace")
    if generator.random() < 0.05:
        return "[" * int(generator.integers(1, 20_000))
    place = content
    while True:
        keys: list[Any] = list(place) if isinstance(place, dict) else list(range(len(place)))
        if not keys:
            break
        key = keys[generator.integers(len(keys))]
        if isinstance(place[key], (dict, list)) and place[key] and generator.random() < 0.8:
            place = place[key]
            continue
        place[key] = _ABSURD[generator.integers(len(_ABSURD))]
        break
    return json.dumps(content)
