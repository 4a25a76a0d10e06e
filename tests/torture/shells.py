"""Damage inside a sound shell: lengths and checksums, which would shield what is inside, are made anew around it."""

from __future__ import annotations

import functools
import gzip
import io
import struct
import zipfile
import zlib
from collections.abc import Callable

import numpy as np

from tests.torture.mutate import mutate, mutate_json

Shell = Callable[[list[bytes], np.random.Generator], bytes]


def mutate_in_zip(samples: list[bytes], generator: np.random.Generator) -> bytes:
    """A sound archive with one damaged member."""
    with zipfile.ZipFile(io.BytesIO(samples[generator.integers(len(samples))])) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    damaged = sorted(members)[generator.integers(len(members))]
    members[damaged] = mutate([members[damaged]], generator)
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, data in members.items():
            archive.writestr(zipfile.ZipInfo(name), data)
    return file.getvalue()


def mutate_in_gzip(samples: list[bytes], generator: np.random.Generator) -> bytes:
    return gzip.compress(mutate([gzip.decompress(each) for each in samples], generator), 1, mtime=0)


def mutate_in_png(samples: list[bytes], generator: np.random.Generator) -> bytes:
    """Chunks with damaged content and right checksums."""
    data = samples[generator.integers(len(samples))]
    chunks, at = [], 8
    while at + 12 <= len(data):
        length = int.from_bytes(data[at : at + 4], "big")
        chunks.append((data[at + 4 : at + 8], data[at + 8 : at + 8 + length]))
        at += 12 + length
    place = int(generator.integers(len(chunks)))
    kind, content = chunks[place]
    if kind == b"IDAT" and generator.random() < 0.5:
        content = zlib.compress(mutate([zlib.decompress(content)], generator))
    else:
        content = mutate([content], generator)
    chunks[place] = kind, content
    made = [len(c).to_bytes(4, "big") + k + c + zlib.crc32(k + c).to_bytes(4, "big") for k, c in chunks]
    return data[:8] + b"".join(made)


def mutate_in_glb(samples: list[bytes], generator: np.random.Generator) -> bytes:
    """A scene that says absurd things, before sound numbers."""
    data = samples[generator.integers(len(samples))]
    length = int.from_bytes(data[12:16], "little")
    text = mutate_json(data[20 : 20 + length].decode(), generator).encode()
    text += b" " * (-len(text) % 4)
    rest = data[20 + length :]
    return struct.pack("<4sIII4s", b"glTF", 2, 20 + len(text) + len(rest), len(text), b"JSON") + text + rest


_PAGE = 1024  # bytes of an E57 file, the last four of which are a checksum


def mutate_in_e57(samples: list[bytes], generator: np.random.Generator) -> bytes:
    """Pages with right checksums; half of the time the damage is in the XML, which stands at the end."""
    sample = samples[generator.integers(len(samples))]
    data = b"".join(sample[at : at + _PAGE - 4] for at in range(0, len(sample), _PAGE))
    _, _, _, _, start, length, _ = struct.unpack("<8sII4Q", data[:48])
    start -= start // _PAGE * 4  # the header counts bytes with checksums
    if generator.random() < 0.5:
        text = mutate([data[start : start + length]], generator)
        data = data[:32] + struct.pack("<Q", len(text)) + data[40:start] + text
    else:
        data = mutate([data[:start]], generator) + data[start:]
    pages = [data[at : at + _PAGE - 4].ljust(_PAGE - 4, b"\0") for at in range(0, len(data), _PAGE - 4)]
    pages[0] = pages[0][:16] + struct.pack("<Q", _PAGE * len(pages)) + pages[0][24:]
    return b"".join(page + _crc32c(page).to_bytes(4, "big") for page in pages)


def _crc32c(data: bytes) -> int:
    """The checksum of E57, for which Python has no function: CRC-32 with Castagnoli's polynomial."""
    table, value = _crc_table(), 0xFFFFFFFF
    for byte in data:
        value = value >> 8 ^ table[(value ^ byte) & 255]
    return value ^ 0xFFFFFFFF


@functools.cache
def _crc_table() -> list[int]:
    table = []
    for value in range(256):
        for _ in range(8):
            value = value >> 1 ^ (0x82F63B78 if value & 1 else 0)
        table.append(value)
    return table


_OCTREE_AT, _ENTRY = 429, struct.Struct("<4iQ2i")
_PLACES = (-1, 0, 1, 2, 30, 31, 2**31 - 1, -(2**31))


def mutate_in_octree(samples: list[bytes], generator: np.random.Generator) -> bytes:
    """A COPC file with other numbers in its description: of the root's cube, or of nodes and pages."""
    data = bytearray(samples[generator.integers(len(samples))])
    at = struct.unpack_from("<Q", data, _OCTREE_AT + 40)[0]
    for _ in range(int(generator.integers(1, 4))):
        if generator.random() < 0.3:
            number = (0.0, -1.0, 1e-320, 1e300, np.nan, np.inf, 1.0)[generator.integers(7)]
            struct.pack_into("<d", data, _OCTREE_AT + 8 * int(generator.integers(5)), number)
            continue
        place = at + _ENTRY.size * int(generator.integers((len(data) - at) // _ENTRY.size))
        values, other = list(_ENTRY.unpack_from(data, place)), int(generator.integers(7))
        if other == 4:
            values[4] = (at, 0, 2**64 - 1, len(data), values[4] + 32, values[4] + 1)[generator.integers(6)]
        else:
            values[other] = _PLACES[generator.integers(len(_PLACES))]
        if generator.random() < 0.3:
            values[6] = -1  # a page
            values[5] = _ENTRY.size * int(generator.integers(8))
        _ENTRY.pack_into(data, place, *values)
    return bytes(data)
